"""Time and size: what lowers to acceptable, just, and what does not."""

import pytest
from msgspec.structs import replace

from mcp_eval.judge.verdict import suspects
from mcp_eval.model.policy import Policy
from tests.unit.judge.constructed import at_replay, by_agent, comparison, status_of, story, verdict

SLOW = [200.0, 210.0, 220.0]
FAST = [90.0, 100.0, 105.0]


@pytest.mark.parametrize(
    ("before", "after", "status"),
    [
        pytest.param(FAST, SLOW, "acceptable", id="three a side, twice as slow, 110 ms more"),
        pytest.param([90, 100, 110], [150, 200, 210], "acceptable", id="both margins, just"),
        pytest.param([90, 100, 110], [150, 199, 210], None, id="a hair under twice"),
        pytest.param([10, 50, 60], [100, 149.9, 160], None, id="a hair under 100 ms more"),
        pytest.param([10, 50, 60], [100, 150, 160], "acceptable", id="100 ms more"),
        pytest.param(
            [90, 100, 150], [150, 210, 220], None, id="the fastest new as the slowest old"
        ),
        pytest.param(FAST[:2], SLOW, None, id="two old looks"),
        pytest.param(FAST, SLOW[:2], None, id="two new looks"),
        pytest.param(SLOW, FAST, None, id="faster"),
        pytest.param([], SLOW, None, id="never measured"),
    ],
)
def test_slower_needs_three_looks_a_side_and_both_margins(before, after, status):
    assert status_of(verdict(at_replay("slower", before=before, after=after))) == status


def test_slower_by_another_policy_s_margins():
    slow = at_replay("slower", before=FAST, after=SLOW)
    assert verdict(slow, policy=Policy(slower_ratio=3.0)).findings == ()
    assert verdict(slow, policy=Policy(slower_ms=500.0)).findings == ()


def test_what_looks_slower_is_looked_at_again_before_anybody_is_told():
    once = at_replay("slower", before=FAST, after=[300.0], looks=1, seen=1)
    assert suspects(comparison(story(once, looks=1))) == {"story": 3}
    hardly = at_replay("slower", before=FAST, after=[110.0], looks=1, seen=1)
    assert suspects(comparison(story(hardly, looks=1))) == {}


@pytest.mark.parametrize(
    ("before", "after", "status"),
    [
        (800, 1000, "acceptable"),
        (800, 999, None),
        (1000, 1249, None),
        (1000, 1250, "acceptable"),
        (10, 209, None),
        (10, 210, "acceptable"),
    ],
)
def test_costlier_needs_a_quarter_and_200_tokens_more(before, after, status):
    assert status_of(verdict(at_replay("costlier", before=before, after=after))) == status


@pytest.mark.parametrize(("after", "status"), [(0.1249, None), (0.125, "acceptable")])
def test_money_is_compared_by_its_share_alone(after, status):
    spent = by_agent("costlier", tool="", path="run", step=-1, before=0.1, unit="usd")
    assert status_of(verdict(replace(spent, after=after), lane="agent")) == status
