"""What JSON itself says of values: when two are one, and of which type each is."""

from collections.abc import Sequence

from mcp_eval.model.base import Json

Types = frozenset[str]


def same_json(one: Json, other: Json) -> bool:
    """Whether two values are one in JSON: `1` is `1.0`, `true` is not `1`, at any depth."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same_json(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_json, one, other))
    return bool(one == other)


def among(value: Json, values: Sequence[Json]) -> bool:
    """Whether a value is one of these."""
    if isinstance(value, str):  # a text equals nothing but a text, and lists of texts are long
        return value in values
    return any(same_json(value, each) for each in values)


def type_of(value: Json) -> str:
    """The JSON Schema name of a value's type."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return "integer"
    return {float: "number", str: "string", list: "array", dict: "object"}.get(type(value), "")


def admits(types: Types, name: str) -> bool:
    """Whether a value of this type may stand where these types are stated."""
    return name in types or (name == "integer" and "number" in types)
