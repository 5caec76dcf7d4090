"""The seed's runner by name, as its document calls it."""

import subprocess
import sys

import pytest

import mcp_eval
from mcp_eval import FailureAwareScenarioRunner
from tests.agents.test_seed_transcripts import BASELINE, STRAYING, Live, searching
from tests.loopback.anthropic import AnthropicServer
from tests.loopback.plays import Fail, Play

pytestmark = pytest.mark.timeout(180)
FILE = "scenarios/search_tools_simple.yaml"


@pytest.fixture
def place(tmp_path, monkeypatch, claude_sdk):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-made-up-for-this-test")
    Live(tmp_path)
    return tmp_path


async def executed(place, play, mode="baseline", **how):
    async with AnthropicServer(play) as model:
        settings = f"base_url: {model.url}, model: claude-sonnet-5, answer_timeout: 5"
        (place / "mcp-eval.yaml").write_text(f"agents:\n  claude: {{{settings}}}\n")
        return await FailureAwareScenarioRunner(**how).execute_scenario(FILE, mode=mode)


async def test_a_baseline_is_recorded_and_evaluated(place):
    success, data = await executed(place, BASELINE)
    assert (success, data["failures"]) == (True, [])
    assert data["available_tools"] == ["retrieve_tools", "list_registries"]
    assert data["mcpproxy_git_info"] is None  # no checkout was named
    assert [step["name"] for step in data["recording"]["steps"]] == ["retrieve_tools"]
    assert (place / "baselines" / "search_tools_simple.json").exists()

    success, data = await executed(place, searching("env vars configuration"), "evaluation")
    assert (success, data["status"], data["failures"]) == (True, "good", [])
    assert data["report"]["lanes"] == {"surface": "good", "agent": "good"}

    success, data = await executed(place, STRAYING, "evaluation")
    assert (success, data["status"]) == (False, "broken")
    assert data["failures"]


async def test_what_failed_is_told_never_raised(place):
    success, data = await executed(place, Play(Fail(529)))
    assert not success
    assert "HTTP 529" in data["failures"][0]
    success, data = await executed(place, BASELINE, "evaluation", baselines="nowhere")
    assert not success
    assert "nowhere" in data["failures"][0]
    success, data = await executed(place, BASELINE, target="no-such-target-at-all")
    assert (success, len(data["failures"])) == (False, 1)


def commit(place):
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@localhost"]
    for words in (["init", "-q"], ["add", "server.py"], ["commit", "-qm", "one"]):
        subprocess.run([*git, *words], cwd=place, check=True)


async def test_the_checkout_of_the_target_is_tracked(place):
    commit(place)
    target = f"\ntargets:\n  proxy: {{command: [{sys.executable}, server.py], checkout: .}}\n"
    async with AnthropicServer(BASELINE) as model:
        settings = f"base_url: {model.url}, model: claude-sonnet-5"
        (place / "mcp-eval.yaml").write_text(f"agents:\n  claude: {{{settings}}}\n{target}")
        _, data = await FailureAwareScenarioRunner(target="proxy").execute_scenario(FILE)
    assert len(data["mcpproxy_git_info"]["commit"]) == 40


def test_the_name_costs_nothing_until_it_is_asked_for():
    code = "import sys, mcp_eval; assert not {'asyncio', 'mcp_eval.app'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
    with pytest.raises(AttributeError, match="no attribute 'Anything'"):
        mcp_eval.Anything  # noqa: B018
