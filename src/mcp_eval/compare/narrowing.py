"""Two schemas, site by site: what the new one demands, forgets or lets through."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from mcp_eval.compare.assignment import best_pairs
from mcp_eval.compare.choices import likeness, lost_choice, parts
from mcp_eval.compare.limits import (
    apart,
    bound_changes,
    default_changes,
    in_both,
    type_changes,
    value_changes,
    wording_changes,
)
from mcp_eval.compare.paths import each, key
from mcp_eval.compare.plain import same_json
from mcp_eval.compare.renames import Member, parameter_renames
from mcp_eval.compare.schemas import Shape, read_shape
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

    @contextmanager
    def turned(self) -> Iterator["Walk"]:
        """The same walk from the new schema to the old one."""
        back = replace(self, before=self.after, after=self.before, under_way=set())
        yield back
        self.visited, self.cut = back.visited, back.cut


def schema_changes(before: Tidy, after: Tidy) -> tuple[SchemaChange, ...]:
    """Every change between two tidied argument schemas, one a site and change."""
    cut = before.cut or after.cut
    if same_json(before.schema, after.schema) and not cut:
        return ()
    same_roots = _same_definitions(before, after)
    walk = Walk(before=before.schema, after=after.schema, same_roots=same_roots, cut=cut)
    one, other = walk.shapes(before.schema, after.schema)
    changes = _merged(_shape_changes(walk, "", _as_object(one), _as_object(other)))
    if walk.cut:
        changes.append(SchemaChange("", "bounds-narrowed", details={"unknown": True, "cut": True}))
    return tuple(changes)


def _merged(changes: Iterable[SchemaChange]) -> list[SchemaChange]:
    """One change of a sort at each site, with all that is asked there."""
    found: dict[tuple[str, str], SchemaChange] = {}
    for change in changes:
        place = change.path, change.change
        found[place] = found[place].with_more(change) if place in found else change
    return list(found.values())


def _as_object(shape: Shape) -> Shape:
    """Arguments are an object, whether the schema says so or not."""
    return replace(shape, types=frozenset({"object"})) if shape.types is None else shape


def _same_definitions(before: Tidy, after: Tidy) -> bool:
    """Whether equal words inside both mean the same: no reference leads to what differs."""
    return all(
        same_json(before.schema.get(word), after.schema.get(word))
        for word in ("$defs", "definitions")
    ) and not _refers_elsewhere(before.schema)


def _refers_elsewhere(schema: Json) -> bool:
    if isinstance(schema, dict):
        reference = schema.get("$ref")
        if isinstance(reference, str) and not reference.startswith(("#/$defs/", "#/definitions/")):
            return True
        return any(_refers_elsewhere(inner) for inner in schema.values())
    return isinstance(schema, list) and any(_refers_elsewhere(inner) for inner in schema)


def _changes(walk: Walk, path: str, before: Schema, after: Schema) -> Iterator[SchemaChange]:
    if walk.same_roots and same_json(before, after):
        return
    pair = (id(before), id(after))
    walk.visited += 1
    if pair in walk.under_way:  # a schema that holds itself: told once
        return
    if walk.visited > _MOST or path.count(".") + path.count("[") > _DEEPEST:
        walk.cut = True
        return
    walk.under_way.add(pair)
    try:  # whoever asks may stop at the first change
        yield from _shape_changes(walk, path, *walk.shapes(before, after))
    finally:
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
        if in_both("object", before, after):
            yield from _members(walk, path, before, after)
            yield from _rest_of_object(walk, path, before, after)
        if in_both("array", before, after):
            yield from _changes(walk, each(path), before.items, after.items)
    yield from default_changes(path, before, after)
    yield from wording_changes(path, before, after)


def _members(walk: Walk, path: str, before: Shape, after: Shape) -> Iterator[SchemaChange]:
    old, new = _read_members(before, walk.before), _read_members(after, walk.after)
    gone = {name: member for name, member in old.items() if name not in new}
    come = {name: member for name, member in new.items() if name not in old}
    renamed = parameter_renames(gone, come) if gone and come else {}
    for name, other in renamed.items():
        yield _renamed(path, name, other, before, after)
    for name in gone:
        if name not in renamed:
            demand = _against(name, before, after)
            yield SchemaChange(
                key(path, name), "parameter-removed", before=name, demand=demand, at=path
            )
    for name in come:
        if name not in renamed.values():
            yield _added(path, name, before, after)
    kept = {name: name for name in old if name in new} | renamed
    for name, other in kept.items():
        yield from _required(path, other, name in before.required, other in after.required)
        yield from _changes(walk, key(path, name), before.properties[name], after.properties[other])
    for name in sorted((before.required | after.required) - old.keys() - new.keys()):
        yield from _required(path, name, name in before.required, name in after.required)


def _read_members(shape: Shape, root: JsonObject) -> dict[str, Member]:
    return {
        name: Member(shape=read_shape(schema, root), required=name in shape.required)
        for name, schema in shape.properties.items()
        if schema is not False  # "never": as good as not there
    }


def _renamed(path: str, name: str, other: str, before: Shape, after: Shape) -> SchemaChange:
    demand = _against(name, before, after)
    needed = other in after.required
    if needed:
        demand["required"] = [other]
    return SchemaChange(
        key(path, name), "parameter-renamed", name, other, demand, path, {"required": needed}
    )


def _against(name: str, before: Shape, after: Shape) -> JsonObject:
    """What the new schema says of an object that still sends a name it lost."""
    patterns = after.rest.get("patternProperties", {})
    if after.extra is True and not patterns and name not in after.properties:
        return {}
    named = dict.fromkeys((*before.properties, *after.properties), True)
    del named[name]
    if name in after.properties:  # there, and "never"
        named[name] = False
    return {"properties": named, "patternProperties": patterns, "additionalProperties": after.extra}


def _added(path: str, name: str, before: Shape, after: Shape) -> SchemaChange:
    if name in after.required - before.required:
        return _asked_for(path, name, before=None, added=True)
    return SchemaChange(key(path, name), "parameter-added", after=name)


def _asked_for(path: str, name: str, *, before: Json, added: bool) -> SchemaChange:
    now = name if added else True
    demand, told = {"required": [name]}, {"added": added}
    return SchemaChange(
        key(path, name), "parameter-newly-required", before, now, demand, path, told
    )


def _required(path: str, name: str, before: bool, after: bool) -> Iterator[SchemaChange]:  # noqa: FBT001
    if after and not before:
        yield _asked_for(path, name, before=False, added=False)
    elif before and not after:
        yield _dropped(key(path, name), "required", before=True, after=False)


def _dropped(path: str, keyword: str, *, before: Json, after: Json) -> SchemaChange:
    told = {"keyword": keyword}
    return SchemaChange(path, "constraint-dropped", before=before, after=after, details=told)


def _rest_of_object(walk: Walk, path: str, before: Shape, after: Shape) -> Iterator[SchemaChange]:
    """Members nobody named: `additionalProperties`."""
    old, new = before.extra, after.extra
    told: JsonObject = {"keywords": ["additionalProperties"]}
    if new is False and old is not False:
        demand: JsonObject = {
            "properties": dict.fromkeys((*before.properties, *after.properties), True),
            "patternProperties": after.rest.get("patternProperties", {}),
            "additionalProperties": False,
        }
        told["closed"] = True
        yield SchemaChange(
            path, "bounds-narrowed", before=old, after=new, demand=demand, details=told
        )
    elif old is False and new is True:
        yield _dropped(path, "additionalProperties", before=old, after=None)
    elif old is False and new is not False:
        yield SchemaChange(path, "bounds-widened", before=old, after=new, details=told)
    elif old is not False and new is not False:
        yield from _changes(walk, key(path, "*"), old, new)


def _choices(walk: Walk, path: str, before: Shape, after: Shape) -> Iterator[SchemaChange]:
    """Two shapes of which one at least is a choice: like is compared with like."""
    old, new = parts(before), parts(after)
    scores = {
        (i, j): score
        for i, one in enumerate(old)
        for j, other in enumerate(new)
        if (score := likeness(one, other))
    }
    pairs = best_pairs(scores)
    lost: list[Shape] = []
    told: set[int] = set()
    for i, one in enumerate(old):
        if not _covered(walk, one, new):
            if i in pairs:
                told.add(pairs[i])
                yield from _plain_changes(walk, path, _mute(one), _mute(new[pairs[i]]))
            elif not any(_covers(walk, one, other, loosely=True) for other in new):
                lost.append(one)
    if lost:
        yield lost_choice(path, before, after, lost)
        return
    with walk.turned() as back:
        gained = any(
            j not in told and not _covered(back, other, old) for j, other in enumerate(new)
        )
    if gained:
        what: JsonObject = {"keywords": ["anyOf"]}
        yield SchemaChange(path, "bounds-widened", len(old), len(new), details=what)


def _mute(shape: Shape) -> Shape:
    """The texts of a choice stand at the choice."""
    return replace(shape, title="", description="", default=None)


def _covered(walk: Walk, one: Shape, others: Sequence[Shape]) -> bool:
    """Whether every value of a part passes some part of the other side."""
    if one.values:
        alone = [replace(one, values=(value,)) for value in one.values]
        return all(any(_covers(walk, single, other) for other in others) for single in alone)
    return any(_covers(walk, one, other) for other in others)


def _covers(walk: Walk, one: Shape, other: Shape, *, loosely: bool = False) -> bool:
    """Whether all that one shape lets through passes the other; loosely: ignored or not."""
    return not any(
        change.narrows and (change.demand or not loosely)
        for change in _plain_changes(walk, "", one, other)
    )
