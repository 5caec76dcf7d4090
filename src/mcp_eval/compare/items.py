"""Which item of one list is which item of the other."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import msgspec
from rapidfuzz import fuzz

from mcp_eval.compare import words
from mcp_eval.compare.paths import key, leaves, site
from mcp_eval.compare.shapes import json_type, volatile
from mcp_eval.compare.view import View
from mcp_eval.compare.words import named
from mcp_eval.model.base import Json, JsonObject, Noun

_MANY = 400  # past it, items that are not equal are not compared each with each
_HALF = 0.5
_LEAST = 0.34  # at one position of two lists of one length, less likeness will do
_PROSE = 40  # a longer text is one text in other words, a shorter one another value


class Pairing(Noun):
    """Indices that belong together, and those that stand alone."""

    pairs: tuple[tuple[int, int], ...] = ()
    lost: tuple[int, ...] = ()
    gained: tuple[int, ...] = ()

    @property
    def reordered(self) -> bool:
        """Whether the items that stayed stand in another order."""
        order = [new for _, new in sorted(self.pairs)]
        return order != sorted(order)


def pair_items(before: Sequence[Json], after: Sequence[Json], view: View, path: str) -> Pairing:
    """By identity key, then by value, then by more than half of the leaves, then by position."""
    pairs: dict[int, int] = {}
    name = identity_of(before, after, view, path)
    if name is not None:
        _match(pairs, before, after, partial(_identity, names=name))
    else:
        _match(pairs, before, after, exact)
    _likeness(pairs, before, after, view, path, names=name)
    if view.blocks and not path:
        _in_order(pairs, before, after)
    taken = set(pairs.values())
    return Pairing(
        pairs=tuple(sorted(pairs.items())),
        lost=tuple(index for index in range(len(before)) if index not in pairs),
        gained=tuple(index for index in range(len(after)) if index not in taken),
    )


def _match(
    pairs: dict[int, int],
    before: Sequence[Json],
    after: Sequence[Json],
    mark: Callable[[Json], Hashable],
) -> None:
    places: dict[Hashable, list[int]] = defaultdict(list)
    for index, item in enumerate(after):
        places[mark(item)].append(index)
    for index, item in enumerate(before):
        found = mark(item)
        if found is not None and places.get(found):
            pairs[index] = places[found].pop(0)


def identity_of(
    before: Sequence[Json], after: Sequence[Json], view: View, path: str
) -> tuple[str, ...] | None:
    """The names that tell the items of both lists apart; None where no steady ones do."""
    if not before or not after or not all(isinstance(item, dict) for item in (*before, *after)):
        return None
    common = [name for name in before[0] if all(name in item for item in before)]
    ordered = sorted(common, key=_rank)
    singles = [(name,) for name in ordered if _rank(name) < len(words.IDENTITIES)]
    doubles = [(one[0], other[0]) for one in singles for other in singles if one < other]
    usable = (
        names for names in (*singles, *doubles) if _tells_apart(names, before, after, view, path)
    )
    return next(usable, None)


def _rank(name: str) -> int:
    plain = "_".join(words.words_of(name))
    if plain in words.IDENTITIES:
        return words.IDENTITIES.index(plain)
    return len(words.IDENTITIES)


def _tells_apart(
    names: tuple[str, ...], before: Sequence[Json], after: Sequence[Json], view: View, path: str
) -> bool:
    if any(view.hole(site(key(f"{path}[]", name))) for name in names):
        return False
    olds = [_identity(item, names=names) for item in before]
    news = [_identity(item, names=names) for item in after]
    if None in olds or len(set(olds)) != len(olds):
        return False
    if any(
        volatile(item[name], key(f"{path}[]", name), view.before_at)
        for item in before
        for name in names
    ):
        return False
    return bool(set(olds) & set(news))


def _identity(item: Json, *, names: tuple[str, ...]) -> Hashable:
    values = tuple(item.get(name) for name in names) if isinstance(item, dict) else ()
    scalar = all(isinstance(value, str | int) and not isinstance(value, bool) for value in values)
    return values if values and scalar else None


def exact(item: Json) -> Hashable:
    """A mark that two items share where they are equal."""
    if isinstance(item, dict | list):
        return msgspec.json.encode(item, order="deterministic")
    return (json_type(item), item)


def _likeness(
    pairs: dict[int, int],
    before: Sequence[Json],
    after: Sequence[Json],
    view: View,
    path: str,
    *,
    names: tuple[str, ...] | None,
) -> None:
    """Pair what is left by how many leaves agree; an item with another identity is another item."""
    olds = [index for index in range(len(before)) if index not in pairs]
    news = sorted(set(range(len(after))) - set(pairs.values()))
    if not olds or not news:
        return
    if names is not None:
        _renumbered(pairs, before, after, olds, news, names)
        return
    if len(olds) * len(news) <= _MANY * _MANY // 4:
        taught = [(old, _Read.of(before[old])) for old in olds]
        learnt = [(new, _Read.of(after[new])) for new in news]
        wanted = sorted(
            _likely(taught, learnt, view, path), key=lambda one: (-one[0], not one[1], *one[2:])
        )
        _take(pairs, ((old, new) for _, _, old, new in wanted))
    _by_position(pairs, before, after, view, path)


def _take(pairs: dict[int, int], wanted: Iterator[tuple[int, int]]) -> None:
    taken = set(pairs.values())
    for old, new in wanted:
        if old not in pairs and new not in taken:
            pairs[old] = new
            taken.add(new)


def _renumbered(
    pairs: dict[int, int],
    before: Sequence[Json],
    after: Sequence[Json],
    olds: Sequence[int],
    news: Sequence[int],
    names: tuple[str, ...],
) -> None:
    """An item with another identity is another item, but where nothing else of it changed."""
    places = {_rest(after[new], names): new for new in reversed(news)}
    for old in olds:
        rest = _rest(before[old], names)
        if rest is not None and rest in places:
            pairs[old] = places.pop(rest)


def _rest(item: JsonObject, names: tuple[str, ...]) -> Hashable:
    """What an item says beside its first identity; None where that could be said of many."""
    # An item that lost its identity is all rest: it is the same item, one field poorer.
    name = min((name for name in names if name in item), key=_rank, default=None)
    rest = {other: member for other, member in item.items() if other != name}
    telling = sum(1 for _, leaf in leaves(rest) if isinstance(leaf, str) and leaf)
    return exact(rest) if telling else None


def _by_position(
    pairs: dict[int, int], before: Sequence[Json], after: Sequence[Json], view: View, path: str
) -> None:
    if len(before) != len(after):
        return
    taken = set(pairs.values())
    for index, (old, new) in enumerate(zip(before, after, strict=True)):
        if index in pairs or index in taken:
            continue
        alike = _alike(_Read.of(old), _Read.of(new), view, path)
        if alike >= (_LEAST if isinstance(old, dict | list) else _HALF):
            pairs[index] = index


def _in_order(pairs: dict[int, int], before: Sequence[Json], after: Sequence[Json]) -> None:
    """Content blocks that are left over are the same blocks, changed."""
    free = [index for index in range(len(after)) if index not in set(pairs.values())]
    for old in (index for index in range(len(before)) if index not in pairs):
        new = next((one for one in free if json_type(after[one]) == json_type(before[old])), None)
        if new is not None:
            pairs[old] = new
            free.remove(new)


class _Read(NamedTuple):
    """An item with its leaves, so that they are read once."""

    item: Json
    leaves: dict[str, Json]
    counting: tuple[tuple[str, Json], ...]  # a score tells nothing of which item it is
    telling: frozenset[Hashable]
    marks: frozenset[tuple[str, Hashable]]

    @classmethod
    def of(cls, item: Json) -> "_Read":
        """The item, read."""
        if not isinstance(item, dict | list):
            return cls(item, {}, (), frozenset(), frozenset())
        held = dict(leaves(item))
        counting = tuple(one for one in held.items() if not named(one[0], words.SCORES))
        telling = frozenset(exact(leaf) for leaf in held.values() if _tells(leaf))
        marks = frozenset((place, exact(leaf)) for place, leaf in counting)
        return cls(item, held, counting, telling, marks)


def _likely(
    olds: Sequence[tuple[int, _Read]], news: Sequence[tuple[int, _Read]], view: View, path: str
) -> Iterator[tuple[float, bool, int, int]]:
    """The pairs of which more than half of the leaves agree."""
    for old, one in olds:
        loose = sum(1 for place, leaf in one.counting if _may_vary(leaf, place, view, path))
        for new, other in news:
            gone = len(one.leaves.keys() - other.leaves.keys())
            most = len(one.marks & other.marks) + loose + gone
            if one.counting and most <= len(one.counting) * _HALF:
                continue
            share = _alike(one, other, view, path)
            if share > _HALF:
                yield share, old == new, old, new


def _may_vary(leaf: Json, place: str, view: View, path: str) -> bool:
    """Whether a leaf may agree with one that is not equal."""
    if isinstance(leaf, float) or view.symbols:
        return True
    whole = _whole(path, place)
    return bool(view.hole(whole) or volatile(leaf, whole, view.before_at))


def _alike(old: _Read, new: _Read, view: View, path: str) -> float:
    """The share of the old item's leaves that the new one holds; what varies by form agrees."""
    one, other = old.item, new.item
    if isinstance(one, str) and isinstance(other, str):
        if view.same(one, other) or view.both_vary(one, other, f"{path}[]"):
            return 1.0
        return _worded(one, other)
    if not isinstance(one, dict | list) or json_type(one) != json_type(other):
        return 1.0 if view.same(one, other) else 0.0
    agreeing = sum(1 for place, leaf in old.counting if _held(place, leaf, new, view, path))
    return agreeing / len(old.counting) if old.counting else 1.0


def _held(place: str, leaf: Json, new: _Read, view: View, path: str) -> bool:
    """Whether the new item holds a leaf: at its place, or under another name."""
    if place in new.leaves:
        return _agree(leaf, new.leaves[place], view, path, place)
    return _tells(leaf) and exact(leaf) in new.telling


def _worded(old: str, new: str) -> float:
    """How alike two texts are; short ones are values and either equal or not."""
    long = min(len(old), len(new)) > _PROSE and " " in old
    return min(_HALF + _HALF * _LEAST, fuzz.ratio(old, new) / 100) if long else 0.0


def _tells(leaf: Json) -> bool:
    """Whether a value is one that would not stand elsewhere by chance."""
    return not isinstance(leaf, bool) and leaf not in (None, 0, 1, "", [], {})


def _agree(old: Json, new: Json, view: View, path: str, place: str) -> bool:
    if view.same(old, new):
        return True
    whole = _whole(path, place)
    if view.both_vary(old, new, whole):
        return True
    return view.hole(whole) is not None and json_type(old) == json_type(new)


def _whole(path: str, place: str) -> str:
    """The site of a place in an item of a list."""
    return site(f"{path}[].{place}" if place[:1] != "[" else f"{path}[]{place}")
