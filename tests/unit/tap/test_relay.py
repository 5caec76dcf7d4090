"""Between a client and a server: not a byte is changed, and what passed is known afterwards."""

import asyncio
import json
import random
from itertools import groupby
from operator import itemgetter

import msgspec
import pytest

from mcp_eval.tap.recorder import Recorder
from mcp_eval.tap.relay import Relay
from tests.unit.tap.fakes import FakeClock

MESSAGES = 10_000
FIVE_MB = 5 * 1024 * 1024
WORDS = (
    "plain",
    "häufig",
    "日本語",
    "🦜🏽‍♂️",
    "\u2028",
    "\x00",
    'quo"te',
    "back\\slash",
    "ß" * 40,
    "",
)


class Wire:
    """A Channel in memory: what the other end writes in, and all that was sent."""

    def __init__(self):
        self.queue = asyncio.Queue()
        self.sent = []
        self.size = 0
        self.moved = asyncio.Event()  # something was sent, or it was closed
        self.closed = False
        self.broken = False

    def write(self, chunk):
        self.queue.put_nowait(chunk)

    async def receive(self):
        return await self.queue.get()

    async def send(self, chunk):
        if self.broken:
            raise BrokenPipeError
        self.sent.append(chunk)
        self.size += len(chunk)
        self.moved.set()

    async def until(self, happened):
        while not happened(self):
            self.moved.clear()
            await self.moved.wait()

    async def close(self):
        if not self.closed:
            self.closed = True
            self.moved.set()
            self.queue.put_nowait(b"")


class EagerWire(Wire):
    """Hands what arrives straight over, and is sometimes not ready for what is handed to it."""

    def __init__(self, ready=lambda: True):
        super().__init__()
        self.taker = None
        self.ready = ready
        self.offered = 0

    def write(self, chunk):
        if chunk and self.taker is not None and self.queue.empty() and self.taker(chunk):
            return
        super().write(chunk)

    def offer(self, chunk):
        if self.broken or not self.ready():
            return False
        self.sent.append(chunk)
        self.size += len(chunk)
        self.moved.set()
        self.offered += 1
        return True


class Slow(EagerWire):
    """Takes its time over what it is sent."""

    async def send(self, chunk):
        await asyncio.sleep(0)
        await super().send(chunk)


def relay(wire=Wire, **more):
    client, server = wire(), wire()
    recorder = Recorder()
    return Relay(client, server, recorder=recorder, clock=FakeClock(), **more), client, server


def line(message, *, ascii_only=False):
    return json.dumps(message, ensure_ascii=ascii_only).encode() + b"\n"


def random_value(dice, depth=0):
    kind = dice.randrange(8 if depth < 3 else 5)
    if kind < 2:
        return dice.choice(WORDS) * dice.randrange(1, 5)
    if kind < 5:
        return dice.choice([None, True, dice.randrange(-(10**12), 10**12), dice.random(), 1e300])
    if kind < 7:
        return {dice.choice(WORDS) + str(n): random_value(dice, depth + 1) for n in range(3)}
    return [random_value(dice, depth + 1) for _ in range(dice.randrange(4))]


class Conversation:
    """Random messages either way; which call has which answer is remembered."""

    def __init__(self, seed, messages):
        self.dice = random.Random(seed)
        self.lines = {"to-server": [], "to-client": []}
        self.order = []
        self.calls = {}
        self.waiting = []
        self.results = {}
        for number in range(messages):
            self.say(number)
        while self.waiting:
            self.answer()

    def say(self, number):
        kind = self.dice.random()
        if kind < 0.4 or not self.waiting:
            self.call(number)
        elif kind < 0.8:
            self.answer()
        else:
            self.chatter(number)

    def call(self, number):
        id_ = number if self.dice.random() < 0.5 else f"id-{number}-{self.dice.choice(WORDS)}"
        arguments = {"value": random_value(self.dice)}
        if len(self.calls) == 500:
            arguments["big"] = "ü" * (FIVE_MB // 2)
        self.calls[id_] = arguments
        self.waiting.append(id_)
        params = {"name": "echo", "arguments": arguments}
        self.put(
            "to-server", {"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": params}
        )

    def answer(self):
        id_ = self.waiting.pop(self.dice.randrange(len(self.waiting)))
        result = {"content": [{"type": "text", "text": str(random_value(self.dice))}]}
        if len(self.results) == 77:
            result["big"] = "x" * FIVE_MB
        self.results[id_] = result
        self.put("to-client", {"jsonrpc": "2.0", "id": id_, "result": result})

    def chatter(self, number):
        way = self.dice.choice(["to-server", "to-client"])
        said = self.dice.randrange(5)
        if said == 0:
            self.put(
                way, {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"n": 1}}
            )
        elif said == 1:
            self.put(way, {"jsonrpc": "2.0", "id": f"{way}{number}", "method": "acme/unknown"})
        elif said == 2:
            self.add(way, self.dice.randbytes(60).replace(b"\n", b"") + b"\r\n")
        elif said == 3:
            self.add(way, b"\n\n  \n")
        else:
            self.put("to-client", {"jsonrpc": "2.0", "id": 10**9 + number, "result": {}})

    def put(self, way, message):
        self.add(way, line(message, ascii_only=self.dice.random() < 0.3))

    def add(self, way, raw):
        self.lines[way].append(raw)
        self.order.append((way, raw))

    def all(self, way):
        return b"".join(self.lines[way])


