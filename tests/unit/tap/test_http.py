"""Streamable HTTP as a channel, against a server on loopback whose answers stand here."""

import asyncio
import json

import pytest

from mcp_eval.errors import InconclusiveError
from mcp_eval.tap.client import Client
from mcp_eval.tap.http import HttpLine
from mcp_eval.tap.recorder import Recorder
from mcp_eval.tap.relay import Relay
from mcp_eval.tap.session import Session, body
from tests.unit.tap.fakes import FakeClock
from tests.unit.tap.web import Web, chunk, event, head, polite, result, stream, whole


class Slept:
    """Comes back at once, and remembers."""

    def __init__(self):
        self.pauses = []

    async def __call__(self, seconds):
        self.pauses.append(seconds)
        await asyncio.sleep(0)


class Talk:
    """A session over HTTP with a server that answers as told."""

    def __init__(self, answer, *, path="/mcp", headers=None, answering=None, **more):
        self.web = Web(answer)
        self.path, self.headers, self.answering, self.more = path, headers or {}, answering, more
        self.slept = Slept()

    async def __aenter__(self):
        await self.web.__aenter__()
        client = Client(self.web.url.replace("/mcp", self.path), self.headers)
        self.line = HttpLine(client, sleep=self.slept, **self.more)
        self.session = Session(self.line, clock=FakeClock(), answer=self.answering)
        return self

    async def __aexit__(self, *_):
        await self.session.close()
        await self.web.__aexit__()

    def heard(self, name):
        return [asked.headers.get(name) for asked in self.web.heard]


def calls(answer):
    """Polite, but for tools/call."""

    async def answered(asked):
        if asked.method == "POST" and asked.message.get("method") == "tools/call":
            async for piece in answer(asked):
                yield piece
        else:
            async for piece in polite(asked):
                yield piece

    return answered


def opening(*answers):
    """Each initialize is met with the next of these; then politely."""
    left = list(answers)

    async def answered(asked):
        if left and asked.method == "POST" and asked.message.get("method") == "initialize":
            yield left.pop(0)
        else:
            async for piece in polite(asked):
                yield piece

    return answered


async def test_a_session_is_named_in_all_that_follows_and_ended_at_the_end():
    async with Talk(polite, headers={"Authorization": "Bearer x"}) as talk:
        await talk.session.initialize()
        made = await talk.session.call("echo", {"a": 1}, 5)
        assert body(made)["echo"] == {"name": "echo", "arguments": {"a": 1}}
    assert [asked.method for asked in talk.web.heard].count("DELETE") == 1
    assert talk.heard("mcp-session-id")[0] is None
    assert set(talk.heard("mcp-session-id")[1:]) == {"s-1"}
    assert set(talk.heard("mcp-protocol-version")[1:]) == {"2025-06-18"}
    assert set(talk.heard("authorization")) == {"Bearer x"}


async def test_what_is_sent_and_what_comes_back_keep_their_bytes():
    said = b'{"jsonrpc": "2.0",\n "id": 1, "result": {"x":  1e2, "y": "\\u00fc"}}'

    async def answer(asked):
        yield whole(said)

    async with Web(answer) as web:
        line = HttpLine(Client(web.url, {}))
        sent = b'{"id":1,  "method":"tools/call","jsonrpc":"2.0"}'
        await line.send(sent[:10])
        await line.send(sent[10:] + b"\n")
        assert await line.receive() == said.replace(b"\n", b" ") + b"\n"
        assert web.heard[0].body == sent
        await line.close()
        assert await line.receive() == b""


@pytest.mark.parametrize("cut", [1, 7, 100000])
async def test_a_stream_gives_what_was_said_on_the_way_and_the_answer(cut):
    notice = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}

    async def answer(asked):
        text = b": hello\n\n" + event(notice) + event(result(asked, {"n": 1}))
        yield head(200, "text/event-stream", Transfer_Encoding="chunked")
        for at in range(0, len(text), cut):
            yield chunk(text[at : at + cut])
        yield b"0\r\n\r\n"

    async with Talk(calls(answer)) as talk:
        await talk.session.initialize()
        made = await talk.session.call("go", {}, 5)
        assert body(made) == {"n": 1}
        assert talk.session.recorder.list_changed == ["tools"]


async def test_a_question_of_the_server_in_mid_call_is_answered_and_recorded():
    answered = asyncio.Event()

    async def answer(asked):
        yield stream({"jsonrpc": "2.0", "id": "q", "method": "roots/list"}, end=False)
        await answered.wait()
        yield chunk(event(result(asked, {"done": True}))) + b"0\r\n\r\n"

    async def watching(asked):
        if asked.method == "POST" and asked.message.get("id") == "q":
            answered.set()
        async for piece in calls(answer)(asked):
            yield piece

    async with Talk(watching, answering=lambda method, params: {"roots": []}) as talk:
        await talk.session.initialize()
        made = await talk.session.call("go", {}, 5)
        assert body(made) == {"done": True}
        assert [(one.method, one.answer) for one in made.nested] == [("roots/list", {"roots": []})]


