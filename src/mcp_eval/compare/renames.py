"""Which removed tool or parameter is an added one under a new name, one to one, on evidence."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mcp_eval.compare.assignment import best_pairs
from mcp_eval.compare.kin import (
    LIGHT,
    LIGHT_VERBS,
    VERBS,
    Words,
    abbreviated,
    contrary,
    kindred,
    overlap,
    spelled,
    stem,
    stems,
    unmatched,
)
from mcp_eval.compare.limits import apart
from mcp_eval.compare.schemas import Shape
from mcp_eval.compare.words import DISCRIMINATORS, READING, WRITING, words_of


@dataclass(frozen=True, slots=True)
class Member:
    """One parameter where it stands."""

    shape: Shape
    required: bool


@dataclass(frozen=True, slots=True)
class Signature:
    """What a tool is known by, beside its name."""

    name: str
    title: str
    description: str
    members: Mapping[str, Member]


@dataclass(frozen=True, slots=True)
class Likeness:
    """How far two tools agree, each from 0 to 1."""

    named: float
    told: float
    shared: float  # of the parameters
    members: tuple[int, int]
    qualified: bool  # one name says more than the other

    @property
    def score(self) -> float:
        return 0.4 * self.named + 0.3 * self.shared + 0.3 * self.told

    @property
    def same_body(self) -> bool:
        """Whether all but the name stayed."""
        return self.told >= _ALMOST and (self.shared >= _SAME or self.members == (0, 0))

    @property
    def convincing(self) -> bool:
        """Whether names that could mean one tool do, by what else is known."""
        evidence = max(self.named, self.told)
        if self.members == (0, 0):
            enough = _HALF if self.qualified else 0.0
            return self.told >= enough and evidence >= _MOSTLY
        if 0 in self.members:
            return (self.told if self.qualified else evidence) >= _NEARLY
        if self.shared >= _SAME:
            return evidence >= _SOME and (
                max(self.members) > 1 or self.named + self.told >= _MOSTLY
            )
        told = self.told >= (_SOME + 0.1 if self.qualified else 0.0)
        if self.shared >= _HALF:
            return told and evidence >= _HALF and self.named + self.told >= _MOSTLY + 0.1
        return (
            not self.qualified and self.named >= _NEARLY and (self.told >= _SOME or self.shared > 0)
        )


# How much agreement is how much evidence: of words from 0 to 1, of parameters by share.
_SAME = 0.99
_NEARLY = 0.9
_ALMOST = 0.85
_MOSTLY = 0.6
_HALF = 0.5
_SOME = 0.3
_MARGIN = 0.12  # two claims on one name nearer than this are a dispute
_TELLING = 4  # words of a description that make it more than a label


def tool_renames(gone: Sequence[Signature], come: Sequence[Signature]) -> dict[str, str]:
    """Old names and the new names of the same tools."""
    common = _common_words([each.name for each in (*gone, *come)])
    scores: dict[tuple[str, str], float] = {}
    for old in sorted(gone, key=_name):
        for new in sorted(come, key=_name):
            score = _tool_likeness(old, new, common)
            if score:
                scores[old.name, new.name] = score
    return _undisputed(scores)


def _name(signature: Signature) -> str:
    return signature.name


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


def _common_words(names: Sequence[str]) -> Words:
    """The words that most names share: a server's prefix tells nothing."""
    counts = Counter(word for name in names for word in stems(name))
    return frozenset(word for word, count in counts.items() if count > max(2, _MOSTLY * len(names)))


def _tool_likeness(old: Signature, new: Signature, common: Words) -> float:
    """How sure it is that a tool goes on under a new name; 0 where it is not convincing."""
    one, other = stems(old.name), stems(new.name)
    alike = Likeness(
        named=overlap(one - common or one, other - common or other),
        told=overlap(stems(old.description), stems(new.description)),
        shared=_shared_members(old.members, new.members),
        members=(len(old.members), len(new.members)),
        qualified=_qualified(old.name, new.name),
    )
    if spelled(old.name) == spelled(new.name):
        alike = replace(alike, named=1.0, qualified=False)
    elif contrary(old.name, new.name) or _merged(old, new):
        return 0.0
    elif not alike.named or _something_else(one, other) or _turned_round(old.name, new.name):
        words = min(len(stems(old.description)), len(stems(new.description)))
        return alike.score if alike.same_body and words >= _TELLING else 0.0
    return alike.score if alike.convincing else 0.0


