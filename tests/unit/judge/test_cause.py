"""Where a root comes from: named from evidence, and unknown without any."""

import pytest

from mcp_eval.judge.verdict import judge
from mcp_eval.model.comparison import GoalFacts
from tests.unit.judge.constructed import (
    TRIED,
    at_replay,
    by_agent,
    comparison,
    hit,
    on_surface,
    story,
    tried,
    verdict,
)


def cause(judged):
    (root,) = judged.roots
    assert {one.cause for one in judged.findings if one.id in root.findings} == {root.cause}
    return root.cause


# --- replay --------------------------------------------------------------------------------------


def test_an_answer_that_differs_in_every_look_is_the_target_s():
    assert cause(verdict(at_replay("hit-lost", path="a"))) == "target"


def test_one_look_in_a_clean_environment_is_the_target_s():
    once = at_replay("hit-lost", path="a", seen=1, looks=1)
    assert cause(verdict(once, resettable=True)) == "target"


def test_one_look_in_an_environment_nobody_reset_proves_nothing():
    once = at_replay("hit-lost", path="a", seen=1, looks=1)
    assert cause(verdict(once, resettable=False)) == "unknown"


def test_in_a_world_that_may_have_moved_nothing_is_proved():
    assert cause(verdict(at_replay("hit-lost", path="a"), world_may_have_moved=True)) == "unknown"


def test_a_crash_in_every_look_is_the_target_s_wherever_it_stands():
    crashed = at_replay("newly-failing", now="crashed")
    assert cause(verdict(crashed, world_may_have_moved=True)) == "target"


def test_what_the_old_build_shows_by_now_too_is_the_environment_s():
    both = at_replay("newly-failing", old=(2, 2))
    assert cause(verdict(both)) == "environment"


def test_what_the_old_build_does_not_show_is_the_target_s():
    assert cause(verdict(at_replay("newly-failing", old=(0, 2)))) == "target"


def test_where_the_baseline_s_own_looks_differed_it_is_the_baseline_s():
    shaky = at_replay("hit-lost", path="a", baseline=1)
    assert cause(verdict(shaky, baseline_looks=2)) == "baseline"


def test_a_baseline_of_one_look_cannot_differ_from_itself():
    assert cause(verdict(at_replay("hit-lost", path="a", baseline=1), baseline_looks=1)) == "target"


def test_one_steady_finding_is_enough_against_the_baseline_s_guilt():
    judged = verdict(
        at_replay("hit-lost", path="a", baseline=1), at_replay("result-emptied", path="b")
    )
    assert cause(judged) == "target"


def test_a_longer_answer_is_the_target_s_where_the_world_cannot_have_moved():
    longer = at_replay("costlier", before=100, after=900, baseline=0, seen=1, looks=1)
    assert cause(verdict(longer)) == "target"
    assert cause(verdict(longer, resettable=False)) == "unknown"


@pytest.mark.parametrize(("old_looks", "said"), [(0, "unknown"), (3, "target")])
def test_a_slower_answer_is_the_target_s_only_beside_the_old_build(old_looks, said):
    slow = at_replay("slower", before=[1, 2, 3], after=[300, 310, 320], baseline=0)
    assert cause(verdict(slow, old_looks=old_looks)) == said


# --- surface -------------------------------------------------------------------------------------


@pytest.mark.parametrize("hits", [[], [hit()]])
def test_a_change_of_the_surface_is_the_target_s(hits):
    judged = judge(comparison(story(), surface=[on_surface("tool-removed", hits=hits)]))
    assert cause(judged) == "target"


def test_the_surface_explains_even_what_the_old_build_s_replay_cannot():
    judged = judge(
        comparison(
            story(at_replay("hit-lost", path="a", old=(2, 2))),
            surface=[on_surface("parameter-removed", path="limit", hits=[hit("ok")])],
        )
    )
    assert cause(judged) == "target"


# --- agent ---------------------------------------------------------------------------------------


def missed(*, surface=(), lanes=TRIED, **how):
    fact = by_agent(
        "goal-not-reached", tool="", path="goal", step=-1, runs=5, missed=5, by="effects", **how
    )
    facts = tried(fact, goal=GoalFacts(runs=5, by="effects"))
    return judge(comparison(*facts.scenarios, surface=surface, lanes=lanes, required=TRIED))


def goal_root(judged):
    goal = next(one for one in judged.findings if one.rule == "goal-not-reached")
    return goal.cause


def test_a_goal_missed_on_an_unchanged_surface_is_the_agent_s():
    assert cause(missed()) == "agent"


def test_a_goal_missed_because_a_tool_failed_is_the_target_s():
    assert cause(missed(tool_failed="search")) == "target"


def test_a_goal_missed_where_only_words_of_the_surface_changed_is_the_target_s():
    assert goal_root(missed(surface=[on_surface("description-changed")])) == "target"


def test_a_goal_missed_where_more_of_the_surface_changed_is_unknown():
    changes = [on_surface("description-changed"), on_surface("tool-added", tool="find")]
    assert goal_root(missed(surface=changes)) == "unknown"


def test_a_goal_missed_where_nobody_looked_at_the_surface_is_unknown():
    assert cause(missed(lanes=("agent",))) == "unknown"
