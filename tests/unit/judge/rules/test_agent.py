"""The agent rows of the catalogue: goals and typed criteria may fail a run, its path never does."""

import pytest

from mcp_eval.judge.verdict import judge
from mcp_eval.model.comparison import GoalFacts
from tests.unit.judge.constructed import by_agent, only, rules, status_of, tried


def missed(runs, missed, *, by="effects", **how):
    """A goal that some of the runs missed, judged."""
    goal = GoalFacts(runs=runs, reached=runs - missed, by=by)
    fact = by_agent(
        "goal-not-reached", tool="", path="goal", step=-1, runs=runs, missed=missed, by=by, **how
    )
    return judge(tried(fact, goal=goal))


@pytest.mark.parametrize(
    ("runs", "lost", "how", "status"),
    [
        pytest.param(5, 5, {}, "broken", id="all of five"),
        pytest.param(6, 6, {}, "broken", id="all of six"),
        pytest.param(4, 4, {}, "degraded", id="all of four"),
        pytest.param(6, 3, {}, "degraded", id="half"),
        pytest.param(5, 3, {}, "degraded", id="more than half"),
        pytest.param(5, 2, {}, "acceptable", id="fewer than half"),
        pytest.param(5, 1, {}, "note", id="once, and reached in all re-runs"),
        pytest.param(2, 1, {}, "note", id="once, and reached in the only re-run"),
        pytest.param(1, 1, {}, "degraded", id="once, and no re-run was possible"),
        pytest.param(1, 1, {"tool_failed": "search"}, "broken", id="a tool failed or vanished"),
        pytest.param(5, 1, {"tool_failed": "search"}, "broken", id="a tool failed in one run"),
        pytest.param(1, 1, {"common_keys": False}, "broken", id="no tool key in common"),
    ],
)
def test_a_goal_is_judged_by_how_often_it_was_missed(runs, lost, how, status):
    found = only(missed(runs, lost, **how))
    assert (found.rule, found.status, found.lanes) == ("goal-not-reached", status, ("agent",))
    assert found.message.startswith(f"{lost} of {runs} run")


def test_a_goal_missed_once_before_any_re_run_is_not_yet_degraded():
    assert status_of(missed(1, 1, rerun_possible=True)) == "acceptable"


@pytest.mark.parametrize(("runs", "confidence"), [(1, "unconfirmed"), (2, "confirmed")])
def test_a_goal_missed_in_a_single_run_is_unconfirmed(runs, confidence):
    assert only(missed(runs, runs)).confidence == confidence


def test_the_tool_that_failed_is_named_in_message_and_fix():
    found = only(missed(1, 1, tool_failed="search"))
    assert "`search` failed" in found.message
    assert found.fix == "make `search` work again"


def test_a_flaky_goal_says_so():
    assert only(missed(5, 1)).marks == ("flaky",)


@pytest.mark.parametrize(("judged", "status"), [(False, "broken"), (True, "degraded")])
def test_a_typed_criterion_breaks_and_a_judge_alone_never_does(judged, status):
    failed = by_agent("criterion-failed", tool="", path="c", before="it is read", judged=judged)
    found = only(judge(tried(failed)))
    assert (found.status, "`it is read`" in found.message) == (status, True)


@pytest.mark.parametrize("change", ["wrong-tool", "call-missing"])
@pytest.mark.parametrize(
    ("by", "status"),
    [("nothing", "acceptable"), ("effects", "note"), ("answer", "note"), ("criteria", "note")],
)
def test_another_path_lowers_only_where_there_is_nothing_else_to_judge_by(change, by, status):
    goal = GoalFacts(runs=1, reached=1, by=by)
    assert status_of(judge(tried(by_agent(change), goal=goal))) == status


@pytest.mark.parametrize("change", ["call-extra", "argument-drift", "call-moved"])
@pytest.mark.parametrize("by", ["nothing", "effects"])
def test_how_an_agent_went_about_it_is_never_more_than_a_note(change, by):
    goal = GoalFacts(runs=1, reached=1, by=by)
    judged = judge(tried(by_agent(change), goal=goal))
    assert (judged.status, rules(judged)) == ("good", {(change, "note")})


def test_each_way_a_path_differs_is_told():
    facts = [by_agent(change) for change in ("wrong-tool", "argument-drift", "call-moved")]
    assert len(judge(tried(*facts)).findings) == 3


def test_trials_count_runs_and_those_that_reached_the_goal():
    assert missed(5, 2).scenarios[0].trials == {"runs": 5, "reached": 3}
