"""One JSON value a line: what `--json` prints of small things, and what it reads."""

import msgspec

from mcp_eval.formats.limits import read_json
from mcp_eval.model.base import Json


def line_of(value: Json) -> str:
    """A value on one line of JSON."""
    return msgspec.json.encode(value).decode()


def json_of(text: str, *, where: str) -> Json:
    """The JSON of a text somebody typed; UsageError says where it is off."""
    return read_json(text.encode("utf-8", "surrogateescape"), object, where=where)
