"""A recording, re-issued: fresh values, renames, polls, limits, lost ids, crashes."""

import dataclasses
from itertools import count

import msgspec
import pytest
from msgspec.structs import replace

from mcp_eval.compare.compare import compare
from mcp_eval.compare.expected import expected_recording
from mcp_eval.model.candidate import Candidate
from mcp_eval.model.comparison import Difference, Site
from mcp_eval.model.policy import Policy
from mcp_eval.model.recording import Baseline, RecordedStep, Recording
from mcp_eval.model.scenario import Step
from mcp_eval.model.trajectory import Outcome, ServerRequest
from tests.flows.fakes import failure
from tests.unit.agents.walks import World, call, kinds, scenario, values
from tests.unit.tap.fakes import polite, result

ECHO = {"does": lambda arguments, state: {"heard": arguments}}
LOST = {"does": lambda arguments, state: {"added": True}, "reads": False}


def minting(prefix="3f2a9c"):
    numbers = count(1)
    return {
        "does": lambda arguments, state: {"server_id": f"{prefix}{next(numbers):06d}"},
        "reads": False,
    }


def becoming_ready(looks):
    """A tool whose state is ready at its n-th look."""

    def look(arguments, state):
        state["looks"] = state.get("looks", 0) + 1
        return {"state": "ready" if state["looks"] >= looks else "indexing", "name": "docs"}

    return look


USING = scenario(
    call("add"),
    call("echo", id="{{ steps.0.result.server_id }}"),
    call("echo", id="{{ steps.0.result.server_id }}", again=True),
    call("echo", note="{{ steps.0.result.server_id }} is in"),
    call("echo", other=1),
)


async def test_a_minted_value_is_followed_to_this_looks_own():
    world = World({"add": minting(), "echo": ECHO})
    recording = await world.record(USING)
    made = await world.replay(recording)
    assert recording.steps[1].arguments == {"id": "3f2a9c000001"}
    sent = [one.arguments for one in made.trajectory.invocations]
    assert sent[1:4] == [
        {"id": "3f2a9c000002"},
        {"id": "3f2a9c000002", "again": True},
        {"note": "3f2a9c000002 is in"},
    ]
    assert [one.step for one in made.trajectory.invocations] == [0, 1, 2, 3, 4]
    assert (made.agent, made.trial, made.scenario) == ("replay", 1, "story")


async def test_a_lost_id_makes_the_steps_that_need_it_not_reached_and_no_others():
    recording = await World({"add": minting(), "echo": ECHO}).record(USING)
    made = await World({"add": LOST, "echo": ECHO}).replay(recording)
    assert kinds(made) == ["result", "not-reached", "not-reached", "not-reached", "result"]
    assert [one.waits_for for one in made.trajectory.invocations] == [None, 0, 0, 0, None]
    assert "server_id" in made.trajectory.invocations[1].outcome.detail


async def test_a_null_id_is_a_lost_one():
    recording = await World({"add": minting(), "echo": ECHO}).record(USING)
    null = {"does": lambda arguments, state: {"server_id": None}, "reads": False}
    made = await World({"add": null, "echo": ECHO}).replay(recording)
    assert kinds(made)[1] == "not-reached"


async def test_a_chain_of_lost_values_waits_for_where_it_began():
    def passing_on(arguments, state):
        return {"handle": f"h-{arguments['id']}"}

    told = scenario(
        call("add"),
        call("open", id="{{ steps.0.result.server_id }}"),
        call("echo", handle="{{ steps.1.result.handle }}"),
    )
    opening = {"does": passing_on, "reads": False}
    recording = await World({"add": minting(), "open": opening, "echo": ECHO}).record(told)
    made = await World({"add": LOST, "open": opening, "echo": ECHO}).replay(recording)
    assert [one.waits_for for one in made.trajectory.invocations] == [None, 0, 0]


def renamed(change, before, after, tool="", path=""):
    return Difference(
        site=Site(tool=tool or before, path=path),
        lane="surface",
        change=change,
        before=before,
        after=after,
    )


async def test_renames_of_a_tool_and_its_parameter_are_followed():
    recording = await World({"add": minting(), "echo": ECHO}).record(USING)
    changes = [
        renamed("tool-renamed", "echo", "repeat"),
        renamed("parameter-renamed", "id", "server", tool="echo", path="id"),
    ]
    made = await World({"add": minting("7b11"), "repeat": ECHO}).replay(recording, changes)
    second = made.trajectory.invocations[1]
    assert (second.name, second.arguments) == ("repeat", {"server": "7b11000001"})
    assert values(made)[1] == {"heard": {"server": "7b11000001"}}