async def test_what_the_server_says_unasked_is_heard_and_answered():
    asked_for = asyncio.Event()

    async def answer(asked):
        if asked.method == "GET":
            yield stream({"jsonrpc": "2.0", "id": 9, "method": "ping"}, end=False)
            await asyncio.sleep(60)
        elif asked.method == "POST" and asked.message.get("id") == 9:
            asked_for.set()
            yield whole(None, 202)
        else:
            async for piece in polite(asked):
                yield piece

    async with Talk(answer) as talk:
        await talk.session.initialize()
        async with asyncio.timeout(5):
            await asked_for.wait()


async def test_a_stream_that_breaks_off_is_gone_on_with_where_it_was():
    asked_once = []

    async def answer(asked):
        if asked.method == "POST" and asked.message.get("method") == "tools/call":
            asked_once.append(asked)
            yield stream(b"id: e-1\nretry: 50\ndata:\n\n")
        elif asked.method == "GET" and asked.headers.get("last-event-id") == "e-1":
            yield stream(event(result(asked_once[0], {"late": 1}), id_="e-2"))
        else:
            async for piece in polite(asked):
                yield piece

    async with Talk(answer) as talk:
        await talk.session.initialize()
        made = await talk.session.call("go", {}, 5)
        assert body(made) == {"late": 1}
        assert talk.slept.pauses == [0.05]


