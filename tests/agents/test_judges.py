"""Judges by name, each with its own SDK: a reply to a prompt, no tool offered, no failure raised."""

import json

import pytest

from mcp_eval.agents.registry import make_judge
from mcp_eval.clock import SystemClock
from mcp_eval.errors import UsageError
from mcp_eval.model.trajectory import Message, Trajectory
from tests.loopback.anthropic import AnthropicServer
from tests.loopback.openai import OpenAIServer
from tests.loopback.plays import Fail, Play, Say

pytestmark = pytest.mark.timeout(180)
SAID = Trajectory(messages=(Message(role="assistant", text="Found printEnv"),))
YES = Play(Say(json.dumps({"result": "yes", "quote": "Found printEnv"})))


async def opinion(name, url, **options):
    judge = make_judge(name, clock=SystemClock(), options={"base_url": url, **options})
    return await judge.opinion("Found a tool", SAID)


async def test_claude_judges_without_any_tool(claude_sdk, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-made-up-for-this-test")
    async with AnthropicServer(YES, bare=True) as model:
        found = await opinion("claude", model.url, model="claude-sonnet-5")
        asked = [one.body for one in model.requests if "Found a tool" in str(one.body)]
    assert (found.result, found.quote, found.judged) == ("yes", "Found printEnv", True)
    assert len(asked) == 1
    assert not asked[0].get("tools")


async def test_a_claude_that_does_not_answer_has_no_opinion(claude_sdk, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-made-up-for-this-test")
    async with AnthropicServer(Play(Fail(529))) as model:
        found = await opinion("claude", model.url, model="claude-sonnet-5")
    assert found.result == "not evaluated"
    assert "HTTP 529" in found.quote


async def test_models_judge(models_sdk):
    async with OpenAIServer(YES) as model:
        found = await opinion("models", f"{model.url}/v1", model="tiny")
        (asked,) = model.asked
    assert (found.result, found.quote) == ("yes", "Found printEnv")
    assert not asked.get("tools")


@pytest.mark.parametrize("how", [529, "silence", "hang up"])
async def test_models_that_do_not_answer_have_no_opinion(models_sdk, how):
    async with OpenAIServer(Play(Fail(how))) as model:
        found = await opinion("models", f"{model.url}/v1", model="tiny", answer_timeout=5)
    assert found.result == "not evaluated"
    assert found.quote.startswith("no opinion: the model")


def test_a_judge_nobody_knows_is_said():
    with pytest.raises(UsageError, match="no judge 'script'") as caught:
        make_judge("script", clock=SystemClock())
    assert caught.value.hint == "there are claude, models"
