"""Written steps: in order, with earlier answers in later arguments, a person's deeds between."""

import pytest

from mcp_eval.agents.written import read_script
from mcp_eval.errors import UsageError
from mcp_eval.model.scenario import Scenario, Step
from tests.flows.fakes import failure
from tests.unit.agents.walks import World, call, kinds, scenario, values


def counting(arguments, state):
    state["n"] = state.get("n", 0) + 1
    return {"n": state["n"]}


ECHO = {"does": lambda arguments, state: {"heard": arguments}}
MINT = {"does": lambda arguments, state: {"id": f"srv-{4711 + state['start']}"}, "reads": False}
COUNT = {"does": counting}


async def test_set_up_runs_first_and_then_the_expected_steps():
    world = World({"echo": ECHO, "mint": MINT})
    told = scenario(call("echo", word="hello"), setup=(call("mint"),))
    made = await world.run(told, trial=3)
    assert [one.name for one in made.trajectory.invocations] == ["mint", "echo"]
    assert (made.scenario, made.trial, made.agent, made.model) == ("story", 3, "script", "")
    assert made.trajectory.ended == "done"
    assert made.build.server_name == "fake"


async def test_a_scenarios_own_steps_go_before_its_expected_trajectory():
    world = World({"echo": ECHO, "mint": MINT})
    made = await world.run(scenario(call("echo"), steps=(call("mint"),)))
    assert [one.name for one in made.trajectory.invocations] == ["mint"]


async def test_the_intent_stands_in_the_run_as_what_the_person_said():
    world = World({"echo": ECHO})
    made = await world.run(scenario(call("echo"), user_intent="say hello"))
    assert [(one.role, one.text) for one in made.trajectory.messages] == [("user", "say hello")]


async def test_a_template_is_sent_as_the_value_it_reads_and_keeps_where_it_came_from():
    world = World({"mint": MINT, "echo": ECHO})
    told = scenario(
        call("mint"),
        call("echo", id="{{ steps.0.result.id }}", text="is {{ steps.0.result.id }} up?"),
    )
    made = await world.run(told)
    second = made.trajectory.invocations[1]
    assert second.arguments == {"id": "srv-4711", "text": "is srv-4711 up?"}
    assert values(made)[1] == {"heard": second.arguments}
    assert {(one.argument, one.step, one.path) for one in second.bindings} == {
        ("id", 0, "id"),
        ("text", 0, "id"),
    }


async def test_templates_count_the_steps_of_their_own_section_a_persons_steps_included():
    world = World({"mint": MINT, "echo": ECHO})
    told = scenario(
        Step(wait=1.0),
        call("mint"),
        call("echo", id="{{ steps.1.result.id }}"),
        setup=(call("echo"), call("echo", n=1)),
    )
    made = await world.run(told)
    assert made.trajectory.invocations[-1].arguments == {"id": "srv-4711"}
    assert made.trajectory.invocations[-1].bindings[0].step == 3


async def test_the_value_a_template_reads_is_lost_so_the_step_is_not_reached():
    world = World({"mint": {"does": lambda arguments, state: {"id": None}}, "echo": ECHO})
    made = await world.run(
        scenario(call("mint"), call("echo", id="{{ steps.0.result.id }}"), call("echo"))
    )
    assert kinds(made) == ["result", "not-reached", "result"]
    missed = made.trajectory.invocations[1]
    assert missed.waits_for == 0
    assert "no `id` any more" in missed.outcome.detail


async def test_identical_annotated_reads_in_a_row_are_one_poll_and_the_last_counts():
    world = World({"count": COUNT, "echo": ECHO})
    told = scenario(
        call("count"), call("count"), call("count"), call("echo", n="{{ steps.2.result.n }}")
    )
    made = await world.run(told)
    first, second = made.trajectory.invocations
    assert (first.name, first.polls, values(made)[0]) == ("count", 3, {"n": 3})
    assert (second.arguments, second.bindings[0].step) == ({"n": 3}, 0)


@pytest.mark.parametrize(
    ("tool", "steps"),
    [
        (COUNT, (call("count", page=1), call("count", page=2))),
        (COUNT, (call("count"), Step(wait=0.5), call("count"))),
        ({**COUNT, "reads": False}, (call("count"), call("count"))),
    ],
    ids=["other arguments", "a wait between", "nobody promised that it only reads"],
)
async def test_other_calls_in_a_row_are_no_poll(tool, steps):
    made = await World({"count": tool}).run(scenario(*steps))
    assert [one.polls for one in made.trajectory.invocations] == [1] * len(steps)


async def test_what_a_person_does_keeps_its_place_and_is_never_scored(tmp_path):
    world = World({"echo": ECHO}, workdir=str(tmp_path), environ={"PATH": "/usr/bin:/bin"})
    told = scenario(
        Step(run='echo "$NAME here" > "${workdir}/seen"'),
        Step(wait=2.5),
        Step(restart=True),
        call("echo"),
    )
    made = await world.run(told)
    assert (tmp_path / "seen").read_text() == " here\n"
    assert world.sleep.slept == [2.5]
    assert world.target.environments[0].state["restarted"] is True
    deeds = [(one.method, one.foreign) for one in made.trajectory.invocations]
    assert deeds == [
        ("user/run", True),
        ("user/wait", True),
        ("user/restart", True),
        ("tools/call", False),
    ]


