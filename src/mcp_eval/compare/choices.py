"""Schemas that are a choice: which alternative is which a release later, and which is gone."""

from dataclasses import replace

from mcp_eval.compare.limits import apart, names
from mcp_eval.compare.plain import admits
from mcp_eval.compare.schemas import Shape, settled
from mcp_eval.compare.sites import SchemaChange
from mcp_eval.model.base import JsonObject


def parts(shape: Shape) -> tuple[Shape, ...]:
    """The alternatives of a shape, each of one type where types are stated."""
    return tuple(each for one in shape.alternatives() for each in _by_type(one))


def _by_type(shape: Shape) -> tuple[Shape, ...]:
    if shape.types is None:
        return (shape,)
    return tuple(settled(replace(shape, types=frozenset({name}))) for name in sorted(shape.types))


def likeness(one: Shape, other: Shape) -> float:
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


def lost_choice(path: str, before: Shape, after: Shape, lost: list[Shape]) -> SchemaChange:
    """Alternatives that nothing takes the place of."""
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


def as_schema(shape: Shape) -> JsonObject:
    """A shape without a choice, written as a schema again."""
    schema: JsonObject = {**shape.bounds, **shape.rest}
    if shape.types is not None:
        schema["type"] = sorted(shape.types)
    if shape.values is not None:
        schema["enum"] = list(shape.values)
    for word, stated, nothing in (
        ("properties", shape.properties, {}),
        ("required", sorted(shape.required), []),
        ("additionalProperties", shape.extra, True),
        ("items", shape.items, True),
    ):
        if stated != nothing:
            schema[word] = stated
    return schema
