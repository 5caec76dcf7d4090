"""Which class of outcome an answer is, and what of it counts."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_eval.compare.answers import answer, classify, keeps, substance
from mcp_eval.compare.outcomes import class_of
from mcp_eval.model.trajectory import Outcome
from tests.unit.compare.spoken import (
    as_outcome,
    carried,
    crashed,
    outcome,
    rpc_error,
    step,
    structured,
    text,
)

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.floats(allow_nan=False)
    | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["id", "name", "error", "status", "message", "items", "ok", "x.y"])
            | st.text(max_size=5),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


class TestFlagsAndFrames:
    def test_is_error_is_failed_and_a_forbidding_one_is_refused(self):
        assert classify(text("it went wrong", failed=True)) == "failed"
        assert classify(text("you are not allowed to do that", failed=True)) == "refused"

    def test_an_error_of_the_protocol_is_failed(self):
        assert classify(rpc_error(-32601, "Method not found")) == "failed"
        assert answer(rpc_error(-32601, "Method not found")).code == "-32601"

    def test_a_schema_that_allows_no_such_argument_is_no_policy(self):
        for said in (
            "Invalid arguments: additional properties are not allowed ('x' was unexpected)",
            "1 validation error: Extra inputs are not permitted",
        ):
            assert classify(text(said, failed=True)) == "failed"

    @pytest.mark.parametrize("kind", ["crashed", "timeout", "not-reached", "cancelled"])
    def test_no_answer_at_all_is_crashed(self, kind):
        assert classify(Outcome(kind=kind, detail="exit status 1")) == "crashed"
        assert classify(crashed()) == "crashed"


FAILED = [
    "Error: boom",
    "❌ Failed to connect",
    "⚠️ Error executing tool: look",
    "Failed to add server: x",
    "Connection refused",
    "Tool 'look' not found",
    "Not found",
    "Branch 'main' does not exist",
    "No such tool",
    "Unknown tool: look",
    "MCP error -32602: Invalid arguments",
    "Invalid timezone: 'No time zone found with key Mars/Base'",
    "Missing required parameter: name",
    "ENOENT: no such file or directory, open 'a.txt'",
    "Traceback (most recent call last):\n  File a.py",
    "An error occurred while searching",
    "Unable to connect",
    "Request timed out",
    "404 Not Found",
    "Rate limit exceeded",
    "429 Too Many Requests",
    "Failed to connect: no route\nHint: try later",
    {"is_error": True, "message": "Connection failed"},
    {"isError": True},
    {"success": False},
    {"ok": False, "id": 3},
    {"status": "error"},
    {"status": "error", "message": "it broke"},
    {"status": "failed", "message": "could not"},
    {"error": "it broke"},
    {"error": {"code": 1, "message": "it broke"}},
    {"data": None, "error": "boom"},
    {"errors": [{"message": "it broke"}]},
    {"error_code": "E1", "error_message": "it broke"},
    {"type": "error", "message": "it broke"},
    {"code": 404, "message": "Not found"},
    {"detail": "Not found"},
    {"message": "Failed to connect"},
    {"result": {"error": "it broke"}},
    {"result": "Error: it broke"},
    [{"error": "it broke"}],
]
REFUSED = [
    "Permission denied: look is not allowed by policy",
    "Access denied - path outside allowed directories: /etc/passwd",
    "🔒 SECURITY BLOCK: Server 'x' is currently in quarantine",
    "Server x was blocked by policy",
    "This server requires approval before its tools can be used",
    "Forbidden",
    {"success": False, "message": "Access denied"},
    {"message": "Permission denied"},
    {"status": "quarantined"},
    {"status": "denied"},
    {
        "status": "QUARANTINED_SERVER_BLOCKED",
        "serverName": "x",
        "message": "🔒 SECURITY BLOCK: Server 'x' is in quarantine",
    },
]
EMPTY = [
    "No relevant tools found",
    "No relevant tools found for query 'x'.",
    "No results",
    "Found 0 results",
    "0 results found",
    "",
    "  ",
    "[]",
    "null",
    {},
    {"tools": [], "total": 0},
    {"tools": [], "total": 0, "query": "x"},
    {"tools": None},
    {"tools": [], "message": "No tools found"},
    {"error": None, "data": []},
]
HONEST = [
    "Error handling in Python: a guide to try and except",
    "Errors and exceptions\n\nA chapter of the manual about errors.",
    "# Errors\n" + "A long document about an error; permission denied is said often. " * 40,
    "To avoid 'permission denied', run chmod.",
    "Permission denied errors\n\nThey mean that the mode bits do not allow it.",
    "The forbidden city is in Beijing. It's not allowed to climb the walls.",
    "12:00 INFO start\n12:01 ERROR access denied for user x\n12:02 INFO ok",
    "Failed: 0, passed: 12",
    "Failed tests: 0",
    "Errors: 0\nWarnings: 2",
    "error: 0",
    "No errors",
    "Error-free run",
    "Room 403 is free",
    "On branch main\nnothing to commit, working tree clean",
    {"title": "Permission denied errors", "body": "How to handle access denied", "id": 3},
    {"number": 403, "title": "Access denied when saving", "state": "open", "body": "403 error"},
    {"error": None, "data": [1]},
    {"error": "", "a": 1},
    {"error": False},
    {"errors": []},
    {"status": "ok", "error": None},
    {"name": "a", "status": "error", "tools": 12},
    {"id": 5, "name": "build", "status": "failed"},
    {"servers": [{"name": "a", "status": "error", "error": "unreachable"}]},
    {"status": "pending_approval", "id": "x"},
    {"added": True, "id": "x", "message": "Added. It is quarantined until it is approved"},
    {"message": "401 items moved", "id": 1},
    {"count": 0},
    {"deleted": True},
]


@pytest.mark.parametrize("said", FAILED, ids=str)
def test_what_says_that_it_failed_is_failed(said):
    assert classify(as_outcome(said)) == "failed"


@pytest.mark.parametrize("said", REFUSED, ids=str)
def test_what_says_that_it_may_not_be_is_refused(said):
    assert classify(as_outcome(said)) == "refused"


@pytest.mark.parametrize("said", EMPTY, ids=str)
def test_what_carries_nothing_is_empty(said):
    assert classify(as_outcome(said)) == "empty"


@pytest.mark.parametrize("said", HONEST, ids=lambda said: str(said)[:40])
def test_what_merely_mentions_errors_is_ok(said):
    assert classify(as_outcome(said)) == "ok"


def test_no_content_is_empty_and_a_picture_is_not():
    assert classify(outcome({"content": []})) == "empty"
    picture = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
    assert classify(outcome({"content": [picture]})) == "ok"


def test_of_several_blocks_the_first_says_how_it_went():
    assert classify(text("Error: no such server", "Available: a, b")) == "failed"
    assert classify(text("Found it", "Error: none")) == "ok"


class TestBesideARecording:
    def test_a_body_recorded_as_failed_is_failed_again_without_its_flag(self):
        recorded = step(text("there is no server x", failed=True), classes={"failed": 2})
        assert class_of(recorded, text("there is no server x")) == "failed"
        assert class_of(recorded, text("there is a server x")) == "ok"

    def test_what_varies_by_form_in_it_does_not_matter(self):
        one = "no session 7d5a6f0e-1c2b-4d3e-8f90-a1b2c3d4e5f6"
        other = "no session 11111111-2222-4333-8444-555555555555"
        recorded = step(text(one, failed=True), classes={"failed": 1})
        assert class_of(recorded, text(other)) == "failed"

    def test_an_outcome_of_another_look_counts_as_recorded_too(self):
        others = (text("there is no server x", failed=True),)
        recorded = step({"id": 1}, classes={"ok": 2, "failed": 1}, others=others)
        assert class_of(recorded, text("there is no server x")) == "failed"

    def test_a_guard_instead_of_what_was_carried_is_a_refusal(self):
        recorded = carried({"content": "a poem", "lines": 12})
        asked = carried({"approval_required": True, "ticket": "T1"})
        assert classify(asked, recorded=recorded) == "refused"

    def test_a_guard_beside_it_is_none(self):
        recorded = carried({"added": True, "id": "server1"})
        beside = carried({"added": True, "id": "server1", "quarantined": True})
        assert classify(beside, recorded=recorded) == "ok"
        said = text("Added server1. It is quarantined until it is approved.")
        assert classify(said, recorded=text("Added server1.")) == "ok"

    def test_a_refusal_stays_one_whatever_varies_in_it(self):
        blocked = {"status": "quarantined", "request_id": 1}
        recorded = step(blocked, classes={"refused": 2})
        assert class_of(recorded, carried({**blocked, "request_id": 2})) == "refused"

    @given(json_values)
    def test_the_same_answer_is_of_the_same_class(self, value):
        for said in (carried(value), outcome(value), text(json.dumps(value), failed=True)):
            recorded = step(said, classes={})
            assert class_of(recorded) == class_of(recorded, said)


class TestReading:
    def test_text_and_structured_content_of_one_meaning_are_one_value(self):
        value = {"id": 3, "tags": ["a"]}
        assert answer(structured(value)).value == answer(carried(value)).value == value
        assert answer(structured(value)).extra is None

    def test_a_text_wrapped_for_structured_content_is_that_text(self):
        block = {"type": "text", "text": "hello there"}
        wrapped = outcome({"content": [block], "structuredContent": {"result": "hello there"}})
        assert (answer(wrapped).value, answer(wrapped).extra) == ("hello there", None)

    def test_structured_content_that_says_something_else_stands_beside(self):
        block = {"type": "text", "text": "2 servers"}
        read = answer(outcome({"content": [block], "structuredContent": {"servers": ["a", "b"]}}))
        assert (read.value, read.extra) == ("2 servers", {"servers": ["a", "b"]})

    def test_pictures_and_sounds_are_known_by_digest_and_type(self):
        def picture(data, mime="image/png"):
            block = {"type": "image", "data": data, "mimeType": mime}
            return answer(outcome({"content": [block]})).value

        assert picture("AAAA") == picture("AAAA")
        assert picture("AAAA") != picture("AAAB")
        assert picture("AAAA") != picture("AAAA", "image/jpeg")
        assert "AAAA" not in json.dumps(picture("AAAA" * 50))

    def test_an_embedded_resource_is_read_like_its_text(self):
        resource = {"uri": "file:///a.json", "mimeType": "application/json", "text": '{"a": 1}'}
        read = answer(outcome({"content": [{"type": "resource", "resource": resource}]}))
        assert read.value["resource"]["text"] == {"a": 1}
        assert answer(outcome({"contents": [resource]})).value["text"] == {"a": 1}

    def test_meta_is_no_part_of_an_answer(self):
        body = {"content": [{"type": "text", "text": "hi"}], "_meta": {"node": "n1"}}
        assert answer(outcome(body)) == answer(text("hi"))

    @given(st.binary(max_size=40), st.sampled_from(["result", "error"]))
    def test_any_bytes_can_be_read(self, raw, kind):
        classify(Outcome(kind=kind, body=msgspec.Raw(raw)))

    @given(json_values)
    def test_any_json_can_be_read_wherever_it_stands(self, value):
        for body in (
            value,
            {"content": value},
            {"content": [value, value]},
            {"contents": value},
            {"content": [{"type": "text", "text": value}], "structuredContent": value},
            {"content": [{"type": "resource", "resource": value}], "isError": value},
        ):
            for kind in ("result", "error"):
                classify(outcome(body, kind), recorded=outcome(body))


class TestSubstance:
    def test_echoes_counts_flags_messages_and_volatile_leaves_do_not_count(self):
        value = {
            "query": "clock",
            "server": "s1",
            "total": 3,
            "ok": True,
            "message": "done",
            "took_ms": 12,
            "request": "7d5a6f0e-1c2b-4d3e-8f90-a1b2c3d4e5f6",
            "nothing": None,
            "tools": [{"name": "look"}],
        }
        counted = dict(substance(value, {"q": "clock", "server": "s1"}))
        assert counted == {"tools[0].name": "look"}

    def test_most_keys_or_most_words_are_kept(self):
        assert keeps({"a": 1, "b": [2], "c": 3}, {"a": 9, "b": [1], "d": 0})
        assert not keeps({"a": 1, "b": [2], "c": 3}, {"a": 9, "b": []})
        assert keeps("Added the server s1", "Added the server s1, which waits")
        assert not keeps("Added the server s1", "Permission denied")
