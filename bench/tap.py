"""What the tap adds to a call, beside a bare byte relay of the same run.

The tap reads copies in quiet moments, so a burst costs it little more than passing bytes on. What
it serves when it has to keep up with each chunk stands beside it: that is what lasts for ever.
"""

import asyncio
import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

ROUNDS = 30  # many and short ones: what else the machine does hits neighbours alike
ONE_BY_ONE = 100
TOGETHER = 2000
REST = 0.06  # between two measurements: long enough for the tap to have read what has passed
IN_FLIGHT = 20
ADDED_MS = 0.5
SHARE = 0.8

_CHUNK = 1024 * 1024
_ME = (sys.executable, "-m", "bench.tap")
_ANSWER = b'"result":{"content":[{"type":"text","text":"' + b"ok " * 60 + b'"}],"isError":false}}\n'
WAYS: dict[str, Sequence[str]] = {
    "no relay": (*_ME, "echo"),
    "bare byte relay": (*_ME, "bare", *_ME, "echo"),
    "tap": (*_ME, "tap", *_ME, "echo"),
    "tap, never behind": (*_ME, "at-once", *_ME, "echo"),
}


def bench() -> None:
    """Print both promises: milliseconds added to a call, and calls a second with 20 in flight."""
    alone: dict[str, list[float]] = {way: [] for way in WAYS}
    together: dict[str, list[float]] = {way: [] for way in WAYS}
    worked: dict[str, list[float]] = {way: [] for way in WAYS}
    with ExitStack() as running:
        servers = {way: running.enter_context(_server(command)) for way, command in WAYS.items()}
        for _ in range(ROUNDS):
            # In turn, so that a busy moment hits all alike.
            for way, server in servers.items():
                alone[way].append(statistics.median(_one_by_one(server)) * 1000)
                before = _processor_us(server.pid)
                together[way].append(_together(server))
                worked[way].append((_processor_us(server.pid) - before) / TOGETHER)
                time.sleep(REST)
    print(f"  {'':<18} {'ms a call':>10} {'calls/s, 20 in flight':>22} {'its processor, µs':>18}")
    for way in WAYS:
        spent, served = statistics.median(alone[way]), statistics.median(together[way])
        print(
            f"  {way:<18} {spent:>10.3f} {served:>22,.0f} {statistics.median(worked[way]):>18.1f}"
        )
    added = _differences(alone["tap"], alone["no relay"])
    bare = _differences(alone["bare byte relay"], alone["no relay"])
    print(
        f"  the tap adds {added:.3f} ms to a call (wanted: < {ADDED_MS} ms), a bare one {bare:.3f}"
    )
    print(f"  calls/s against the bare relay's, wanted: ≥ {SHARE:.0%}")
    bare_calls = together["bare byte relay"]
    for way in ("tap", "tap, never behind"):
        best, middle = _best(together[way]) / _best(bare_calls), _share(together[way], bare_calls)
        print(f"  {way:<18} {best:>8.0%} in undisturbed rounds, {middle:.0%} in the middle one")