def chunks(dice, pieces, most):
    """The same bytes, cut anywhere: in the middle of a frame, a character, or after several."""
    held = b""
    for piece in pieces:
        held += piece
        while held and dice.random() < 0.8:
            cut = dice.randrange(1, min(len(held), most) + 1)
            yield held[:cut]
            held = held[cut:]
    if held:
        yield held


def moody(seed):
    dice = random.Random(seed)
    return lambda: Slow(lambda: dice.random() < 0.7)


@pytest.mark.parametrize(
    ("seed", "wire", "backlog"),
    [(1, Wire, 1 << 24), (2, Wire, 0), (3, EagerWire, 1 << 24), (4, moody(4), 1000)],
    ids=["received and sent", "read at once", "handed over", "now this, now that"],
)
async def test_ten_thousand_random_messages_pass_byte_for_byte_both_ways(seed, wire, backlog):
    said = Conversation(seed, MESSAGES)
    between, client, server = relay(wire, backlog=backlog)
    running = asyncio.create_task(between.run())
    dice = random.Random(seed + 100)
    # In turn as they were said, so that no answer comes before its question; cut anywhere.
    written = {"to-server": 0, "to-client": 0}
    for way, turn in groupby(said.order, key=itemgetter(0)):
        source, sink = (client, server) if way == "to-server" else (server, client)
        for chunk in chunks(dice, [raw for _, raw in turn], 1 << 20):
            source.write(chunk)
            written[way] += len(chunk)
        await passed(sink, written[way])
    client.write(b"")
    await running
    if wire is EagerWire:
        assert server.offered > MESSAGES * 0.3
    assert b"".join(server.sent) == said.all("to-server")
    assert b"".join(client.sent) == said.all("to-client")
    assert between.blind == ""
    made = between.recorder.invocations
    assert len(made) == len(said.calls) > MESSAGES * 0.3
    assert max(one.size for one in made) > FIVE_MB
    assert max(len(raw) for raw in said.lines["to-server"]) > FIVE_MB
    assert [one.arguments for one in made] == list(said.calls.values())
    by_id = dict(zip(said.calls, made, strict=True))
    assert all(
        msgspec.json.decode(by_id[id_].outcome.body) == result
        for id_, result in said.results.items()
    )


async def started(**more):
    between, client, server = relay(**more)
    return between, client, server, asyncio.create_task(between.run())


async def passed(wire, size):
    await wire.until(lambda it: it.size >= size)


CALL = line(
    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "add", "arguments": {}}}
)
ANSWER = line({"jsonrpc": "2.0", "id": 1, "result": {"content": []}})


@pytest.mark.parametrize("backlog", [0, 1 << 20])
async def test_each_invocation_is_told_once_it_ended_without_waiting_for_the_end(backlog):
    told = asyncio.Queue()
    _between, client, server, running = await started(ended=told.put_nowait, backlog=backlog)
    client.write(CALL)
    await passed(server, len(CALL))
    assert told.empty()
    server.write(ANSWER)
    await passed(client, len(ANSWER))
    one = await told.get()
    assert (one.name, one.outcome.kind) == ("add", "result")
    client.write(b"")
    await running


async def test_a_server_that_closes_in_mid_call_closes_the_client_and_leaves_a_crash():
    told = []
    _between, client, server, running = await started(ended=told.append)
    client.write(CALL)
    await passed(server, len(CALL))
    server.write(b"")
    await running
    assert client.closed
    assert [one.outcome.kind for one in told] == ["crashed"]


async def test_what_is_handed_over_never_overtakes_what_is_still_being_sent():
    ready = []
    between, client, server, running = await started(wire=lambda: Slow(lambda: bool(ready)))
    await asyncio.sleep(0)
    going = asyncio.Event()
    send = server.send

    async def slowly(chunk):
        going.set()
        await asyncio.sleep(0.01)
        await send(chunk)

    server.send = slowly
    client.write(b"first\n")
    await going.wait()
    ready.append(True)
    client.write(b"second\n")
    await passed(server, 13)
    assert b"".join(server.sent) == b"first\nsecond\n"
    client.write(b"")
    await running
    assert between.blind == ""


async def test_a_client_that_hangs_up_at_once_still_gets_its_answers():
    between, client, server, running = await started()
    client.write(CALL)
    client.write(b"")
    await passed(server, len(CALL))
    await server.until(lambda it: it.closed)
    server.queue.get_nowait()  # a real one answers before it ends
    server.write(ANSWER)
    server.write(b"")
    await running
    assert b"".join(client.sent) == ANSWER
    assert between.recorder.invocations[0].outcome.kind == "result"


async def test_a_bug_of_the_recorder_ends_the_recording_and_not_the_conversation(monkeypatch):
    between, client, server, running = await started(backlog=0)
    monkeypatch.setattr(between.recorder, "feed", lambda *_: 1 / 0)
    for _ in range(3):
        client.write(CALL)
    await passed(server, 3 * len(CALL))
    server.write(ANSWER)
    await passed(client, len(ANSWER))
    client.write(b"")
    await running
    assert "ZeroDivisionError" in between.blind


async def test_a_server_that_reads_no_more_ends_it_without_a_traceback():
    _between, client, server, running = await started()
    server.broken = True
    client.write(CALL)
    await asyncio.wait_for(running, 5)
    assert client.closed
    assert server.closed


async def test_a_cancelled_relay_lets_go_of_both_sides():
    between, client, server, running = await started()
    client.write(CALL)
    await passed(server, len(CALL))
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert client.closed
    assert server.closed
    assert between.recorder.invocations[0].outcome.kind == "crashed"
