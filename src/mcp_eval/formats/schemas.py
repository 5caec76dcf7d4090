"""The JSON Schema of each kind of document."""

from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin

import msgspec

from mcp_eval.errors import UsageError
from mcp_eval.formats.kinds import KINDS, VERSIONS
from mcp_eval.model.base import Json, JsonObject, Noun

Shape = Any  # whatever an annotation may be


def schema(kind: str) -> JsonObject:
    """What a document of this kind must look like, envelope and all."""
    if kind not in KINDS:
        raise UsageError(
            f"no kind of document is called '{kind}'", hint=f"one of {', '.join(KINDS)}"
        )
    (_,), components = msgspec.json.schema_components((_twin(KINDS[kind]),))
    body = components.pop(KINDS[kind].__name__)
    envelope = {"format": {"const": f"mcp-eval/{kind}"}, "version": {"const": VERSIONS[kind]}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **body,
        "properties": {**envelope, **body["properties"]},
        "required": [*envelope, *body.get("required", [])],
        "$defs": components,
    }


@cache
def _twin(noun: type[Noun]) -> Shape:
    """The same struct, bodies as plain JSON: msgspec writes no schema of a Raw default."""
    fields = msgspec.structs.fields(noun)
    twins: list[Shape] = [_field(field) for field in fields]
    return msgspec.defstruct(
        noun.__name__,
        twins,
        frozen=True,
        kw_only=True,
        omit_defaults=True,
        namespace={"__doc__": noun.__doc__},
    )


def _field(field: msgspec.structs.FieldInfo) -> tuple[Shape, ...]:
    shape = _shape(field.type)
    if field.required:
        return field.encode_name, shape
    return field.encode_name, shape, _default(field, shape)


def _default(field: msgspec.structs.FieldInfo, shape: Shape) -> Json:
    if field.default is msgspec.NODEFAULT:
        return msgspec.field(default_factory=field.default_factory)
    if isinstance(field.default, msgspec.Raw):
        return None
    if isinstance(field.default, Noun):
        return msgspec.json.decode(msgspec.json.encode(field.default), type=shape)
    return field.default


def _shape(shape: Shape) -> Shape:
    """The type, with every noun in it replaced by its twin."""
    if shape is msgspec.Raw:
        return Json
    if isinstance(shape, type) and get_origin(shape) is None and issubclass(shape, Noun):
        return _twin(shape)
    origin: Shape = get_origin(shape)
    arguments = tuple(_shape(argument) for argument in get_args(shape))
    if origin in (Union, UnionType):
        return Union[arguments]  # noqa: UP007 - built while the program runs
    return origin[arguments] if origin in (tuple, dict, list) else shape
