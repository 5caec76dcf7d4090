"""The older HTTP transport, and which one a server speaks."""

import asyncio
import json

import pytest

from mcp_eval.errors import InconclusiveError
from mcp_eval.tap.client import Client
from mcp_eval.tap.either import EitherLine
from mcp_eval.tap.http import HttpLine
from mcp_eval.tap.legacy import LegacyLine
from mcp_eval.tap.session import Session, body
from tests.unit.tap.fakes import FakeClock
from tests.unit.tap.web import HELLO, Web, chunk, event, head, polite, whole


class Older:
    """A server that says everything on one stream."""

    def __init__(self, endpoint="/messages?session=1", accepted=202):
        self.endpoint, self.accepted = endpoint, accepted
        self.said = asyncio.Queue()

    async def __call__(self, asked):
        if asked.method == "GET":
            yield head(200, "text/event-stream", Transfer_Encoding="chunked")
            yield chunk(f"event: endpoint\r\ndata: {self.endpoint}\r\n\r\n".encode())
            while (said := await self.said.get()) is not None:
                yield chunk(event(said))
            yield b"0\r\n\r\n"
        elif asked.path == "/mcp":
            yield whole(b"<h1>no such page</h1>", 404)
        else:
            message = asked.message
            yield whole(None, self.accepted)
            if "id" in message and self.accepted == 202:
                about = HELLO if message["method"] == "initialize" else {"path": asked.path}
                gone = message.get("params", {}).get("name") == "die"
                await self.said.put(
                    None if gone else {"jsonrpc": "2.0", "id": message["id"], "result": about}
                )


def either(url):
    return EitherLine(HttpLine(Client(url, {})), LegacyLine(Client(url, {})))


def legacy(url):
    return LegacyLine(Client(url, {"Authorization": "Bearer x"}))


@pytest.mark.parametrize("line", [either, legacy])
async def test_an_older_server_is_talked_to(line):
    async with Web(Older()) as web:
        session = Session(line(web.url), clock=FakeClock())
        assert (await session.initialize())["serverInfo"]["name"] == "web"
        made = await session.call("go", {}, 5)
        assert body(made) == {"path": "/messages?session=1"}
        assert (await session.call("die", {}, 5)).outcome.kind == "crashed"
        await session.close()


async def test_a_server_of_today_is_asked_once():
    async with Web(polite) as web:
        session = Session(either(web.url), clock=FakeClock())
        await session.initialize()
        await session.call("go", {}, 5)
        await session.close()
    told = [json.loads(asked.body)["method"] for asked in web.heard if asked.body]
    assert told == ["initialize", "notifications/initialized", "tools/call"]


async def test_a_server_that_speaks_neither_says_what_it_said_at_first():
    async def answer(asked):
        yield whole(b"no", 404 if asked.method == "POST" else 405)

    async with Web(answer) as web:
        session = Session(either(web.url), clock=FakeClock())
        with pytest.raises(InconclusiveError, match="HTTP 404"):
            await session.initialize()
        await session.close()


@pytest.mark.parametrize(
    ("status", "rule"),
    [(401, "auth-expired"), (429, "rate-limited"), (404, "target-not-starting")],
)
async def test_a_stream_that_is_not_given_says_why(status, rule):
    async def answer(asked):
        yield whole(None, status)

    async with Web(answer) as web:
        session = Session(legacy(web.url), clock=FakeClock())
        with pytest.raises(InconclusiveError) as caught:
            await session.initialize()
        assert caught.value.rule == rule
        await session.close()


async def test_another_server_does_not_get_our_messages():
    async with Web(polite) as other:
        async with Web(Older(endpoint=other.url)) as web:
            session = Session(legacy(web.url), clock=FakeClock())
            with pytest.raises(InconclusiveError, match="sends us to"):
                await session.initialize()
            await session.close()
        assert other.heard == []


async def test_a_message_that_is_refused_is_an_answer_to_it():
    async with Web(Older(accepted=500)) as web:
        session = Session(legacy(web.url), clock=FakeClock())
        with pytest.raises(InconclusiveError, match="HTTP 500"):
            await session.initialize()
        await session.close()
