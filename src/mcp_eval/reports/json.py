"""The report as its own document."""

import msgspec

from mcp_eval.model.base import Json
from mcp_eval.model.verdict import Report

FORMAT = "mcp-eval/report"
VERSION = 1


class JsonReporter:
    """Writes the document that `show` reads and re-judges."""

    suffixes = (".json",)

    def render(self, report: Report) -> bytes:
        """The document, indented, its last line closed."""
        return document(report)


def document(report: Report) -> bytes:
    """The bytes of a report document: the one place that knows its envelope."""
    envelope = {"format": FORMAT, "version": VERSION}
    whole = {**envelope, **msgspec.to_builtins(report)}
    try:
        body = msgspec.json.encode(whole)
    except (
        UnicodeEncodeError
    ):  # half a surrogate pair: no bytes can say it, a reader must still see it
        body = msgspec.json.encode(_sayable(whole))
    return msgspec.json.format(body, indent=2) + b"\n"


def _sayable(value: Json) -> Json:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_sayable(name): _sayable(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_sayable(one) for one in value]
    return value
