"""A noun that JSON can carry: a target's answer may be no JSON, and losing it would be worse."""

import json
import math
import re

import msgspec

from mcp_eval.formats.limits import too_deep
from mcp_eval.model.base import Json, Noun

_DEEP = 150  # an answer's own depth: the document around it needs some levels too
_SURROGATE = re.compile("[\ud800-\udfff]")


def mended(value: Json) -> Json:
    """The same noun, each body valid JSON and each text valid Unicode."""
    if isinstance(value, msgspec.Raw):
        return msgspec.Raw(mended_body(bytes(value)))
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, Noun):
        fields = {name: getattr(value, name) for name in value.__struct_fields__}
        kept = {name: field for name, field in fields.items() if not _absent(field)}
        return type(value)(**{name: mended(field) for name, field in kept.items()})
    if isinstance(value, dict):
        return {mended(name): mended(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(mended(item) for item in value)
    return value


def _absent(field: Json) -> bool:
    """An empty body that is not the default one: msgspec would write nothing for its value."""
    return isinstance(field, msgspec.Raw) and not bytes(field).strip()


def mended_body(body: bytes) -> bytes:
    """The body as JSON that every reader takes; as one string where it is none."""
    if _fine(body):
        return body
    text = body.decode(errors="replace")
    try:
        value = json.loads(text, parse_constant=str, parse_float=_finite, strict=False)
        written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except (ValueError, RecursionError):
        written = json.dumps(text, ensure_ascii=False)
    candidate = written.encode(errors="replace")
    return candidate if _fine(candidate) else json.dumps(text).encode()


def _fine(body: bytes) -> bool:
    try:
        body.decode()
        if too_deep(body, _DEEP):
            return False
        msgspec.json.decode(body)
    except (ValueError, msgspec.MsgspecError, RecursionError):
        return False
    return True


def _finite(written: str) -> float | str:
    number = float(written)
    return number if math.isfinite(number) else written
