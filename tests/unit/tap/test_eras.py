"""The two eras of the protocol, found out by asking."""

import pytest

from mcp_eval.errors import InconclusiveError
from mcp_eval.tap import eras
from mcp_eval.tap.client import Client
from mcp_eval.tap.http import HttpLine
from mcp_eval.tap.session import Session, body
from tests.unit.tap.fakes import FakeClock, FakeServer, polite, result
from tests.unit.tap.web import Web, whole

VERSION = "io.modelcontextprotocol/protocolVersion"
DISCOVERED = {
    "supportedVersions": ["2026-07-28"],
    "capabilities": {"tools": {}},
    "instructions": "Ask.",
    "resultType": "complete",
    "ttlMs": 0,
    "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "new", "version": "2"}},
}


def failed(message, code, text="no", **data):
    error = {"code": code, "message": text} | ({"data": data} if data else {})
    return {"jsonrpc": "2.0", "id": message["id"], "error": error}


def newer(message):
    """A server that knows no sessions; `ask` wants a name first, `twice` two of them."""
    method, params = message.get("method"), message.get("params") or {}
    if method == "initialize":
        return [failed(message, -32022, supported=["2026-07-28"], requested="2025-11-25")]
    assert params["_meta"][VERSION] == "2026-07-28"
    assert params["_meta"]["io.modelcontextprotocol/clientInfo"]["name"] == "mcp-eval"
    assert "sampling" in params["_meta"]["io.modelcontextprotocol/clientCapabilities"]
    if method == "server/discover":
        return [result(message, DISCOVERED)]
    rounds = {"go": 0, "ask": 1, "twice": 2, "endless": 99}[params.get("name", "go")]
    done = int(params.get("requestState") or 0)
    if done < rounds:
        asked = {"who": {"method": "elicitation/create", "params": {"message": f"name {done}?"}}}
        more = {"inputRequests": asked, "requestState": str(done + 1)}
        return [result(message, {"resultType": "input_required", **more})]
    return [result(message, {"resultType": "complete", "told": params.get("inputResponses")})]


def talk(reply, answer=None, wish=""):
    server = FakeServer(reply)
    server.wish = wish
    return server, Session(server, clock=FakeClock(), answer=answer)


def accept(method, params):
    return {"action": "accept", "content": {"name": params["message"]}}


async def test_a_server_without_sessions_is_found_by_trying():
    server, session = talk(newer)
    said = await session.initialize()
    assert said["protocolVersion"] == "2026-07-28"
    assert said["serverInfo"] == {"name": "new", "version": "2"}
    assert said["instructions"] == "Ask."
    assert [each["method"] for each in server.heard] == ["initialize", "server/discover"]
    made = await session.call("go", {"a": 1}, 5)
    assert (made.name, made.arguments, made.nested) == ("go", {"a": 1}, ())
    await session.close()


async def test_where_the_newer_era_is_wished_for_it_is_tried_first():
    server, session = talk(newer, wish="2026-07-28")
    await session.initialize()
    assert [each["method"] for each in server.heard] == ["server/discover"]
    await session.close()


async def test_a_server_of_the_older_era_is_met_in_it_whatever_was_wished():
    def older(message):
        if message.get("method") == "server/discover":
            return [failed(message, -32601)]
        return polite(message)

    _server, session = talk(older, wish="2026-07-28")
    assert (await session.initialize())["protocolVersion"] == "2025-11-25"
    made = await session.call("go", {}, 5)
    assert body(made)["echo"] == {"name": "go", "arguments": {}}
    await session.close()


async def test_a_version_the_server_names_is_tried_once():
    def later(message):
        version = message["params"].get("_meta", {}).get(VERSION)
        if version != "2027-01-01":
            return [failed(message, -32022, supported=["2027-01-01"])]
        return [result(message, DISCOVERED | {"supportedVersions": ["2027-01-01"]})]

    _, session = talk(later)
    assert (await session.initialize())["protocolVersion"] == "2027-01-01"
    await session.close()


async def test_a_server_of_neither_era_says_what_it_said_at_first():
    _, session = talk(lambda message: [failed(message, -1, "I am a teapot")])
    with pytest.raises(InconclusiveError, match="teapot"):
        await session.initialize()
    await session.close()


async def test_what_a_server_wants_first_is_given_and_recorded_as_one_call():
    _, session = talk(newer, accept)
    await session.initialize()
    made = await session.call("twice", {"a": 1}, 5)
    assert made.arguments == {"a": 1}
    assert body(made)["told"] == {"who": {"action": "accept", "content": {"name": "name 1?"}}}
    assert [one.params["message"] for one in made.nested] == ["name 0?", "name 1?"]
    assert made.nested[0].answer["content"] == {"name": "name 0?"}
    await session.close()


async def test_what_the_client_cannot_give_is_not_asked_for_again():
    server, session = talk(newer, lambda method, params: {"error": {"code": -1, "message": "no"}})
    await session.initialize()
    made = await session.call("ask", {}, 5)
    assert body(made)["resultType"] == "input_required"
    assert made.nested[0].answer["error"]["code"] == -1
    assert [each["method"] for each in server.heard].count("tools/call") == 1
    await session.close()


async def test_a_server_that_never_stops_asking_is_left():
    _server, session = talk(newer, accept)
    await session.initialize()
    made = await session.call("endless", {}, 5)
    assert body(made)["resultType"] == "input_required"
    assert len(made.nested) == eras.ROUNDS
    await session.close()


@pytest.mark.parametrize(
    ("name", "header"),
    [("go", "go"), ("gö", "=?base64?Z8O2?="), (" go", "=?base64?IGdv?=")],
)
async def test_over_http_a_request_says_in_its_headers_what_it_is_about(name, header):
    async def answer(asked):
        message = asked.message
        if message["method"] == "initialize":
            yield whole(failed(message, -32022, supported=["2026-07-28"]), 400)
        elif message["method"] == "server/discover":
            yield whole(result(message, DISCOVERED))
        else:
            yield whole(result(message, {"resultType": "complete"}))

    async with Web(answer) as web:
        session = Session(HttpLine(Client(web.url, {})), clock=FakeClock())
        await session.initialize()
        await session.call(name, {}, 5)
        await session.close()
        said = [
            tuple(
                asked.headers.get(f"mcp-{word}") for word in ("protocol-version", "method", "name")
            )
            for asked in web.heard
        ]
    assert said == [
        (None, None, None),
        ("2026-07-28", "server/discover", None),
        ("2026-07-28", "tools/call", header),
    ]
