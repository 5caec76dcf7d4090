"""The goal of a run: by criteria, by effects, by what the last words took from outcomes."""

import pytest

from mcp_eval.compare.goals import (
    Attempt,
    agent_differences,
    failed_criteria,
    goal_facts,
    missed_goal,
    told,
)
from mcp_eval.model.comparison import (
    ArgumentsSimilarity,
    Call,
    CriterionResult,
    GoalFacts,
    Pair,
    Steadiness,
)
from mcp_eval.model.surface import Surface, Tool
from mcp_eval.model.trajectory import Message

NOTHING = Surface()


def call(tool="search", said="", *, step=0, kind="ok", effect=False, arguments=None):
    return Call(
        step=step,
        tool=tool,
        name=tool,
        arguments=arguments or {},
        outcome=said,
        outcome_class=kind,
        effect=effect,
    )


def attempt(*calls, asked="Which server?", answer=""):
    said = (Message(role="user", text=asked), Message(role="assistant", text=answer))
    return Attempt(calls=calls, messages=said)


def facts(baseline, *attempts, before=NOTHING, after=NOTHING, **criteria):
    return goal_facts(baseline, attempts, before, after, **criteria)


def lacks(baseline, *attempts, **more):
    return facts(baseline, *attempts, **more).missed


def criterion(text="it is added", result="yes", baseline="yes", kind="typed"):
    return CriterionResult(text=text, kind=kind, result=result, baseline=baseline, quote="said so")


# --- by what the last words took from outcomes ---


def test_the_last_words_of_the_agent_are_its_answer():
    messages = [("assistant", "One moment."), ("assistant", "Done."), ("user", "Thanks.")]
    said = tuple(Message(role=role, text=text) for role, text in messages)
    assert Attempt(calls=(), messages=said).answer == "Done."
    assert Attempt(calls=()).answer == ""


def test_only_what_came_from_an_outcome_and_was_not_asked_for_is_told():
    made = attempt(
        call(said="srv-4711 at port 8080"),
        call(said="srv-9999", kind="failed"),
        asked="Is there a server at 8080?",
        answer="Yes: `srv-4711` listens on 8080, not srv-9999 and not srv-1234.",
    )
    assert told(made) == {"srv-4711"}
    assert told(attempt(call(said="srv-4711"), answer="")) == frozenset()


def test_a_run_that_tells_what_the_baseline_told_reached_the_goal():
    baseline = attempt(call(said="srv-4711 srv-4712"), answer="srv-4711 and srv-4712")
    found = facts(baseline, attempt(call(said="SRV-4711 srv-4712"), answer="(srv-4711)"))
    assert (found.runs, found.reached, found.by, found.missed) == (1, 1, "answer", ())
    assert not found.effects
    assert not found.rerun_possible


def test_what_no_outcome_holds_or_the_answer_leaves_out_is_lacked():
    names = " ".join(f"srv-{number}" for number in (4711, 4712, 4713, 4714, 4715))
    baseline = attempt(call(said=names), answer=names)
    silent = attempt(call(said=names), answer="srv-4715 srv-4714")
    ended = attempt(call(said=names), answer="srv-4715 srv-4714 srv-4713")
    lost = attempt(call(said="srv-4715"), answer="srv-4715")
    assert lacks(baseline, silent) == ("its answer does not say srv-4711, srv-4712, srv-4713",)
    assert lacks(baseline, ended) == ()
    assert lacks(baseline, lost) == ("no outcome holds srv-4711, srv-4712, srv-4713",)
    found = facts(baseline, silent, ended, lost)
    assert (found.runs, found.reached, found.rerun_possible) == (3, 1, True)


# --- by effects ---


def test_each_effect_is_to_be_matched_by_one_of_its_own():
    add = call("add", effect=True, arguments={"id": "a"})
    assert facts(attempt(add), attempt(add)).by == "effects"
    assert facts(attempt(add), attempt(add)).effects
    assert facts(attempt(), attempt(add)).effects
    assert lacks(attempt(add), attempt(call(), add)) == ()
    assert lacks(attempt(call(), add, add), attempt(add)) == ("no effect like add",)
    assert lacks(attempt(add), attempt(add, add)) == ("an effect the baseline did not have: add",)


@pytest.mark.parametrize(
    ("now", "reached"),
    [
        (call("add", effect=True, arguments={"id": "a", "note": "A new one"}), True),
        (call("add", effect=True, arguments={"id": "b", "note": "a first one"}), False),
        (call("put", effect=True, arguments={"id": "a", "note": "a first one"}), False),
        (call("add", arguments={"id": "a", "note": "a first one"}), False),
    ],
)
def test_an_effect_is_the_same_where_all_but_free_text_is(now, reached):
    before = call("add", effect=True, arguments={"id": "a", "note": "a first one"})
    assert bool(lacks(attempt(before), attempt(now))) is not reached


# --- by criteria ---


def test_a_typed_criterion_decides_and_prose_does_not():
    prose = criterion("it is kind", "no", kind="prose")
    missed = criterion("it is added", "no")
    already = criterion("it is fast", "no", baseline="no")
    one = attempt(call("add", effect=True))
    assert facts(attempt(), one, criteria=[criterion(), prose, already]).missed == ()
    found = facts(attempt(), one, criteria=[missed, prose])
    assert (found.by, found.missed) == ("criteria", ("criterion not met: it is added",))
    assert facts(attempt(), one, criteria=[prose]).by == "nothing"


def test_each_run_has_its_own_criteria_where_they_were_read_run_by_run():
    good, bad = [criterion()], [criterion(result="no")]
    one = attempt()
    assert facts(one, one, one, criteria=bad, by_run=[good, bad]).reached == 1
    assert facts(one, one, one, criteria=bad, by_run=[good]).reached == 0


