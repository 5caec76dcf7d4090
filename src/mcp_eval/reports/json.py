"""The report as its own document."""

import msgspec

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
    body = msgspec.json.encode({**envelope, **msgspec.to_builtins(report)})
    return msgspec.json.format(body, indent=2) + b"\n"
