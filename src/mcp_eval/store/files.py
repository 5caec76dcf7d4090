"""Baselines on disk: a folder with the surface and one file a scenario."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from mcp_eval.errors import InconclusiveError
from mcp_eval.formats.dumps import read_surface
from mcp_eval.formats.envelope import decode, encode, kind_of
from mcp_eval.model.recording import Baseline, Recording
from mcp_eval.model.surface import Surface
from mcp_eval.store.atomic import read_file, remove, write_atomic, write_together
from mcp_eval.store.stems import SURFACE, recording_path, safe_name

__all__ = [
    "baseline_path",
    "load_baseline",
    "load_known",
    "load_surface",
    "missing_stems",
    "save_recording",
    "save_session",
    "save_surface",
    "write_atomic",
]

PENDING = ".pending"


def baseline_path(text: str, stem: str = "") -> Path:
    """What `--baseline P` names: a folder, a file with or without `.json`, or the seed's P/P."""
    path = Path(text)
    if path.exists():
        return path
    named = path.with_name(f"{path.name}.json") if path.name else path
    if named.is_file():
        return named
    if path.name == path.parent.name and path.parent.is_dir():
        return path.parent
    of = f" of '{stem}'" if stem else ""
    raise _missing(f"no baseline{of} at {path}", path)


def load_baseline(path: Path, stems: Sequence[str] | None = None) -> Baseline:
    """The baseline of a folder, or of one file in it; of these scenarios, or of all it holds."""
    if path.is_file():
        return _of_file(path, stems)
    if not path.is_dir():
        raise _missing(f"no baseline at {path}", path)
    surface = load_surface(path)
    if stems is None:
        return Baseline(surface=surface, recordings=_all(path))
    missing = missing_stems(path, stems)
    if missing:
        raise _missing(f"no baseline of {_quoted(missing)} in {path}", path)
    return Baseline(surface=surface, recordings={stem: _recording(path, stem) for stem in stems})


def load_known(path: Path, stems: Sequence[str]) -> Baseline:
    """The baseline of those scenarios that have a recording here; one at least must."""
    if path.is_file():
        own = [stem for stem in stems if stem == path.stem] or list(stems[:1])
        return load_baseline(path, own)
    missing = missing_stems(path, stems)
    return load_baseline(path, [stem for stem in stems if stem not in missing] or stems)


def missing_stems(path: Path, stems: Sequence[str]) -> tuple[str, ...]:
    """The scenarios that have no recording in a folder."""
    return tuple(
        stem for stem in stems if not recording_path(path, stem, refuse=InconclusiveError).is_file()
    )


def load_surface(folder: Path) -> Surface:
    """The surface that was recorded with a baseline."""
    path = folder / f"{SURFACE}.json"
    if not path.is_file():
        raise _missing(f"{folder} holds no {path.name}, so it is no baseline", folder)
    payload = read_file(path, refuse=InconclusiveError, hint=_record(folder))
    return read_surface(payload, where=str(path), refuse=InconclusiveError)


def save_recording(
    folder: Path, recording: Recording, surface: Surface, *, replace: bool = False
) -> Path:
    """Write a recording; where another stands approved, the new one waits in `.pending` instead.

    The path that now holds it says which: in the folder, or in its `.pending`.
    """
    documents = {
        folder / f"{SURFACE}.json": encode("surface", surface),
        recording_path(folder, recording.stem): encode("baseline", recording),
    }
    return _placed(documents, replace=replace)[-1]


def save_session(folder: Path, recording: Recording, surface: Surface) -> Path:
    """Write a recording that still grows: its own file anew each time, the surface by the rule."""
    path = recording_path(folder, recording.stem)
    documents = {folder / f"{SURFACE}.json": encode("surface", surface)}
    _placed(documents, replace=False)
    return _placed({path: encode("baseline", recording)}, replace=True)[0]


def save_surface(folder: Path, surface: Surface, *, replace: bool = False) -> Path:
    """Write a surface, under the same rule."""
    return _placed({folder / f"{SURFACE}.json": encode("surface", surface)}, replace=replace)[0]


def _placed(documents: Mapping[Path, bytes], *, replace: bool) -> list[Path]:
    """Put documents that belong together where each may stand, all of them or none."""
    places = {target: _place(target, one, replace=replace) for target, one in documents.items()}
    write = {places[target]: one for target, one in documents.items() if not _same(target, one)}
    waiting = {place.parent / ".gitignore": b"*\n" for place in write if place not in documents}
    write_together({**waiting, **write})
    for target, place in places.items():
        if place == target:
            remove(_waiting(target))
    return list(places.values())


def _place(target: Path, document: bytes, *, replace: bool) -> Path:
    """Its own place, or where it waits because another one stands there approved."""
    free = replace or not target.exists() or _same(target, document)
    return target if free else _waiting(target)


def _waiting(target: Path) -> Path:
    return target.parent / PENDING / target.name


def _same(target: Path, document: bytes) -> bool:
    return (
        target.exists() and target.stat().st_size == len(document) and read_file(target) == document
    )


def _of_file(path: Path, stems: Sequence[str] | None) -> Baseline:
    """One recording by the name of its file, whatever the file is called."""
    payload = read_file(path, refuse=InconclusiveError)
    if kind_of(payload, where=str(path)) == "surface":
        surface = read_surface(payload, where=str(path), refuse=InconclusiveError)
        return Baseline(surface=surface)
    recording = decode("baseline", payload, where=str(path))
    if stems is not None and len(stems) != 1:
        hint = "name the folder instead"
        raise InconclusiveError(f"{path}: one recording, and {len(stems)} are wanted", hint=hint)
    stem = stems[0] if stems else recording.stem
    return Baseline(
        surface=load_surface(path.parent), recordings={stem: _called(recording, stem, path)}
    )


def _all(folder: Path) -> dict[str, Recording]:
    """Each recording of a folder; reports and comparisons may lie beside them."""
    named = (path.stem for path in folder.glob("*.json") if path.name[0] != ".")
    stems = sorted(stem for stem in named if stem != SURFACE)
    found = {stem: _recording_or_other(folder, stem) for stem in stems}
    return {stem: recording for stem, recording in found.items() if recording}


def _recording_or_other(folder: Path, stem: str) -> Recording | None:
    path = folder / f"{stem}.json"
    payload = read_file(path, refuse=InconclusiveError)
    if kind_of(payload, where=str(path)) in ("report", "comparison", "run", "policy", "surface"):
        return None
    return _called(decode("baseline", payload, where=str(path)), stem, path)


def _recording(folder: Path, stem: str) -> Recording:
    path = recording_path(folder, stem, refuse=InconclusiveError)
    payload = read_file(path, refuse=InconclusiveError, hint=_record(folder))
    return _called(decode("baseline", payload, where=str(path)), stem, path)


def _called(recording: Recording, stem: str, path: Path) -> Recording:
    """The recording under its file's name: a file may be renamed, its scenario with it."""
    safe_name(recording.stem, what=f"{path}: the scenario", refuse=InconclusiveError)
    if recording.stem == stem:
        return recording
    return msgspec.structs.replace(recording, stem=stem)


def _missing(message: str, folder: Path) -> InconclusiveError:
    return InconclusiveError(message, hint=_record(folder), rule="baseline-unusable")


def _record(folder: Path) -> str:
    return f"record one: mcp-eval record SCENARIO --output {folder}"


def _quoted(stems: Sequence[str]) -> str:
    return ", ".join(f"'{stem}'" for stem in stems)
