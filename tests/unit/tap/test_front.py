"""The front before an HTTP target: what a client gets, and what is kept of it."""

import asyncio
import json

import pytest

from mcp_eval.tap.client import Client, connected
from mcp_eval.tap.front import Front
from mcp_eval.tap.http import HttpLine
from mcp_eval.tap.session import Session, body
from tests.unit.tap.fakes import FakeClock
from tests.unit.tap.web import Web, chunk, event, head, polite, result, stream, whole


class There:
    """A target at an address."""

    def __init__(self, url, headers=None):
        self.url, self.headers = url, headers or {}

    async def reach(self):
        return Client(self.url, self.headers)


class Coming:
    """A server, the front before it, and a client that came in."""

    def __init__(self, answer, headers=None):
        self.web, self.headers = Web(answer), headers

    async def __aenter__(self):
        await self.web.__aenter__()
        self.front = Front(There(self.web.url, self.headers), clock=FakeClock())
        await self.front.__aenter__()
        self.client = Client(self.front.url, {})
        self.session = Session(HttpLine(self.client), clock=FakeClock())
        return self

    async def __aexit__(self, *_):
        await self.session.close()
        await self.front.__aexit__(None, None, None)
        await self.web.__aexit__()

    async def ask(self, message, **headers):
        sent = message if isinstance(message, bytes) else json.dumps(message).encode()
        reply = await self.client.ask("POST", {"Content-Type": "application/json", **headers}, sent)
        return reply.status, await reply.read()


def call(id_, **arguments):
    params = {"name": "go", "arguments": arguments}
    return {"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": params}


async def test_a_session_passes_and_its_calls_are_kept():
    async with Coming(polite, {"Authorization": "Bearer hidden"}) as coming:
        await coming.session.initialize()
        made = await coming.session.call("echo", {"a": 1}, 5)
        assert body(made)["echo"]["arguments"] == {"a": 1}
        [kept] = coming.front.invocations
        assert (kept.name, kept.arguments, kept.outcome.kind) == ("echo", {"a": 1}, "result")
        assert coming.front.introduced["serverInfo"]["name"] == "web"
        assert {asked.headers["authorization"] for asked in coming.web.heard} == {"Bearer hidden"}
        assert "hidden" not in json.dumps(coming.front.servers("x"))


async def test_bytes_pass_as_they_are_either_way():
    said = b'{"jsonrpc": "2.0",\n\n "id": 1, "result": {"x":  1e2}}\n'

    async def answer(asked):
        yield whole(said, X_Extra="kept")

    async with Coming(answer) as coming:
        sent = b' {"id":1,\n"method":"tools/call", "params":{"name":"go"}}'
        assert await coming.ask(sent) == (200, said)
        assert coming.web.heard[0].body == sent
        assert [made.outcome.kind for made in coming.front.invocations] == ["result"]


@pytest.mark.parametrize("end", [True, False])
async def test_a_stream_passes_event_by_event(end):
    async def answer(asked):
        yield stream(
            b"id: 0\nretry: 9\ndata:\n\n", event(result(asked, {"n": 1}), id_="1"), end=end
        )
        if not end:
            yield None

    async with Coming(answer) as coming:
        if end:
            _, said = await coming.ask(call(1))
            assert said == b"id: 0\nretry: 9\ndata:\n\n" + event(
                {"jsonrpc": "2.0", "id": 1, "result": {"n": 1}}, id_="1"
            )
        else:
            with pytest.raises(ConnectionError):
                await coming.ask(call(1))
        assert [made.outcome.kind for made in coming.front.invocations] == ["result"]


async def test_two_clients_with_the_same_ids_are_not_mixed_up():
    async with Coming(polite) as coming:
        await asyncio.gather(*(coming.ask(call(1, who=who)) for who in "abc"))
        made = coming.front.invocations
        assert sorted(one.arguments["who"] for one in made) == ["a", "b", "c"]
        assert all(one.arguments == body(one)["echo"]["arguments"] for one in made)


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:80"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1.evil.example"},
    ],
)
async def test_a_page_of_the_web_may_not_come_in(headers):
    async with Coming(polite) as coming:
        reader, writer = await connected(coming.front.url)
        said = {"Host": "127.0.0.1", "Content-Length": "2", **headers}
        lines = "".join(f"{name}: {value}\r\n" for name, value in said.items())
        writer.write(f"POST /mcp HTTP/1.1\r\n{lines}\r\n{{}}".encode())
        assert (await reader.readline()).startswith(b"HTTP/1.1 403")
        writer.close()
        assert coming.web.heard == []


