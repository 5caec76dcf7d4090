"""One fault, one root: every way in which findings share an origin, and where they do not."""

import json

import pytest
from msgspec.structs import replace

from mcp_eval.judge.verdict import judge
from mcp_eval.model.comparison import GoalFacts
from tests.unit.judge.constructed import (
    at_replay,
    by_agent,
    comparison,
    hit,
    on_surface,
    pair,
    rules,
    story,
    tried,
    trouble,
    verdict,
)


def roots(judged):
    """The rules behind each root."""
    by_id = {one.id: one for one in judged.findings}
    return [{by_id[name].rule for name in root.findings} for root in judged.roots]


# --- one invocation ------------------------------------------------------------------------------


def test_all_findings_of_one_invocation_share_a_root():
    judged = verdict(
        at_replay("hit-lost", path="hits"),
        at_replay("result-type-changed", path="total"),
        at_replay("costlier", before=100, after=900),
    )
    assert roots(judged) == [{"hit-lost", "result-type-changed", "costlier"}]


def test_two_invocations_with_different_troubles_are_two_roots():
    judged = verdict(
        at_replay("hit-lost", path="hits"),
        at_replay("result-type-changed", tool="list", path="total", step=1),
    )
    assert len(judged.roots) == 2


def test_the_worst_root_comes_first_and_findings_are_numbered_by_it():
    judged = verdict(
        at_replay("result-order-changed", path="a"),
        at_replay("result-emptied", tool="list", path="b", step=1),
        at_replay("hit-lost", tool="read", path="c", step=2),
    )
    assert [root.status for root in judged.roots] == ["broken", "degraded", "acceptable"]
    assert [root.id for root in judged.roots] == ["R1", "R2", "R3"]
    assert [one.id for one in judged.findings] == ["F1", "F2", "F3"]


def test_notes_go_with_their_invocation_and_make_no_root_of_their_own():
    judged = verdict(
        at_replay("hit-lost", path="hits"),
        at_replay("count-followed", path="total"),
        at_replay("item-added", tool="list", path="items", step=1),
    )
    assert roots(judged) == [{"hit-lost", "count-followed"}]
    assert rules(judged) >= {("item-added", "note")}


# --- the same in many scenarios ------------------------------------------------------------------


def test_the_same_finding_in_many_scenarios_is_one_finding_of_one_root():
    stems = ("a", "b", "c")
    judged = judge(
        comparison(
            *(story(at_replay("hit-lost", path="hits", scenario=s), stem=s) for s in stems),
            calls={"search": 4},
        )
    )
    assert len(judged.roots) == 1
    (found,) = judged.findings
    assert found.scenarios == stems
    assert found.evidence["also"] == ["b, step 0", "c, step 0"]
    assert judged.roots[0].share == 0.75


def test_a_tool_that_fails_here_and_is_empty_there_has_one_thing_wrong():
    judged = verdict(
        at_replay("newly-failing", tool="search", step=0, after="boom"),
        at_replay("result-emptied", tool="search", step=1),
    )
    assert len(judged.roots) == 1


def test_two_tools_that_fail_for_different_reasons_are_two_roots():
    judged = verdict(
        at_replay("newly-failing", tool="search", step=0, after="no such index"),
        at_replay("newly-failing", tool="list", step=1, after="permission denied"),
    )
    assert len(judged.roots) == 2


# --- one change at several tools alike -----------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "how"),
    [
        ("content-type-changed", {"path": "structuredContent", "after": None}),
        ("error-swallowed", {}),
        ("newly-failing", {"after": "request 17 failed: upstream 'a' is gone"}),
        ("result-field-removed", {"path": "meta"}),
        ("result-type-changed", {"path": "total", "after": "3"}),
        ("result-value-changed", {"path": "v", "before": "1.0", "after": "2.0"}),
        ("server-request-new", {"after": "roots/list"}),
    ],
)
def test_one_change_at_several_tools_alike_is_one_root(change, how):
    facts = [at_replay(change, tool=tool, step=n, **how) for n, tool in enumerate("abc")]
    judged = verdict(*facts)
    assert len(judged.roots) == 1
    assert len(judged.findings) == 3
    assert "2 more" in judged.roots[0].message


def test_an_error_that_differs_in_its_numbers_and_quotes_only_is_alike():
    judged = verdict(
        at_replay("newly-failing", tool="a", step=0, after="worker 17 died: 'search'"),
        at_replay("newly-failing", tool="b", step=1, after="worker 23 died: 'list'"),
    )
    assert len(judged.roots) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"path": "meta"}, {"path": "total"}),
        ({"path": "a.meta"}, {"path": "b.total"}),
    ],
)
def test_other_fields_lost_at_other_tools_are_other_roots(one, other):
    judged = verdict(
        at_replay("result-field-removed", tool="a", step=0, **one),
        at_replay("result-field-removed", tool="b", step=1, **other),
    )
    assert len(judged.roots) == 2


