"""Which processes belong to a started target, and how they end; read from /proc."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

MARKER = "MCP_EVAL_ENVIRONMENT"
_PROC = Path("/proc")
_PAUSE = 0.02
_ROUNDS = 5
_FIRST = 1  # the first process: everybody's parent, nobody's descendant


Leader = tuple[int, str]  # process id and start: exactly one process, however ids are reused


class Proc(NamedTuple):
    """One line of the process table."""

    pid: int
    parent: int
    session: int
    started: str  # clock ticks since boot: with the pid, exactly one process


def procs() -> Iterator[Proc]:
    """Every living process that can be seen; none where there is no /proc."""
    for place in _PROC.iterdir() if _PROC.is_dir() else ():
        if place.name.isdigit() and (found := look_up(int(place.name))) is not None:
            yield found


def look_up(pid: int) -> Proc | None:
    """The process of this id, where it lives: a zombie does not."""
    try:
        stat = (_PROC / str(pid) / "stat").read_bytes()
    except OSError:
        return None
    # The name may hold spaces and brackets: fields count from the last bracket.
    fields = stat[stat.rfind(b")") + 2 :].split()
    if fields[0] in {b"Z", b"X"}:
        return None
    return Proc(pid, int(fields[1]), int(fields[3]), fields[19].decode())


def started_at(pid: int) -> str:
    """When it started, in the kernel's ticks; "" where it is gone."""
    found = look_up(pid)
    return found.started if found else ""


def belonging(leaders: Collection[Leader], marker: str = "") -> set[Proc]:
    """The leaders' sessions, their descendants that left, and whatever carries the marker."""
    everybody = {each.pid: each for each in procs()}
    above = _above(everybody)
    table = {pid: each for pid, each in everybody.items() if pid not in above}
    # A leader's id that was given to somebody else by now names nobody of ours. And 0 is the
    # session of all that was started from outside: whoever took it for a leader would end them.
    ours = {
        pid
        for pid, started in leaders
        if pid > 0 and pid not in above
        if pid not in table or table[pid].started == started
    }
    family = {each.pid for each in table.values() if each.pid in ours or each.session in ours}
    grown = True
    while grown:
        children = {each.pid for each in table.values() if each.parent in family} - family
        family |= children
        grown = bool(children)
    return {
        each
        for each in table.values()
        if each.pid in family or (marker and _carries(each.pid, marker))
    }


def _above(table: Mapping[int, Proc]) -> set[int]:
    """Ourselves, and who started us: never anything that we started."""
    found, pid = {_FIRST}, os.getpid()
    while pid in table and pid not in found:
        found.add(pid)
        pid = table[pid].parent
    return found


def _carries(pid: int, marker: str) -> bool:
    try:
        environ = (_PROC / str(pid) / "environ").read_bytes()
    except OSError:
        return False
    return f"{MARKER}={marker}".encode() in environ.split(b"\0")


def send(number: signal.Signals, targets: Iterable[Proc]) -> None:
    """Signal exactly these processes: one whose id was given to another is left alone."""
    for each in targets:
        if started_at(each.pid) == each.started:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(each.pid, number)


def alive(targets: Iterable[Proc]) -> set[Proc]:
    """Those of them that still run."""
    return {each for each in targets if started_at(each.pid) == each.started}


async def end(
    family: set[Proc], leaders: Collection[Leader], marker: str, *, patience: float = 1.0
) -> None:
    """TERM the family and what belongs to it by now, wait, then KILL what is left."""
    if not _PROC.is_dir():
        _end_groups(leaders)
        return
    doomed = family | await asyncio.to_thread(belonging, leaders, marker)
    send(signal.SIGTERM, doomed)
    doomed = await _gone(doomed, patience)
    # What came up meanwhile is theirs too; some rounds for what the kernel holds back.
    for _ in range(_ROUNDS):
        doomed = alive(doomed | await asyncio.to_thread(belonging, leaders, marker))
        if not doomed:
            return
        send(signal.SIGKILL, doomed)
        doomed = await _gone(doomed, patience)


async def _gone(doomed: set[Proc], patience: float) -> set[Proc]:
    """Those that still live after that many seconds; sooner where none do."""
    for _ in range(int(patience / _PAUSE)):
        if not (doomed := alive(doomed)):
            break
        await asyncio.sleep(_PAUSE)
    return doomed


def _end_groups(leaders: Collection[Leader]) -> None:
    """Where there is no /proc, the group is all that is known."""
    for pid, _ in leaders:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