async def test_a_removed_tool_is_called_all_the_same_for_its_refusal_is_a_fact():
    recording = await World({"add": minting(), "echo": ECHO}).record(USING)
    made = await World({"add": minting()}).replay(recording)
    assert kinds(made) == ["result"] * 5
    assert "Tool echo not found" in str(values(made)[1])


# --- states that settle --------------------------------------------------------------------------

THREE_LOOKS = scenario(*[call("status")] * 3, call("echo", end=True))


def found(recording, world, run):
    comparison = compare(
        Baseline(surface=world.surface, recordings={"story": recording}),
        Candidate(surface=world.surface, runs={"story": (run,)}, fingerprints={"story": ""}),
        policy=Policy(),
    )
    # Time and size are measured always; whether they matter, the judge says by its margins.
    return [
        one.change
        for one in comparison.scenarios[0].differences
        if one.change not in {"slower", "costlier"}
    ]


@pytest.mark.parametrize(("before", "now"), [(3, 1), (3, 3), (3, 7)])
async def test_three_polls_then_ready_is_the_same_however_soon_it_is_ready_now(before, now):
    recording = await World({"status": {"does": becoming_ready(before)}, "echo": ECHO}).record(
        THREE_LOOKS
    )
    assert [step.polls for step in recording.steps] == [3, 1]
    world = World({"status": {"does": becoming_ready(now)}, "echo": ECHO})
    made = await world.replay(recording)
    assert values(made)[0] == {"state": "ready", "name": "docs"}
    assert made.trajectory.invocations[0].polls == now
    assert found(recording, world, made) == []


async def test_ready_at_once_then_ready_after_three_looks_is_the_same_too():
    told = scenario(call("status"), call("echo", end=True))
    recording = await World({"status": {"does": becoming_ready(1)}, "echo": ECHO}).record(told)
    world = World({"status": {"does": becoming_ready(3)}, "echo": ECHO})
    made = await world.replay(recording)
    assert made.trajectory.invocations[0].polls == 3
    assert found(recording, world, made) == []


async def test_a_state_that_never_settles_ends_at_a_deadline_and_is_seen():
    told = scenario(call("status"), call("echo", end=True))
    recording = await World({"status": {"does": becoming_ready(1)}, "echo": ECHO}).record(told)
    world = World({"status": {"does": becoming_ready(10**9)}, "echo": ECHO})
    made = await world.replay(recording)
    assert values(made)[0]["state"] == "indexing"
    assert 5 < sum(world.sleep.slept) <= world.pace.poll_seconds
    assert found(recording, world, made) == ["result-value-changed"]


async def test_a_state_that_does_not_look_as_if_it_moved_is_only_glanced_at():
    told = scenario(call("status"))
    recording = await World({"status": {"does": becoming_ready(1)}}).record(told)
    world = World({"status": {"does": lambda *_: {"state": "broken", "name": "docs"}}})
    made = await world.replay(recording)
    assert made.trajectory.invocations[0].polls > 1
    assert sum(world.sleep.slept) <= world.pace.glance_seconds


async def test_all_polls_of_a_walk_share_one_budget():
    told = scenario(*(call("status", n=n) for n in range(8)))
    recording = await World({"status": {"does": becoming_ready(1)}}).record(told)
    world = World({"status": {"does": becoming_ready(10**9)}})
    await world.replay(recording)
    assert sum(world.sleep.slept) <= world.pace.poll_budget


def creating(arguments, state):
    state["made"] = state.get("made", 0) + 1
    return {"state": "queued" if state["made"] > 1 else "done", "made": state["made"]}


@pytest.mark.parametrize(
    ("tool", "resettable", "asked"),
    [
        ("start_job", True, 1),
        ("start_job", None, 1),
        ("job_state", None, 1),
        ("job_state", True, 2),
    ],
)
async def test_what_promised_nothing_is_repeated_only_where_nothing_lasts_and_never_a_write(
    tool, resettable, asked
):
    recording = await World({tool: {"does": lambda *_: {"state": "done"}}}).record(
        scenario(call(tool))
    )
    heard = []
    now = {"does": lambda *_: heard.append(1) or {"state": "queued"}, "reads": False}
    await World({tool: now}, resettable=resettable).replay(recording)
    assert (len(heard) > 1) == (asked > 1)


