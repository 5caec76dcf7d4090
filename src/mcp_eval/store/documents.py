"""Any stored document by its path, and a list of what a working folder holds."""

import os
from pathlib import Path

from mcp_eval.compare.steady import distill
from mcp_eval.errors import InconclusiveError, UsageError
from mcp_eval.formats.dumps import read_surface
from mcp_eval.formats.envelope import decode, kind_of
from mcp_eval.model.base import Noun, Stated
from mcp_eval.model.provenance import Provenance
from mcp_eval.model.recording import Baseline
from mcp_eval.model.scenario import Scenario
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Run
from mcp_eval.model.verdict import Report
from mcp_eval.store.atomic import read_file
from mcp_eval.store.files import PENDING, baseline_path, load_baseline
from mcp_eval.store.pending import pending
from mcp_eval.store.stems import SURFACE, safe_name

_DEPTH = ("", "*/", "*/*/")  # how far below a folder baselines are looked for


class Kept(Stated):
    """One baseline folder: what it holds, and what waits there for `accept`."""

    folder: str
    scenarios: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()


class Stored(Stated):
    """What a working folder holds."""

    baselines: tuple[Kept, ...] = ()
    reports: tuple[str, ...] = ()
    last: str = ""  # the report of the last check


def read_document(path: Path) -> Noun:
    """The noun a file holds: a document of ours, or a surface as others dump it."""
    payload = read_file(path)
    kind = kind_of(payload, where=str(path))
    if kind and kind != SURFACE:
        return decode(kind, payload, where=str(path), refuse=UsageError)
    return read_surface(payload, where=str(path))


def stored(baselines: Path, reports: Path, last: Path) -> Stored:
    """What lies in these places."""
    pages = reports.glob("*.html") if reports.is_dir() else ()
    return Stored(
        baselines=tuple(_kept(folder) for folder in _folders(baselines)),
        reports=tuple(sorted(str(page) for page in pages)),
        last=str(last) if last.is_file() else "",
    )


def _folders(place: Path) -> list[Path]:
    found = {file.parent for depth in _DEPTH for file in place.glob(f"{depth}{SURFACE}.json")}
    return sorted(folder for folder in found if folder.name != PENDING)


def _kept(folder: Path) -> Kept:
    stems = (file.stem for file in folder.glob("*.json") if not file.name.startswith("."))
    return Kept(
        folder=str(folder),
        scenarios=tuple(sorted(set(stems) - {SURFACE, "comparison"})),
        pending=pending(folder),
    )


def stored_at(text: str) -> Path | None:
    """The stored thing a word names; None where it must be a target."""
    try:
        path = baseline_path(text)
    except (InconclusiveError, OSError, ValueError):
        if text.endswith(".json") and " " not in text:
            raise UsageError(f"no document at {text}", hint="is the name right?") from None
        return None
    return None if path.is_file() and _is_program(path) else path


def _is_program(path: Path) -> bool:
    return path.suffix != ".json" and os.access(path, os.X_OK)


def read_side(path: Path) -> Baseline:
    """One side of a comparison: recordings with their surface, a surface, or a raw run."""
    if path.is_dir():
        return load_baseline(path)
    payload = read_file(path)
    kind = kind_of(payload, where=str(path))
    if kind == "baseline":
        return load_baseline(path)
    if kind == "run":
        return _of_run(decode("run", payload, where=str(path)))
    if kind in ("", SURFACE):
        return Baseline(surface=read_surface(payload, where=str(path)))
    raise UsageError(
        f"{path}: a {kind} is no side of a comparison",
        hint="compare takes recordings, runs, surfaces, tools/list dumps and targets",
    )


def _of_run(run: Run) -> Baseline:
    stem = safe_name(run.scenario, what="the scenario")
    proof = Provenance(
        agent=run.agent, model=run.model, recorded_at=run.recorded_at, build=run.build
    )
    recording = distill(Scenario(name=stem, stem=stem), [run], provenance=proof)
    return Baseline(surface=Surface(), recordings={stem: recording})


def read_report(path: Path, *, last: bool = False) -> Report:
    """A stored report; `last`: nobody named it, so it may not be there yet."""
    if last and not path.is_file():
        hint = "name a stored one with --report FILE"
        raise UsageError("no check was made here yet", hint=hint)
    found = read_document(path)
    if not isinstance(found, Report):
        raise UsageError(f"{path} is no report", hint="check and compare write them: -o FILE.json")
    return found