def _qualified(one: str, other: str) -> bool:
    """Whether one name says more than the other, or says it of many: `read_text_file`, `checks`."""
    left, right = stems(one), stems(other)
    more = (unmatched(left, right) | unmatched(right, left)) - LIGHT - LIGHT_VERBS
    ones, others = set(words_of(one)), set(words_of(other))
    return bool(more) or any(
        f"{word}s" in there for word, there in _each_with(ones - others, others - ones)
    )


def _each_with(one: set[str], other: set[str]) -> Iterator[tuple[str, set[str]]]:
    yield from ((word, other) for word in one)
    yield from ((word, one) for word in other)


def _turned_round(one: str, other: str) -> bool:
    """Whether the first verb writes here and reads there: `reply_to_thread`, `get_replies`."""
    left, right = _verb(one), _verb(other)
    if _said(left, other) or _said(right, one):
        return False
    return (left in WRITING - READING and right in READING - WRITING) or (
        right in WRITING - READING and left in READING - WRITING
    )


def _said(verb: str, name: str) -> bool:
    return any(kindred(stem(verb), each) for each in stems(name))


def _verb(name: str) -> str:
    return next((word for word in words_of(name) if word in WRITING or word in READING), "")


def _something_else(one: Words, other: Words) -> bool:
    """Whether each name says what the other does not: another subject, or another verb."""
    left = unmatched(one, other) - LIGHT
    right = unmatched(other, one) - LIGHT
    return bool((left - LIGHT_VERBS and right - LIGHT_VERBS) or (left & VERBS and right & VERBS))


def _shared_members(old: Mapping[str, Member], new: Mapping[str, Member]) -> float:
    """The share of parameters that stand on both sides with one type."""
    if not old or not new:
        return 0.5 if not old and not new else 0.0
    there = {spelled(name): member for name, member in new.items()}
    same = sum(
        1
        for name, member in old.items()
        if (other := there.get(spelled(name))) is not None
        and not apart(member.shape.types, other.shape.types)
    )
    return same / max(
        len(old), len(new), 1 if same == min(len(old), len(new)) else len({*old, *new})
    )


def _merged(old: Signature, new: Signature) -> bool:
    """Whether the new tool asks which of several things to do: it took several tools in."""
    return any(
        member.required and name.lower() in DISCRIMINATORS and len(member.shape.values or ()) > 1
        for name, member in new.members.items()
        if name not in old.members
    )


def parameter_renames(gone: Mapping[str, Member], come: Mapping[str, Member]) -> dict[str, str]:
    """Old names and the new names of the same parameters."""
    scores: dict[tuple[str, str], float] = {}
    alone = len(gone) == len(come) == 1
    for name, old in sorted(gone.items()):
        for other, new in sorted(come.items()):
            score = _member_likeness(name, old, other, new, alone=alone)
            if score:
                scores[name, other] = score
    return best_pairs(scores)


def _member_likeness(name: str, old: Member, other: str, new: Member, *, alone: bool) -> float:
    """How sure it is that a parameter goes on under a new name; 0 where it is not convincing."""
    one, two = stems(name), stems(other)
    if spelled(name) == spelled(other):
        return 2.0 if not apart(old.shape.types, new.shape.types) else 1.0
    if not _like_schema(old.shape, new.shape) or contrary(name, other):
        return 0.0
    named = max(overlap(one, two), abbreviated(name, other))
    told = overlap(stems(old.shape.description), stems(new.shape.description))
    worded = bool(old.shape.description) and bool(new.shape.description)
    placed = old.required == new.required
    listed = old.shape.values is not None and len(old.shape.values) > 1
    sure = (
        (named >= _MOSTLY and (told >= _SOME or not worded))
        or (worded and told >= _MOSTLY)
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
