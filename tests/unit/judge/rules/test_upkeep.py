"""Why no opinion could be formed: inconclusive, never a number, never good."""

import pytest

from mcp_eval.judge.verdict import judge
from mcp_eval.model.policy import Expectation, Policy
from tests.unit.judge.constructed import (
    at_replay,
    comparison,
    on_surface,
    only,
    rules,
    status_of,
    story,
    trouble,
)

TROUBLES = (
    "target-not-starting",
    "target-lost",
    "rate-limited",
    "auth-expired",
    "not-reset",
    "build-mismatch",
    "baseline-unusable",
    "scenario-edited",
    "agent-failed",
)
CAUSES = {
    "rate-limited": "environment",
    "auth-expired": "environment",
    "target-lost": "environment",
    "not-reset": "environment",
    "build-mismatch": "environment",
    "baseline-unusable": "baseline",
    "scenario-edited": "scenario",
    "agent-failed": "agent",
    "target-not-starting": "unknown",
}


@pytest.mark.parametrize("rule", TROUBLES)
def test_a_trouble_of_a_scenario_is_inconclusive_and_has_no_score(rule):
    judged = judge(comparison(story(troubles=(trouble(rule, scenario="story"),))))
    assert (judged.status, judged.score, judged.passed) == ("inconclusive", None, False)
    assert judged.action == "the check did not happen: fix the set-up"
    assert judged.scenarios[0].score is None
    found = only(judged)
    assert (found.rule, found.status, found.cause) == (rule, "inconclusive", CAUSES[rule])
    assert found.evidence == {"message": "told", "evidence": "seen"}
    assert found.fix


@pytest.mark.parametrize("rule", TROUBLES)
def test_a_trouble_of_the_whole_target_leaves_every_scenario_without_an_opinion(rule):
    judged = judge(
        comparison(story(stem="a"), story(stem="b"), troubles=(trouble(rule),))
    )  # fmt: skip
    assert (judged.status, judged.score) == ("inconclusive", None)
    assert {one.status for one in judged.scenarios} == {"inconclusive"}
    assert only(judged).scenarios == ("a", "b")


@pytest.mark.parametrize("rule", ["target-not-starting", "target-lost"])
@pytest.mark.parametrize(
    ("old_starts", "status"), [(True, "broken"), (False, "inconclusive"), (None, "inconclusive")]
)
def test_a_target_that_is_gone_is_broken_where_the_old_build_starts_here(rule, old_starts, status):
    judged = judge(
        comparison(story(looks=0), troubles=(trouble(rule),), old_starts=old_starts)
    )  # fmt: skip
    assert judged.status == status
    assert only(judged).status == status
    assert only(judged).cause == ("target" if status == "broken" else CAUSES[rule])


@pytest.mark.parametrize("old_starts", [True, False])
def test_whoever_has_no_old_build_is_told_to_name_one(old_starts):
    judged = judge(
        comparison(story(looks=0), troubles=(trouble("target-not-starting"),), old_starts=old_starts)
    )  # fmt: skip
    assert ("--old" in only(judged).fix) is not old_starts


def test_a_target_that_is_lost_to_the_old_build_as_well_is_the_environment_s():
    lost = trouble("target-lost", scenario="story", step=0)
    judged = judge(comparison(story(old_looks=2), troubles=(lost,), old_starts=True))
    assert (judged.status, only(judged).cause) == ("inconclusive", "environment")


@pytest.mark.parametrize("rule", ["scenario-edited", "baseline-unusable", "agent-failed"])
def test_a_trouble_of_a_scenario_silences_what_its_replay_seemed_to_show(rule):
    failing = at_replay("newly-failing")
    judged = judge(comparison(story(failing, troubles=(trouble(rule, scenario="story"),))))
    assert rules(judged) == {(rule, "inconclusive")}


@pytest.mark.parametrize("rule", ["rate-limited", "not-reset", "auth-expired"])
def test_a_trouble_that_began_at_a_step_silences_only_what_came_after(rule):
    early, late = at_replay("result-emptied", step=0), at_replay("result-emptied", step=2)
    begun = trouble(rule, scenario="story", step=1)
    judged = judge(comparison(story(early, late, troubles=(begun,))))
    assert rules(judged) == {(rule, "inconclusive"), ("result-emptied", "broken")}
    assert judged.status == "broken"
    assert [one.steps for one in judged.findings if one.rule == "result-emptied"] == [(0,)]


def test_a_trouble_silences_its_own_scenario_only():
    edited = story(
        at_replay("result-emptied", scenario="a"),
        stem="a",
        troubles=(trouble("scenario-edited", scenario="a"),),
    )
    other = story(at_replay("hit-lost", scenario="b"), stem="b")
    judged = judge(comparison(edited, other))
    assert [one.status for one in judged.scenarios] == ["inconclusive", "degraded"]
    assert judged.status == "degraded"


def test_the_surface_speaks_though_nothing_could_be_replayed():
    edited = story(troubles=(trouble("scenario-edited", scenario="story"),))
    gone = on_surface("tool-doubled", after=2)
    judged = judge(comparison(edited, surface=[gone]))
    assert judged.status == "degraded"


def test_one_trouble_in_many_scenarios_is_one_root():
    scenarios = [
        story(stem=stem, troubles=(trouble("rate-limited", scenario=stem, step=0),))
        for stem in ("a", "b", "c")
    ]
    judged = judge(comparison(*scenarios))
    assert len(judged.roots) == 1
    assert set(judged.roots[0].scenarios) == {"a", "b", "c"}


def test_no_look_is_no_opinion():
    judged = judge(comparison(story(looks=0)))
    assert (judged.status, judged.score) == ("inconclusive", None)
    assert status_of(judged) == "inconclusive"


# --- expectations gone stale ---------------------------------------------------------------------


def test_an_expectation_that_nothing_met_is_acceptable_and_names_itself():
    entry = Expectation(finding="hit-lost@search", reason="we drop archived ones")
    judged = judge(comparison(story()), Policy(expect=(entry,)))
    assert (judged.status, rules(judged)) == ("acceptable", {("stale-expect", "acceptable")})
    assert "`hit-lost@search`" in only(judged).message
    assert "remove `hit-lost@search`" in only(judged).fix