@pytest.mark.parametrize(
    ("said", "detail"),
    [
        (stream(), "its stream ended without an answer"),
        (whole(None, 202), "no answer came: HTTP 202"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{", "it hung up in the middle of a body"),
        (b"garbage\r\n\r\n", "what it says is no HTTP"),
        (b"", "it hung up without an answer"),
        (whole({"error": "gone"}, 404), "knows our session no more"),
    ],
)
async def test_a_request_nobody_answers_has_crashed(said, detail):
    async def answer(asked):
        yield said
        yield None

    async with Talk(calls(answer)) as talk:
        await talk.session.initialize()
        made = await talk.session.call("go", {}, 5)
        assert made.outcome.kind == "crashed"
        assert detail in made.outcome.detail
        assert not talk.session.alive


@pytest.mark.parametrize(
    ("said", "code", "message"),
    [
        (
            whole({"jsonrpc": "2.0", "id": None, "error": {"code": -5, "message": "no"}}, 400),
            -5,
            "no",
        ),
        (whole(b"<h1>oops</h1>", 500), -32000, "HTTP 500 Word"),
        (whole(b"", 403), -32000, "HTTP 403 Word"),
        (whole(b"slow down", 429, Retry_After=3), 429, "HTTP 429 Word"),
    ],
)
async def test_a_status_is_an_answer_to_its_own_request_only(said, code, message):
    async def answer(asked):
        yield said

    async with Talk(calls(answer)) as talk:
        await talk.session.initialize()
        made = await talk.session.call("go", {}, 5)
        assert made.outcome.kind == "error"
        assert (body(made)["code"], body(made)["message"]) == (code, message)
        assert talk.session.alive
        assert body(await talk.session.request("ping", {}, timeout=5)) is not None


@pytest.mark.parametrize("status", [401, 403])
async def test_a_login_that_fails_at_hello_is_no_fault_of_the_target(status):
    async with Talk(opening(whole(None, status))) as talk:
        with pytest.raises(InconclusiveError) as caught:
            await talk.session.initialize()
        assert caught.value.rule == "auth-expired"
        assert f"HTTP {status}" in caught.value.message


async def test_a_login_that_expires_in_mid_talk_is_no_crash():
    async def answer(asked):
        yield whole(None, 401)

    async with Talk(calls(answer)) as talk:
        await talk.session.initialize()
        for _ in range(2):
            with pytest.raises(InconclusiveError) as caught:
                await talk.session.call("go", {}, 5)
            assert caught.value.rule == "auth-expired"


async def test_a_server_that_is_coming_up_is_waited_for():
    async with Talk(opening(whole(None, 503), whole(None, 502))) as talk:
        await talk.session.initialize()
        assert [round(pause, 2) for pause in talk.slept.pauses] == [0.1, 0.16]


async def test_a_server_that_never_comes_up_is_told_apart_from_one_that_refuses():
    async with Talk(opening(*[whole(b"not yet", 503)] * 30), patience=1) as talk:
        with pytest.raises(InconclusiveError) as caught:
            await talk.session.initialize()
        assert caught.value.rule == "target-not-starting"
        assert "503" in caught.value.message


async def test_a_rate_limit_at_hello_is_waited_out_as_long_as_the_server_asks():
    async with Talk(opening(whole(None, 429, Retry_After="2"))) as talk:
        await talk.session.initialize()
        assert talk.slept.pauses == [2.0]


@pytest.mark.parametrize("after", ["1", "3600"])
async def test_a_rate_limit_without_end_is_said(after):
    async with Talk(opening(*[whole(None, 429, Retry_After=after)] * 9)) as talk:
        with pytest.raises(InconclusiveError) as caught:
            await talk.session.initialize()
        assert caught.value.rule == "rate-limited"
        assert len(talk.slept.pauses) < 3


async def test_a_move_on_the_same_server_is_followed_and_remembered():
    async def answer(asked):
        if asked.path == "/mcp":
            yield whole(None, 307, Location="/mcp/")
        else:
            async for piece in polite(asked):
                yield piece

    async with Talk(answer) as talk:
        await talk.session.initialize()
        await talk.session.call("go", {}, 5)
    assert [asked.path for asked in talk.web.heard].count("/mcp") == 1


async def test_a_move_to_another_server_does_not_get_our_credentials():
    async with Web(polite) as other:
        moved = opening(whole(None, 307, Location=other.url))
        async with Talk(moved, headers={"Authorization": "Bearer x"}) as talk:
            with pytest.raises(InconclusiveError):
                await talk.session.initialize()
        assert other.heard == []


async def test_one_line_serves_calls_in_turn_and_more_serve_them_together():
    open_ = asyncio.Event()

    async def answer(asked):
        if asked.message["params"]["name"] == "slow":
            await open_.wait()
        open_.set()
        yield whole(result(asked, {}))

    async with Talk(calls(answer)) as talk:
        await talk.session.initialize()
        for _ in range(5):
            await talk.session.call("quick", {}, 5)
        assert talk.web.lines <= 2
        open_.clear()
        await asyncio.gather(talk.session.call("slow", {}, 5), talk.session.call("quick", {}, 5))


async def test_a_call_that_takes_too_long_is_withdrawn_and_the_talk_goes_on():
    async def answer(asked):
        await asyncio.sleep(60)
        yield b""

    async with Talk(calls(answer)) as talk:
        await talk.session.initialize()
        made = await talk.session.call("go", {}, 0.05)
        assert made.outcome.kind == "timeout"
        assert "ping is still answered" in made.outcome.detail
    told = [json.loads(asked.body) for asked in talk.web.heard if asked.body]
    assert "notifications/cancelled" in [one.get("method") for one in told]


async def test_nobody_can_send_once_the_line_is_closed():
    async with Web(polite) as web:
        line = HttpLine(Client(web.url, {}))
        await line.close()
        await line.close()
        with pytest.raises(ConnectionError):
            await line.send(b'{"id":1,"method":"ping"}\n')


async def test_a_young_session_is_given_time_before_it_is_ended():
    async with Talk(polite, linger=9.0) as talk:
        await talk.session.initialize()
    assert 8 < talk.slept.pauses[-1] <= 9


class Piped:
    """A client that has said all it will, and hangs up at once."""

    def __init__(self, said):
        self.left, self.heard, self.closed = [said, b""], b"", False

    async def receive(self):
        return self.left.pop(0) if self.left else b""

    async def send(self, chunk):
        self.heard += chunk

    async def close(self):
        self.closed = True


async def test_whoever_pipes_requests_in_and_hangs_up_gets_the_answers_all_the_same():
    async def answer(asked):
        await asyncio.sleep(0.1)
        async for piece in polite(asked):
            yield piece

    call = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"go"}}\n'
    async with Web(answer) as web:
        client, line = Piped(call), HttpLine(Client(web.url, {}))
        relay = Relay(client, line, recorder=Recorder(), clock=FakeClock())
        await relay.run()
    assert json.loads(client.heard)["result"]["echo"] == {"name": "go"}
    assert [made.outcome.kind for made in relay.recorder.invocations] == ["result"]


async def test_a_relay_says_that_a_login_expired():
    async def answer(asked):
        yield whole(None, 401)

    async with Web(answer) as web:
        client = Piped(b'{"jsonrpc":"2.0","id":1,"method":"initialize"}\n')
        line = HttpLine(Client(web.url, {}))
        with pytest.raises(InconclusiveError) as caught:
            await Relay(client, line, recorder=Recorder(), clock=FakeClock()).run()
        assert caught.value.rule == "auth-expired"
        assert client.closed
