"""The verdict: statuses over lanes and scenarios, numbers, what passes, what is looked at again."""

import pytest
from msgspec.structs import replace

from mcp_eval.judge.verdict import judge, suspects
from mcp_eval.model.comparison import GoalFacts
from mcp_eval.model.policy import Policy
from tests.unit.judge.constructed import (
    TRIED,
    at_replay,
    by_agent,
    comparison,
    hit,
    offered,
    on_surface,
    pair,
    rules,
    story,
    tried,
    trouble,
    verdict,
)

NOTE = at_replay("item-added", path="hits")
ACCEPTABLE = at_replay("result-order-changed", path="hits")
DEGRADED = at_replay("hit-lost", path="hits")
BROKEN = at_replay("result-emptied", path="hits")


def of(status, stem):
    """A scenario of a status."""
    facts = {"note": NOTE, "acceptable": ACCEPTABLE, "degraded": DEGRADED, "broken": BROKEN}
    if status == "good":
        return story(stem=stem, similarity=1.0)
    if status == "inconclusive":
        return story(stem=stem, troubles=(trouble("scenario-edited", scenario=stem),))
    one = facts[status]
    return story(replace(one, site=replace(one.site, scenario=stem)), stem=stem)


# --- over scenarios ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statuses", "status"),
    [
        (["good", "good"], "good"),
        (["good", "note"], "good"),
        (["good", "acceptable"], "acceptable"),
        (["acceptable", "degraded"], "degraded"),
        (["degraded", "broken"], "broken"),
        (["good", "inconclusive"], "inconclusive"),
        (["acceptable", "inconclusive"], "inconclusive"),
        (["degraded", "inconclusive"], "degraded"),
        (["broken", "inconclusive"], "broken"),
        (["broken", "inconclusive", "good", "degraded"], "broken"),
    ],
)
def test_the_worst_scenario_decides_and_no_opinion_is_worse_than_acceptable(statuses, status):
    scenarios = [of(one, f"s{number}") for number, one in enumerate(statuses)]
    for order in (scenarios, scenarios[::-1]):
        assert judge(comparison(*order)).status == status


def test_nothing_at_all_to_say_is_good_and_1():
    judged = judge(comparison(of("good", "a")))
    assert (judged.status, judged.score, judged.findings) == ("good", 1.0, ())
    assert judged.action == "deploy with confidence"


def test_a_note_alone_keeps_good_and_takes_the_1():
    judged = judge(comparison(replace(of("note", "a"), similarity=1.0)))
    assert (judged.status, judged.score, judged.roots) == ("good", 0.99, ())


def test_a_suite_s_score_is_its_worst_scenario_s():
    judged = judge(comparison(of("broken", "a"), of("good", "b"), of("acceptable", "c")))
    assert [one.score for one in judged.scenarios] == [0.15, 1.0, 0.7]
    assert judged.score == 0.15


def test_a_suite_without_an_opinion_has_no_score_whatever_its_scenarios_have():
    judged = judge(comparison(of("good", "a"), of("inconclusive", "b")))
    assert [one.score for one in judged.scenarios] == [1.0, None]
    assert judged.score is None


def test_the_surface_alone_puts_the_suite_into_its_band():
    judged = offered(on_surface("constraint-dropped", path="q"), scenarios=[of("good", "a")])
    assert (judged.status, judged.scenarios[0].status) == ("acceptable", "good")
    assert 0.6 <= judged.score < 0.8


def test_a_surface_change_that_hits_a_scenario_is_that_scenario_s_too():
    gone = on_surface("tool-removed", hits=[hit(scenario="a")])
    judged = offered(gone, scenarios=[of("good", "a"), of("good", "b")])
    assert [one.status for one in judged.scenarios] == ["broken", "good"]
    assert judged.scenarios[0].lanes == {"surface": "broken", "replay": "good"}


# --- over lanes ----------------------------------------------------------------------------------


def test_a_lane_s_status_is_the_worst_of_its_own_facts():
    judged = judge(comparison(of("degraded", "a"), surface=[on_surface("tool-added")]))
    assert judged.lanes == {"surface": "good", "replay": "degraded"}


def test_a_required_lane_that_was_not_looked_at_is_inconclusive():
    looked = comparison(of("good", "a"), lanes=("surface", "replay"))
    assert judge(looked).status == "good"
    wanted = replace(looked, required=("surface", "replay", "agent"))
    judged = judge(wanted)
    assert (judged.status, judged.score) == ("inconclusive", None)
    assert "required, and not looked at: agent" in judged.remarks


def test_a_break_wins_over_a_required_lane_that_was_not_looked_at():
    wanted = comparison(of("broken", "a"), required=("surface", "replay", "agent"))
    assert judge(wanted).status == "broken"


