"""What stands apart though it has one name, and what stands together though it has many."""

from mcp_eval.judge.verdict import judge
from tests.unit.judge.constructed import (
    at_replay,
    comparison,
    offered,
    on_surface,
    rules,
    verdict,
)


def test_a_tool_and_a_prompt_of_one_name_are_two_findings_with_two_roots():
    judged = offered(
        on_surface("parameter-removed", tool="plan", path="day", before="day"),
        on_surface("parameter-removed", tool="plan", path="day", before="day", kind="prompt"),
        on_surface("description-changed", tool="other", path="description", kind="prompt"),
    )
    assert sum(one.rule == "parameter-removed" for one in judged.findings) == 2


def test_a_lost_capability_and_all_that_went_with_it_have_one_root():
    lost = {"capability": "prompts", "method": "prompts/get"}
    judged = offered(
        on_surface("capability-lost", tool="", path="capabilities.prompts", **lost),
        on_surface("prompt-removed", tool="plan", kind="prompt"),
        on_surface("prompt-removed", tool="review", kind="prompt"),
        on_surface("tool-removed", tool="search"),
    )
    found = {one.id: (one.rule, one.tool) for one in judged.findings}
    assert sorted(sorted(found[name] for name in root.findings) for root in judged.roots) == [
        [("capability-lost", ""), ("prompt-removed", "plan"), ("prompt-removed", "review")],
        [("tool-removed", "search")],
    ]


def test_a_lost_capability_of_another_kind_takes_nothing_along():
    judged = offered(
        on_surface("capability-lost", tool="", path="capabilities.logging", capability="logging"),
        on_surface("tool-removed", tool="search"),
    )
    assert len(judged.roots) == 2


def test_times_that_make_no_finding_leave_an_identical_scenario_at_one():
    judged = verdict(at_replay("slower", before=[10, 11, 12], after=[13, 14, 15]), similarity=1.0)
    assert not judged.findings
    assert (judged.status, judged.score) == ("good", 1.0)
    assert judged.scenarios[0].score == 1.0
    slow = verdict(at_replay("slower", before=[10, 11, 12], after=[500, 510, 520]), similarity=1.0)
    assert rules(slow) == {("slower", "acceptable")}
    assert slow.scenarios[0].score < 1.0


def test_where_nobody_was_recorded_a_closed_object_breaks_nobody():
    def judged(**details):
        narrowed = on_surface(
            "bounds-narrowed", witness={"unnamed": 1}, keywords=["additionalProperties"], **details
        )
        bare = comparison(surface=(narrowed,), recorded=False, lanes=("surface",))
        return judge(bare)

    assert rules(judged(closed=True)) == {("bounds-narrowed", "degraded")}
    assert rules(judged()) == {("bounds-narrowed", "broken")}
