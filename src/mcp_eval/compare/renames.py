"""Which removed tool or parameter is an added one under a new name, one to one, on evidence."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from mcp_eval.compare.assignment import best_pairs
from mcp_eval.compare.limits import apart
from mcp_eval.compare.schemas import Shape
from mcp_eval.compare.words import DISCRIMINATORS, READING, UNDOING, WRITING, words_of

Words = frozenset[str]


@dataclass(frozen=True, slots=True)
class Member:
    """One parameter where it stands."""

    shape: Shape
    required: bool
    position: int


@dataclass(frozen=True, slots=True)
class Signature:
    """What a tool is known by, beside its name."""

    name: str
    title: str
    description: str
    members: Mapping[str, Member]


# Words that mean one thing in names of tools and parameters.
_ALIKE = [
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
# One of each in a name, and the names mean opposite things.
_CONTRASTS = [
    frozenset(pair.split())
    for pair in [
        "include exclude",
        "min max",
        "minimum maximum",
        "start end",
        "from to",
        "before after",
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
        "left right",
        "open close",
        "lock unlock",
        "read write",
        "forward back",
        "start stop",
        "begin end",
        "head base",
        "user group",
        "add remove",
        "create delete",
        "since until",
        "lower upper",
        "row column",
        "asc desc",
        "latitude longitude",
        "lat lon",
        "lat lng",
    ]
]
_STOP = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "to",
        "for",
        "in",
        "on",
        "at",
        "by",
        "with",
        "from",
        "and",
        "or",
        "is",
        "are",
        "be",
        "it",
        "its",
        "this",
        "that",
        "these",
        "those",
        "as",
        "into",
        "using",
        "use",
        "used",
        "uses",
        "can",
        "will",
        "which",
        "your",
        "you",
        "their",
        "our",
        "via",
        "per",
        "any",
        "if",
        "not",
        "do",
        "does",
    ]
)
_KINDRED = {word: number for number, group in reversed(list(enumerate(_ALIKE))) for word in group}


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    for ending in ("ations", "ation", "ings", "ing", "ies", "ers", "ed", "es", "s", "er", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:  # noqa: PLR2004 -- a syllable
            return word.removesuffix(ending) + ("y" if ending == "ies" else "")
    return word


@lru_cache(maxsize=8192)
def _stems(text: str) -> Words:
    return frozenset(_stem(word) for word in words_of(text) if word not in _STOP)


def _overlap(one: Words, other: Words) -> float:
    """Dice's share of common words; words of one meaning count."""
    if not one or not other:
        return 0.0
    common = one & other
    left, right = one - common, other - common
    kin = sum(1 for word in left if any(_kindred(word, each) for each in right))
    return 2 * (len(common) + 0.8 * min(kin, len(right))) / (len(one) + len(other))


@lru_cache(maxsize=16384)
def _kindred(one: str, other: str) -> bool:
    return any(
        any(_stem(word) == one for word in group) and any(_stem(word) == other for word in group)
        for group in _ALIKE
    )


def _contrary(one: Words, other: Words) -> bool:
    left, right = one - other, other - one
    return any(
        (a in left and b in right) or (b in left and a in right)
        for a, b in (sorted(pair) for pair in _CONTRASTS)
    )


def tool_renames(gone: Sequence[Signature], come: Sequence[Signature]) -> dict[str, str]:
    """Old names and the new names of the same tools."""
    common = _common_words([each.name for each in (*gone, *come)])
    scores: dict[tuple[str, str], float] = {}
    for old in gone:
        for new in come:
            score = _tool_likeness(old, new, common)
            if score:
                scores[old.name, new.name] = score
    return _undisputed(scores)


def _undisputed(scores: Mapping[tuple[str, str], float]) -> dict[str, str]:
    """The best pairs, but for those where two old tools claim one new tool about equally."""
    pairs = best_pairs(scores)
    return {
        old: new
        for old, new in pairs.items()
        if not any(
            other == new and rival not in pairs and score > scores[old, new] - _MARGIN
            for (rival, other), score in scores.items()
            if rival != old
        )
    }


_MARGIN = 0.12


def _common_words(names: Iterable[str]) -> Words:
    """The words that most names share: a server's prefix tells nothing."""
    listed = [_stems(name) for name in names]
    counts = Counter(word for words in listed for word in words)
    return frozenset(word for word, count in counts.items() if count > max(2, 0.6 * len(listed)))


def _tool_likeness(old: Signature, new: Signature, common: Words) -> float:
    """How sure it is that a tool goes on under a new name; 0 where it is not convincing."""
    one, other = _stems(old.name), _stems(new.name)
    if one == other and _spelled(old.name) == _spelled(new.name):
        named = 1.0
    else:
        named = _overlap(one - common or one, other - common or other)
    told = _overlap(_stems(old.description), _stems(new.description))
    if named < 1 and (_contrary(one, other) or _other_verb(old, new)):
        return 0.0
    shared = _shared_members(old.members, new.members)
    if _merged(old, new):
        return 0.0
    if not _convincing(old, new, shared, named, told):
        return 0.0
    return 0.4 * named + 0.3 * shared + 0.3 * told