async def test_what_was_recorded_as_three_looks_may_be_looked_at_three_times_whoever_promised():
    recording = await World({"status": {"does": becoming_ready(3)}, "echo": ECHO}).record(
        THREE_LOOKS
    )
    silent = {"does": becoming_ready(10**9), "reads": False}
    made = await World({"status": silent, "echo": ECHO}).replay(recording)
    assert made.trajectory.invocations[0].polls == 3


# --- what stops a walk ---------------------------------------------------------------------------


async def test_after_a_crash_nothing_more_is_reached_and_each_says_why():
    recording = await World({"add": minting(), "echo": ECHO}).record(USING)
    world = World({"add": minting(), "echo": {"does": lambda *_: None}})
    made = await world.replay(recording)
    assert kinds(made) == ["result", "crashed", "not-reached", "not-reached", "not-reached"]
    assert "crashed at `echo`" in made.trajectory.invocations[4].outcome.detail
    assert made.trajectory.ended == "broke"
    assert not made.troubles


async def test_after_a_hang_that_answers_no_ping_nothing_more_is_reached(monkeypatch):
    monkeypatch.setattr("mcp_eval.tap.exchange._PING_SECONDS", 0.05)
    recording = await World({"add": minting(), "echo": ECHO}).record(USING)
    world = World({"add": minting(), "echo": ECHO}, reply=saying_hello_only)
    world.pace = dataclasses.replace(world.pace, call_timeout=0.05)
    made = await world.replay(recording)
    assert kinds(made)[0] == "timeout"
    assert kinds(made)[1:] == ["not-reached"] * 4
    assert "did not answer any more" in made.trajectory.invocations[4].outcome.detail


def saying_hello_only(message):
    return polite(message) if message.get("method") == "initialize" else []


async def test_a_restart_of_the_recording_is_done_again_and_wakes_what_had_crashed():
    told = scenario(call("echo"), Step(restart=True), call("echo", n=2))
    recording = await World({"echo": ECHO}).record(told)

    def dying(arguments, state):
        return {"heard": arguments} if "restarted" in state else None

    made = await World({"echo": {"does": dying}}).replay(recording)
    assert kinds(made) == ["crashed", "result", "result"]
    assert made.trajectory.invocations[1].foreign is True
    assert values(made)[2] == {"heard": {"n": 2}}


async def test_a_limit_that_stays_is_a_trouble():
    recording = await World({"echo": ECHO}).record(scenario(call("echo"), call("echo", n=2)))
    busy = {"does": lambda *_: failure("HTTP 429: quota exceeded")}
    made = await World({"echo": busy}).replay(recording)
    assert [one.rule for one in made.troubles] == ["rate-limited"]
    assert [one.step for one in made.trajectory.invocations] == [0]


async def test_a_limit_that_was_recorded_is_no_trouble_now():
    step = RecordedStep(
        name="echo",
        outcome=Outcome(body=msgspec.Raw(msgspec.json.encode(failure("rate limit reached")))),
    )
    recording = Recording(name="Story", stem="story", steps=(step,), runs=1)
    busy = {"does": lambda *_: failure("rate limit reached")}
    assert not (await World({"echo": busy}).replay(recording)).troubles


async def test_a_target_that_does_not_say_hello_is_a_trouble_of_the_look():
    recording = await World({"echo": ECHO}).record(scenario(call("echo")))
    world = World({"echo": ECHO})
    world.server.answer = lambda *_: None
    made = await world.replay(recording)
    assert [one.rule for one in made.troubles] == ["target-not-starting"]
    assert made.trajectory.invocations == ()


# --- what was asked back, what a person did, what is no MCP call ----------------------------------


def asking(method):
    """Every call asks the client something first, and then tells what it was told."""
    waiting = []

    def reply(message):
        if message.get("method") == "tools/call":
            waiting.append(message)
            return [{"jsonrpc": "2.0", "id": "q", "method": method, "params": {"message": "?"}}]
        if message.get("id") == "q":
            told = message.get("result", message.get("error"))
            return [result(waiting.pop(), {"content": [], "structuredContent": {"told": told}})]
        return polite(message)

    return reply


