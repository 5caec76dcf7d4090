"""Which reporter writes which file: the built-ins and whatever is installed, by suffix."""

from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from pathlib import PurePath
from typing import cast

from mcp_eval.errors import UsageError
from mcp_eval.ports import Reporter

GROUP = "mcp_eval.reporters"

# An entry point is named by the suffix it serves: no format is imported before it is asked for.
_BUILT_IN = {
    "annotations": "mcp_eval.reports.annotations:AnnotationReporter",
    "html": "mcp_eval.reports.html:HtmlReporter",
    "json": "mcp_eval.reports.json:JsonReporter",
    "md": "mcp_eval.reports.markdown:MarkdownReporter",
    "summary": "mcp_eval.reports.summary:SummaryReporter",
    "txt": "mcp_eval.reports.terminal:TerminalReporter",
    "xml": "mcp_eval.reports.junit:JunitReporter",
}


class _Reporters(Mapping[str, Reporter]):
    """Reporters by suffix, loaded when looked up; an installed one goes before a built-in."""

    def __init__(self) -> None:
        self._points = {
            f".{name}": EntryPoint(name, path, GROUP) for name, path in _BUILT_IN.items()
        }
        self._installed = False

    def __getitem__(self, suffix: str) -> Reporter:
        return cast("Reporter", self._known()[suffix].load()())

    def __iter__(self) -> Iterator[str]:
        return iter(self._known())

    def __len__(self) -> int:
        return len(self._known())

    def _known(self) -> dict[str, EntryPoint]:
        if not self._installed:
            self._points |= {f".{point.name}": point for point in entry_points(group=GROUP)}
            self._installed = True
        return self._points


REPORTERS: Mapping[str, Reporter] = _Reporters()


def reporter_for(path: str | PurePath) -> Reporter:
    """The reporter of a file by the longest suffix that fits; UsageError where none does."""
    name = PurePath(path).name.lower()
    fitting = [suffix for suffix in REPORTERS if name.endswith(suffix)]
    if not fitting:
        known = ", ".join(sorted(REPORTERS))
        raise UsageError(f"no report format for '{path}'", hint=f"end the name in one of {known}")
    return REPORTERS[max(fitting, key=len)]
