"""What a rule may ask of a difference, at the edges."""

import pytest

from mcp_eval.judge.facts import Fact
from mcp_eval.judge.verdict import judge
from mcp_eval.model.comparison import CriterionResult
from mcp_eval.model.policy import Policy
from tests.unit.judge.constructed import (
    at_replay,
    comparison,
    hit,
    offered,
    on_surface,
    only,
    story,
    trouble,
    verdict,
)


def fact(difference, *scenarios, **how):
    return Fact(
        difference=difference,
        comparison=comparison(*scenarios, **how),
        policy=Policy(),
        scenario=scenarios[0] if scenarios else None,
    )


def seen(seen, looks, old=(0, 0), baseline=2):
    return fact(at_replay("hit-lost", seen=seen, looks=looks, old=old, baseline=baseline))


@pytest.mark.parametrize(
    ("found", "always", "transient", "intermittent"),
    [
        (seen(1, 1), True, False, False),
        (seen(1, 2), False, True, False),
        (seen(2, 2), True, False, False),
        (seen(2, 3), False, False, True),
        (seen(2, 3, old=(0, 3)), False, False, True),
        (seen(2, 3, old=(1, 3)), False, True, False),
        (seen(3, 3, old=(1, 3)), True, False, False),
        (seen(1, 3), False, True, False),
    ],
)
def test_what_comes_and_goes_is_told_from_what_is_always_there(
    found, always, transient, intermittent
):
    assert (found.always, found.transient, found.intermittent) == (always, transient, intermittent)


@pytest.mark.parametrize(
    ("found", "too"),
    [
        (seen(3, 3), False),
        (seen(3, 3, old=(0, 2)), False),
        (seen(3, 3, old=(1, 2)), False),
        (seen(3, 3, old=(2, 2)), True),
    ],
)
def test_the_old_build_shows_it_too_where_every_look_at_it_does(found, too):
    assert found.old_build_too is too


@pytest.mark.parametrize(("looks", "steady"), [(0, False), (1, False), (2, True), (5, True)])
def test_two_looks_that_agree_are_steady(looks, steady):
    assert seen(1, 1, baseline=looks).steady_before is steady


# --- who is hit ---


@pytest.mark.parametrize(
    ("outcome", "rejected"),
    [
        ("failed", True),
        ("refused", True),
        ("crashed", True),
        ("not-replayed", True),
        ("ok", False),
        ("empty", False),
    ],
)
def test_an_invalid_request_is_rejected_by_how_it_ended(outcome, rejected):
    found = fact(on_surface("parameter-removed", hits=[hit(outcome)]))
    assert found.recorded
    assert len(found.invalid) == 1
    assert found.rejected is rejected


def test_a_request_that_is_still_valid_is_concerned_and_not_rejected():
    found = fact(on_surface("parameter-removed", hits=[hit("failed", reason="")]))
    assert (found.recorded, found.invalid, found.rejected) == (True, (), False)


@pytest.mark.parametrize(
    ("recorded", "witness", "details", "rejected"),
    [
        (True, {"q": 1}, {}, False),
        (False, {"q": 1}, {}, True),
        (False, None, {}, False),
        (False, {"q": 1}, {"closed": True}, False),
    ],
)
def test_where_nobody_was_recorded_a_witness_counts(recorded, witness, details, rejected):
    change = on_surface("parameter-removed", witness=witness, **details)
    found = fact(change, recorded=recorded)
    assert found.rejected is rejected
    assert found.recorded is not recorded


def test_what_no_witness_could_be_built_for_is_unknown():
    assert fact(on_surface("parameter-removed", unknown=True)).unknown
    assert not fact(on_surface("parameter-removed")).unknown


# --- how it is written up ---


def test_a_trouble_of_the_whole_target_is_one_of_all_lanes():
    judged = judge(comparison(story(), troubles=[trouble("target-not-starting")]))
    assert only(judged).lanes == ("surface", "replay")


def test_a_trouble_of_a_scenario_is_one_of_its_own_lane():
    inside = story(troubles=[trouble("rate-limited", scenario="story", step=0)])
    assert only(judge(comparison(inside))).lanes == ("replay",)


def test_a_surface_change_that_made_a_replay_fail_was_seen_in_both_lanes():
    removed = on_surface("parameter-removed", path="q", hits=[hit("failed")])
    failing = story(at_replay("newly-failing"))
    assert only(offered(removed, scenarios=[failing])).lanes == ("surface", "replay")
    assert only(offered(removed, scenarios=[story()])).lanes == ("surface",)


@pytest.mark.parametrize(
    ("seen", "looks", "confidence"),
    [(1, 1, "unconfirmed"), (2, 2, "confirmed"), (3, 3, "confirmed")],
)
def test_what_two_looks_show_is_confirmed(seen, looks, confidence):
    found = only(verdict(at_replay("newly-failing", seen=seen, looks=looks)))
    assert found.confidence == confidence


def test_what_only_one_look_at_the_baseline_showed_was_seen_once():
    once = at_replay("result-value-changed", path="a", baseline=1, before="a", after="b")
    twice = at_replay("result-value-changed", path="a", baseline=2, before="a", after="b")
    assert only(verdict(once)).confidence == "seen-once"
    assert only(verdict(twice)).confidence == "confirmed"


def test_a_guard_that_a_criterion_wants_lifted_is_no_finding():
    wanted = CriterionResult(text="it answers", result="yes", baseline="no")
    held = CriterionResult(text="it answers", result="yes", baseline="yes")
    assert not verdict(at_replay("guard-lost"), criteria=(wanted,)).findings
    assert only(verdict(at_replay("guard-lost"), criteria=(held,))).status == "degraded"


# --- what a trouble silences ---


@pytest.mark.parametrize(("step", "silent"), [(0, False), (1, True), (2, True)])
def test_what_was_not_reset_silences_what_comes_from_its_step_on(step, silent):
    facts = [at_replay("result-emptied", step=step, tool="list")]
    told = [trouble("not-reset", scenario="story", step=1)]
    judged = judge(comparison(story(*facts, troubles=told)))
    assert ("result-emptied" not in {one.rule for one in judged.findings}) is silent


def test_a_trouble_of_one_scenario_says_nothing_of_another():
    told = trouble("not-reset", scenario="other", step=0)
    judged = judge(
        comparison(story(at_replay("result-emptied")), story(stem="other", troubles=[told]))
    )
    assert {one.rule for one in judged.findings} == {"result-emptied", "not-reset"}