async def test_server_requests_are_answered_as_they_were_recorded():
    asked = ServerRequest(
        method="elicitation/create", answer={"action": "accept", "content": {"city": "Ulm"}}
    )
    step = RecordedStep(name="ask", nested=(asked,))
    recording = Recording(name="Story", stem="story", steps=(step, step), runs=1)
    world = World({"ask": ECHO}, reply=asking("elicitation/create"))
    made = await world.replay(recording)
    assert values(made) == [{"told": asked.answer}] * 2
    assert made.trajectory.invocations[0].nested[0].answer == asked.answer


async def test_a_question_nobody_recorded_is_answered_politely():
    recording = Recording(name="s", stem="s", steps=(RecordedStep(name="ask"),), runs=1)
    world = World({"ask": ECHO}, reply=asking("elicitation/create"))
    assert values(await world.replay(recording)) == [{"told": {"action": "decline"}}]


async def test_a_scenarios_own_answers_are_given_when_it_is_recorded():
    world = World({"ask": ECHO}, reply=asking("sampling/createMessage"))
    told = scenario(call("ask"), answers={"sampling/createMessage": {"model": "mine"}})
    assert values(await world.run(told)) == [{"told": {"model": "mine"}}]


async def test_the_agents_own_tools_are_kept_in_place_and_not_used():
    steps = (
        RecordedStep(
            name="Bash",
            method="agent/tool",
            arguments={"command": "rm -rf ${secret:DIR}"},
            foreign=True,
        ),
        RecordedStep(name="echo", arguments={"n": 1}),
    )
    recording = Recording(name="Story", stem="story", steps=steps, runs=1)
    made = await World({"echo": ECHO}).replay(recording)
    assert [(one.name, one.foreign, one.step) for one in made.trajectory.invocations] == [
        ("Bash", True, 0),
        ("echo", False, 1),
    ]


async def test_a_recorded_wait_is_waited_again():
    told = scenario(Step(wait=4.0), call("echo"))
    world = World({"echo": ECHO})
    recording = await world.record(told)
    world.sleep.slept.clear()
    await world.replay(recording)
    assert world.sleep.slept == [4.0]


# --- folders and secrets -------------------------------------------------------------------------


async def test_the_folder_of_this_look_stands_where_that_of_the_recording_stood():
    def writing(arguments, state):
        return {"path": arguments["dir"] + "/notes-8d1f77aa.txt"}

    tools = {"write": {"does": writing, "reads": False}, "echo": ECHO}
    told = scenario(call("write", dir="${workdir}"), call("echo", path="{{ steps.0.result.path }}"))
    recording = await World(tools, workdir="/tmp/mcp-eval-one/work").record(told)
    assert recording.steps[1].arguments == {"path": "${workdir}/notes-8d1f77aa.txt"}
    heard = []
    tools["echo"] = {"does": lambda arguments, state: heard.append(arguments) or {}}
    made = await World(tools, workdir="/tmp/mcp-eval-two/work").replay(recording)
    assert heard == [{"path": "/tmp/mcp-eval-two/work/notes-8d1f77aa.txt"}]
    assert made.trajectory.invocations[1].arguments == recording.steps[1].arguments
    assert b"mcp-eval-two" not in msgspec.json.encode(made)


async def test_a_secret_nobody_set_is_a_trouble_unless_an_earlier_answer_minted_it():
    steps = (RecordedStep(name="echo", arguments={"key": "${secret:API_KEY}"}),)
    recording = Recording(name="Story", stem="story", steps=steps, runs=1)
    made = await World({"echo": ECHO}).replay(recording)
    assert [one.rule for one in made.troubles] == ["auth-expired"]
    told = scenario(call("add"), call("echo", key="{{ steps.0.result.server_id }}"))
    minted = await World({"add": minting(), "echo": ECHO}).record(told)
    first, second = minted.steps
    redacted = replace(minted, steps=(first, replace(second, arguments={"key": "${secret:KEY}"})))
    made = await World({"add": minting("aa77"), "echo": ECHO}).replay(redacted)
    assert values(made)[1] == {"heard": {"key": "aa77000001"}}


async def test_an_expected_trajectory_without_a_recording_still_reads_its_templates():
    world = World({"add": minting(), "echo": ECHO})
    made = await world.replay(expected_recording(USING))
    assert made.trajectory.invocations[3].arguments == {"note": "3f2a9c000001 is in"}
