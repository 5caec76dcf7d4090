"""What a person does between an agent's turns: recorded where it was done, and the target started again."""

import pytest

from mcp_eval.model.scenario import Step
from tests.agents.outings import calls, own, proxy, ran, said, scenario
from tests.flows.fakes import FakeEnvironment
from tests.loopback.anthropic import AnthropicServer
from tests.loopback.openai import OpenAIServer
from tests.loopback.plays import Play, Say, Use

pytestmark = pytest.mark.timeout(180)
STEPS = (
    Step(tool="retrieve_tools"),
    Step(run="true", action="I approved the server"),
    Step(restart=True),
    Step(wait=0.01),
    Step(tool="list_registries"),
)
PLAY = Play(
    Use("retrieve_tools", query="environment"),
    Say("Please approve it"),
    Use("list_registries"),
    Say("All done"),
)


class Restartable(FakeEnvironment):
    """Its lines break when it is started again, as a process's do."""

    def __init__(self, target, folder):
        super().__init__(target)
        self.workdir, self.lines = str(folder), []

    async def connect(self):
        self.lines.append(await super().connect())
        return self.lines[-1]

    async def restart(self):
        await super().restart()
        for line in self.lines:
            await line.close()


@pytest.fixture
def target(tmp_path, monkeypatch):
    made = proxy()
    environment = Restartable(made, tmp_path)

    async def start():
        return environment

    made.start, made.started = start, environment
    return made


async def turned(agent, server, target, **options):
    """A run of two turns, and the messages its model was shown last."""
    told = scenario(steps=STEPS)
    async with server:
        path = "/v1" if agent == "models" else ""
        options = {"base_url": server.url + path, "model": "tiny", **options}
        run = await ran(agent, target, told=told, **options)
    return run, server.asked[-1]["messages"], target.started


def in_order(run):
    assert run.troubles == ()
    assert calls(run) == [("retrieve_tools", {"query": "environment"}), ("list_registries", {})]
    assert own(run) == ["run", "restart", "wait"]
    names = [one.name for one in run.trajectory.invocations]
    assert names == ["retrieve_tools", "run", "restart", "wait", "list_registries"]
    assert said(run) == [("Please approve it", 1), ("All done", 5)]
    heard = [one.text for one in run.trajectory.messages if one.role == "user"]
    assert heard[1:] == ["I approved the server. Go on."]
    assert {one.outcome.kind for one in run.trajectory.invocations if not one.foreign} == {"result"}


async def test_claude_goes_on_after_what_a_person_did(claude_sdk, monkeypatch, target):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-made-up-for-this-test")
    served = AnthropicServer(PLAY)
    run, shown, environment = await turned("claude", served, target, model="claude-sonnet-5")
    in_order(run)
    assert environment.state["restarted"]
    assert "I approved the server. Go on." in str(shown)
    usage = run.trajectory.usage
    assert (usage.turns, usage.input_tokens, usage.output_tokens) == (4, 400, 80)
    assert usage.cost_usd == pytest.approx(0.0016)


async def test_a_model_goes_on_after_what_a_person_did(models_sdk, target):
    run, shown, environment = await turned("models", OpenAIServer(PLAY), target)
    in_order(run)
    assert environment.state["restarted"]
    assert "I approved the server. Go on." in str(shown)
    assert run.trajectory.usage.turns == 4


async def test_a_command_takes_one_turn():
    run = await ran("command", proxy(), told=scenario(steps=STEPS), command="true")
    assert [trouble.rule for trouble in run.troubles] == ["agent-failed"]
    assert "takes one turn" in run.troubles[0].message


async def test_a_step_of_a_person_that_fails_is_no_opinion(models_sdk, target):
    steps = (Step(run="exit 3"),)
    async with OpenAIServer(PLAY) as model:
        options = {"base_url": f"{model.url}/v1", "model": "tiny"}
        run = await ran("models", target, told=scenario(steps=steps), **options)
    assert [trouble.rule for trouble in run.troubles] == ["agent-failed"]
    assert "ended with 3" in run.troubles[0].message
    assert calls(run) == [("retrieve_tools", {"query": "environment"})]
