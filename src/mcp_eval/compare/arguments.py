"""How alike two argument objects are: each argument by its kind, and the reason beside it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from mcp_eval.compare.assignment import best_pairs
from mcp_eval.compare.kinds import Hints, Kind, kind_of
from mcp_eval.compare.literals import RETYPED, leaves
from mcp_eval.compare.parsing import loads
from mcp_eval.compare.paths import index, key
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.comparison import Argument, ArgumentsSimilarity

_NULL = 0.9  # null for nothing said
_ABSENT = 0.5  # what an argument weighs that only one side gives
_REORDERED = 0.9
_MANY_ITEMS = 24
_DEEPEST = 32
_DIGITS = 6
_OPENING = frozenset("{[ \t\r\n")
_MISSING = object()


class Found(NamedTuple):
    """How alike two values are, and the arguments that say so."""

    similarity: float
    arguments: tuple[Argument, ...]


def compare_arguments(
    before: JsonObject,
    after: JsonObject,
    schema: JsonObject | None = None,
    *,
    seen: Sequence[JsonObject] = (),
) -> ArgumentsSimilarity:
    """How alike two argument objects of one tool are; `seen`: others recorded with it."""
    return compare_objects(before, after, Hints.of(schema, [before, after, *seen]))


def compare_objects(before: JsonObject, after: JsonObject, hints: Hints) -> ArgumentsSimilarity:
    """The same with hints at hand, since many calls of one tool share them."""
    if not before and not after:
        return ArgumentsSimilarity(similarity=1.0)
    values, weight, parts = _members("", before, after, hints, 0)
    total, common = sum(values), len(values)
    bare = not before or not after
    shared = len(before.keys() & after.keys())
    return ArgumentsSimilarity(
        similarity=_rounded((total + bare) / (weight + bare)),
        key_similarity=shared / (len(before) + len(after) - shared),
        value_similarity=_rounded(total / common) if common else 0.0,
        arguments=tuple(parts),
    )


def _members(
    path: str, before: JsonObject, after: JsonObject, hints: Hints, depth: int
) -> tuple[list[float], float, list[Argument]]:
    """How alike each member is that both sides have, what all weigh, and what is to be told."""
    values: list[float] = []
    parts: list[Argument] = []
    weight = 0.0
    for name in sorted(before.keys() | after.keys()):
        place = name if not path and name.isidentifier() else key(path, name)
        inner = hints.member(name)
        if name in before and name in after:
            found, both = _value(place, name, before[name], after[name], inner, depth), True
        else:
            found, both = _alone(place, name, before, after, inner, depth)
        parts += found.arguments
        weight += 1.0 if both else _ABSENT
        if both:
            values.append(found.similarity)
    return values, weight, parts


def _alone(
    path: str, name: str, before: JsonObject, after: JsonObject, hints: Hints, depth: int
) -> tuple[Found, bool]:
    """What one side omits, and whether it is there all the same: omitted is the default."""
    side = "before" if name in before else "after"
    given = before[name] if name in before else after[name]
    shape = hints.shape
    if shape.default is not None:
        found = _value(path, name, given, shape.default, hints, depth)
        told = [_because(one, "omitted: the default") for one in found.arguments]
        return Found(found.similarity, tuple(told)), True
    if given is None:
        nullable = shape.types is not None and "null" in shape.types
        similarity = 1.0 if nullable else _NULL
        return _one(path, Kind("null", "nothing"), similarity, "null for nothing said"), True
    kind = kind_of(name, given, given, hints)
    return _one(path, kind, 0.0, f"only {side}"), False


def _because(one: Argument, reason: str) -> Argument:
    said = f"{reason}; {one.reason}" if one.reason else reason
    return Argument(name=one.name, kind=one.kind, similarity=one.similarity, reason=said)


def _one(path: str, kind: Kind, similarity: float, reason: str = "") -> Found:
    said = f"{kind.why}; {reason}" if reason else kind.why
    one = Argument(name=path, kind=kind.name, similarity=_rounded(similarity), reason=said)
    return Found(similarity, (one,))


def _rounded(similarity: float) -> float:
    return 1.0 if similarity >= 1.0 else round(similarity, _DIGITS)


def _value(path: str, name: str, a: Json, b: Json, hints: Hints, depth: int) -> Found:
    if isinstance(a, str) and isinstance(b, str):
        if _container(a) and _container(b):
            return _json_texts(path, name, a, b, hints, depth)
    elif isinstance(a, dict | list) or isinstance(b, dict | list):
        return _containers(path, name, a, b, hints, depth)
    kind = kind_of(name, a, b, hints)
    if a == b and type(a) is type(b):
        return _same(path, kind)
    similarity, reason = leaves(kind.name, a, b)
    return _one(path, kind, similarity, reason)


@lru_cache(maxsize=4096)
def _same(path: str, kind: Kind) -> Found:
    """What there is to tell of equal values: in most calls most arguments are."""
    return _one(path, kind, 1.0)


# --- values with others in them ---


def _container(text: str) -> bool:
    return text[:1] in _OPENING and text.lstrip()[:1] in {"{", "["}


def _json_texts(path: str, name: str, a: str, b: str, hints: Hints, depth: int) -> Found:
    if a == b:
        return _one(path, Kind("json", "JSON in a text"), 1.0)
    before, after = _parsed(a), _parsed(b)
    if before is _MISSING or after is _MISSING:
        kind = kind_of(name, a, b, hints)
        return _one(path, kind, *leaves(kind.name, a, b))
    if before == after:
        return _one(path, Kind("json", "JSON in a text"), 1.0, "written another way")
    return _containers(path, name, before, after, Hints(recorded=[before, after]), depth)


def _parsed(text: str) -> Json:
    try:
        return loads(text)
    except ValueError:
        return _MISSING


def _containers(path: str, name: str, a: Json, b: Json, hints: Hints, depth: int) -> Found:
    if depth > _DEEPEST:
        return _one(path, Kind("object", "very deep"), float(a == b))
    if isinstance(a, dict) and isinstance(b, dict):
        return _objects(path, a, b, hints, depth)
    if isinstance(a, list) and isinstance(b, list):
        return _lists(path, name, a, b, hints, depth)
    return _across(path, name, a, b, hints, depth)


def _objects(path: str, a: JsonObject, b: JsonObject, hints: Hints, depth: int) -> Found:
    if a == b:
        return _one(path, Kind("object", "an object"), 1.0)
    values, weight, parts = _members(path, a, b, hints, depth + 1)
    return Found(sum(values) / weight, tuple(parts))


def _across(path: str, name: str, a: Json, b: Json, hints: Hints, depth: int) -> Found:
    """A text that holds the object, or an item for a list of it; else two things apart."""
    inner, other = (a, b) if isinstance(b, dict | list) else (b, a)
    if isinstance(inner, str) and _container(inner) and isinstance(_parsed(inner), type(other)):
        found = _containers(path, name, _parsed(inner), other, hints, depth + 1)
    elif isinstance(a, list) != isinstance(b, list) and len(a if isinstance(a, list) else b) == 1:
        one, many = (b, a[0]) if isinstance(a, list) else (a, b[0])
        found = _value(path, name, one, many, hints.item(), depth + 1)
    else:
        return _one(path, Kind("object", "an object or a list"), 0.0, "another type")
    return Found(found.similarity * RETYPED, found.arguments)


def _lists(path: str, name: str, a: list[Json], b: list[Json], hints: Hints, depth: int) -> Found:
    if a == b or not a or not b:
        reason = "" if a == b else "one is empty"
        return _one(path, Kind("list", "a list"), float(a == b), reason)
    items = hints.item()
    found = {
        (i, j): _value(index(path, i), name, a[i], b[j], items, depth + 1)
        for i, j in _competing(a, b)
    }
    longer = max(len(a), len(b))
    straight = sum(found[i, i].similarity for i in range(min(len(a), len(b)))) / longer
    paired = best_pairs({pair: one.similarity for pair, one in found.items()})
    best = sum(found[pair].similarity for pair in paired.items()) / longer
    if straight >= best * _REORDERED or kind_of(name, "", "", items).name == "command":
        paired = {i: i for i in range(min(len(a), len(b)))}
        return Found(straight, _items(path, a, b, paired, found))
    return Found(best * _REORDERED, _items(path, a, b, paired, found))


def _competing(a: list[Json], b: list[Json]) -> list[tuple[int, int]]:
    """Which items may be paired: all with all in short lists, near ones in long ones."""
    reach = max(len(a), len(b)) if max(len(a), len(b)) <= _MANY_ITEMS else 2
    return [
        (i, j) for i in range(len(a)) for j in range(max(0, i - reach), min(len(b), i + reach + 1))
    ]


def _items(
    path: str,
    a: list[Json],
    b: list[Json],
    paired: dict[int, int],
    found: dict[tuple[int, int], Found],
) -> tuple[Argument, ...]:
    parts = [one for pair in sorted(paired.items()) for one in found[pair].arguments]
    taken = set(paired.values())
    for side, items, done in (("before", a, set(paired)), ("after", b, taken)):
        for i in range(len(items)):
            if i not in done:
                kind = Kind("object", "an item") if isinstance(items[i], dict | list) else None
                kind = kind or kind_of(path, items[i], items[i], Hints())
                parts += _one(index(path, i), kind, 0.0, f"only {side}").arguments
    return tuple(parts)
