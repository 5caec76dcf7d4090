"""The last checks of a working folder, newest first: what `view` puts side by side."""

import re
from pathlib import Path

from mcp_eval.errors import UsageError
from mcp_eval.formats.envelope import encode
from mcp_eval.model.verdict import Report
from mcp_eval.store.atomic import remove, write_atomic
from mcp_eval.store.documents import read_report
from mcp_eval.store.runs import STATE, state_folder

MOST = 20
_FOLDER = "checks"


def remember(root: Path, report: Report) -> None:
    """Keep a check beside those before it; the oldest go."""
    name = re.sub(r"\D", "", report.created_at) or "0"
    write_atomic(state_folder(root) / _FOLDER / f"{name}.json", encode("report", report))
    for path in _paths(root)[MOST:]:
        remove(path)


def remembered(root: Path) -> dict[str, Report]:
    """The checks that are kept, by name, newest first; what cannot be read is left out."""
    found: dict[str, Report] = {}
    for path in _paths(root):
        try:
            found[path.stem] = read_report(path)
        except UsageError:
            continue
    return found


def _paths(root: Path) -> list[Path]:
    return sorted((root / STATE / _FOLDER).glob("[0-9]*.json"), reverse=True)