def _differences(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The median over rounds, each against its own neighbour."""
    return statistics.median(one - other for one, other in zip(ours, theirs, strict=True))


def _best(served: Sequence[float]) -> float:
    """What is reached in the best tenth of the rounds: others at work can only slow it down."""
    return sorted(served)[-max(len(served) // 10, 1)]


def _share(ours: Sequence[float], theirs: Sequence[float]) -> float:
    return statistics.median(one / other for one, other in zip(ours, theirs, strict=True))


def _processor_us(pid: int) -> float:
    """What a process has worked so far: it says more than a clock where others work too."""
    tasks = Path(f"/proc/{pid}/task")
    if not tasks.is_dir():
        return 0.0
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks.iterdir()) / 1000


# --- the client ----------------------------------------------------------------------------------


def _call(number: int) -> bytes:
    return (
        b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"search",'
        b'"arguments":{"query":"how to relay a byte","limit":10,"server":"docs"}}}\n' % number
    )


@contextmanager
def _server(command: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    server = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, cwd=_root()
    )
    try:
        _asked(server, _call(0))  # the first one waits for all to have started
        yield server
    finally:
        for pipe in (server.stdin, server.stdout):
            if pipe is not None:
                pipe.close()
        ended = server.wait(20)
    if ended:
        raise RuntimeError(f"{' '.join(command[2:4])} ended with {ended}")


def _root() -> Path:
    return Path(__file__).resolve().parent.parent


def _asked(server: subprocess.Popen[bytes], call: bytes) -> None:
    """One call, and its whole answer."""
    ends = _ends(server)
    os.write(ends[0], call)
    while not os.read(ends[1], _CHUNK).endswith(b"\n"):
        pass


def _ends(server: subprocess.Popen[bytes]) -> tuple[int, int]:
    if server.stdin is None or server.stdout is None:
        raise RuntimeError("started without pipes")
    return server.stdin.fileno(), server.stdout.fileno()


def _one_by_one(server: subprocess.Popen[bytes]) -> list[float]:
    spent = []
    for number in range(ONE_BY_ONE):
        call = _call(10**5 + number)
        began = time.perf_counter()
        _asked(server, call)
        spent.append(time.perf_counter() - began)
    return spent


def _together(server: subprocess.Popen[bytes]) -> float:
    """Calls a second: each answer lets the next call go."""
    to_server, from_server = _ends(server)
    numbers = itertools.count(10**6)
    began = time.perf_counter()
    for _ in range(IN_FLIGHT):
        os.write(to_server, _call(next(numbers)))
    sent, answered = IN_FLIGHT, 0
    while answered < TOGETHER:
        arrived = os.read(from_server, _CHUNK).count(b"\n")
        answered += arrived
        for _ in range(min(arrived, TOGETHER - sent)):
            os.write(to_server, _call(next(numbers)))
            sent += 1
    return TOGETHER / (time.perf_counter() - began)


# --- what stands behind it, each a process of its own --------------------------------------------


def _echo() -> None:
    """A server that does nothing but answer."""
    rest = b""
    while chunk := os.read(0, _CHUNK):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            number = line.partition(b'"id":')[2].partition(b",")[0]
            os.write(1, b'{"jsonrpc":"2.0","id":' + number + b"," + _ANSWER)


def _bare(command: Sequence[str]) -> None:
    """The least that relays: two threads, and not a look at what passes."""
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    to_server, from_server = _ends(server)

    def pump(source: int, sink: int) -> None:
        while chunk := os.read(source, _CHUNK):
            os.write(sink, chunk)

    back = threading.Thread(target=pump, args=(from_server, 1))
    back.start()
    pump(0, to_server)
    os.close(to_server)
    back.join()


def _tap(command: Sequence[str], backlog: int | None = None) -> None:
    """What `record --attach` puts between a client and its server."""
    from mcp_eval.clock import SystemClock
    from mcp_eval.model.project import TargetSpec
    from mcp_eval.tap.recorder import Recorder
    from mcp_eval.tap.relay import BACKLOG, attach
    from mcp_eval.targets.registry import make_target

    async def serve(workspace: Path) -> None:
        clock = SystemClock()
        spec = TargetSpec(name="echo", command=tuple(command), cwd=".")
        environment = await make_target(spec, workspace=workspace, clock=clock).start()
        try:
            relay = await attach(
                environment,
                recorder=Recorder(),
                clock=clock,
                backlog=BACKLOG if backlog is None else backlog,
            )
        finally:
            await environment.stop()
        if relay.blind or len(relay.recorder.invocations) != 1 + ROUNDS * (ONE_BY_ONE + TOGETHER):
            # A tap that records nothing would be fast for the wrong reason.
            sys.exit(f"not everything was recorded: {relay.blind}")

    with tempfile.TemporaryDirectory() as workspace:
        asyncio.run(serve(Path(workspace)))


if __name__ == "__main__":
    kinds: dict[str, Callable[[Sequence[str]], None]] = {
        "echo": lambda _: _echo(),
        "bare": _bare,
        "tap": _tap,
        "at-once": partial(_tap, backlog=0),
    }
    kinds[sys.argv[1]](sys.argv[2:])
