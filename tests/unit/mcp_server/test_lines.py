import asyncio
import json

import pytest

from mcp_eval.errors import InconclusiveError, UsageError
from mcp_eval.mcp_server.lines import VERSIONS, Server


class Tools:
    instructions = "be careful"

    def __init__(self):
        self.ended = []

    def listed(self):
        return [{"name": "echo"}]

    async def call(self, name, arguments, caller):
        return await {"echo": self.echo, "wait": self.wait, "ask": self.ask, "fail": self.fail}[
            name
        ](arguments, caller)

    async def echo(self, arguments, caller):
        caller.progress("one\ntwo")
        caller.progress("three")
        return {"text": "said", "arguments": arguments}

    async def wait(self, arguments, caller):
        try:
            await asyncio.sleep(600)
        finally:
            self.ended.append("wait")

    async def ask(self, arguments, caller):
        return {"text": json.dumps(await caller.ask("may I?", {"type": "object"}))}

    async def fail(self, arguments, caller):
        raise {
            "usage": UsageError("off\x1b[2J", hint="on"),
            "not": InconclusiveError("no"),
            "bug": RuntimeError("x"),
        }[arguments["how"]]


class Line:
    """A client by hand."""

    def __init__(self):
        self.tools = Tools()
        self.said = asyncio.Queue()
        self.reader = asyncio.StreamReader(limit=10_000)
        server = Server(self.tools, self.said.put_nowait, version="7")
        self.serving = asyncio.create_task(server.serve(self.reader))

    def raw(self, payload):
        self.reader.feed_data(payload + b"\n")

    def send(self, **message):
        self.raw(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def call(self, ident, name, arguments=None, **meta):
        params = {"name": name, "arguments": arguments or {}, "_meta": meta}
        self.send(id=ident, method="tools/call", params=params)

    async def next(self):
        message = json.loads(await asyncio.wait_for(self.said.get(), 20))
        assert message.pop("jsonrpc") == "2.0"
        return message

    async def end(self):
        self.reader.feed_eof()
        await asyncio.wait_for(self.serving, 20)
        return self.said.empty()


@pytest.fixture
async def line():
    there = Line()
    yield there
    assert await there.end()


@pytest.mark.parametrize(
    ("asked", "agreed"), [(VERSIONS[-1], VERSIONS[-1]), ("1999-01-01", VERSIONS[0])]
)
async def test_the_version_is_the_clients_where_it_is_known(line, asked, agreed):
    line.send(id=1, method="initialize", params={"protocolVersion": asked, "capabilities": {}})
    result = (await line.next())["result"]
    assert result["protocolVersion"] == agreed
    assert result["serverInfo"] == {"name": "mcp-eval", "version": "7"}
    assert result["instructions"] == "be careful"
    line.send(method="notifications/initialized")


async def test_a_call_is_answered_with_text_and_structure_and_its_progress_goes_up(line):
    line.call("a", "echo", {"x": 1}, progressToken="t")
    first, second, last = [await line.next() for _ in range(3)]
    told = [one["params"] for one in (first, second)]
    assert [(one["progressToken"], one["progress"], one["message"]) for one in told] == [
        ("t", 1, "one two"),
        ("t", 2, "three"),
    ]
    assert last["id"] == "a"
    assert last["result"]["content"] == [{"type": "text", "text": "said"}]
    assert last["result"]["structuredContent"] == {"arguments": {"x": 1}}


async def test_nobody_is_told_of_progress_who_did_not_ask(line):
    line.call(1, "echo")
    assert "result" in await line.next()


async def test_a_cancelled_call_ends_and_is_not_answered_and_others_go_on(line):
    line.call(1, "wait")
    line.call("1", "wait")
    line.send(id=2, method="ping")
    assert await line.next() == {"id": 2, "result": {}}
    line.send(method="notifications/cancelled", params={"requestId": 1})
    line.send(id=3, method="tools/list")
    assert (await line.next())["result"] == {"tools": [{"name": "echo"}]}
    assert line.tools.ended == ["wait"]


async def test_what_still_runs_when_the_client_goes_is_ended():
    there = Line()
    there.call(1, "wait")
    there.send(id=2, method="ping")
    await there.next()
    assert await there.end()
    assert there.tools.ended == ["wait"]


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 5000, -32700),
        (b'"' + b"x" * 20_000 + b'"', -32700),
        (b"[]", -32600),
        (b'{"id": 1, "method": "nosuch"}', -32601),
        (b'{"id": 1, "method": 7}', -32601),
        (b'{"id": 1, "method": "tools/call"}', -32602),
        (b'{"id": 1, "method": "tools/call", "params": {"name": "nosuch"}}', -32602),
        (
            b'{"id": 1, "method": "tools/call", "params": {"name": "echo", "arguments": [1]}}',
            -32602,
        ),
    ],
)
async def test_what_cannot_be_understood_is_said_and_the_line_goes_on(line, payload, code):
    line.raw(payload)
    assert (await line.next())["error"]["code"] == code
    line.send(id=9, method="ping")
    while (said := await line.next()).get("id") != 9:
        assert "error" in said


@pytest.mark.parametrize(
    ("how", "words"), [("usage", '"off\\\\x1b[2J"'), ("not", "the check did not happen")]
)
async def test_an_error_a_person_can_act_on_is_an_answer_with_a_hint(line, how, words):
    line.call(1, "fail", {"how": how})
    result = (await line.next())["result"]
    assert result["isError"] is True
    assert words in result["content"][0]["text"]


async def test_our_own_mistake_is_an_error_of_the_protocol(line):
    line.call(1, "fail", {"how": "bug"})
    assert (await line.next())["error"]["code"] == -32603


@pytest.mark.parametrize(
    ("capabilities", "answer", "told"),
    [
        ({}, None, None),
        (
            {"elicitation": {}},
            {"result": {"action": "accept", "content": {"approve": True}}},
            {"approve": True},
        ),
        ({"elicitation": {}}, {"result": {"action": "decline"}}, None),
        ({"elicitation": {}}, {"error": {"code": 1, "message": "no"}}, None),
    ],
)
async def test_a_person_is_asked_through_the_client_where_it_can(line, capabilities, answer, told):
    line.send(id=1, method="initialize", params={"capabilities": capabilities})
    await line.next()
    line.call(2, "ask")
    if answer is not None:
        asked = await line.next()
        assert asked["method"] == "elicitation/create"
        assert asked["params"]["message"] == "may I?"
        line.send(id=asked["id"], **answer)
    said = (await line.next())["result"]["content"][0]["text"]
    assert json.loads(said) == told


async def test_an_answer_nobody_waits_for_is_let_go(line):
    line.send(id="ask-1", result={})
    line.send(id=1, method="ping")
    assert (await line.next())["id"] == 1