def test_a_field_lost_at_another_depth_of_other_tools_is_alike():
    judged = verdict(
        at_replay("result-field-removed", tool="a", step=0, path="items[].meta"),
        at_replay("result-field-removed", tool="b", step=1, path="meta"),
    )
    assert len(judged.roots) == 1


@pytest.mark.parametrize(
    ("change", "how"),
    [
        ("description-changed", {"halved": True}),
        ("annotation-changed", {"path": "annotations.readOnlyHint", "loosened": True}),
        ("parameter-newly-required", {"path": "tenant"}),
        ("enum-value-removed", {"path": "kind", "values": ["all"]}),
        ("output-schema-changed", {"promises": "less"}),
    ],
)
def test_one_change_of_the_surface_at_several_tools_is_one_root(change, how):
    facts = [on_surface(change, tool=tool, **how) for tool in "abc"]
    judged = judge(comparison(story(), surface=facts))
    assert len(judged.roots) == 1


def test_alike_changes_of_another_status_are_other_roots():
    facts = [
        on_surface("parameter-newly-required", tool="a", path="tenant", hits=[hit()]),
        on_surface("parameter-newly-required", tool="b", path="tenant"),
    ]
    judged = judge(comparison(story(), surface=facts))
    assert [root.status for root in judged.roots] == ["broken", "degraded"]


@pytest.mark.parametrize(
    ("change", "one", "other"),
    [
        ("enum-value-removed", {"values": ["all"]}, {"values": ["one"]}),
        ("constraint-dropped", {"keyword": "enum"}, {"keyword": "minimum"}),
        ("parameter-type-changed", {"after": "string"}, {"after": "array"}),
    ],
)
def test_another_change_of_the_same_parameter_elsewhere_is_another_root(change, one, other):
    facts = [
        on_surface(change, tool=tool, path="kind", **how) for tool, how in zip("ab", (one, other), strict=True)
    ]  # fmt: skip
    assert len(judge(comparison(story(), surface=facts)).roots) == 2
    same = [on_surface(change, tool=tool, path="kind", **one) for tool in "ab"]
    assert len(judge(comparison(story(), surface=same)).roots) == 1


def test_removed_tools_are_a_root_each():
    facts = [on_surface("tool-removed", tool=tool) for tool in "abc"]
    assert len(judge(comparison(story(), surface=facts)).roots) == 3


# --- the surface and what it does ----------------------------------------------------------------


def test_a_surface_change_takes_what_its_requests_answer_otherwise_into_its_root():
    judged = judge(
        comparison(
            story(at_replay("hit-lost", path="hits"), at_replay("hit-lost", tool="x", step=1)),
            surface=[on_surface("parameter-removed", path="limit", hits=[hit("ok")])],
        )
    )
    assert roots(judged) == [{"parameter-removed", "hit-lost"}, {"hit-lost"}]


def test_a_rename_hides_nothing_behind_it_and_stays_one_root():
    rename = on_surface("tool-renamed", after="find", hits=[hit()], renamed_to="find")
    note = on_surface("parameter-added", path="limit", renamed_to="find")
    judged = judge(
        comparison(story(at_replay("hit-lost", path="hits")), surface=[rename, note])
    )  # fmt: skip
    assert roots(judged) == [{"tool-renamed", "hit-lost", "parameter-added"}]


# --- what one step does to the next --------------------------------------------------------------


def test_a_lost_id_and_the_steps_that_failed_for_want_of_it_are_one_root():
    judged = verdict(
        at_replay("result-field-removed", path="id", needed_by=[1, 2]),
        at_replay("newly-failing", tool="close", step=2, after="no ticket"),
        pairs=(pair(0), pair(1, reached=False, waits_for=0), pair(2)),
    )
    assert roots(judged) == [{"result-field-removed", "newly-failing"}]


def test_a_write_that_was_lost_and_the_read_that_shows_it_are_one_root():
    judged = verdict(
        at_replay("result-value-changed", tool="add", path="saved", before=1, after=0),
        at_replay("effect-lost", tool="list", path="notes", step=3, written_by=0),
    )
    assert roots(judged) == [{"result-value-changed", "effect-lost"}]


def test_two_reads_that_miss_one_write_are_one_root_and_those_of_another_a_second():
    judged = verdict(
        at_replay("effect-lost", tool="get", step=3, written_by=0),
        at_replay("effect-lost", tool="list", path="notes", step=4, written_by=0),
        at_replay("effect-lost", tool="read", path="log", step=5, written_by=1),
    )
    assert sorted(len(root.findings) for root in judged.roots) == [1, 2]


