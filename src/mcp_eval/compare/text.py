"""How alike two short free texts are, without a model: words aligned softly, and contrast."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from mcp_eval.compare import lexicon
from mcp_eval.compare.lexicon import Word
from mcp_eval.compare.spoken import Text, read
from mcp_eval.compare.wordforms import word_similarity

_REPLACED = 0.45  # what is lost where one content word stands for another
_SLOT = 0.65  # what is lost where it does so between the same two words
_CONTRAST = 0.25  # what remains where a word says the opposite, or two change places
_MANY = 1600  # pairs of left-over words beyond which only equal words are looked for


class Alignment(NamedTuple):
    """What of two texts stands for each other, and what stands alone."""

    matched: float
    flips: int
    only_a: list[Word]
    only_b: list[Word]


class Likeness(NamedTuple):
    """How alike two texts are, which words stand alone, and whether one says the opposite."""

    similarity: float
    only_a: tuple[str, ...] = ()
    only_b: tuple[str, ...] = ()
    turned: bool = False


def text_similarity(a: str, b: str) -> float:
    """How alike two texts are in what they ask: symmetric, 1 for one text, contrast below 0.5."""
    return likeness(a, b).similarity


def likeness(a: str, b: str) -> Likeness:
    """The same, with the words that make the difference."""
    if a == b:
        return Likeness(1.0)
    if a < b:
        return _likeness(a, b)
    found = _likeness(b, a)
    return found._replace(only_a=found.only_b, only_b=found.only_a)


@lru_cache(maxsize=8192)
def _likeness(a: str, b: str) -> Likeness:
    left, right = read(a), read(b)
    if not left.words or not right.words:
        return Likeness(float(a.split() == b.split()))
    if left.stems == right.stems and left.negations == right.negations:
        return Likeness(1.0)
    matched, flips, only_a, only_b = align_words(left.words, right.words)
    score = matched / (left.weight + right.weight)
    if only_a and only_b:
        score *= 1.0 - _loss(left, right, only_a, only_b)
    turns = flips + left.negations + right.negations
    if _content(only_a) == 0 or _content(only_b) == 0:
        turns += len({one.stem for one in (*only_a, *only_b)} & lexicon.reversing())
    turned = turns % 2 == 1 or _swapped(left, right) or (not turns and _opposed(left, right))
    score *= (_CONTRAST if turned else 1.0) * (0.97 + 0.03 * _order(left.stems, right.stems))
    return Likeness(round(min(1.0, score), 4), _shown(only_a), _shown(only_b), turned)


def _shown(words: Sequence[Word]) -> tuple[str, ...]:
    return tuple([word.form for word in words if word.weight > lexicon.STOP])


def _content(words: Sequence[Word]) -> float:
    return sum([word.weight for word in words if word.weight > lexicon.STOP])


# Aligning: which word stands for which.


def align_words(a: Sequence[Word], b: Sequence[Word]) -> Alignment:
    """Equal words first, then several for one, then the likest of what is left."""
    matched, rest_a, rest_b = _equal(a, b)
    if rest_a and rest_b:
        joined_a, joined_b = _joined(rest_a, rest_b), _joined(rest_b, rest_a)
        # What is left has no stem in common, unless something was joined.
        if joined_a is not rest_a or joined_b is not rest_b:
            again, rest_a, rest_b = _equal(joined_a, joined_b)
            matched += again
    if not rest_a or not rest_b or len(rest_a) * len(rest_b) > _MANY:
        return Alignment(matched, 0, rest_a, rest_b)
    return _likest(matched, rest_a, rest_b)


def _equal(a: Sequence[Word], b: Sequence[Word]) -> tuple[float, list[Word], list[Word]]:
    free: dict[str, int] = {}
    for one in b:
        free[one.stem] = free.get(one.stem, 0) + 1
    matched, rest_a, rest_b = 0.0, [], []
    for one in a:
        if free.get(one.stem):
            free[one.stem] -= 1
            matched += one.weight
        else:
            rest_a.append(one)
    for one in b:
        if free[one.stem]:
            free[one.stem] -= 1
            rest_b.append(one)
        else:
            matched += one.weight
    return matched, rest_a, rest_b


def _joined(words: list[Word], others: list[Word]) -> list[Word]:
    """Neighbours that another text writes as one word, or by their initials, made one."""
    if len(words) == 1:
        return words
    wanted = {one.stem: one for one in others if one.weight > lexicon.STOP and len(one.stem) > 1}
    letters = frozenset().union(*[one.starts for one in wanted.values()])
    out: list[Word] = []
    at = 0
    while at < len(words):
        size, found = 1, None
        if words[at].form[0] in letters or words[at].stem[0] in letters:
            size, found = _one_word(words, at, wanted)
        if found is None:
            out.append(words[at])
        else:
            weight = sum(one.weight for one in words[at : at + size])
            out.append(Word(found.stem, found.form, weight))
        at += size
    return words if len(out) == len(words) else out


def _one_word(words: list[Word], at: int, wanted: dict[str, Word]) -> tuple[int, Word | None]:
    """How many words from here on another text writes as one, and that word."""
    first = words[at]
    form, initials = first.form, _initial(first)
    for size, one in enumerate(words[at + 1 : at + 4], 2):
        form += one.form
        initials += _initial(one)
        found = wanted.get(initials) or wanted.get(lexicon.stem(form))
        if found:
            return size, found
    return 1, None


def _initial(word: Word) -> str:
    return word.stem if word.stem.isdigit() else word.form[0]


def _likest(matched: float, a: list[Word], b: list[Word]) -> Alignment:
    found = []
    for i, one in enumerate(a):
        for j, other in enumerate(b):
            if likeness := word_similarity(one.form, other.form):
                found.append((-abs(likeness), i, j, likeness < 0))
    if not found:
        return Alignment(matched, 0, a, b)
    found.sort()
    flips, done_a, done_b = 0, set[int](), set[int]()
    for likeness, i, j, flipped in found:
        if i not in done_a and j not in done_b:
            done_a.add(i)
            done_b.add(j)
            matched -= likeness * (a[i].weight + b[j].weight)
            flips += flipped
    only_a = [one for i, one in enumerate(a) if i not in done_a]
    return Alignment(matched, flips, only_a, [one for j, one in enumerate(b) if j not in done_b])


# What stands where something else stood.


def _loss(left: Text, right: Text, only_a: Sequence[Word], only_b: Sequence[Word]) -> float:
    """How much it means that each text says something that the other does not."""
    ours = _slots(left, only_a)
    if ours and not ours.isdisjoint(_slots(right, only_b)):
        return _SLOT
    return _REPLACED * min(1.0, _content(only_a), _content(only_b))


def _slots(text: Text, alone: Sequence[Word]) -> set[tuple[str, str]]:
    """Between which words those stand that stand alone; the first word may be said in many ways."""
    stems = [one.stem for one in text.words if one.weight > lexicon.STOP]
    lonely = {one.stem for one in alone}
    return {
        (stems[at - 1], stems[at + 1] if at + 1 < len(stems) else "")
        for at in range(1, len(stems))
        if stems[at] in lonely
    }


# Who does what to whom.


def _swapped(left: Text, right: Text) -> bool:
    """Whether two words changed places around what makes places matter: from/to, a verb."""
    a, b = left.stems, right.stems
    if left.roles and right.roles:
        for role in {role for role, _ in left.roles} & {role for role, _ in right.roles}:
            ours = [name for at, name in left.roles if at == role]
            theirs = [name for at, name in right.roles if at == role]
            for x, y in zip(ours, theirs, strict=False):
                if x not in theirs and y not in ours and x in b and y in a:
                    return (a.index(x) < a.index(y)) != (b.index(x) < b.index(y))
    if len(a) != len(b):
        return False
    moved = [at for at, one in enumerate(a) if one != b[at]]
    if len(moved) != 2:  # noqa: PLR2004 -- exactly two changed places
        return False
    i, j = moved
    between = set(a[i + 1 : j])
    return a[i] == b[j] and a[j] == b[i] and bool(between) and not between & lexicon.COORDINATING


def _opposed(left: Text, right: Text) -> bool:
    """Whether what one text moves to, the other moves from."""
    if not left.roles or not right.roles:
        return False
    for here, there in ((left, right), (right, left)):
        to = {name for role, name in here.roles if role == "to"}
        origin = {name for role, name in there.roles if role == "from"}
        said = {name for role, name in here.roles if role == "from"}
        if to & origin - said - {name for role, name in there.roles if role == "to"}:
            return True
    return False


def _order(a: Sequence[str], b: Sequence[str]) -> float:
    """Which share of the common words stands in the same order."""
    places = {one: at for at, one in enumerate(b)}
    seen = [places[one] for one in a if one in places]
    steps = len(seen) - 1
    return sum([x < y for x, y in pairwise(seen)]) / steps if steps > 0 else 1.0
