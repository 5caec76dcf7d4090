"""Several servers as one channel."""

import asyncio
import json

import pytest

from mcp_eval.tap.merged import Merged
from mcp_eval.tap.session import Session, body
from tests.unit.tap.fakes import FakeClock, FakeServer, result


def server(name, tools=(), resources=(), more=None):
    """Lists what it has, one a page; says its own name and what it was asked."""

    def reply(message):
        method = message.get("method")
        if more is not None and (said := more(message)) is not None:
            return said
        if method == "initialize":
            offers = {"tools": {}} | ({"resources": {}} if resources else {})
            info = {"name": name, "version": "1"}
            hello = {"protocolVersion": "2025-06-18", "serverInfo": info, "capabilities": offers}
            return [result(message, hello | {"instructions": f"I am {name}."})]
        if method == "tools/list":
            at = int(message["params"].get("cursor", 0))
            page = {"tools": [{"name": each} for each in tools[at : at + 1]]}
            next_ = {"nextCursor": str(at + 1)} if at + 1 < len(tools) else {}
            return [result(message, page | next_)]
        if method == "resources/list":
            return [result(message, {"resources": [{"uri": each} for each in resources]})]
        if "id" in message and method:
            return [result(message, {"by": name, "params": message["params"]})]
        return []

    return FakeServer(reply)


class Both:
    def __init__(self, **servers):
        self.servers = servers
        self.session = Session(Merged(servers), clock=FakeClock())

    async def __aenter__(self):
        await self.session.initialize()
        return self

    async def __aexit__(self, *_):
        await self.session.close()

    async def by(self, name):
        said = body(await self.session.call(name, {}, 5))
        return (said["by"], said["params"]["name"]) if "by" in said else said["message"]


def two():
    return Both(a=server("a", ["echo", "add"]), b=server("b", ["echo", "find"], ["b://1"]))


async def test_they_introduce_themselves_together():
    async with two() as both:
        said = both.session.initialized
    assert said["serverInfo"] == {"name": "a+b", "version": "1+1"}
    assert set(said["capabilities"]) == {"tools", "resources"}
    assert said["instructions"] == "a: I am a.\n\nb: I am b."
    assert all(each.closed for each in both.servers.values())


async def test_all_is_listed_and_what_two_offer_has_its_server_before_it():
    async with two() as both:
        listed = await both.session.list_all("tools/list", "tools")
        assert [tool["name"] for tool in listed] == ["a__echo", "add", "b__echo", "find"]
        found = await both.session.list_all("resources/list", "resources")
        assert found == ({"uri": "b://1"},)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("add", ("a", "add")),
        ("find", ("b", "find")),
        ("a__echo", ("a", "echo")),
        ("b__echo", ("b", "echo")),
        ("mcp__b__echo", ("b", "echo")),
        ("mcp__a__add", ("a", "add")),
        ("echo", "echo is offered more than once: say a__echo or b__echo"),
        ("b__add", "no server offers b__add"),
        ("other", "no server offers other"),
    ],
)
async def test_a_call_finds_its_server_without_having_been_listed(name, found):
    async with two() as both:
        assert await both.by(name) == found


async def test_a_call_under_its_own_name_keeps_its_bytes():
    heard = []

    class Listening(FakeServer):
        async def send(self, chunk):
            heard.append(chunk)
            await super().send(chunk)

    one = Listening(server("a", ["echo"]).reply)
    channel = Merged({"a": one, "b": server("b", ["find"])})
    line = b'{"method":"tools/call",  "params":{"name":"echo","x":1e2},"id":7}\n'
    await channel.send(line)
    said = await channel.receive()
    assert heard[-1] == line
    assert json.loads(said)["result"]["by"] == "a"
    await channel.close()


async def test_a_resource_is_read_where_it_is_listed_else_where_it_is_found():
    def missing(message):
        if message.get("method") == "resources/read":
            error = {"code": -32002, "message": "no such resource"}
            return [{"jsonrpc": "2.0", "id": message["id"], "error": error}]
        return None

    servers = {"a": server("a", ["x"], ["a://1"], missing), "b": server("b", ["y"], ["b://1"])}
    async with Both(**servers) as both:
        for uri in ("b://1", "b://unlisted"):
            made = await both.session.ask("resources/read", uri, {"uri": uri}, 5)
            assert body(made)["by"] == "b"
        made = await both.session.ask("resources/read", "a://1", {"uri": "a://1"}, 5)
        assert body(made)["message"] == "no such resource"


async def test_two_servers_that_ask_under_one_id_are_each_answered():
    def asking(message):
        if message.get("method") == "notifications/initialized":
            return [{"jsonrpc": "2.0", "id": 1, "method": "roots/list"}]
        return None

    servers = {name: server(name, [name], more=asking) for name in "ab"}
    async with Both(**servers) as both:
        await both.by("a")
        await asyncio.sleep(0)
        for one in servers.values():
            assert {"jsonrpc": "2.0", "id": 1, "result": {"roots": []}} in one.heard


async def test_whoever_wants_time_before_the_end_is_given_it():
    class Slow(FakeServer):
        lingered = False

        async def linger(self):
            self.lingered = True

    one = Slow(server("a", ["go"]).reply)
    async with Both(a=one, b=server("b", ["find"])):
        pass
    assert one.lingered


async def test_where_one_hangs_up_all_has_ended():
    def dying(message):
        return [b""] if message.get("method") == "tools/call" else None

    servers = {"a": server("a", ["go"], more=dying), "b": server("b", ["find"])}
    async with Both(**servers) as both:
        made = await both.session.call("go", {}, 5)
        assert made.outcome.kind == "crashed"
        assert "a closed the line" in made.outcome.detail


async def test_a_list_that_fails_at_one_fails():
    def failing(message):
        if message.get("method") == "tools/list":
            return [{"jsonrpc": "2.0", "id": message["id"], "error": {"code": 1, "message": "no"}}]
        return None

    async with Both(a=server("a", ["go"], more=failing), b=server("b", ["find"])) as both:
        made = await both.session.request("tools/list", {}, timeout=5)
        assert body(made) == {"code": 1, "message": "no"}


async def test_what_cannot_be_read_is_answered_so():
    channel = Merged({"a": server("a"), "b": server("b")})
    await channel.send(b'[{"id": 1}]\n')
    assert b"-32700" in await channel.receive()
    await channel.close()
