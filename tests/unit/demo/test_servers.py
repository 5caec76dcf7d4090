"""The embedded proxy: it works in both builds, and differs as planted."""

import io
import json

import pytest

from mcp_eval.demo.planted import BREAKS, HARMLESS
from mcp_eval.demo.servers.first import FirstBuild
from mcp_eval.demo.servers.rpc import serve
from mcp_eval.demo.servers.search import ranked
from mcp_eval.demo.servers.second import SecondBuild


def conversation(build, *requests):
    """The answers to these requests, in order."""
    lines = b"".join(
        json.dumps({"jsonrpc": "2.0", "id": n, "method": method, "params": params}).encode() + b"\n"
        for n, (method, params) in enumerate(requests)
    )
    sink = io.BytesIO()
    serve(build, io.BytesIO(lines), sink)
    return [json.loads(line) for line in sink.getvalue().splitlines()]


def call(build, name, /, **arguments):
    """One tool call's answer: its JSON, or its error's words."""
    (answer,) = conversation(build, ("tools/call", {"name": name, "arguments": arguments}))
    if "error" in answer:
        return answer["error"]["message"]
    result = answer["result"]
    text = result["content"][0]["text"]
    return text if result["isError"] else json.loads(text)


def test_it_introduces_itself_and_lists_its_tools():
    hello, tools = conversation(
        FirstBuild(), ("initialize", {"protocolVersion": "2025-06-18"}), ("tools/list", {})
    )
    assert hello["result"]["protocolVersion"] == "2025-06-18"
    assert hello["result"]["serverInfo"] == {"name": "demo-proxy", "version": "1.0.0"}
    assert len(tools["result"]["tools"]) == 14


def test_lines_that_are_no_requests_get_errors_and_notifications_get_nothing():
    sink = io.BytesIO()
    lines = b'nonsense\n[]\n\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
    serve(FirstBuild(), io.BytesIO(lines), sink)
    codes = [json.loads(line)["error"]["code"] for line in sink.getvalue().splitlines()]
    assert codes == [-32700, -32600]


def test_an_unknown_method_is_refused():
    (answer,) = conversation(FirstBuild(), ("prompts/list", {}))
    assert answer["error"]["code"] == -32601


def test_search_finds_by_words_and_never_without_one_in_common():
    hits = ranked("issues", {"a": "create an issue", "b": "list issues and more issues", "c": "x"})
    assert [name for name, _ in hits] == ["b", "a"]
    assert ranked("nothing alike", {"a": "create an issue"}) == []


def test_a_server_added_can_be_approved_listed_and_removed_by_its_id():
    build = FirstBuild()
    minted = call(build, "add_server", name="notes", command="x")["id"]
    assert call(build, "quarantine_security", operation="list")["quarantined"] == ["notes"]
    assert call(build, "quarantine_security", operation="approve", id=minted)["approved"] is True
    assert [s["name"] for s in call(build, "list_servers")["servers"]][-1] == "notes"
    assert call(build, "remove_server", id=minted) == {"removed": "notes", "remaining": 5}
    assert call(build, "remove_server", id=minted) == f"Server with id '{minted}' not found"


def test_a_server_added_twice_already_exists():
    build = FirstBuild()
    call(build, "add_server", name="notes", command="x")
    assert call(build, "add_server", name="notes", command="x") == "Server 'notes' already exists"


def test_a_long_answer_is_read_on_to_its_end_from_the_cache():
    build = FirstBuild()
    cut = call(build, "call_tool_read", name="files:read_journal")
    assert (len(cut["result"]["entries"]), cut["entries"], cut["truncated"]) == (10, 60, True)
    rest = call(build, "read_cache", key=cut["cache_key"], offset=10, limit=50)
    assert [entry["line"] for entry in rest["entries"]] == list(range(11, 61))
    assert rest["has_more"] is False


def test_a_disabled_server_is_neither_found_nor_called():
    build = FirstBuild()
    call(build, "update_server", name="units", enabled=False)
    assert call(build, "retrieve_tools", query="units of measure")["tools"] == []
    assert "not found on any enabled server" in call(
        build, "call_tool_read", name="units:convert_units", args={"amount": 3}
    )


def test_a_tool_that_writes_is_not_called_by_the_reading_wrapper():
    said = call(FirstBuild(), "call_tool_read", name="tracker:create_issue", args={"title": "x"})
    assert "call it through call_tool_write" in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "'registry' is required"),
        ({"registry": "official", "limit": "2"}, "'limit' must be of type integer"),
        ({"registry": "official", "limit": True}, "'limit' must be of type integer"),
        ({"registry": "official", "kind": "x"}, "'kind' is not known"),
    ],
)
def test_arguments_the_schema_does_not_allow_are_refused_by_name(arguments, words):
    assert words in call(FirstBuild(), "search_servers", **arguments)


def both(name, /, **arguments):
    """The same call in both builds."""
    return call(FirstBuild(), name, **arguments), call(SecondBuild(), name, **arguments)


def test_the_planted_breaks_of_the_second_build_are_there():
    found = []
    old, new = both("add_server", name="weather", url="http://127.0.0.1:9")
    found += ["parameter-newly-required"] * (old["added"] and "'protocol' is required" in new)
    old, new = both("search_servers", registry="official", search="database", limit=2)
    found += ["parameter-type-changed"] * (len(old["servers"]) == 2 and "of type string" in new)
    old, new = both("list_registries")
    found += ["tool-removed"] * (old["total"] == 2 and new == "Unknown tool: list_registries")
    old, new = both("describe_tool", name="tracker:create_issue")
    renamed = call(SecondBuild(), "get_tool_schema", name="tracker:create_issue")
    found += ["tool-renamed"] * (new == "Unknown tool: describe_tool" and renamed == old)
    old, new = both("tail_log", server="tracker", lines=3)
    found += ["newly-failing"] * (len(old["lines"]) == 3 and new.startswith("Failed to open"))
    old, new = both("retrieve_tools", query="current time")
    found += ["result-emptied"] * (old["total"] == 2 and new["tools"] == [])
    old, new = both("call_tool_read", name="files:read_journal")
    found += ["result-field-removed"] * (set(old) - set(new) == {"cache_key"})
    old, new = both("update_server", name="units", enabled=False)
    found += ["result-field-renamed"] * (old["updated"] == new["server_name"] == "units")
    old, new = both("proxy_status")
    found += ["result-value-changed"] * (old["isolation"] and not new["isolation"])
    assert found == [planted.rule for planted in BREAKS]


def test_a_moved_score_moves_no_hit():
    old, new = both("retrieve_tools", query="environment variables")
    assert [hit["name"] for hit in old["tools"]] == [hit["name"] for hit in new["tools"]]
    assert [hit["score"] for hit in old["tools"]] != [hit["score"] for hit in new["tools"]]


def test_at_least_six_breaks_and_six_harmless_changes_are_planted():
    assert len(BREAKS) >= 6
    assert len(HARMLESS) >= 6
    assert {planted.status for planted in BREAKS} == {"broken", "degraded"}
    assert {planted.status for planted in HARMLESS} <= {"acceptable", "note", ""}