async def test_a_persons_command_that_fails_is_a_trouble_with_what_it_said(tmp_path):
    world = World({"echo": ECHO}, workdir=str(tmp_path), environ={"PATH": "/usr/bin:/bin"})
    made = await world.run(scenario(call("echo"), Step(run="echo alas; exit 3"), call("echo")))
    assert [one.rule for one in made.troubles] == ["agent-failed"]
    assert "ended with 3" in made.troubles[0].message
    assert made.troubles[0].evidence == "alas\n"
    assert kinds(made) == ["result"]
    assert made.trajectory.ended == "broke"


async def test_a_failing_call_is_a_fact_and_the_walk_goes_on():
    world = World({"bad": {"does": lambda *_: failure("no such thing")}, "echo": ECHO})
    made = await world.run(scenario(call("bad"), call("echo")))
    assert kinds(made) == ["result", "result"]
    assert not made.troubles


async def test_after_a_crash_the_remaining_steps_are_not_reached():
    world = World({"die": {"does": lambda *_: None}, "echo": ECHO})
    made = await world.run(scenario(call("die"), call("echo"), Step(wait=1.0), call("echo", n=2)))
    assert kinds(made) == ["crashed", "not-reached", "result", "not-reached"]
    assert "crashed at `die`" in made.trajectory.invocations[1].outcome.detail
    assert made.trajectory.ended == "broke"
    assert world.sleep.slept == []


async def test_a_clients_prefix_is_dropped():
    made = await World({"echo": ECHO}).run(scenario(call("mcp__fake__echo", a=1)))
    assert values(made) == [{"heard": {"a": 1}}]
    assert made.trajectory.invocations[0].name == "echo"


async def test_a_secret_is_sent_and_its_placeholder_is_kept():
    heard = []
    tool = {"does": lambda arguments, state: heard.append(arguments) or {"fine": True}}
    world = World({"login": tool}, environ={"TOKEN": "open sesame"})
    made = await world.run(scenario(call("login", token="${secret:TOKEN}")))
    assert heard == [{"token": "open sesame"}]
    assert made.trajectory.invocations[0].arguments == {"token": "${secret:TOKEN}"}


async def test_a_secret_nobody_set_stops_the_walk_before_anything_is_sent():
    world = World({"echo": ECHO})
    made = await world.run(scenario(call("echo"), call("echo", token="${secret:TOKEN}")))
    assert [one.rule for one in made.troubles] == ["auth-expired"]
    assert "TOKEN" in made.troubles[0].message
    assert made.trajectory.invocations == ()


async def test_a_limit_that_passes_is_waited_for_and_leaves_no_trace():
    def busy(arguments, state):
        state["asked"] = state.get("asked", 0) + 1
        return failure("429 Too Many Requests") if state["asked"] < 3 else {"fine": True}

    world = World({"busy": {"does": busy}})
    made = await world.run(scenario(call("busy")))
    assert values(made) == [{"fine": True}]
    assert world.sleep.slept == [0.5, 1.0]
    assert not made.troubles


async def test_a_limit_that_stays_is_a_trouble_and_no_further_step_is_asked():
    heard = []
    tools = {
        "busy": {"does": lambda *_: failure("rate limit exceeded, retry after 2 s")},
        "echo": {"does": lambda arguments, state: heard.append(1) or {}},
    }
    world = World(tools)
    made = await world.run(scenario(call("busy"), call("echo")))
    assert [one.rule for one in made.troubles] == ["rate-limited"]
    assert world.sleep.slept == [2.0, 2.0]
    assert heard == []


async def test_a_persons_command_gets_its_secrets_too(tmp_path):
    environ = {"PATH": "/usr/bin:/bin", "TOKEN": "sesame"}
    told = scenario(Step(run="printf ${secret:TOKEN} > said"))
    made = await World({"echo": ECHO}, workdir=str(tmp_path), environ=environ).run(told)
    assert (tmp_path / "said").read_text() == "sesame"
    assert made.trajectory.invocations[0].arguments == {"command": "printf ${secret:TOKEN} > said"}
    made = await World({"echo": ECHO}, workdir=str(tmp_path)).run(told)
    assert [one.rule for one in made.troubles] == ["auth-expired"]


def test_a_wrong_template_names_the_file_and_the_step():
    told = Scenario(
        name="s",
        stem="s",
        path="scenarios/s.yaml",
        expected_trajectory=(call("a"), call("b", id="{{ steps.1.result.id }}")),
    )
    with pytest.raises(UsageError, match=r"scenarios/s\.yaml: expected_trajectory\[1\].*step 1"):
        read_script(told)


async def test_of_several_servers_a_tool_is_called_by_the_name_its_own_offers_it_under():
    world = World({"left__echo": ECHO, "echo": ECHO})
    made = await world.run(scenario(call("mcp__left__echo", a=1), call("mcp__fake__echo", a=2)))
    assert [one.name for one in made.trajectory.invocations] == ["left__echo", "echo"]
