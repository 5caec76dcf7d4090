"""`expect:`: shown, left out of status and score, and stale when it is no longer so."""

import pytest

from mcp_eval.judge.verdict import judge
from mcp_eval.model.policy import Expectation, Policy
from tests.unit.judge.constructed import (
    at_replay,
    comparison,
    hit,
    offered,
    on_surface,
    rules,
    story,
    trouble,
    verdict,
)

LOST = at_replay("hit-lost", path="hits")


def expecting(finding, *, today="2026-03-01", **how):
    entry = Expectation(finding=finding, reason="archived ones are dropped", **how)
    return Policy(expect=(entry,), today=today)


@pytest.mark.parametrize("finding", ["hit-lost", "hit-lost@search", "hit-lost@search:hits"])
def test_an_expected_finding_is_shown_and_left_out_of_status_and_score(finding):
    judged = verdict(LOST, policy=expecting(finding))
    (found,) = judged.findings
    assert (found.status, found.marks) == ("degraded", ("expected",))
    assert (judged.status, judged.passed, judged.action) == ("good", True, "deploy with confidence")
    assert 0.8 <= judged.score < 1.0
    assert judged.lanes["replay"] == "good"
    assert [one.status for one in judged.scenarios] == ["good"]
    assert [root.status for root in judged.roots] == ["note"]


@pytest.mark.parametrize(
    "finding", ["hit-displaced", "hit-lost@list", "hit-lost@search:other", "hit", "search"]
)
def test_another_finding_is_not_expected_and_the_entry_is_stale(finding):
    judged = verdict(LOST, policy=expecting(finding))
    assert judged.status == "degraded"
    assert rules(judged) == {("hit-lost", "degraded"), ("stale-expect", "acceptable")}


def test_what_nobody_expects_still_counts():
    worse = at_replay("result-emptied", tool="list", step=1)
    judged = verdict(LOST, worse, policy=expecting("hit-lost"))
    assert judged.status == "broken"
    assert [root.status for root in judged.roots] == ["broken", "note"]


def test_what_is_expected_beside_something_else_of_its_call_does_not_set_the_root_s_status():
    other = at_replay("result-order-changed", path="log")
    judged = verdict(LOST, other, policy=expecting("hit-lost"))
    assert (judged.status, [root.status for root in judged.roots]) == ("acceptable", ["acceptable"])


# --- until when ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("today", "status"),
    [
        ("2026-02-28", "good"),
        ("2026-03-01", "good"),  # the day itself still counts
        ("2026-03-02", "degraded"),
        ("", "good"),  # nobody said what day it is
    ],
)
def test_an_expectation_holds_until_its_day(today, status):
    policy = expecting("hit-lost", expires="2026-03-01", today=today)
    judged = verdict(LOST, policy=policy)
    assert judged.status == status
    expired = [one for one in judged.findings if one.rule == "stale-expect"]
    assert len(expired) == (status == "degraded")
    assert all("expired" in one.message for one in expired)


def test_an_expired_entry_that_matched_nothing_is_stale_once():
    judged = verdict(policy=expecting("hit-lost", expires="2026-01-01"))
    assert rules(judged) == {("stale-expect", "acceptable")}
    assert judged.status == "acceptable"


# --- which scenario ------------------------------------------------------------------------------


def two(policy):
    a = story(at_replay("hit-lost", path="hits", scenario="a"), stem="a")
    b = story(at_replay("hit-lost", path="hits", scenario="b"), stem="b")
    return judge(comparison(a, b), policy)


def test_an_entry_for_one_scenario_leaves_the_others_alone():
    judged = two(expecting("hit-lost", scenario="a"))
    assert [one.status for one in judged.scenarios] == ["good", "degraded"]
    assert judged.status == "degraded"
    assert {one.scenarios: one.marks for one in judged.findings} == {
        ("a",): ("expected",),
        ("b",): (),
    }


def test_an_entry_without_a_scenario_holds_in_all():
    judged = two(expecting("hit-lost@search"))
    assert judged.status == "good"
    assert len(judged.findings) == 1


def test_an_entry_for_a_scenario_that_was_not_checked_is_not_stale():
    judged = verdict(policy=expecting("hit-lost", scenario="elsewhere"))
    assert (judged.status, judged.findings) == ("good", ())


def test_an_entry_for_one_scenario_does_not_excuse_a_surface_change_that_hits_two():
    gone = on_surface("tool-removed", hits=[hit(scenario="a"), hit(scenario="b")])
    policy = expecting("tool-removed", scenario="a")
    judged = judge(comparison(story(stem="a"), story(stem="b"), surface=[gone]), policy)
    assert judged.status == "broken"


# --- the surface ---------------------------------------------------------------------------------


def test_an_expected_surface_change_takes_the_failures_it_explains_along():
    gone = on_surface("tool-removed", hits=[hit()])
    judged = judge(
        comparison(story(at_replay("newly-failing")), surface=[gone]),
        expecting("tool-removed@search"),
    )
    assert judged.status == "good"
    assert rules(judged) == {("tool-removed", "broken")}


def test_a_change_that_hits_nobody_may_be_expected_too():
    judged = offered(on_surface("tool-doubled", after=2))
    assert judged.status == "degraded"
    expected = judge(
        comparison(story(), surface=[on_surface("tool-doubled", after=2)]),
        expecting("tool-doubled"),
    )
    assert expected.status == "good"


# --- where nothing was learned -------------------------------------------------------------------


def test_an_entry_is_not_stale_where_the_target_never_started():
    judged = judge(
        comparison(story(looks=0), troubles=(trouble("target-not-starting"),)),
        expecting("hit-lost@search"),
    )
    assert rules(judged) == {("target-not-starting", "inconclusive")}


def test_an_entry_for_a_scenario_without_an_opinion_is_not_stale():
    edited = story(stem="a", troubles=(trouble("scenario-edited", scenario="a"),))
    judged = judge(comparison(edited, story(stem="b")), expecting("hit-lost", scenario="a"))
    assert "stale-expect" not in {rule for rule, _ in rules(judged)}
    judged = judge(comparison(edited, story(stem="b")), expecting("hit-lost", scenario="b"))
    assert "stale-expect" in {rule for rule, _ in rules(judged)}


def test_an_expired_entry_is_stale_even_then():
    judged = judge(
        comparison(story(looks=0), troubles=(trouble("target-not-starting"),)),
        expecting("hit-lost", expires="2026-01-01"),
    )
    assert ("stale-expect", "acceptable") in rules(judged)
    assert judged.status == "inconclusive"


def test_a_trouble_cannot_be_expected_away():
    edited = story(troubles=(trouble("scenario-edited", scenario="story"),))
    judged = judge(comparison(edited), expecting("scenario-edited"))
    assert judged.status == "inconclusive"
    assert not judged.passed
