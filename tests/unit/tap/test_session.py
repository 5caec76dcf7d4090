"""A session over a fake channel: what goes wrong is an outcome."""

import asyncio
import json

import msgspec
import pytest

from mcp_eval.errors import InconclusiveError
from mcp_eval.tap.session import Session, body
from tests.unit.tap.fakes import FakeClock, FakeServer, polite, result


def session_with(reply, **more):
    server = FakeServer(reply)
    return Session(server, clock=FakeClock(), **more), server


async def test_a_call_comes_back_with_its_result_latency_and_size():
    session, server = session_with(polite)
    await session.initialize()
    called = await session.call("echo", {"text": "hé"}, 5)
    assert body(called)["echo"] == {"name": "echo", "arguments": {"text": "hé"}}
    assert (called.name, called.method, called.arguments) == ("echo", "tools/call", {"text": "hé"})
    assert called.outcome.kind == "result"
    assert called.size > 60
    assert called.latency_ms >= 0
    assert server.heard[0]["params"]["protocolVersion"] == "2025-11-25"
    assert set(server.heard[0]["params"]["capabilities"]) == {"roots", "sampling", "elicitation"}
    assert server.heard[1] == {"jsonrpc": "2.0", "method": "notifications/initialized"}
    await session.close()


async def test_parallel_calls_answered_in_reverse_each_get_their_own_answer():
    held = []

    def reply(message):
        if message.get("method") != "tools/call":
            return polite(message)
        held.append(message)
        if len(held) < 20:
            return []
        return [result(each, {"n": each["params"]["arguments"]["n"]}) for each in reversed(held)]

    session, _ = session_with(reply)
    called = await asyncio.gather(*(session.call("t", {"n": n}, 5) for n in range(20)))
    assert [body(each)["n"] for each in called] == list(range(20))
    await session.close()


async def test_a_json_rpc_error_is_an_outcome():
    session, _ = session_with(
        lambda m: [{"jsonrpc": "2.0", "id": m["id"], "error": {"code": -32602, "message": "no"}}]
    )
    called = await session.call("t", {}, 5)
    assert called.outcome.kind == "error"
    assert body(called) == {"code": -32602, "message": "no"}
    await session.close()


async def test_a_line_that_closes_in_mid_call_is_a_crash_that_says_what_the_environment_knows():
    async def post_mortem():
        return "exit status 3; last words: boom"

    session, _ = session_with(lambda m: [b""], post_mortem=post_mortem)
    called = await session.call("t", {"a": 1}, 5)
    assert called.outcome.kind == "crashed"
    assert "closed the line" in called.outcome.detail
    assert "exit status 3" in called.outcome.detail
    assert not session.alive
    again = await session.call("t", {"a": 2}, 5)
    assert again.outcome.kind == "crashed"
    assert again.outcome.detail.startswith("not sent")
    await session.close()


async def test_sending_to_nobody_is_a_crash():
    session, server = session_with(polite)
    await session.initialize()
    server.closed = True
    assert (await session.call("t", {}, 5)).outcome.kind == "crashed"
    await session.close()


async def test_no_answer_in_time_is_a_timeout_withdrawn_and_followed_by_a_ping():
    session, server = session_with(lambda m: [] if m.get("method") == "tools/call" else polite(m))
    await session.initialize()
    called = await session.call("slow", {}, 0.05)
    assert called.outcome.kind == "timeout"
    assert "a ping is still answered" in called.outcome.detail
    assert session.alive
    cancelled = next(m for m in server.heard if m.get("method") == "notifications/cancelled")
    call = next(m for m in server.heard if m.get("method") == "tools/call")
    assert cancelled["params"]["requestId"] == call["id"]
    await session.close()


async def test_a_server_that_does_not_even_answer_a_ping_hangs(monkeypatch):
    monkeypatch.setattr("mcp_eval.tap.exchange._PING_SECONDS", 0.05)
    session, _ = session_with(lambda m: [] if m["method"] != "initialize" else polite(m))
    await session.initialize()
    called = await session.call("slow", {}, 0.05)
    assert called.outcome.kind == "timeout"
    assert "not even to a ping" in called.outcome.detail
    assert not session.alive
    await session.close()


async def test_an_answer_that_comes_after_its_timeout_is_taken_for_nobody_elses():
    late = []

    def reply(message):
        if message.get("method") == "tools/call" and not late:
            late.append(message)
            return []
        if message.get("method") == "tools/call":
            return [result(late[0], {"late": True}), result(message, {"late": False})]
        return polite(message)

    session, _ = session_with(reply)
    assert (await session.call("t", {}, 0.05)).outcome.kind == "timeout"
    assert body(await session.call("t", {}, 5)) == {"late": False}
    await session.close()