def test_a_request_that_uses_what_an_earlier_answer_changed_shares_its_root():
    judged = verdict(
        at_replay("result-field-renamed", path="items[].id", after="key"),
        at_replay("newly-failing", tool="read", step=1, after="no such item"),
        pairs=(pair(0), pair(1, needs=["0:items[].id"])),
    )
    assert len(judged.roots) == 1


def test_a_request_that_uses_another_part_of_the_answer_does_not():
    judged = verdict(
        at_replay("result-field-removed", path="items[].size"),
        at_replay("newly-failing", tool="read", step=1, after="no such item"),
        pairs=(pair(0), pair(1, needs=["0:items[].id"])),
    )
    assert len(judged.roots) == 2


def test_a_difference_that_misses_what_a_failed_step_sent_shares_its_root():
    judged = verdict(
        at_replay("newly-failing", tool="add", after="boom"),
        at_replay("hit-lost", tool="list", path="notes", step=1, before=[{"t": "plants"}]),
        pairs=(pair(0, tool="add", arguments={"title": "plants"}), pair(1)),
    )
    assert len(judged.roots) == 1


def test_a_difference_that_misses_what_a_failed_step_was_answered_shares_its_root():
    judged = verdict(
        at_replay("newly-failing", tool="close", after="boom"),
        at_replay("result-value-changed", tool="list", path="s", step=1, before="closed"),
        pairs=(pair(0, tool="close", said=json.dumps({"state": "closed"})), pair(1)),
    )
    assert len(judged.roots) == 1


def test_a_difference_that_misses_something_else_is_a_root_of_its_own():
    judged = verdict(
        at_replay("newly-failing", tool="add", after="boom"),
        at_replay("hit-lost", tool="list", path="notes", step=1, before=[{"t": "groceries"}]),
        pairs=(pair(0, tool="add", arguments={"title": "plants"}), pair(1)),
    )
    assert len(judged.roots) == 2


def test_what_came_before_a_failure_was_not_brought_by_it():
    judged = verdict(
        at_replay("hit-lost", tool="list", path="notes", step=0, before=[{"t": "plants"}]),
        at_replay("newly-failing", tool="add", step=1, after="boom"),
        pairs=(pair(0), pair(1, tool="add", arguments={"title": "plants"})),
    )
    assert len(judged.roots) == 2


def test_a_listing_that_misses_what_unreached_steps_would_have_made_shares_the_lost_id_s_root():
    listing = at_replay("result-value-changed", tool="list", path="s", step=2, before="closed")
    judged = verdict(
        at_replay("result-field-removed", path="id", needed_by=[1]),
        listing,
        pairs=(
            pair(0),
            pair(1, said=json.dumps({"state": "closed"}), reached=False, waits_for=0),
            pair(2),
        ),
    )
    assert len(judged.roots) == 1


def test_a_removed_tool_brings_what_later_reads_miss_of_it():
    removed = on_surface("tool-removed", tool="add", hits=[hit()])
    judged = judge(
        comparison(
            story(
                at_replay("newly-failing", tool="add", after="no such tool"),
                at_replay("hit-lost", tool="list", path="notes", step=1, before=["plants"]),
                pairs=(pair(0, tool="add", arguments={"title": "plants"}), pair(1)),
            ),
            surface=[removed],
        )
    )
    assert roots(judged) == [{"tool-removed", "hit-lost"}]


def test_another_scenario_s_steps_bring_nothing():
    plants = {"title": "plants"}
    judged = judge(
        comparison(
            story(
                at_replay("newly-failing", tool="add", scenario="a", after="boom"),
                stem="a",
                pairs=(pair(0, tool="add", arguments=plants),),
            ),
            story(
                at_replay("hit-lost", tool="list", scenario="b", step=1, before=["plants"]),
                stem="b",
                pairs=(pair(0, tool="add", arguments=plants), pair(1)),
            ),
        )
    )
    assert len(judged.roots) == 2


# --- what a run misses as a whole ---------------------------------------------------------------


def goal(**how):
    told = {"runs": 1, "missed": 1, "common_keys": False, **how}
    return by_agent("goal-not-reached", tool="", path="goal", step=-1, **told)


def test_a_missed_goal_and_the_path_past_it_are_one_root():
    facts = GoalFacts(runs=1, by="nothing")
    judged = judge(tried(goal(), by_agent("wrong-tool"), goal=facts))
    assert rules(judged) == {("goal-not-reached", "broken"), ("wrong-tool", "acceptable")}
    assert len(judged.roots) == 1