def test_a_lane_nobody_requires_may_stay_without_an_opinion():
    failed = trouble("agent-failed", scenario="a")
    a = story(stem="a", lane="agent", troubles=(failed,), similarity=1.0)
    facts = comparison(a, of("good", "b"), lanes=("surface", "replay", "agent"))
    assert judge(replace(facts, required=("surface", "replay"))).status == "good"
    assert judge(replace(facts, required=("surface", "agent"))).status == "inconclusive"


def test_the_agent_lane_stands_for_the_replay_where_that_is_left_out():
    judged = judge(tried(goal=GoalFacts(runs=1, reached=1), similarity=1.0))
    assert judged.status == "good"
    assert set(judged.lanes) == set(TRIED)


def test_a_lost_target_belongs_to_the_lane_that_met_it():
    lost = trouble("target-lost", scenario="a", step=0)
    judged = judge(comparison(of("good", "a"), troubles=(lost,)))
    assert judged.lanes == {"surface": "good", "replay": "inconclusive"}


def test_a_target_that_does_not_start_leaves_every_lane_without_an_opinion():
    judged = judge(comparison(of("good", "a"), troubles=(trouble("target-not-starting"),)))
    assert judged.lanes == {"surface": "inconclusive", "replay": "inconclusive"}


# --- what passes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "fail_on", "passed"),
    [
        ("good", "degraded", True),
        ("acceptable", "degraded", True),
        ("degraded", "degraded", False),
        ("broken", "degraded", False),
        ("degraded", "broken", True),
        ("broken", "broken", False),
        ("acceptable", "acceptable", False),
        ("good", "acceptable", True),
        ("inconclusive", "broken", False),
        ("inconclusive", "degraded", False),
    ],
)
def test_what_fails_is_a_choice_but_no_opinion_never_passes(status, fail_on, passed):
    assert judge(comparison(of(status, "a")), Policy(fail_on=fail_on)).passed is passed


@pytest.mark.parametrize(
    ("threshold", "passed"), [(None, True), (0.7, True), (0.7001, False), (0.9, False)]
)
def test_a_score_below_the_threshold_fails_whatever_the_status(threshold, passed):
    judged = judge(comparison(of("acceptable", "a")), Policy(threshold=threshold))
    assert judged.score == 0.7
    assert judged.passed is passed


def test_the_seed_s_score_of_a_suite_is_its_worst_scenario_s():
    scenarios = [
        story(stem=stem, scores={"formula": final, "formula-final": final})
        for stem, final in (("a", 0.9), ("b", 0.5), ("c", 1.0))
    ]
    judged = judge(comparison(*scenarios), Policy(name="seed"))
    assert (judged.score, judged.trajectory_score, judged.status) == (0.5, 0.5, "degraded")
    assert [one.status for one in judged.scenarios] == ["good", "degraded", "good"]


# --- what is shown of a scenario -----------------------------------------------------------------


def test_a_scenario_shows_its_scores_its_trials_and_its_pairs():
    pairs = (
        pair(0),
        pair(1, waits_for=0, reached=False),
    )
    scores = {"aligned": 0.75, "formula": 1 / 3, "formula-final": 0.5}
    judged = judge(comparison(story(pairs=pairs, scores=scores, looks=3)))
    (shown,) = judged.scenarios
    assert (shown.trajectory_score, judged.trajectory_score) == (0.75, 0.75)
    assert shown.scores["formula"] == pytest.approx(1 / 3)
    assert shown.trials == {"runs": 3, "reached": 3}
    assert [one["reached"] for one in shown.pairs] == [True, False]
    assert shown.pairs[0]["label"] == "Perfect Match"


def test_another_scorer_s_number_is_shown_as_the_trajectory_score():
    facts = comparison(story(scores={"aligned": 0.75, "exact": 0.0}))
    assert judge(facts, Policy(scorer="exact")).trajectory_score == 0.0


def test_looks_that_failed_did_not_reach_the_end():
    judged = verdict(at_replay("newly-failing", seen=2, looks=3))
    assert judged.scenarios[0].trials == {"runs": 3, "reached": 1}


def test_a_pair_without_a_counterpart_is_a_mismatch():
    alone = replace(pair(0), candidate=None)
    judged = judge(comparison(story(pairs=(alone,))))
    (shown,) = judged.scenarios[0].pairs
    assert (shown["tool_name_match"], shown["label"], shown["similarity"]) == (
        False,
        "Mismatch",
        0.0,
    )


# --- what a reader must know first ---------------------------------------------------------------