async def test_a_page_of_this_machine_is_the_targets_own():
    async with Coming(polite) as coming:
        status, _ = await coming.ask(call(1), Origin=coming.front.url.removesuffix("/mcp"))
        assert status == 200
        assert coming.web.heard[0].headers["origin"] == coming.web.url.removesuffix("/mcp")


@pytest.mark.parametrize(
    "request_",
    [
        b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
        b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: x\r\n\r\n{}",
        b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: -2\r\n\r\n{}",
        b"\x16\x03\x01 not http\r\n\r\n",
        b"POST /mcp HTTP/1.1\r\nHost: localhost\r\n folded: 1\r\n\r\n",
    ],
)
async def test_what_could_be_read_in_two_ways_is_not_passed_on(request_):
    async with Coming(polite) as coming:
        reader, writer = await connected(coming.front.url)
        writer.write(request_)
        assert await reader.read() == b""
        writer.close()
        assert coming.web.heard == []


async def test_a_client_that_hangs_up_lets_go_of_the_target():
    gone, there = asyncio.Event(), asyncio.Event()

    async def answer(asked):
        try:
            yield head(200, "text/event-stream", Transfer_Encoding="chunked")
            there.set()
            while True:
                yield chunk(b": still here\n\n")
                await asyncio.sleep(0.01)
        finally:
            gone.set()

    async with Coming(answer) as coming:
        reply = await coming.client.ask("POST", {}, json.dumps(call(1)).encode())
        await there.wait()
        reply.drop()
        async with asyncio.timeout(5):
            await gone.wait()
        await coming.front.settle()
        [made] = coming.front.invocations
        assert (made.outcome.kind, made.outcome.detail) == ("cancelled", "the agent hung up")


async def test_a_target_that_is_gone_is_a_crash_and_a_bad_gateway():
    async def answer(asked):
        yield None

    async with Coming(answer) as coming:
        status, _ = await coming.ask(call(1))
        assert status == 502
        assert [made.outcome.kind for made in coming.front.invocations] == ["crashed"]
        assert not coming.front.busy


async def test_what_stands_alone_is_one_call_with_what_was_asked_in_between():
    async def answer(asked):
        params = asked.message["params"]
        question = {"method": "elicitation/create", "params": {"message": "who?"}}
        wants = {
            "resultType": "input_required",
            "requestState": "s",
            "inputRequests": {"w": question},
        }
        done = {"resultType": "complete", "content": []}
        yield whole(result(asked, done if "requestState" in params else wants))

    told = {"w": {"action": "accept", "content": {"name": "Ada"}}}
    async with Coming(answer) as coming:
        await asyncio.gather(coming.ask(call(1, who="a")), coming.ask(call(1, who="b")))
        for who in "ab":
            again = call(2, who=who)
            again["params"] |= {"inputResponses": told, "requestState": "s"}
            await coming.ask(again)
        made = {one.arguments["who"]: one for one in coming.front.invocations}
    assert sorted(made) == ["a", "b"]
    for one in made.values():
        assert body(one)["resultType"] == "complete"
        assert [(each.method, each.answer) for each in one.nested] == [
            ("elicitation/create", told["w"])
        ]


async def test_who_a_stateless_server_is_was_asked_by_its_client():
    async def answer(asked):
        info = {"io.modelcontextprotocol/serverInfo": {"name": "new", "version": "2"}}
        yield whole(result(asked, {"supportedVersions": ["2026-07-28"], "_meta": info}))

    async with Coming(answer) as coming:
        await coming.ask({"jsonrpc": "2.0", "id": 0, "method": "server/discover", "params": {}})
        assert coming.front.introduced["serverInfo"]["name"] == "new"