async def test_server_requests_are_answered_and_attached_to_the_call_in_flight():
    def reply(message):
        if message.get("method") == "tools/call":
            reply.call = message
            return [{"jsonrpc": "2.0", "id": "s1", "method": "roots/list", "params": {}}]
        if message.get("id") == "s1":
            return [result(reply.call, {"got": message["result"]})]
        return polite(message)

    session, _ = session_with(reply, answer=lambda method, params: {"roots": [method]})
    called = await session.call("t", {}, 5)
    assert body(called) == {"got": {"roots": ["roots/list"]}}
    [nested] = called.nested
    assert (nested.method, nested.params, nested.answer) == (
        "roots/list",
        {},
        {"roots": ["roots/list"]},
    )
    await session.close()


async def test_pings_of_the_server_and_methods_nobody_knows_are_answered():
    session, server = session_with(polite)
    await session.initialize()
    server.say({"jsonrpc": "2.0", "id": 7, "method": "ping"})
    server.say({"jsonrpc": "2.0", "id": 8, "method": "odd/thing"})
    await session.call("t", {}, 5)
    await asyncio.sleep(0)
    answers = {m["id"]: m for m in server.heard if "method" not in m}
    assert answers[7]["result"] == {}
    assert answers[8]["error"]["code"] == -32601
    await session.close()


async def test_garbage_before_and_between_frames_breaks_nothing():
    def reply(message):
        answers = polite(message)
        text = b"".join(json.dumps(a).encode() + b"\r\n" for a in answers)
        return (
            [b"Starting up...\n\n{not json\n", b"\xff\xfe\n" + text[:5], text[5:]] if text else []
        )

    session, _ = session_with(reply)
    await session.initialize()
    assert (await session.call("t", {}, 5)).outcome.kind == "result"
    assert session.recorder.garbage_lines == 6
    assert session.recorder.garbage[0].text == "Starting up..."
    await session.close()


async def test_an_answer_with_nan_is_read_and_one_nobody_can_read_is_an_error_at_once():
    lines = iter(
        [
            b'{"jsonrpc":"2.0","id":1,"result":{"x":NaN}}\n',
            b'{"jsonrpc":"2.0","id":2,"result":{"x":\n',
        ]
    )
    session, _ = session_with(lambda m: [next(lines)])
    first = await session.call("t", {}, 5)
    assert body(first) == {"x": "NaN"}
    assert "no strict JSON" in first.outcome.detail
    second = await session.call("t", {}, 5)
    assert second.outcome.kind == "error"
    assert "could not be read" in second.outcome.detail
    await session.close()


async def test_all_pages_of_a_list_are_asked_for_and_a_cursor_that_repeats_ends_it():
    def reply(message):
        cursor = message["params"].get("cursor", "0")
        page = {"tools": [{"name": cursor}], "nextCursor": str(min(int(cursor) + 1, 3))}
        return [result(message, page)]

    session, _ = session_with(reply)
    listed = await session.list_all("tools/list", "tools")
    assert [tool["name"] for tool in listed] == ["0", "1", "2", "3"]
    await session.close()


async def test_a_list_the_server_does_not_know_is_empty_and_one_it_cannot_give_is_inconclusive():
    code = -32601
    session, _ = session_with(
        lambda m: [{"jsonrpc": "2.0", "id": m["id"], "error": {"code": code, "message": "why"}}]
    )
    assert await session.list_all("prompts/list", "prompts") == ()
    code = -32603
    with pytest.raises(InconclusiveError, match="prompts/list: why") as raised:
        await session.list_all("prompts/list", "prompts")
    assert raised.value.rule == "target-lost"
    await session.close()


async def test_a_server_that_never_initializes_is_inconclusive_and_shows_what_it_printed():
    session, _ = session_with(lambda m: [b"hello, I am no MCP server\n"])
    with pytest.raises(InconclusiveError) as raised:
        await session.initialize(0.1)
    assert raised.value.rule == "target-not-starting"
    assert "hello, I am no MCP server" in raised.value.evidence
    await session.close()


async def test_the_protocol_version_the_server_says_is_kept():
    def reply(message):
        [answer] = polite(message) or [None]
        if answer:
            answer["result"]["protocolVersion"] = "2024-11-05"
        return [answer] if answer else []

    session, _ = session_with(lambda m: reply(m) if m.get("method") == "initialize" else [])
    assert (await session.initialize())["protocolVersion"] == "2024-11-05"
    await session.close()


async def test_raw_bodies_are_kept_byte_for_byte():
    raw = b'{"jsonrpc":"2.0","id":1,"result":{"b" : 1.0, "a":"\\u00e9"}}\n'
    session, _ = session_with(lambda m: [raw])
    called = await session.call("t", {}, 5)
    assert called.outcome.body == msgspec.Raw(b'{"b" : 1.0, "a":"\\u00e9"}')
    await session.close()
