"""One concrete request that was valid before and is not any more."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from mcp_eval.compare.paths import key, leaf, steps
from mcp_eval.compare.samples import near, sample_object, samples
from mcp_eval.compare.schemas import Shape, read_shape
from mcp_eval.compare.sites import SchemaChange
from mcp_eval.compare.tidy import Schema, Tidy
from mcp_eval.compare.validity import Validity, values_at
from mcp_eval.model.base import Json, JsonObject

_TRIES = 60
_UNNAMED = "unnamed"


@dataclass(frozen=True, slots=True)
class Contract:
    """What a tool asked for and what it asks for now, ready to be tried."""

    before: Validity
    after: Validity

    @classmethod
    def of(cls, before: Tidy, after: Tidy) -> "Contract":
        return cls(before=Validity(before), after=Validity(after))

    def complaint(self, change: SchemaChange, arguments: JsonObject) -> str:
        """What the new schema says against valid arguments at this change's site; "" for nothing."""
        if not change.demand or self.before.accepts(arguments) is not True:
            return ""
        if self.after.accepts(arguments) is not False:
            return ""
        for value in values_at(arguments, change.asked_at):
            said = self.after.complaint(change.demand, value)
            if said:
                return said
        return ""


def valid_request(before: Validity) -> JsonObject | None:
    """Arguments the schema accepts, as few as may be."""
    shape = read_shape(before.root, before.root)
    for each in shape.alternatives():
        arguments = sample_object(each, before.root)
        if before.accepts(arguments):
            return arguments
    return None


def witness(contract: Contract, change: SchemaChange) -> JsonObject | None:
    """Arguments valid before and invalid now because of this change; None where none was found."""
    if not change.demand:
        return None
    for arguments in islice(_candidates(contract.before.root, change), _TRIES):
        if isinstance(arguments, dict) and contract.complaint(change, arguments):
            return arguments
    return None


def _candidates(root: JsonObject, change: SchemaChange) -> Iterator[Json]:
    if change.change == "parameter-newly-required":
        yield from _holding(root, root, list(_names(change.asked_at)), None)
    elif change.details.get("keywords") == ["additionalProperties"]:
        way = [*_names(change.path), _UNNAMED]
        yield from _holding(root, root, way, "text")
        yield from _holding(root, root, way, 1)
    else:
        for value in _tried(root, change):
            yield from _holding(root, root, list(_names(change.path)), value)


def _names(path: str) -> Iterator[str]:
    yield from (str(step) for step in steps(path))


def _tried(root: JsonObject, change: SchemaChange) -> Iterator[Json]:
    """Values for the changed site, the most telling first."""
    yield from change.details.get("values", ())
    at_site = list(_schemas_at(root, root, list(_names(change.path))))
    valid = [value for schema in at_site for value in islice(samples(schema, root), _TRIES)]
    if change.change in {"parameter-removed", "parameter-renamed"}:
        yield from valid
        return
    outside = list(near(change.demand or {}))
    yield from outside[:6]
    yield from valid
    yield from outside[6:]


def _schemas_at(schema: Schema, root: JsonObject, way: list[str]) -> Iterator[Schema]:
    """Every schema the path leads to, through whichever alternative."""
    if not way:
        yield schema
        return
    for shape in read_shape(schema, root).alternatives():
        inner = _member(shape, way[0])
        if inner is not False:
            yield from _schemas_at(inner, root, way[1:])


def _member(shape: Shape, name: str) -> Schema:
    if name == "":
        return shape.items
    return shape.properties.get(name, shape.extra)


def _holding(schema: Schema, root: JsonObject, way: list[str], value: Json) -> Iterator[Json]:
    """Values of a schema with `value` at the end of the way; with nothing put there, its own."""
    if not way:
        if value is None:
            yield from islice(samples(schema, root), 6)
        yield value
        return
    name, rest = way[0], way[1:]
    for shape in read_shape(schema, root).alternatives():
        inner = _member(shape, name)
        for held in islice(_holding(inner, root, rest, value), 6):
            if name == "":
                yield [held] * max(int(shape.bounds.get("minItems", 1)), 1)
            else:
                member = _UNNAMED if name == "*" else name
                yield {**sample_object(shape, root), member: held}


def omits(arguments: JsonObject, path: str) -> bool:
    """Whether the object a member belongs to is there, and the member is not."""
    name = leaf(path)
    holders = values_at(arguments, _parent(path))
    return any(isinstance(holder, dict) and name not in holder for holder in holders)


def sends(arguments: JsonObject, path: str) -> bool:
    """Whether anything stands at a path."""
    return any(True for _ in values_at(arguments, path))


def _parent(path: str) -> str:
    parent = ""
    names = list(_names(path))
    for name in names[:-1]:
        parent = key(parent, name) if name else f"{parent}[]"
    return parent
