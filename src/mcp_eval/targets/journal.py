"""The run journal: what was started, so that the next command ends what a killed one left."""

import contextlib
import os
import shutil
import signal
import tempfile
import time
from pathlib import Path

import msgspec

from mcp_eval.targets import procs

_FOLDER_PREFIX = "mcp-eval-"
_ROUNDS, _KILLED_WITHIN = 5, 1.0


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One started environment, and who started it."""

    marker: str
    owner: int
    owner_started: str
    pid: int = 0  # 0: about to start
    started: str = ""
    folder: str = ""  # of its own, to be removed with it


class Journal:
    """One small file an environment in `.mcp-eval/journal`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def write(self, marker: str, *, pid: int = 0, folder: str = "") -> None:
        """Note what is about to start, and then under which process id it did."""
        entry = Entry(
            marker=marker,
            owner=os.getpid(),
            owner_started=procs.started_at(os.getpid()),
            pid=pid,
            started=procs.started_at(pid) if pid else "",
            folder=folder,
        )
        # A folder nobody may write to must not keep a check from running: it runs without one.
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            place = self._folder / f"{marker}.json"
            part = place.with_suffix(".part")
            part.write_bytes(msgspec.json.encode(entry))
            part.replace(place)

    def forget(self, marker: str) -> None:
        """It ended, and all it started with it."""
        with contextlib.suppress(OSError):
            (self._folder / f"{marker}.json").unlink()


def sweep(folder: Path, *, patience: float = 1.0) -> tuple[str, ...]:
    """End what an earlier, killed mcp-eval left; one line each. A living owner's are let be."""
    said: list[str] = []
    for place in sorted(folder.glob("*.json")) if folder.is_dir() else ():
        entry = _read(place)
        if entry is not None and _owned(entry):
            continue
        if entry is not None and (left := _left_by(entry)):
            _end(left, entry.marker, patience)
            count = "1 process" if len(left) == 1 else f"{len(left)} processes"
            said.append(f"ended {count} that an interrupted mcp-eval left behind")
        if entry is not None:
            _remove(entry.folder)
        with contextlib.suppress(OSError):
            place.unlink()
    return tuple(said)


def _read(place: Path) -> Entry | None:
    try:
        return msgspec.json.decode(place.read_bytes(), type=Entry)
    except (OSError, msgspec.DecodeError):
        return None


def _owned(entry: Entry) -> bool:
    """Whether the mcp-eval that started it still runs."""
    return bool(entry.owner_started) and procs.started_at(entry.owner) == entry.owner_started


def _left_by(entry: Entry) -> set[procs.Proc]:
    same = entry.pid > 0 and bool(entry.started) and procs.started_at(entry.pid) == entry.started
    return procs.belonging([(entry.pid, entry.started)] if same else [], entry.marker)


def _end(left: set[procs.Proc], marker: str, patience: float) -> None:
    """TERM, then KILL until none is left; some rounds for what comes up or is slow to go."""
    leaders = [(each.pid, each.started) for each in left]
    procs.send(signal.SIGTERM, left)
    left = _gone(left, patience)
    for _ in range(_ROUNDS):
        left = procs.alive(left | procs.belonging(leaders, marker))
        if not left:
            return
        procs.send(signal.SIGKILL, left)
        left = _gone(left, _KILLED_WITHIN)


def _gone(left: set[procs.Proc], seconds: float) -> set[procs.Proc]:
    """Those that still live after that many seconds; sooner where none do."""
    deadline = time.monotonic() + seconds
    while (left := procs.alive(left)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left


def _remove(folder: str) -> None:
    """Only a folder this project made: its name and its place say so."""
    place = Path(folder) if folder else None
    ours = place is not None and place.name.startswith(_FOLDER_PREFIX)
    if place is not None and ours and place.parent == Path(tempfile.gettempdir()):
        shutil.rmtree(place, ignore_errors=True)


def new_folder() -> Path:
    """An empty folder of an environment's own, outside every project and repository."""
    return Path(tempfile.mkdtemp(prefix=_FOLDER_PREFIX)).resolve()
