"""One concrete request that was valid before and is not any more."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from mcp_eval.compare.paths import key, leaf, steps
from mcp_eval.compare.samples import LONGEST, near, of_shape, sample_object, sized
from mcp_eval.compare.schemas import Shape, read_shape
from mcp_eval.compare.sites import SchemaChange
from mcp_eval.compare.tidy import Schema, Tidy
from mcp_eval.compare.validity import Fault, Validity, values_at
from mcp_eval.model.base import Json, JsonObject

_TRIES = 60
_FEW = 6
_UNNAMED = "unnamed"
_TELLING_NOTHING = frozenset(
    {"title", "description", "default", "examples", "$defs", "definitions"}
)


# What is asked of an object as a whole, whatever its members hold.
_OF_PRESENCE = frozenset({"parameter-newly-required", "parameter-removed", "parameter-renamed"})
_OF_ONE_SENT = frozenset({"parameter-removed", "parameter-renamed"})


@dataclass(frozen=True, slots=True)
class Contract:
    """What a tool asked for and what it asks for now, ready to be tried."""

    before: Validity
    after: Validity
    known: bool = True  # the old schema says what was valid, and could be read

    @classmethod
    def of(cls, before: Tidy, after: Tidy) -> "Contract":
        stated = before.schema.keys() - _TELLING_NOTHING
        known = bool(stated) and not before.broken
        return cls(before=Validity(before), after=Validity(after), known=known)

    def complaint(self, change: SchemaChange, arguments: JsonObject) -> str:
        """What the new schema says at this change's site against arguments that were valid."""
        return self._against(change, arguments) if self.before.accepts(arguments) else ""

    def complaint_of_recorded(self, change: SchemaChange, arguments: JsonObject) -> str:
        """The same of arguments that were answered: a lenient server may have read more."""
        if self.before.accepts(arguments) is False and change.change not in _OF_PRESENCE:
            return ""
        return self._against(change, arguments)

    def fault(self, arguments: JsonObject) -> Fault | None:
        """What the new schema says against arguments that were valid, whatever it changed."""
        return self.after.fault(arguments) if self.before.accepts(arguments) else None

    def _against(self, change: SchemaChange, arguments: JsonObject) -> str:
        if not change.demand or self.after.accepts(arguments) is not False:
            return ""
        if change.change in _OF_ONE_SENT and not sends(arguments, change.path):
            return ""
        for value in values_at(arguments, change.asked_at):
            said = self.after.complaint(change.demand, value)
            if said:
                return said
        return ""


def valid_request(before: Validity) -> JsonObject | None:
    """Arguments the schema accepts, as few as may be."""
    for shape in _object(before.root).alternatives():
        arguments = sample_object(shape, before.root)
        if before.accepts(arguments):
            return arguments
    return None


def witness(contract: Contract, change: SchemaChange) -> JsonObject | None:
    """Arguments valid before and invalid now because of this change; None where none was found."""
    if not change.demand or not contract.known:
        return None
    for arguments in islice(_candidates(contract, change), _TRIES):
        if isinstance(arguments, dict) and contract.complaint(change, arguments):
            return arguments
    return None


def _candidates(contract: Contract, change: SchemaChange) -> Iterator[Json]:
    root = contract.before.root
    whole = _object(root)
    keywords = change.details.get("keywords", ())
    if "additionalProperties" in keywords:
        way = [*_names(change.path), _UNNAMED]
        for value in _values_at(whole, root, way):
            yield from _holding(whole, root, way, value)
    if change.change in _OF_ONE_SENT:
        way = list(_names(change.path))
        for value in _values_at(whole, root, way):
            yield from _holding(whole, root, way, value)
    else:
        way = list(_names(change.asked_at))
        for value in _tried(whole, root, way, change):
            if contract.after.complaint(change.demand or {}, value):
                yield from _holding(whole, root, way, value)


def _tried(whole: Shape, root: JsonObject, way: list[str], change: SchemaChange) -> Iterator[Json]:
    """Values for the changed site, the most telling first."""
    demand = change.demand or {}
    valid = list(islice(_values_at(whole, root, way), _TRIES))
    yield from change.details.get("values", ())
    yield from (other for value in valid[:_FEW] for other in sized(value, demand))
    outside = list(near(demand))
    yield from outside[:_FEW]
    yield from valid
    yield from outside[_FEW:]


def _values_at(whole: Shape, root: JsonObject, way: list[str]) -> Iterator[Json]:
    """Values the schema lets through where the way leads, through whichever alternative."""
    if not way:
        yield from of_shape(whole, root)
        return
    for shape in whole.alternatives():
        inner = _member(shape, way[0])
        if inner is not False:
            yield from _values_at(read_shape(inner, root), root, way[1:])


def _object(root: JsonObject) -> Shape:
    """The shape of arguments: an object, whether the schema says so or not."""
    shape = read_shape(root, root)
    return shape if shape.types else replace(shape, types=frozenset({"object"}))


def _names(path: str) -> Iterator[str]:
    yield from (str(step) for step in steps(path))


def _member(shape: Shape, name: str) -> Schema:
    if name == "":
        return shape.items
    return shape.properties.get(name, shape.extra)


def _holding(whole: Shape, root: JsonObject, way: list[str], value: Json) -> Iterator[Json]:
    """Values of a shape with `value` at the end of the way."""
    if not way:
        yield value
        return
    name, rest = way[0], way[1:]
    for shape in whole.alternatives():
        inner = read_shape(_member(shape, name), root)
        for held in islice(_holding(inner, root, rest, value), _FEW):
            if name == "":
                fewest = int(shape.bounds.get("minItems", 1))
                yield [held] * min(max(fewest, 1), LONGEST)
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
