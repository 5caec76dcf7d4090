"""The quick way to an ordinary answer, against the whole way, over the word lists' own phrases."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from mcp_eval.compare import answers, words
from mcp_eval.compare.glance import carries, ordinary
from mcp_eval.compare.reading import answer
from mcp_eval.compare.substance import substance
from tests.unit.compare.spoken import text

LISTS = (
    words.SAID, words.STATUSES, words.GUARDS, words.ERRORS, words.FLAGS, words.VERDICTS,
    words.WRAPPERS, words.COUNTS, words.DURATIONS, words.TRACES, words.HASHES, words.NOTICES,
)  # fmt: skip
NAMES = st.sampled_from(
    [*sorted(frozenset().union(*LISTS)), "", "x.y", "a b", "isError", "statusCode", "items", "rows"]
)
PHRASES = st.sampled_from(
    [
        "permission denied", "Access denied", "forbidden", "not allowed", "Error: boom", "failed",
        "no results found", "0 results", "nothing found", "quarantined", "requires approval",
        "approval required", "connection refused", "cannot open it", "x does not exist", "blocked",
        "pending_approval", "denied", "", "  ", "ok", "done", "hello world", "deadbeef1", "3 ms",
        "550e8400-e29b-41d4-a716-446655440000", "2026-01-02T03:04:05Z", "srv-97b957938149", "12",
        "the list is empty", "n/a", "fatal", "read-only mode", "blocked by policy",
    ]
)  # fmt: skip
PLAIN = st.sampled_from([None, True, False, 0, 1, 404, 500, 2.5, [], {}])
VALUES = st.recursive(
    PHRASES | PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)
BODIES = st.dictionaries(NAMES, VALUES, min_size=1, max_size=5)


@given(BODIES)
def test_what_a_glance_calls_ordinary_the_whole_way_calls_ok(body):
    read = answer(text(json.dumps(body)))
    slow = answers._class_of(replace(read, ordinary=False), {}, None)
    assert not read.ordinary or slow == "ok"


@given(BODIES, BODIES)
def test_so_it_is_beside_what_was_recorded(body, other):
    read, recorded = answer(text(json.dumps(body))), answer(text(json.dumps(other)))
    if read.ordinary and recorded.ordinary:
        slow = replace(read, ordinary=False), replace(recorded, ordinary=False)
        assert answers._class_of(slow[0], {}, slow[1]) == "ok"


@given(VALUES)
def test_what_surely_carries_something_has_substance(value):
    assert not carries(value) or any(True for _ in substance(value))


@pytest.mark.parametrize(
    "body",
    [
        {"items": [{"name": "tea"}], "total": 1},
        {"id": "server1", "enabled": True},
        {"connected": True, "rows": [1]},
    ],
)
def test_an_ordinary_answer_is_seen_at_a_glance(body):
    assert ordinary(body)


@pytest.mark.parametrize(
    "body",
    [
        {"error": "boom", "items": [1]},
        {"status": "quarantined", "name": "tea"},
        {"inner": {"message": "access denied"}, "name": "tea"},
        {"inner": {"quarantined": True}, "name": "tea"},
        {"success": False, "name": "tea"},
        {"code": 404, "name": "tea"},
        {"result": {"error": "boom"}},
        {"": "denied", "name": "tea"},
        {"total": 1, "took": 3, "enabled": True},
        {"request_id": "tea", "sha": "1234567"},
        {},
        [],
        "tea",
    ],
)
def test_all_others_are_looked_into(body):
    assert not ordinary(body)


def test_very_deep_answers_are_left_to_who_goes_deeper():
    deep = {"name": "tea"}
    for _ in range(200):
        deep = {"in": deep}
    assert not ordinary(deep)
    assert not carries(deep)