# --- tools ---


def test_another_tool_instead_is_evidence_and_none_at_all_is_not():
    assert facts(attempt(call("a")), attempt(call("a"), call("b"))).common_keys
    assert not facts(attempt(call("a")), attempt(call("b"))).common_keys
    assert facts(attempt(call("a")), attempt()).common_keys
    assert facts(attempt(), attempt(call("b"))).common_keys


def test_a_tool_that_is_gone_or_answered_nothing_is_named():
    used = attempt(call("a"), call("b", kind="failed"))
    offered = Surface(tools=(Tool(name="a"), Tool(name="b")))
    other = Surface(tools=(Tool(name="b"),))
    assert facts(used, attempt(), before=offered, after=other).tool_failed == "a"
    assert facts(used, attempt(), before=other, after=other).tool_failed == ""
    assert facts(used, attempt(), before=offered, after=NOTHING).tool_failed == ""
    assert facts(used, attempt(call("a", kind="failed"))).tool_failed == "a"
    assert facts(used, attempt(call("a", kind="crashed"))).tool_failed == "a"
    assert facts(used, attempt(call("a", kind="refused"))).tool_failed == ""
    assert facts(used, attempt(call("a", kind="failed"), call("a"))).tool_failed == ""
    assert facts(used, attempt(call("b", kind="failed"))).tool_failed == ""


# --- facts of a goal ---


def test_a_goal_that_every_run_reached_is_no_difference():
    assert not list(missed_goal("s", GoalFacts(runs=3, reached=3)))
    assert not list(missed_goal("s", GoalFacts(runs=3, reached=3, by="nothing")))
    assert not list(missed_goal("s", GoalFacts(runs=3, reached=3, common_keys=False)))


def test_a_goal_that_was_missed_says_how_often_and_by_what():
    goal = GoalFacts(runs=8, reached=2, by="answer", missed=tuple("abcdef"), tool_failed="t")
    (one,) = missed_goal("s", goal)
    assert (one.site.path, one.site.tool, one.site.scenario, one.lane) == ("goal", "", "s", "agent")
    assert one.change == "goal-not-reached"
    assert one.steadiness == Steadiness(seen=6, looks=8)
    assert one.details == {
        "runs": 8,
        "missed": 6,
        "by": "answer",
        "lacked": ["a", "b", "c", "d", "e"],
        "tool_failed": "t",
        "common_keys": True,
        "rerun_possible": True,
    }


def test_runs_that_share_nothing_with_the_baseline_have_missed_what_nobody_can_name():
    strangers = facts(attempt(call("search")), attempt(call("list")), attempt(call("list")))
    assert (strangers.runs, strangers.reached, strangers.by) == (2, 0, "nothing")
    assert not strangers.common_keys
    (one,) = missed_goal("s", strangers)
    assert one.details["missed"] == 2
    assert one.details["lacked"] == ["it used no tool that the baseline used"] * 2


def test_a_criterion_that_held_and_does_not_is_a_difference():
    listed = [
        criterion("a", "no"),
        criterion("b", "yes"),
        criterion("c", "no", baseline="no"),
        criterion("d", "unknown"),
    ]
    (one,) = failed_criteria("s", listed, "replay", 3)
    assert (one.site.path, one.site.scenario, one.lane) == ("a", "s", "replay")
    assert (one.change, one.before, one.after) == ("criterion-failed", "a", "said so")
    assert one.steadiness == Steadiness(seen=3, looks=3)
    assert one.details == {"judged": False}


# --- the path, as notes ---


def pair(old=None, new=None, similarity=1.0, *, moved=False):
    return Pair(
        baseline=old,
        candidate=new,
        arguments=ArgumentsSimilarity(similarity=similarity),
        moved=moved,
    )


def notes(*pairs):
    found = agent_differences("s", pairs)
    return [(one.change, one.site.tool, one.site.step, one.before, one.after) for one in found]


def test_calls_that_pair_leave_no_note():
    assert notes(pair(call("a"), call("a")), pair(call("b", step=1), call("b", step=1))) == []


def test_what_an_agent_did_otherwise_is_noted():
    old = call("a", arguments={"q": "x"})
    new = call("a", arguments={"q": "y"}, step=4)
    assert notes(pair(None, new)) == [("call-extra", "a", 4, None, {"q": "y"})]
    assert notes(pair(old, None), pair(call("b"), call("b"))) == [
        ("call-missing", "a", 0, {"q": "x"}, None)
    ]
    assert notes(pair(old, new, 0.9)) == [("argument-drift", "a", 0, {"q": "x"}, {"q": "y"})]
    assert notes(pair(old, new, 0.9995)) == []
    assert notes(pair(old, new, moved=True)) == [("call-moved", "a", 0, 0, 4)]


def test_another_tool_for_all_that_is_missing_is_a_wrong_tool():
    assert [one[0] for one in notes(pair(call("a"), None), pair(None, call("b")))] == [
        "wrong-tool",
        "call-extra",
    ]
    assert [one[0] for one in notes(pair(call("a"), None))] == ["call-missing"]
    kept = pair(call("c", step=1), call("c", step=1))
    assert [one[0] for one in notes(pair(call("a"), None), kept, pair(None, call("b")))] == [
        "call-missing",
        "call-extra",
    ]


def test_calls_in_another_order_have_moved():
    found = notes(
        pair(call("a", step=0), call("a", step=2)),
        pair(call("b", step=1), call("b", step=0)),
        pair(call("c", step=2), call("c", step=1)),
    )
    assert found == [("call-moved", "a", 0, 0, 2)]
