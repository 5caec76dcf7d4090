"""What this working folder remembers and git does not: raw runs, and what failed last."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from mcp_eval.errors import UsageError
from mcp_eval.formats.envelope import decode, encode
from mcp_eval.formats.limits import read_json
from mcp_eval.model.base import Noun
from mcp_eval.model.trajectory import Run
from mcp_eval.model.verdict import Report
from mcp_eval.store.atomic import read_file, write_atomic
from mcp_eval.store.stems import safe_name

STATE = ".mcp-eval"


class Last(Noun):
    """What `--lf` runs again."""

    failed: tuple[str, ...] = ()


def state_folder(root: Path) -> Path:
    """The folder of this working folder's memory, kept out of git."""
    folder = root / STATE
    if not (folder / ".gitignore").exists():
        write_atomic(folder / ".gitignore", b"*\n")
    return folder


def runs_folder(root: Path) -> Path:
    """Where raw runs stay: `.mcp-eval/runs`."""
    return state_folder(root) / "runs"


def save_run(folder: Path, run: Run) -> Path:
    """Keep one run: `<scenario>/<trial>[-<id>].json`."""
    scenario = safe_name(run.scenario, what="the scenario")
    name = f"{run.trial:03d}-{run.id}" if run.id else f"{run.trial:03d}"
    path = folder / scenario / f"{safe_name(name, what='the run')}.json"
    write_atomic(path, encode("run", run))
    return path


def load_runs(folder: Path, scenario: str | None = None) -> tuple[Run, ...]:
    """The runs kept here, of one scenario or of all, by scenario and trial."""
    where = safe_name(scenario, what="the scenario") if scenario is not None else "*"
    paths = (
        sorted(folder.glob("*/*.json")) if where == "*" else sorted((folder / where).glob("*.json"))
    )
    return tuple(load_run(path) for path in paths if path.name[0] != ".")


def load_run(path: Path) -> Run:
    """One kept run."""
    run = decode("run", read_file(path), where=str(path))
    safe_name(run.scenario, what=f"{path}: the scenario")
    return run


def save_failed(root: Path, names: Iterable[str]) -> None:
    """Remember which scenarios failed."""
    document = msgspec.json.encode(Last(failed=tuple(names)))
    write_atomic(state_folder(root) / "last.json", document + b"\n")


def load_failed(root: Path) -> tuple[str, ...]:
    """The scenarios that failed last; none where nothing is remembered."""
    path = root / STATE / "last.json"
    if not path.exists():
        return ()
    try:
        return read_json(read_file(path), Last, where=str(path)).failed
    except UsageError as error:
        raise UsageError(error.message, hint=f"delete {path}: it only serves `--lf`") from error


def report_path(root: Path) -> Path:
    """Where the report of the last check stands."""
    return root / STATE / "report.json"


def save_report(root: Path, report: Report) -> None:
    """Remember the report of the last check."""
    write_atomic(state_folder(root) / report_path(root).name, encode("report", report))