def criterion():
    failed = by_agent("criterion-failed", tool="", path="c", step=-1, before="two are found")
    return replace(failed, lane="replay")


def test_a_criterion_fails_for_the_one_thing_that_is_wrong_in_its_scenario():
    judged = verdict(at_replay("hit-lost", path="hits"), criterion())
    assert roots(judged) == [{"hit-lost", "criterion-failed"}]
    assert (judged.roots[0].status, judged.roots[0].cause) == ("broken", "target")


def test_a_criterion_that_may_fail_for_one_thing_or_another_is_a_root_of_its_own():
    judged = verdict(
        at_replay("hit-lost", path="hits"),
        at_replay("result-emptied", tool="list", step=1),
        criterion(),
    )
    assert len(judged.roots) == 3


def test_a_criterion_that_fails_alone_is_a_root_of_unknown_cause():
    judged = verdict(criterion())
    assert [root.cause for root in judged.roots] == ["unknown"]


def test_a_goal_missed_for_want_of_a_removed_tool_shares_its_root():
    gone = on_surface("tool-removed", tool="add_server", hits=[hit()])
    other = on_surface("tool-removed", tool="search", hits=[hit()])
    facts = tried(goal(tool_failed="add_server"), goal=GoalFacts(runs=1))
    judged = judge(replace(facts, surface=(gone, other)))
    assert roots(judged) == [{"tool-removed", "goal-not-reached"}, {"tool-removed"}]
    assert judged.roots[0].message.startswith("`add_server` is gone")


def test_a_goal_missed_for_want_of_an_operation_that_failed_shares_its_root():
    failing = replace(at_replay("newly-failing", tool="servers[add]"), lane="agent")
    other = replace(at_replay("result-emptied", tool="search", step=1), lane="agent")
    judged = judge(tried(failing, other, goal(tool_failed="servers"), goal=GoalFacts(runs=1)))
    assert {"newly-failing", "goal-not-reached"} in roots(judged)
    assert len(judged.roots) == 2


# --- troubles ------------------------------------------------------------------------------------


def test_two_different_troubles_are_two_roots():
    a = story(stem="a", troubles=(trouble("scenario-edited", scenario="a"),))
    b = story(stem="b", troubles=(trouble("rate-limited", scenario="b", step=0),))
    assert len(judge(comparison(a, b)).roots) == 2


def test_a_root_s_share_is_of_all_recorded_calls_and_counts_what_was_not_reached():
    lost = at_replay("result-field-removed", path="id", needed_by=[1, 2, 3])
    judged = judge(comparison(story(lost), calls={"create": 1, "close": 7}))
    assert judged.roots[0].share == 0.5
    assert judge(comparison(story(lost))).roots[0].share == 0.0
    assert judge(comparison(story(lost), calls={"create": 12})).roots[0].share == 0.3333
    assert judge(comparison(story(lost), calls={"create": 3})).roots[0].share == 1.0


def test_a_surface_change_s_share_is_of_the_calls_it_hits():
    hits = [hit(step=0), hit(step=1), hit(scenario="b", step=0)]
    gone = on_surface("tool-removed", hits=hits)
    judged = judge(comparison(story(), story(stem="b"), surface=[gone], calls={"search": 12}))
    assert judged.roots[0].share == 0.25
    assert set(judged.roots[0].scenarios) == {"story", "b"}


def test_a_root_is_told_by_its_worst_finding():
    judged = verdict(
        at_replay("result-order-changed", path="a"), at_replay("result-emptied", path="b")
    )
    worst = next(one for one in judged.findings if one.rule == "result-emptied")
    (root,) = judged.roots
    assert (root.status, root.message, root.fix) == ("broken", worst.message, worst.fix)


def test_where_the_order_of_differences_changes_the_roots_stay():
    facts = (
        at_replay("result-field-removed", path="id", needed_by=[1]),
        at_replay("newly-failing", tool="close", step=1, after="no ticket"),
        at_replay("hit-lost", tool="list", path="x", step=2),
    )
    pairs = (pair(0), pair(1), pair(2))
    assert roots(verdict(*facts, pairs=pairs)) == roots(verdict(*facts[::-1], pairs=pairs))


def test_a_capability_that_is_gone_takes_along_what_it_announced():
    judged = verdict(
        on_surface("capability-lost", tool="", path="capabilities.prompts", capability="prompts"),
        on_surface("prompt-removed", tool="greet", path=""),
        on_surface("prompt-removed", tool="part", path=""),
        on_surface("resource-removed", tool="notes://all", path=""),
    )
    assert sorted(map(sorted, roots(judged))) == [
        ["capability-lost", "prompt-removed"],
        ["resource-removed"],
    ]
