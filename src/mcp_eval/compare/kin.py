"""Which words of two names mean the same thing, and which mean opposite things."""

from collections import defaultdict
from functools import lru_cache

from mcp_eval.compare.words import READING, WRITING, words_of

Words = frozenset[str]

# Words that mean one thing in names of tools and parameters.
_VERBS_ALIKE = [
    frozenset(group.split())
    for group in (
        "get fetch read load show retrieve view return obtain print",
        "list enumerate ls index all",
        "search find query lookup q",
        "create add new make insert register",
        "add sum plus",
        "delete remove rm drop destroy purge erase",
        "update edit modify patch change set",
        "run execute exec launch start trigger invoke call perform begin",
        "stop end halt terminate kill",
        "send post publish submit",
        "go navigate move open visit",
        "choose select pick upload",
    )
]
_NOUNS_ALIKE = [
    frozenset(group.split())
    for group in (
        "document documentation doc",
        "directory dir folder",
        "repository repo",
        "identifier id",
        "limit max maximum count size",
        "text message content body",
        "file path filename filepath",
        "number num no n",
        "environment env",
        "configuration config",
        "parameter param argument arg",
        "language lang",
        "image img picture",
    )
]
_ALIKE = [*_VERBS_ALIKE, *_NOUNS_ALIKE]
# One of each in a name, and the names mean opposite things.
_CONTRASTS = tuple(
    frozenset(pair.split())
    for pair in (
        "include exclude",
        "min max",
        "minimum maximum",
        "start end",
        "start stop",
        "begin end",
        "from to",
        "before after",
        "since until",
        "source target",
        "source destination",
        "src dst",
        "enable disable",
        "allow deny",
        "allow block",
        "width height",
        "x y",
        "in out",
        "input output",
        "first last",
        "old new",
        "up down",
        "upper lower",
        "left right",
        "row column",
        "open close",
        "lock unlock",
        "read write",
        "forward back",
        "head base",
        "user group",
        "add remove",
        "create delete",
        "asc desc",
        "latitude longitude",
        "lat lon",
        "lat lng",
    )
)
_STOP = frozenset(
    ["a", "an", "the", "of", "to", "for", "in", "on", "at", "by", "with", "from", "and", "or",
     "is", "are", "be", "it", "its", "this", "that", "these", "those", "as", "into", "using",
     "use", "used", "uses", "can", "will", "which", "your", "you", "their", "our", "via", "per",
     "any", "if", "not", "do", "does"]
)  # fmt: skip
# Words that may come and go in a tool's name without it being another tool.
_LIGHT_WORDS = frozenset(["request", "tool", "operation", "function", "api", "mcp", "v", "new"])
_LIGHT_VERB_WORDS = frozenset(["get", "do", "run", "start", "trigger", "make", "take", "perform"])


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A word without its ending: `links` and `linked` are one."""
    for ending in ("ations", "ation", "ings", "ing", "ies", "ers", "ed", "es", "s", "er", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:  # noqa: PLR2004 -- a syllable
            return word.removesuffix(ending) + ("y" if ending == "ies" else "")
    return word


@lru_cache(maxsize=8192)
def stems(text: str) -> Words:
    """What a name or a text talks about: its words without their endings."""
    return frozenset(stem(word) for word in words_of(text) if word not in _STOP)


def _families() -> dict[str, frozenset[int]]:
    """The groups of one meaning each stem belongs to."""
    found: dict[str, set[int]] = defaultdict(set)
    for number, group in enumerate(_ALIKE):
        for word in group:
            found[stem(word)].add(number)
    return {root: frozenset(numbers) for root, numbers in found.items()}


_FAMILIES = _families()
VERBS = frozenset(stem(word) for word in (WRITING | READING).union(*_VERBS_ALIKE))
LIGHT = frozenset(stem(word) for word in _LIGHT_WORDS)
LIGHT_VERBS = frozenset(stem(word) for word in _LIGHT_VERB_WORDS)
_NONE: frozenset[int] = frozenset()


def kindred(one: str, other: str) -> bool:
    """Whether two stems may stand for each other."""
    return not _FAMILIES.get(one, _NONE).isdisjoint(_FAMILIES.get(other, _NONE))


def unmatched(one: Words, other: Words) -> Words:
    """The words of one side that nothing on the other side says."""
    said = _NONE.union(*(_FAMILIES.get(word, _NONE) for word in other))
    return frozenset(word for word in one - other if said.isdisjoint(_FAMILIES.get(word, _NONE)))


def overlap(one: Words, other: Words) -> float:
    """Dice's share of common words; words of one meaning count."""
    if not one or not other:
        return 0.0
    common = one & other
    right = other - common
    kin = len(one - common) - len(unmatched(one - common, right))
    return 2 * (len(common) + 0.8 * min(kin, len(right))) / (len(one) + len(other))


def contrary(one: str, other: str) -> bool:
    """Whether two names differ by a word and its opposite: `date_from`, `date_to`."""
    ones, others = frozenset(words_of(one)), frozenset(words_of(other))
    left, right = ones - others, others - ones
    return any(len(pair & left) == 1 and pair - left <= right for pair in _CONTRASTS)


def spelled(name: str) -> str:
    """A name however it is cased: `tinyImage`, `tiny-image`, `tiny_image`."""
    return "".join(words_of(name))


def abbreviated(one: str, other: str) -> float:
    """`q` of `query`, `repo` of `repository`."""
    short, long = sorted(("".join(words_of(one)), "".join(words_of(other))), key=len)
    return 0.7 if short and long.startswith(short) else 0.0
