"""The agent lane of a check: an agent's moods are no break, and a break of the target is one."""

import dataclasses

import pytest
from msgspec.structs import replace

from mcp_eval.model.policy import Policy
from mcp_eval.model.scenario import Criterion
from mcp_eval.model.trajectory import Message, Trouble, Usage
from mcp_eval.ports import Bounds
from mcp_eval.workflows.check import CheckPlan, check
from mcp_eval.workflows.events import Checked, Line
from tests.flows.fakes import failure
from tests.flows.suites import (
    answering,
    call,
    recorded,
    scenario,
    server,
    target_of,
    world,
)

LANES = ("surface", "replay", "agent")


class Moody:
    """An Agent that does something else in each of its runs."""

    name, model, bounds = "moody", "m-1", Bounds(turns=5, usd=0.5, seconds=60)

    def __init__(self, script, *moods, usd=0.1):
        self.script = script
        self.moods = moods
        self.usd = usd
        self.runs = 0

    async def run(self, scenario, environment, *, surface, trial):
        mood = self.moods[min(self.runs, len(self.moods) - 1)]
        self.runs += 1
        if isinstance(mood, Trouble):
            run = await self._did(scenario, (), environment, surface, trial)
            return replace(run, troubles=(mood,))
        return await self._did(scenario, mood, environment, surface, trial)

    async def _did(self, scenario, steps, environment, surface, trial):
        doing = replace(scenario, expected_trajectory=tuple(steps))
        run = await self.script.run(doing, environment, surface=surface, trial=trial)
        said = (*run.trajectory.messages, Message(role="assistant", text="Done."))
        usage = Usage(cost_usd=self.usd)
        trajectory = replace(run.trajectory, messages=said, usage=usage)
        return replace(run, agent=self.name, model=self.model, trajectory=trajectory)


PUT, LOOK = call("create_note", text="milk"), call("find_note", word="milk")


def notes(**more):
    return server(
        create_note=answering({"id": "n-1", "created": True}, reads=False),
        find_note=answering({"hits": ["milk"]}, reads=True),
        **more,
    )


async def tried(
    *moods,
    build=None,
    trials=1,
    policy=None,
    said=None,
    resettable=True,
    steps=(PUT, LOOK),
    usd=0.1,
    lanes=LANES,
    **facts,
):
    """The report of a check with an agent of these moods."""
    story = scenario(*steps, user_intent="note it", **facts)
    baseline = await recorded(notes(), story, resettable=resettable)
    there = world(target_of(build or notes(), resettable=resettable))
    agent = Moody(there.agent, *moods, usd=usd)
    plan = CheckPlan(
        baseline=baseline, scenarios=(story,), policy=policy or Policy(), trials=trials, lanes=lanes
    )
    report = None
    async for happening in check(dataclasses.replace(there, agent=agent), plan):
        report = happening.report if isinstance(happening, Checked) else report
        if said is not None and isinstance(happening, Line):
            said.append(happening.text)
    return report, agent


def rules(report):
    return {one.rule: one for one in report.findings if one.status != "note"}


async def test_one_run_that_reaches_its_goal_is_enough_whatever_its_path():
    said = []
    report, agent = await tried((LOOK, LOOK, PUT), said=said)
    assert (report.status, agent.runs) == ("good", 1)
    assert report.lanes == {"surface": "good", "replay": "good", "agent": "good"}
    assert report.scenarios[0].trials == {"runs": 1, "reached": 1}
    assert report.scenarios[0].lanes["agent"] == "good"
    assert any("1 run of at most 5 turns, $0.50" in text for text in said)
    assert any("up to 4 times" in text for text in said)


async def test_a_goal_missed_once_and_reached_in_all_runs_after_it_is_flaky_and_no_more():
    report, agent = await tried((LOOK,), (PUT,))
    assert (report.status, agent.runs) == ("good", 5)
    assert report.scenarios[0].trials == {"runs": 5, "reached": 4}
    (missed,) = [one for one in report.findings if one.rule == "goal-not-reached"]
    assert missed.status == "note"
    assert "flaky" in missed.marks


