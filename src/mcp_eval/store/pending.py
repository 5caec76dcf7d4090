"""Changes of a baseline that wait for a person: listed, shown, accepted or dropped by name."""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import msgspec

from mcp_eval.errors import InconclusiveError, UsageError
from mcp_eval.formats.envelope import decode
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.recording import Baseline, Recording
from mcp_eval.model.surface import Surface
from mcp_eval.store.atomic import move, read_file, remove, write_atomic
from mcp_eval.store.files import PENDING, load_baseline, load_surface
from mcp_eval.store.stems import SURFACE, safe_name

ACCEPTED = "accepted.jsonl"


def pending(folder: Path) -> tuple[str, ...]:
    """What waits in a baseline folder: stems, and `surface` first where it does too."""
    names = {path.stem for path in (folder / PENDING).glob("*.json") if path.name[0] != "."}
    return tuple(sorted(names, key=lambda name: (name != SURFACE, name)))


def pending_recording(folder: Path, stem: str) -> Recording:
    """The recording that waits."""
    path = _waiting(folder, stem)
    return decode("baseline", read_file(path, refuse=InconclusiveError), where=str(path))


def pending_surface(folder: Path) -> Surface:
    """The surface that waits."""
    path = _waiting(folder, SURFACE)
    payload = read_file(path, refuse=InconclusiveError)
    return decode("surface", payload, where=str(path), refuse=InconclusiveError)


def versions(folder: Path, name: str) -> tuple[Baseline, Baseline]:
    """The approved baseline and the one that waits, as far as this change goes."""
    now = load_surface(folder)
    waits = pending_surface(folder) if SURFACE in pending(folder) else now
    if name == SURFACE:
        return Baseline(surface=now), Baseline(surface=pending_surface(folder))
    waiting = pending_recording(folder, name)
    approved = load_baseline(folder, [name])
    return approved, Baseline(surface=waits, recordings={name: waiting})


def promote(folder: Path, name: str, note: JsonObject | None = None) -> Path:
    """Approve what waits: it takes its place, and who, when, why are kept beside it."""
    waiting = _waiting(folder, name)
    target = folder / waiting.name
    # Read first: what cannot be read must not take the place of what can.
    pending_surface(folder) if name == SURFACE else pending_recording(folder, name)
    if note is not None:
        keep_note(folder, {"name": name, **note})
    move(waiting, target)
    return target


def outdated(folder: Path, name: str, runs: Path) -> bool:
    """Whether a newer run of that scenario is kept than the one this change was made from."""
    made = _waiting(folder, name).stat().st_mtime_ns
    return any(run.stat().st_mtime_ns > made for run in (runs / name).glob("*.json"))


def log(folder: Path) -> tuple[JsonObject, ...]:
    """What was decided here, the oldest first; a line that cannot be read is no decision."""
    path = folder / ACCEPTED
    payload = read_file(path) if path.exists() else b""
    return tuple(_notes(payload.splitlines()))


def _notes(lines: Iterable[bytes]) -> Iterator[JsonObject]:
    for line in lines:
        try:
            yield msgspec.json.decode(line, type=dict[str, Json])
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue


def drop(folder: Path, name: str) -> None:
    """Turn down what waits; the approved one stays."""
    remove(_waiting(folder, name))


def keep_note(folder: Path, note: JsonObject) -> None:
    """One line more in the folder's own history."""
    path = folder / ACCEPTED
    earlier = read_file(path) if path.exists() else b""
    write_atomic(path, earlier + msgspec.json.encode(note) + b"\n")


def unused(folder: Path, stems: Collection[str]) -> tuple[str, ...]:
    """Recordings of scenarios that are no more."""
    held = {path.stem for path in folder.glob("*.json")} - {SURFACE, "comparison"}
    return tuple(sorted(held - set(stems)))


def trim(folder: Path, stem: str) -> None:
    """Take a recording away, what waits for it too."""
    name = f"{safe_name(stem, what='the scenario')}.json"
    remove(folder / PENDING / name)
    remove(folder / name)


def _waiting(folder: Path, name: str) -> Path:
    path = folder / PENDING / f"{safe_name(name, what='the change')}.json"
    if not path.is_file():
        waits = ", ".join(pending(folder))
        hint = f"what waits: {waits}" if waits else "record it again first: the change waits then"
        raise UsageError(f"no change of '{name}' waits in {folder}", hint=hint)
    return path
