"""An agent's client on a leash: all that it starts ends with it, with us, or when told.

Run as a file, by any Python and without this package. A client that is killed, or whose starter is,
leaves shells and servers behind; this stays beside it until all of them are gone.
"""

import contextlib
import ctypes
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

_PROC = Path("/proc")
_SUBREAPER = 36  # of prctl: whoever loses its parent becomes our child, its own session or not
_LOOK = 0.2  # seconds between two looks at who started us
_PAUSE = 0.02
_GRACE = 1.0  # for whoever was asked to end


def main(folder: str, command: list[str]) -> int:
    """Run the command; its exit status, 128 and the signal's number where one ended it.

    Where nobody is left who would remove its folder, that is done too: it may hold what was said.
    """
    starter = os.getppid()
    asked: list[int] = []

    def end(number: int, _frame: FrameType | None) -> None:
        asked.append(number)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, end)
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    client = subprocess.Popen(command, start_new_session=True)  # noqa: S603 - what we were told to start
    while client.poll() is None and not asked and os.getppid() == starter:
        with contextlib.suppress(subprocess.TimeoutExpired):
            client.wait(_LOOK)
    _end(client)
    if os.getppid() != starter:
        shutil.rmtree(folder, ignore_errors=True)
    return client.returncode if client.returncode >= 0 else 128 - client.returncode


def _end(client: "subprocess.Popen[bytes]") -> None:
    """Ask them all to end, then make them."""
    _tell(client, signal.SIGTERM)
    until = time.monotonic() + _GRACE
    while (client.poll() is None or any(_family())) and time.monotonic() < until:
        time.sleep(_PAUSE)
    while client.poll() is None or any(_family()):
        _tell(client, signal.SIGKILL)
        time.sleep(_PAUSE)
    with contextlib.suppress(ChildProcessError):  # those that were left to us
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _tell(client: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    for pid in _family():
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)
    if not _PROC.is_dir() and client.poll() is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(client.pid, number)


def _family(parent: int = 0) -> Iterator[int]:
    """Whoever descends from us and lives; none where there is no /proc."""
    parent = parent or os.getpid()
    for place in (_PROC / str(parent) / "task").glob("*/children"):
        for child in _read(place).split():
            if _read(_PROC / child / "stat").rpartition(")")[2].split()[:1] != ["Z"]:
                yield int(child)
            yield from _family(int(child))


def _read(place: Path) -> str:
    try:
        return place.read_text(encoding="utf-8", errors="replace")
    except OSError:  # gone by now
        return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
