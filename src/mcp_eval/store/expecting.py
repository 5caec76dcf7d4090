"""An expectation, written into the project file of a folder."""

from pathlib import Path

from mcp_eval.errors import UsageError
from mcp_eval.formats.expecting import with_expectation
from mcp_eval.model.policy import Expectation
from mcp_eval.store.atomic import read_file, write_atomic
from mcp_eval.store.sources import project_file


def keep_expectation(root: Path, expectation: Expectation) -> Path:
    """Write it; UsageError with the lines to write by hand where that cannot be done."""
    path = project_file(root)
    payload = read_file(path) if path.is_file() else b""
    after = with_expectation(payload, path=str(path), expectation=expectation)
    if after is None:
        raise UsageError(
            f"{path}: the expectation could not be put there without changing the rest",
            hint=f"write it under `expect:`: finding {expectation.finding}, with a reason",
        )
    write_atomic(path, after)
    return path
