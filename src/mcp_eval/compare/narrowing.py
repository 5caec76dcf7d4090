"""Two schemas, site by site: what the new one demands, forgets or lets through."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from mcp_eval.compare.assignment import best_pairs
from mcp_eval.compare.limits import (
    apart,
    bound_changes,
    default_changes,
    names,
    type_changes,
    value_changes,
    wording_changes,
)
from mcp_eval.compare.paths import each, key
from mcp_eval.compare.renames import Member, parameter_renames
from mcp_eval.compare.schemas import Shape, admits, as_schema, read_shape
from mcp_eval.compare.sites import SchemaChange
from mcp_eval.compare.tidy import Schema, Tidy
from mcp_eval.model.base import Json, JsonObject

_DEEPEST = 20
_MOST = 4000  # schemas of schemas of schemas: past this many sites nobody reads the differences


@dataclass(slots=True)
class Walk:
    """One comparison of two schema documents."""

    before: JsonObject
    after: JsonObject
    same_roots: bool = False
    under_way: set[tuple[int, int]] = field(default_factory=set)
    visited: int = 0
    cut: bool = False

    def shapes(self, before: Schema, after: Schema) -> tuple[Shape, Shape]:
        return read_shape(before, self.before), read_shape(after, self.after)


def schema_changes(before: Tidy, after: Tidy) -> tuple[SchemaChange, ...]:
    """Every change between two tidied argument schemas, one a site and change."""
    if before.schema == after.schema:
        return ()
    walk = Walk(
        before=before.schema, after=after.schema, same_roots=_same_definitions(before, after)
    )
    found: dict[tuple[str, str], SchemaChange] = {}
    one, other = walk.shapes(before.schema, after.schema)
    shapes = _as_object(one), _as_object(other)
    for change in _shape_changes(walk, "", *shapes):
        found.setdefault((change.path, change.change), change)
    unknown = before.broken or after.broken or walk.cut
    changes = found.values()
    return tuple(_marked(each_one) if unknown else each_one for each_one in changes)


def _as_object(shape: Shape) -> Shape:
    """Arguments are an object, whether the schema says so or not."""
    return replace(shape, types=frozenset({"object"})) if shape.types is None else shape


def _marked(change: SchemaChange) -> SchemaChange:
    return replace(change, details={**change.details, "unknown": True})


def _same_definitions(before: Tidy, after: Tidy) -> bool:
    """Whether equal words inside both mean the same: no reference leads to what differs."""
    return all(
        before.schema.get(word) == after.schema.get(word) for word in ("$defs", "definitions")
    ) and not _refers_elsewhere(before.schema)


def _refers_elsewhere(schema: Json) -> bool:
    if isinstance(schema, dict):
        reference = schema.get("$ref")
        if isinstance(reference, str) and not reference.startswith(("#/$defs/", "#/definitions/")):
            return True
        return any(_refers_elsewhere(inner) for inner in schema.values())
    return isinstance(schema, list) and any(_refers_elsewhere(inner) for inner in schema)


def _changes(walk: Walk, path: str, before: Schema, after: Schema) -> Iterator[SchemaChange]:
    if walk.same_roots and before == after:
        return
    pair = (id(before), id(after))
    walk.visited += 1
    if pair in walk.under_way:  # a schema that holds itself: told once
        return
    if walk.visited > _MOST or path.count(".") + path.count("[") > _DEEPEST:
        walk.cut = True
        return
    walk.under_way.add(pair)
    yield from _shape_changes(walk, path, *walk.shapes(before, after))
    walk.under_way.discard(pair)


def _shape_changes(walk: Walk, path: str, before: Shape, after: Shape) -> Iterator[SchemaChange]:
    if before.options or after.options:
        yield from _choices(walk, path, before, after)
        yield from default_changes(path, before, after)
        yield from wording_changes(path, before, after)
    else:
        yield from _plain_changes(walk, path, before, after)


def _plain_changes(walk: Walk, path: str, before: Shape, after: Shape) -> Iterator[SchemaChange]:
    """Two shapes without a choice."""
    yield from type_changes(path, before, after)
    if not apart(before.types, after.types):
        yield from value_changes(path, before, after)
        yield from bound_changes(path, before, after)
        yield from _members(walk, path, before, after)
        yield from _rest_of_object(walk, path, before, after)
        yield from _changes(walk, each(path), before.items, after.items)
    yield from default_changes(path, before, after)
    yield from wording_changes(path, before, after)


def _members(walk: Walk, path: str, before: Shape, after: Shape) -> Iterator[SchemaChange]:
    old, new = _read_members(before, walk.before), _read_members(after, walk.after)
    gone = {name: member for name, member in old.items() if name not in new}
    come = {name: member for name, member in new.items() if name not in old}
    renamed = parameter_renames(gone, come) if gone and come else {}
    for name, other in renamed.items():
        yield SchemaChange(
            key(path, name),
            "parameter-renamed",
            name,
            other,
            _without(name, before, after, other),
            at=path,
            details={"required": other in after.required},
        )
        yield from _required(path, other, name in before.required, other in after.required)
        yield from _changes(walk, key(path, name), before.properties[name], after.properties[other])
    for name in gone:
        if name not in renamed:
            yield _removed(path, name, before, after)
    for name in come:
        if name not in renamed.values():
            yield _added(path, name, after)
    for name in old:
        if name in new:
            yield from _required(path, name, name in before.required, name in after.required)
            yield from _changes(
                walk, key(path, name), before.properties[name], after.properties[name]
            )
    unnamed = (before.required | after.required) - old.keys() - new.keys()
    for name in sorted(unnamed):
        yield from _required(path, name, name in before.required, name in after.required)


def _read_members(shape: Shape, root: JsonObject) -> dict[str, Member]:
    return {
        name: Member(
            shape=read_shape(schema, root), required=name in shape.required, position=position
        )
        for position, (name, schema) in enumerate(shape.properties.items())
        if schema is not False  # "never": as good as not there
    }


def _without(name: str, before: Shape, after: Shape, other: str = "") -> JsonObject:
    """What the new schema says against an object that still sends a name it lost."""
    demand: JsonObject = {}
    if after.closed:
        known = (before.properties.keys() - {name}) | after.properties.keys()
        demand["properties"] = dict.fromkeys(known, True)
        demand["additionalProperties"] = False
    if other in after.required:
        demand["required"] = [other]
    return demand


def _removed(path: str, name: str, before: Shape, after: Shape) -> SchemaChange:
    demand = _without(name, before, after)
    return SchemaChange(key(path, name), "parameter-removed", name, None, demand, at=path)


def _added(path: str, name: str, after: Shape) -> SchemaChange:
    if name in after.required:
        return SchemaChange(
            key(path, name),
            "parameter-newly-required",
            None,
            name,
            {"required": [name]},
            at=path,
            details={"added": True},
        )
    return SchemaChange(key(path, name), "parameter-added", None, name)


def _required(path: str, name: str, before: bool, after: bool) -> Iterator[SchemaChange]:  # noqa: FBT001
    if after and not before:
        yield SchemaChange(
            key(path, name),
            "parameter-newly-required",
            False,
            True,
            {"required": [name]},
            at=path,
            details={"added": False},
        )
    elif before and not after:
        yield SchemaChange(
            key(path, name), "constraint-dropped", True, False, details={"keyword": "required"}
        )


def _rest_of_object(walk: Walk, path: str, before: Shape, after: Shape) -> Iterator[SchemaChange]:
    """Members nobody named: `additionalProperties`."""
    old, new = before.extra, after.extra
    if old == new and walk.same_roots:
        return
    told: JsonObject = {"keywords": ["additionalProperties"]}
    if new is False and old is not False:
        demand: JsonObject = {
            "properties": dict.fromkeys((*before.properties, *after.properties), True),
            "patternProperties": after.rest.get("patternProperties", {}),
            "additionalProperties": False,
        }
        yield SchemaChange(path, "bounds-narrowed", old, False, demand, details=told)
    elif old is False and new is True:
        yield SchemaChange(
            path, "constraint-dropped", False, None, details={"keyword": "additionalProperties"}
        )
    elif old is False and new is not False:
        yield SchemaChange(path, "bounds-widened", False, new, details=told)
    elif old is not False and new is not False:
        yield from _changes(walk, key(path, "*"), old, new)


def _choices(walk: Walk, path: str, before: Shape, after: Shape) -> Iterator[SchemaChange]:
    """Two shapes of which one at least is a choice: like is compared with like."""
    old, new = before.alternatives(), after.alternatives()
    likeness = {
        (i, j): score
        for i, one in enumerate(old)
        for j, other in enumerate(new)
        if (score := _likeness(one, other))
    }
    pairs = best_pairs(likeness)
    lost: list[Shape] = []
    for i, one in enumerate(old):
        if not any(_covers(walk, one, other) for other in new):
            if i in pairs:
                yield from _plain_changes(walk, path, _mute(one), _mute(new[pairs[i]]))
            else:
                lost.append(one)
    if lost:
        yield _lost_choice(path, before, after, lost)
    elif any(not any(_covers(walk, other, one) for one in old) for other in new):
        told: JsonObject = {"keywords": ["anyOf"]}
        yield SchemaChange(path, "bounds-widened", len(old), len(new), details=told)


def _mute(shape: Shape) -> Shape:
    """The texts of a choice stand at the choice."""
    return replace(shape, title="", description="", default=None)


def _covers(walk: Walk, one: Shape, other: Shape) -> bool:
    """Whether all that one shape lets through passes the other."""
    return not any(change.narrows for change in _plain_changes(walk, "", one, other))


def _likeness(one: Shape, other: Shape) -> float:
    """How sure it is that one alternative is the other, a release later; 0 where it is not."""
    if apart(one.types, other.types):
        return 0.0
    marks = _marks(one), _marks(other)
    common = marks[0].keys() & marks[1].keys()
    if any(marks[0][name] != marks[1][name] for name in common):
        return 0.0
    union = one.properties.keys() | other.properties.keys()
    shared = len(one.properties.keys() & other.properties.keys()) / len(union) if union else 1.0
    return 0.2 + 0.4 * bool(common) + 0.2 * shared + 0.2 * (one.values == other.values)


def _marks(shape: Shape) -> dict[str, str]:
    """The members whose one value tells this alternative from the others."""
    stated = {name: each for name, each in shape.properties.items() if isinstance(each, dict)}
    return {
        name: str(each.get("const", each.get("enum")))
        for name, each in stated.items()
        if "const" in each or len(each.get("enum", ())) == 1
    }


def _lost_choice(path: str, before: Shape, after: Shape, lost: list[Shape]) -> SchemaChange:
    new = after.types
    of_type = new is not None and all(
        shape.types is not None and not any(admits(new, name) for name in shape.types)
        for shape in lost
    )
    told: JsonObject = {"keywords": ["anyOf"], "lost": [names(shape.types) for shape in lost]}
    return SchemaChange(
        path,
        "parameter-type-changed" if of_type else "bounds-narrowed",
        names(before.types),
        names(after.types),
        {"anyOf": [as_schema(shape) for shape in after.alternatives()]},
        details=told,
    )