@pytest.mark.parametrize(
    ("moods", "status"),
    [
        (((LOOK,), (LOOK,), (PUT,)), "acceptable"),
        (((LOOK,), (LOOK,), (LOOK,), (PUT,)), "degraded"),
        (((LOOK,),), "broken"),
    ],
)
async def test_how_often_a_goal_is_missed_decides(moods, status):
    report, _ = await tried(*moods)
    assert report.lanes["agent"] == status
    assert report.lanes["replay"] == "good"
    (root,) = [one for one in report.roots if one.status == status]
    assert root.cause == "agent"


async def test_the_target_is_to_blame_where_its_tool_fails():
    broken = server(
        create_note=answering(failure("out of paper"), reads=False),
        find_note=answering({"hits": ["milk"]}, reads=True),
    )
    report, _ = await tried((PUT, LOOK), build=broken)
    assert report.status == "broken"
    assert {root.cause for root in report.roots if root.status == "broken"} == {"target"}


async def test_an_effect_nobody_had_is_a_miss():
    report, _ = await tried((LOOK, PUT), steps=(LOOK,))
    assert rules(report)["goal-not-reached"].status == "broken"


async def test_where_nothing_may_be_repeated_the_agent_runs_alone_and_once():
    said = []
    report, agent = await tried((LOOK,), resettable=None, said=said)
    assert agent.runs == 1
    assert report.lanes.keys() == {"surface", "agent"}
    assert rules(report)["goal-not-reached"].status == "degraded"
    assert any("their writes would run twice" in text for text in said)
    assert any("is not tried again" in text for text in said)


async def test_what_merely_reads_is_tried_again_anywhere():
    _, agent = await tried((), steps=(LOOK,), resettable=None)
    assert agent.runs == 1  # no effect was wanted, and none was made
    story = [Criterion(text="calls: find_note", kind="calls", subject="find_note")]
    report, agent = await tried(
        (call("find_it"),), steps=(LOOK,), resettable=None, success_criteria=tuple(story)
    )
    assert agent.runs == 5
    assert report.status == "broken"


async def test_a_typed_criterion_is_held_against_each_run():
    wish = (Criterion(text="calls: find_note", kind="calls", subject="find_note"),)
    report, _ = await tried((PUT,), (PUT, LOOK), success_criteria=wish)
    assert report.scenarios[0].trials == {"runs": 5, "reached": 4}
    assert "criterion-failed" not in rules(report)
    assert report.status == "good"
    report, _ = await tried((PUT,), success_criteria=wish)
    assert rules(report)["criterion-failed"].status == "broken"


async def test_trials_are_made_whatever_comes_of_them():
    report, agent = await tried((PUT,), trials=3)
    assert (agent.runs, report.status) == (3, "good")
    report, agent = await tried((LOOK,), (PUT,), trials=8)
    assert agent.runs == 8
    assert report.scenarios[0].trials == {"runs": 8, "reached": 7}


async def test_money_ends_the_tries_and_what_is_known_then_counts():
    said = []
    report, agent = await tried((LOOK,), usd=3.0, said=said)
    assert agent.runs == 2  # $3 were spent before the second, $6 before the third
    assert any("the budget for more runs is spent" in text for text in said)
    assert rules(report)["goal-not-reached"].status == "degraded"


async def test_an_agent_that_does_not_come_about_is_inconclusive_and_no_break():
    lost = Trouble(rule="agent-failed", message="the model cannot be reached")
    report, agent = await tried(lost)
    assert (report.status, agent.runs) == ("inconclusive", 2)  # once more, after a pause
    report, agent = await tried(lost, (PUT,))
    assert (report.status, agent.runs) == ("good", 2)


async def test_a_run_that_never_used_the_target_says_nothing_about_it():
    report, _ = await tried((), steps=(LOOK,))
    assert report.status == "inconclusive"
    assert "agent-failed" in {one.rule for one in report.findings}


async def test_a_break_at_replay_is_found_beside_an_agent_that_got_by():
    lost = server(
        create_note=answering({"id": "n-1", "created": True}, reads=False),
        find_note=answering(failure("gone"), reads=True),
    )
    report, _ = await tried((PUT,), build=lost)
    assert report.lanes["replay"] == "broken"
    assert report.scenarios[0].trials["reached"] == 1
