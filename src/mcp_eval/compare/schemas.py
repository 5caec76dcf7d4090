"""What a schema means: one normal form for every way to spell it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from mcp_eval.compare.plain import Types, admits, among, type_of
from mcp_eval.compare.tidy import Schema, resolve
from mcp_eval.model.base import Json, JsonObject

_LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
BOUNDS = (*_LOWER, *_UPPER, "multipleOf", "pattern", "format", "uniqueItems")
_REST = (
    "not", "if", "then", "else", "contains", "minContains", "maxContains", "patternProperties",
    "dependentRequired", "dependentSchemas", "propertyNames", "prefixItems",
    "unevaluatedProperties", "unevaluatedItems",
)  # fmt: skip
# Beyond this no JSON reader promises to tell two integers apart: such a bound bounds nothing.
_SAFE = 2**53 - 1
# Formats that only repeat a number's storage; nobody checks them.
_STORAGE = frozenset(
    ["int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float",
     "double"]
)  # fmt: skip
_NULL = frozenset({"null"})
_EVALUATING = frozenset({"if", "then", "else", "dependentSchemas", "patternProperties"})
_DEEPEST = 24


@dataclass(frozen=True, slots=True)
class Shape:
    """What values a schema lets through, whatever its spelling; `None` where it does not say."""

    types: Types | None = None
    values: tuple[Json, ...] | None = None
    bounds: dict[str, Json] = field(default_factory=dict)
    properties: dict[str, Schema] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    extra: Schema = True
    items: Schema = True
    options: tuple["Shape", ...] = ()
    rest: dict[str, Json] = field(default_factory=dict)
    default: Json = None
    title: str = ""
    description: str = ""

    def alternatives(self) -> tuple["Shape", ...]:
        """The shapes a value may have; one, where there is no choice."""
        if not self.options:
            return (self,)
        base = replace(self, options=())
        return tuple(both(base, option) for option in self.options)


ANY = Shape()
NOTHING = Shape(values=())


def read_shape(schema: Schema, root: JsonObject, seen: tuple[str, ...] = ()) -> Shape:
    """The shape of a tidied schema; `root` is where its references lead."""
    if isinstance(schema, bool):
        return ANY if schema else NOTHING
    parts = [_own(schema)]
    reference = schema.get("$ref")
    if reference is not None and (reference in seen or len(seen) > _DEEPEST):
        return settled(parts[0])
    if reference is not None:
        seen = (*seen, reference)
        target = resolve(reference, root)
        parts.append(read_shape(True if target is None else target, root, seen))
    parts += [read_shape(each, root, seen) for each in schema.get("allOf", ())]
    for word in ("anyOf", "oneOf"):
        if word in schema:
            parts.append(_union([read_shape(each, root, seen) for each in schema[word]]))
    return settled(reduce(both, parts))


def _own(schema: JsonObject) -> Shape:
    stated = schema.get("type")
    named = [stated] if isinstance(stated, str) else stated
    return Shape(
        types=_types(named) if named else None,
        values=_values(schema),
        bounds={word: schema[word] for word in BOUNDS if word in schema and _says(word, schema)},
        properties=schema.get("properties", {}),
        required=frozenset(schema.get("required", ())),
        extra=_plain(schema.get("additionalProperties", True)),
        items=_plain(schema.get("items", True)),
        rest={word: schema[word] for word in _REST if word in schema and _matters(word, schema)},
        default=schema.get("default"),
        title=schema.get("title", ""),
        description=schema.get("description", ""),
    )


def _plain(schema: Schema) -> Schema:
    return schema if schema != {} else True


def _types(names: Sequence[str]) -> Types:
    types = frozenset(names)
    return types - {"integer"} if "number" in types else types


def _values(schema: JsonObject) -> tuple[Json, ...] | None:
    if "const" in schema:
        return (schema["const"],)
    return tuple(schema["enum"]) if "enum" in schema else None


def _says(word: str, schema: JsonObject) -> bool:
    bound = schema[word]
    if word in {"minLength", "minItems", "minProperties"}:
        return bool(bound > 0)
    if word in {"minimum", "exclusiveMinimum"}:
        return bool(bound > -_SAFE)
    if word in {"maximum", "exclusiveMaximum"}:
        return bool(bound < _SAFE)
    return not (word == "format" and bound in _STORAGE)


def _matters(word: str, schema: JsonObject) -> bool:
    if word == "propertyNames":  # every name is a string already
        return schema[word] not in ({"type": "string"}, True, {})
    return schema[word] != {} or word == "not"


def settled(shape: Shape) -> Shape:
    """Values and types told by each other, and bounds that say the same said alike."""
    types, values = shape.types, shape.values
    if values is not None:
        distinct: list[Json] = []
        for value in values:
            fits = types is None or admits(types, type_of(value))
            if fits and not among(value, distinct):
                distinct.append(value)
        values = tuple(distinct)
        types = _types([type_of(value) for value in values])
        if types <= {"null", "boolean"} and len(values) == len(types) + ("boolean" in types):
            values = None  # true and false: all that a boolean can be
    extra, rest = shape.extra, shape.rest
    if rest.get("unevaluatedProperties") is False and not rest.keys() & _EVALUATING:
        # All its parts are together in one shape here: nothing unnamed may come.
        rest = {word: stated for word, stated in rest.items() if word != "unevaluatedProperties"}
        extra = False
    bounds = _whole(shape.bounds, types)
    return replace(shape, types=types, values=values, bounds=bounds, extra=extra, rest=rest)


def _whole(bounds: dict[str, Json], types: Types | None) -> dict[str, Json]:
    """For integers `exclusiveMinimum: 0` and `minimum: 0.5` are `minimum: 1`."""
    if types is None or "integer" not in types:
        return bounds
    settled = dict(bounds)
    for word, exclusive, tighter, rounded, by in (
        ("minimum", "exclusiveMinimum", max, math.ceil, 1),
        ("maximum", "exclusiveMaximum", min, math.floor, -1),
    ):
        stated = [rounded(settled[word])] if word in settled else []
        if exclusive in settled:
            # The next whole number: past a whole bound, at the first one past a broken bound.
            bound = settled.pop(exclusive)
            stated.append(int(bound) + by if bound == int(bound) else rounded(bound))
        if stated:
            settled[word] = tighter(stated)
    return settled


def both(one: Shape, other: Shape) -> Shape:
    """What two shapes let through together."""
    if other is ANY:
        return one
    properties = dict(one.properties)
    for name, schema in other.properties.items():
        properties[name] = _all_of(properties[name], schema) if name in properties else schema
    bounds, rest = _tightest(one, other)
    return Shape(
        types=_common(one.types, other.types),
        values=_shared(one.values, other.values),
        bounds=bounds,
        properties=properties,
        required=one.required | other.required,
        extra=_all_of(one.extra, other.extra),
        items=_all_of(one.items, other.items),
        options=_product(one.options, other.options),
        rest=rest,
        default=one.default if one.default is not None else other.default,
        title=one.title or other.title,
        description=one.description or other.description,
    )


def _all_of(one: Schema, other: Schema) -> Schema:
    if one is False or other is False:
        return False
    if other is True or one == other:
        return one
    return other if one is True else {"allOf": [one, other]}


def _common(one: Types | None, other: Types | None) -> Types | None:
    if one is None or other is None:
        return other if one is None else one
    return _types(
        [name for name in one if admits(other, name)]
        + [name for name in other if admits(one, name)]
    )


def _shared(
    one: tuple[Json, ...] | None, other: tuple[Json, ...] | None
) -> tuple[Json, ...] | None:
    if one is None or other is None:
        return other if one is None else one
    return tuple(value for value in one if among(value, other))


def _tightest(one: Shape, other: Shape) -> tuple[dict[str, Json], dict[str, Json]]:
    bounds, rest = dict(one.bounds), dict(one.rest)
    for word, bound in other.bounds.items():
        if word not in bounds or bounds[word] == bound:
            bounds[word] = bound
        elif word in _LOWER:
            bounds[word] = max(bounds[word], bound)
        elif word in _UPPER:
            bounds[word] = min(bounds[word], bound)
        else:  # two patterns: both hold
            rest["allOf"] = [*rest.get("allOf", ()), {word: bound}]
    for word, stated in other.rest.items():
        if word in rest and rest[word] != stated:
            rest["allOf"] = [*rest.get("allOf", ()), {word: stated}]
        else:
            rest[word] = stated
    return bounds, rest


def _product(one: tuple[Shape, ...], other: tuple[Shape, ...]) -> tuple[Shape, ...]:
    if not one or not other:
        return one or other
    return tuple(settled(both(left, right)) for left in one for right in other)[:_DEEPEST]


def _union(branches: Sequence[Shape]) -> Shape:
    """What any of the branches lets through; one shape wherever one can say it exactly."""
    distinct: list[Shape] = []
    for branch in branches:
        for each in branch.alternatives():
            if each not in distinct:
                distinct.append(each)
    null = any(shape.types == _NULL for shape in distinct)
    rest = [shape for shape in distinct if shape.types != _NULL]
    if any(replace(shape, title="", description="", default=None) == ANY for shape in rest):
        return ANY
    if not rest:
        return distinct[0]
    joined = _joined(rest)
    if joined is not None:
        return _or_null(joined) if null else joined
    return Shape(types=_all_types(distinct), options=tuple(distinct))


def _all_types(shapes: Sequence[Shape]) -> Types | None:
    if any(shape.types is None for shape in shapes):
        return None
    return _types([name for shape in shapes for name in shape.types or ()])


def _or_null(shape: Shape) -> Shape:
    if shape.types is None or shape.rest:
        return Shape(types=None, options=(shape, Shape(types=_NULL)))
    values = None if shape.values is None else (*shape.values, None)
    return replace(shape, types=shape.types | _NULL, values=values)


def _joined(shapes: Sequence[Shape]) -> Shape | None:
    """One shape for all of them, where that is exact: values together, or types that differ."""
    if len(shapes) == 1:
        return shapes[0]
    if all(_only_values(shape) for shape in shapes):
        values = tuple(value for shape in shapes for value in shape.values or ())
        return settled(Shape(values=values))
    told: list[str] = []
    for shape in shapes:
        if shape.types is None or shape.values is not None or shape.rest:
            return None
        told += shape.types
    apart = len(set(told)) == len(told) and not {"integer", "number"} <= set(told)
    if not apart or sum(bool(shape.properties or shape.required) for shape in shapes) > 1:
        return None
    merged = reduce(both, (replace(shape, types=None) for shape in shapes))
    return replace(merged, types=frozenset(told), default=None)


def _only_values(shape: Shape) -> bool:
    plain = not (shape.bounds or shape.properties or shape.required or shape.options or shape.rest)
    return shape.values is not None and plain
