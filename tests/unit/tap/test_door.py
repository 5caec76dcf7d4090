"""The door to a target: what comes in by it passes as it came, and what passed is known."""

import asyncio
import json
import os
import random
import sys
from pathlib import Path

import pytest

from mcp_eval.clock import SystemClock
from mcp_eval.errors import InconclusiveError
from mcp_eval.tap import door as room
from mcp_eval.tap.door import Door
from tests.flows.fakes import FakeTarget, ScriptedServer

HELLO = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "x"}}
CALL = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "add"}}


class Mirror:
    """An environment whose server writes back what it reads, and remembers it."""

    workdir = ""

    def __init__(self):
        self.read = b""
        self._chunks = asyncio.Queue()

    async def connect(self):
        return self

    async def send(self, chunk):
        self.read += chunk
        self._chunks.put_nowait(chunk)

    async def receive(self):
        return await self._chunks.get()

    async def close(self):
        self._chunks.put_nowait(b"")

    async def post_mortem(self):
        return ""


async def through(door, *, said=b"", hang_up=True):
    """An agent that starts the door's command, says something, and reads to the end."""
    agent = await asyncio.create_subprocess_exec(
        *door.command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    if hang_up:
        heard, _ = await agent.communicate(said)
        return heard
    agent.stdin.write(said)
    return agent


def lines(*messages):
    return b"".join(json.dumps(message).encode() + b"\n" for message in messages)


async def test_bytes_pass_as_they_came_whatever_they_are():
    random_ = random.Random(7)
    said = random_.randbytes(5_000_000) + "ünïcödé\n".encode() + b'{"id": 1e400}\n\xff\xfe'
    mirror = Mirror()
    async with Door(mirror, clock=SystemClock()) as door:
        heard = await through(door, said=said)
    assert mirror.read == said
    assert heard == said


async def test_what_was_asked_is_known_by_what_the_target_answered():
    environment = await FakeTarget(added()).start()
    async with Door(environment, clock=SystemClock()) as door:
        await through(door, said=lines(HELLO, CALL))
        await door.settle()
        (made,) = door.invocations
        assert door.introduced["serverInfo"]["name"] == "fake"
        assert door.visited
        assert not door.busy
    assert (made.name, made.outcome.kind) == ("add", "result")


async def test_each_that_comes_in_has_a_line_of_its_own():
    environment = await FakeTarget(added()).start()
    async with Door(environment, clock=SystemClock()) as door:
        await asyncio.gather(*(through(door, said=lines(HELLO, CALL)) for _ in range(3)))
        await door.settle()
        assert len(door.invocations) == 3


async def test_whoever_does_not_wait_for_an_answer_withdrew_its_call():
    def asks(arguments, state):
        yield {"method": "sampling/createMessage", "params": {}}

    environment = await FakeTarget(ScriptedServer({"add": {"does": asks}})).start()
    async with Door(environment, clock=SystemClock()) as door:
        agent = await through(door, said=lines(HELLO, CALL), hang_up=False)
        await agent.stdout.readline()
        await agent.stdout.readline()  # the question it does not answer
        while not door.busy:  # noqa: ASYNC110 - copies are read in a quiet moment
            await asyncio.sleep(0.01)
        agent.kill()
        await agent.communicate()
        await door.settle()
        (made,) = door.invocations
    assert (made.outcome.kind, made.outcome.detail) == ("cancelled", "the agent hung up")


async def test_a_target_that_dies_ends_its_call_as_a_crash():
    dying = ScriptedServer({"add": {"does": lambda arguments, state: None}})
    environment = await FakeTarget(dying).start()
    async with Door(environment, clock=SystemClock()) as door:
        agent = await through(door, said=lines(HELLO, CALL), hang_up=False)
        await agent.communicate()  # it ends by itself: its server is gone
        await door.settle()
        (made,) = door.invocations
    assert made.outcome.kind == "crashed"


async def test_a_target_that_cannot_be_reached_is_remembered():
    class Gone(Mirror):
        async def connect(self):
            raise InconclusiveError("it ended at once", rule="target-not-starting")

    async with Door(Gone(), clock=SystemClock()) as door:
        assert await through(door, said=lines(HELLO)) == b""
        await door.settle()
        assert door.lost.rule == "target-not-starting"
        assert not door.visited


async def test_its_command_holds_no_credential_and_its_socket_is_ours_alone():
    async with Door(Mirror(), clock=SystemClock()) as door:
        (entry,) = door.servers("proxy").values()
        assert entry["command"] == sys.executable
        assert entry["env"] == {}
        folder = Path(door.command[-1]).parent
        assert os.stat(folder).st_mode & 0o777 == 0o700  # noqa: PTH116
    assert not folder.exists()


@pytest.mark.parametrize("usual", ["/tmp", "/" + "long/" * 20])
def test_a_socket_has_a_short_name_whatever_the_temporary_folder_is_called(monkeypatch, usual):
    monkeypatch.setattr(room.tempfile, "gettempdir", lambda: usual)
    assert room._short() == "/tmp"


def added():
    return ScriptedServer({"add": {"does": lambda arguments, state: {"added": True}}})