def test_a_verdict_on_single_looks_says_so():
    judged = verdict(DEGRADED, baseline_looks=1)
    assert any("single looks" in remark for remark in judged.remarks)
    assert not any("single looks" in remark for remark in verdict(DEGRADED).remarks)


def test_a_break_that_was_seen_once_says_so():
    once = at_replay("result-emptied", seen=1, looks=1)
    assert "seen once and not confirmed: story" in verdict(once, looks=1).remarks
    assert not any("not confirmed" in remark for remark in verdict(BROKEN).remarks)
    twice = at_replay("result-emptied", seen=2, looks=2)
    assert not any("not confirmed" in remark for remark in verdict(twice, looks=2).remarks)


# --- suspects ------------------------------------------------------------------------------------


def first_look(change, **how):
    return at_replay(change, path="a", seen=1, looks=1, **how)


def suspected(*facts, **how):
    return suspects(comparison(story(*facts, looks=1, **how)))


@pytest.mark.parametrize(
    "change", ["newly-failing", "newly-refused", "result-emptied", "hit-lost", "error-swallowed"]
)
def test_what_would_be_broken_or_degraded_has_three_looks_in_all(change):
    assert suspected(first_look(change)) == {"story": 3}


@pytest.mark.parametrize(
    "change", ["item-added", "improvement", "result-order-changed", "newly-guarded", "score-moved"]
)
def test_what_lowers_no_further_than_acceptable_is_not_looked_at_again(change):
    assert suspected(first_look(change)) == {}


def test_a_value_is_looked_at_again_only_where_it_was_steady():
    steady = first_look("result-value-changed", before=1, after=2)
    assert suspected(steady) == {"story": 3}
    assert suspected(replace(steady, steadiness=replace(steady.steadiness, baseline=1))) == {}
    assert suspected(steady, world_may_have_moved=True) == {}


def test_a_value_that_the_world_may_have_moved_is_asked_of_the_old_build_where_it_runs():
    value = first_look("result-value-changed", before=1, after=2)
    facts = comparison(story(value, looks=1, world_may_have_moved=True))
    assert suspects(facts) == {}
    assert suspects(replace(facts, old_starts=True)) == {"story": 3}
    assert suspects(replace(facts, old_starts=False)) == {}
    asked = comparison(story(value, world_may_have_moved=True, old_looks=1), old_starts=True)
    assert suspects(asked) == {}


@pytest.mark.parametrize(("seen", "looks"), [(1, 2), (1, 3), (2, 3), (9, 10)])
def test_once_a_look_has_disagreed_there_are_ten(seen, looks):
    fact = at_replay("newly-failing", seen=seen, looks=looks)
    assert suspects(comparison(story(fact, looks=looks))) == {"story": 10}


def test_looks_that_agree_need_no_more_than_three():
    assert suspects(comparison(story(at_replay("newly-failing", seen=3, looks=3)))) == {"story": 3}


def test_how_many_looks_is_the_policy_s_choice():
    policy = Policy(rounds=5, rounds_disagreed=20)
    agreed, apart = first_look("newly-failing"), at_replay("newly-failing", seen=1, looks=2)
    assert suspects(comparison(story(agreed)), policy) == {"story": 5}
    assert suspects(comparison(story(apart)), policy) == {"story": 20}


def test_an_agent_s_run_is_no_replay_to_be_looked_at_again():
    fact = replace(first_look("newly-failing"), lane="agent")
    assert suspects(tried(fact)) == {}


def test_only_the_scenarios_under_suspicion_are_looked_at_again():
    a = story(replace(DEGRADED, site=replace(DEGRADED.site, scenario="a")), stem="a")
    assert suspects(comparison(a, of("good", "b"))) == {"a": 3}


def test_a_lost_target_is_looked_at_again_where_the_old_build_can_be_asked():
    lost = trouble("target-lost", scenario="story", step=0)
    facts = comparison(story(looks=1), troubles=(lost,))
    assert suspects(facts) == {}
    assert suspects(replace(facts, old_starts=True)) == {"story": 3}


# --- judged again --------------------------------------------------------------------------------


def test_the_same_comparison_is_judged_alike_whenever():
    facts = comparison(of("broken", "a"), of("acceptable", "b"))
    assert judge(facts) == judge(facts)
    assert rules(judge(facts)) == {
        ("result-emptied", "broken"),
        ("result-order-changed", "acceptable"),
    }


def test_a_criterion_that_fails_at_replay_counts_in_that_lane():
    failed = replace(
        by_agent("criterion-failed", tool="", path="c", step=-1, before="it is read"), lane="replay"
    )
    judged = verdict(failed)
    assert judged.lanes == {"surface": "good", "replay": "broken"}
