"""An unruly agent on a real server: no alarm where nothing changed, the fault where one is planted."""

import contextlib

import pytest

from bench.noisy import Suite, servers
from bench.noisy_agent import CALM, Mood, NoisyAgent
from mcp_eval.clock import SystemClock
from tests.flows.suites import answering, call, recorded, scenario, server, target_of, world

NAME = "server-memory@2026.1.26"


@pytest.mark.timeout(240)
async def test_moods_are_no_break_and_a_lost_field_is_one(real_part, tmp_path):
    real_part(NAME)
    (memory,) = [one for one in servers() if one.part == NAME]
    suite = Suite(memory, tmp_path)
    few = suite.using("open_nodes")
    with contextlib.chdir(tmp_path):
        await suite.record()
        for seed in (1, 2):
            report = await suite.check(seed, scenarios=few)
            assert report.status in {"good", "acceptable"}, report.roots
        report = await suite.check(1, scenarios=few, fault=memory.faults[0])
        assert report.status in {"degraded", "broken"}


async def runs(mood, seed=3, amount=30):
    """What an agent of this mood calls, run by run."""
    there = world(
        target_of(
            server(
                list_things=answering({"things": ["Lamp-7"]}),
                find_thing=answering(
                    {"found": "Lamp-7"},
                    schema={"type": "object", "properties": {"query": {}}, "required": ["query"]},
                ),
            )
        )
    )
    story = scenario(call("find_thing", query="the milk is here"), user_intent="find it")
    agent = NoisyAgent(clock=SystemClock(), seed=seed, mood=mood)
    surface = (await recorded(there.target, story)).surface
    made = []
    for trial in range(amount):
        environment = await there.target.start()
        made.append(await agent.run(story, environment, surface=surface, trial=trial))
    return [one.trajectory for one in made]


async def test_a_calm_agent_does_what_is_said_and_tells_what_it_found():
    (one,) = await runs(CALM, amount=1)
    assert [made.name for made in one.invocations] == ["find_thing"]
    assert one.answer == "Found: Lamp-7"


async def test_a_noisy_one_does_all_that_agents_do_and_the_same_again_with_its_seed():
    found = await runs(Mood())
    made = [[(one.name, one.arguments.get("query")) for one in each.invocations] for each in found]
    assert any(calls and calls[0][0] == "list_things" for calls in made)  # it explores
    assert any(("find_thing", None) in calls for calls in made)  # it errs
    assert any(query and "dairy" in query for calls in made for _, query in calls)  # its own words
    assert any(len(calls) > 2 for calls in made)  # and again
    again = await runs(Mood())
    assert [each.answer for each in again] == [each.answer for each in found]
    given_up = await runs(Mood(gives_up=1))
    assert {each.ended for each in given_up} == {"gave-up"}