def _spelled(name: str) -> str:
    return "".join(words_of(name))


def _convincing(old: Signature, new: Signature, shared: float, named: float, told: float) -> bool:
    evidence = max(named, told)
    if not old.members and not new.members:
        return evidence >= 0.6 or (named >= 0.35 and told >= 0.3)
    if not old.members or not new.members:
        return named >= 0.9 or told >= 0.9
    if shared >= 0.99:
        return evidence >= (0.3 if len(old.members) > 1 else 0.4)
    if shared >= 0.5:
        return evidence >= 0.5 and named + told >= 0.7
    return named >= 0.95 and (told >= 0.3 or shared > 0)


def _shared_members(old: Mapping[str, Member], new: Mapping[str, Member]) -> float:
    """The share of parameters that stand on both sides with one type."""
    if not old or not new:
        return 0.5 if not old and not new else 0.0
    spelled = {_spelled(name): member for name, member in new.items()}
    same = sum(
        1
        for name, member in old.items()
        if (other := spelled.get(_spelled(name))) is not None
        and not apart(member.shape.types, other.shape.types)
    )
    return (
        same / len(old.keys() | new.keys())
        if same < min(len(old), len(new))
        else (same / max(len(old), len(new)))
    )


def _merged(old: Signature, new: Signature) -> bool:
    """Whether the new tool asks which of several things to do: it took several tools in."""
    return any(
        member.required and name.lower() in DISCRIMINATORS and len(member.shape.values or ()) > 1
        for name, member in new.members.items()
        if name not in old.members
    )


def _other_verb(old: Signature, new: Signature) -> bool:
    """Whether the names say two different things are done, one of them a change."""
    one = {word for word in words_of(old.name) if word in WRITING or word in READING}
    other = {word for word in words_of(new.name) if word in WRITING or word in READING}
    if not one or not other or any(_same_verb(a, b) for a in one for b in other):
        return False
    if _same_verb_somewhere(one, words_of(new.name)) or _same_verb_somewhere(
        other, words_of(old.name)
    ):
        return False
    if bool(one & UNDOING) != bool(other & UNDOING):
        return True
    return bool(one & WRITING) and bool(other & WRITING)


def _same_verb(one: str, other: str) -> bool:
    return one == other or any(one in group and other in group for group in _ALIKE)


def _same_verb_somewhere(verbs: Iterable[str], words: Iterable[str]) -> bool:
    return any(_same_verb(verb, word) for verb in verbs for word in words)


def parameter_renames(gone: Mapping[str, Member], come: Mapping[str, Member]) -> dict[str, str]:
    """Old names and the new names of the same parameters."""
    scores: dict[tuple[str, str], float] = {}
    alone = len(gone) == len(come) == 1
    for name, old in gone.items():
        for other, new in come.items():
            score = _member_likeness(name, old, other, new, alone=alone)
            if score:
                scores[name, other] = score
    return best_pairs(scores)


def _member_likeness(name: str, old: Member, other: str, new: Member, *, alone: bool) -> float:
    """How sure it is that a parameter goes on under a new name; 0 where it is not convincing."""
    one, two = _stems(name), _stems(other)
    if _spelled(name) == _spelled(other):
        return 2.0 if not apart(old.shape.types, new.shape.types) else 1.0
    if not _like_schema(old.shape, new.shape) or _contrary(one, two):
        return 0.0
    named = max(_overlap(one, two), _abbreviated(name, other))
    told = _overlap(_stems(old.shape.description), _stems(new.shape.description))
    worded = bool(old.shape.description) and bool(new.shape.description)
    placed = old.position == new.position and old.required == new.required
    listed = old.shape.values is not None and len(old.shape.values) > 1
    sure = (
        (named >= 0.6 and (told >= 0.3 or not worded))
        or (worded and told >= 0.6)
        or (listed and old.shape.values == new.shape.values)
        or (alone and placed and not worded)
    )
    return 0.4 * named + 0.4 * told + 0.2 * placed + 0.01 if sure else 0.0


def _like_schema(old: Shape, new: Shape) -> bool:
    if old.types != new.types or bool(old.options) != bool(new.options):
        return False
    if old.values is not None and new.values is not None:
        return bool(set(map(repr, old.values)) & set(map(repr, new.values)))
    return old.properties.keys() == new.properties.keys() or bool(
        old.properties.keys() & new.properties.keys()
    )


def _abbreviated(one: str, other: str) -> float:
    """`q` of `query`, `repo` of `repository`."""
    short, long = sorted(("".join(words_of(one)), "".join(words_of(other))), key=len)
    return 0.7 if short and long.startswith(short) else 0.0
