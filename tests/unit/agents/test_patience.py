"""How long the walker waits."""

from itertools import islice

import msgspec
import pytest

from mcp_eval.agents.patience import limited, moving, pauses, refuse_limits, wanted_pause
from mcp_eval.errors import InconclusiveError
from mcp_eval.model.trajectory import Invocation, Outcome
from tests.flows.fakes import failure, success


def outcome(body, kind="result"):
    return Outcome(kind=kind, body=msgspec.Raw(msgspec.json.encode(body)))


def test_looks_are_soon_at_first_and_then_a_second_apart():
    first = list(islice(pauses(), 8))
    assert first[0] == 0.1
    assert first == sorted(first)
    assert first[-1] == 1.0


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        (failure("rate limit exceeded"), 0.5),
        (failure("429 Too Many Requests; retry after 3 seconds"), 3.0),
        (failure("rate limited, try again in 250 ms"), 0.25),
        (failure("Rate limit: wait 2 minutes"), None),
        (failure("not found"), None),
        (success({"error": "rate limit", "retry_after": 4}), 4.0),
        (success("the docs explain rate limits at length"), None),
        (success({"hits": ["rate limit", "429"]}), None),
        ({"content": [{"type": "text", "text": "Rate limit exceeded."}]}, 0.5),
        ({**failure("rate limit"), "retryAfterMs": 1500}, 1.5),
    ],
)
def test_a_limit_says_how_long_to_wait_or_nothing_does(said, seconds):
    assert wanted_pause(outcome(said), 0) == seconds


def test_each_further_try_waits_longer_where_nobody_says_how_long():
    said = outcome(failure("too many requests"))
    assert [wanted_pause(said, attempt) for attempt in range(3)] == [0.5, 1.0, 2.0]


def test_an_error_of_the_protocol_may_be_a_limit_too():
    said = outcome({"code": 429, "message": "slow down"}, kind="error")
    assert limited(said)
    with pytest.raises(InconclusiveError) as caught:
        refuse_limits(Invocation(name="search", outcome=said))
    assert caught.value.rule == "rate-limited"
    assert "search" in caught.value.message


def test_what_meets_no_limit_is_let_through():
    refuse_limits(Invocation(name="search", outcome=outcome(success({"hits": []}))))
    refuse_limits(Invocation(name="search", outcome=Outcome(kind="crashed", detail="429")))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"status": "pending"}, True),
        ({"job": {"state": "In progress"}}, True),
        ({"ready": False}, True),
        ({"ready": True}, False),
        ({"running": True}, True),
        ({"progress": 40}, True),
        ({"status": "failed"}, False),
        ({"name": "pending"}, False),
    ],
)
def test_a_state_on_its_way_is_told_from_one_that_has_settled(value, expected):
    assert moving(outcome(success(value))) is expected
