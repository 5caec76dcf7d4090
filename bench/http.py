"""What the tap adds to a call over HTTP, beside a raw client of the same run.

Two ways lead through it: the channel our own walker speaks through, and the front that stands
before a target for clients that are not ours. What comes out must be what the server wrote.
"""

import asyncio
import http.client
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from mcp_eval.clock import SystemClock
from mcp_eval.model.project import TargetSpec
from mcp_eval.ports import Channel, Environment
from mcp_eval.tap.front import Front
from mcp_eval.targets.registry import make_target

ROUNDS = 30
CALLS = 100
ADDED_MS = 1.0
STREAMED = "/stream"

_ANSWER = b'"result":{"content":[{"type":"text","text":"' + b"ok " * 60 + b'"}],"isError":false}}'
_KINDS = {"as JSON": "/mcp", "as events": STREAMED}


def bench() -> None:
    """Print what each way adds at the median, and whether bytes are what they were."""
    with _server() as url, tempfile.TemporaryDirectory() as folder:
        print(f"  {'':<12} {'raw client':>12} {'our channel':>12} {'through the front':>18}  ms")
        for kind, path in _KINDS.items():
            with _tapped(url + path, Path(folder)) as (channel, front):
                spent = _measured(url + path, channel, front)
            raw, ours, through = (statistics.median(each) for each in spent)
            print(f"  {kind:<12} {raw:>12.3f} {ours:>12.3f} {through:>18.3f}")
            added = [_added(each, spent[0]) for each in spent[1:]]
            print(
                f"  {'':<12} added by the channel {added[0]:.3f} ms, by the front {added[1]:.3f} ms"
                f" (wanted: < {ADDED_MS:g} ms)"
            )
    print("  bytes identical: every answer was compared")


def _added(ours: Sequence[float], raw: Sequence[float]) -> float:
    """The median over rounds, each against its own neighbour."""
    return statistics.median(one - other for one, other in zip(ours, raw, strict=True))


def _measured(url: str, channel: "_Talk", front: str) -> tuple[list[float], ...]:
    spent: tuple[list[float], ...] = ([], [], [])
    raw, through = _Raw(url), _Raw(front)
    for _ in range(ROUNDS):
        for ask, into in zip((raw.ask, channel.ask, through.ask), spent, strict=True):
            into.append(_median(ask))
    raw.close()
    through.close()
    return spent


def _median(ask: Callable[[bytes], bytes]) -> float:
    took = []
    for number in range(CALLS):
        call = _call(number)
        began = time.perf_counter()
        said = ask(call)
        took.append((time.perf_counter() - began) * 1000)
        if said != _answer(call):
            raise RuntimeError(f"not the bytes the server wrote: {said[:80]!r}")
    return statistics.median(took)


def _call(number: int) -> bytes:
    return (
        b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"search",'
        b'"arguments":{"query":"how to relay a byte","limit":10,"server":"docs"}}}' % number
    )


def _answer(call: bytes) -> bytes:
    return (
        b'{"jsonrpc":"2.0","id":' + call.partition(b'"id":')[2].partition(b",")[0] + b"," + _ANSWER
    )


# --- the clients ---------------------------------------------------------------------------------


class _Raw:
    """The standard library's client on one open line."""

    def __init__(self, url: str) -> None:
        place = urlsplit(url)
        self._path = place.path
        self._line = http.client.HTTPConnection(str(place.hostname), int(place.port or 80))

    def ask(self, call: bytes) -> bytes:
        """The answer, out of its event where it stands in one."""
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        self._line.request("POST", self._path, call, headers)
        said = self._line.getresponse().read()
        return said.partition(b"data: ")[2].rstrip() if said.startswith(b"event") else said

    def close(self) -> None:
        """Hang up."""
        self._line.close()


class _Talk:
    """Our channel, asked from outside its loop as a client asks: one call, one answer."""

    def __init__(self, loop: asyncio.AbstractEventLoop, channel: Channel) -> None:
        self._loop = loop
        self._channel = channel

    def ask(self, call: bytes) -> bytes:
        """What the channel gives for it."""
        return asyncio.run_coroutine_threadsafe(self._ask(call), self._loop).result(30)

    async def _ask(self, call: bytes) -> bytes:
        await self._channel.send(call + b"\n")
        return (await self._channel.receive()).rstrip(b"\n")


@contextmanager
def _tapped(url: str, folder: Path) -> Iterator[tuple[_Talk, str]]:
    """Our channel to a server, and the front's address before it, on a loop of their own."""
    loop = asyncio.new_event_loop()
    running = threading.Thread(target=loop.run_forever)
    running.start()

    def done(work):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        return asyncio.run_coroutine_threadsafe(work, loop).result(30)

    clock = SystemClock()
    target = make_target(TargetSpec(name="bench", url=url), workspace=folder, clock=clock)
    environment: Environment = done(target.start())
    channel, front = done(environment.connect()), Front(environment, clock=clock)  # type: ignore[arg-type]
    done(front.__aenter__())
    try:
        yield _Talk(loop, channel), front.url
    finally:
        if len(front.invocations) != ROUNDS * CALLS:
            # A front that records nothing would be fast for the wrong reason.
            print(f"  not everything was recorded: {len(front.invocations)}")
        for work in (front.__aexit__(None, None, None), channel.close(), environment.stop()):
            done(work)
        loop.call_soon_threadsafe(loop.stop)
        running.join()
        loop.close()


# --- the server, a process of its own ------------------------------------------------------------


@contextmanager
def _server() -> Iterator[str]:
    server = subprocess.Popen(
        [sys.executable, "-m", "bench.http"],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).resolve().parent.parent,
    )
    try:
        port = json.loads(server.stdout.readline()) if server.stdout else 0
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(20)
        if server.stdout:
            server.stdout.close()


async def _serve() -> None:
    """Answers each call with the same, as JSON or as one event."""
    server = await asyncio.start_server(_answered, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


async def _answered(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while not reader.at_eof():
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:  # whoever asked has hung up
            break
        size = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0] or b"0")
        said = _answer(await reader.readexactly(size))
        kind = b"application/json"
        if head.startswith(b"POST " + STREAMED.encode()):
            kind, said = b"text/event-stream", b"event: message\ndata: " + said + b"\n\n"
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: %b\r\nContent-Length: %d\r\n\r\n%b"
            % (kind, len(said), said)
        )
    writer.close()


if __name__ == "__main__":
    asyncio.run(_serve())
