"""The three worked transcripts and the five-run table of the document this project grew from.

Each as a recording built here, and as a live run: Claude's own client, a model on loopback, a
target over stdio.
"""

import json
import shutil
import sys
from pathlib import Path

import pytest

from mcp_eval import app
from mcp_eval.model.project import Project
from mcp_eval.workflows.check import CheckPlan, check
from mcp_eval.workflows.events import Checked, RecordFinished
from mcp_eval.workflows.record import RecordPlan, record
from tests.agents.outings import INTENT
from tests.flows.suites import beside, finding, made, stored
from tests.loopback.anthropic import AnthropicServer
from tests.loopback.plays import Play, Say, Use

SERVER = Path(__file__).with_name("proxy_server.py")
TOOLS = ("retrieve_tools", "list_registries")
SEARCHING = "I'll search for environment-related tools"
FOUND = "Found printEnv tool for environment variables"
ASKED = "environment variables configuration"


def hits(score):
    return {"tools": [{"name": "printEnv", "score": score}], "total": 1}


def searched(query, score=0.149, *, value=None, answer=FOUND):
    """The transcript of a search, as a recording."""
    call = made("retrieve_tools", value or hits(score), query=query)
    return stored(call, tools=TOOLS, intent=INTENT, answer=answer)


REGISTRIES = {"registries": ["docker-mcp-catalog"]}
STRAYED = stored(
    made("list_registries", REGISTRIES),
    tools=TOOLS,
    intent=INTENT,
    answer="Let me search in the catalog...",
)


# --- as stored recordings ---


def test_the_same_transcript_is_good():
    report = beside(searched(ASKED), searched(ASKED))
    assert (report.status, report.score) == ("good", 1.0)


def test_a_similar_query_with_the_same_hits_is_good():
    report = beside(searched(ASKED), searched("env vars configuration", 0.112))
    assert (report.status, report.action) == ("good", "deploy with confidence")


def test_another_tool_instead_is_broken():
    report = beside(searched(ASKED), STRAYED)
    assert (report.status, finding(report, "goal-not-reached").status) == ("broken", "broken")
    assert report.score < 0.3


@pytest.mark.parametrize(
    "query",
    [
        "environment variables",
        "env variables",
        "environment vars",
        "env vars config",
        "environment config",
    ],
)
def test_each_of_the_five_runs_passes(query):
    report = beside(searched("environment variables"), searched(query, 0.112))
    assert (report.status, report.passed) == ("good", True)


def test_a_query_about_something_else_with_another_answer_is_not_good():
    other = {"tools": [{"name": "create_issue", "score": 0.3}], "total": 1}
    after = searched("GitHub repository", value=other, answer="Found create_issue tool")
    report = beside(searched("environment variables"), after)
    assert report.status in {"degraded", "broken"}
    assert not report.passed


# --- as live runs ---


SCENARIO = f"""\
name: "Search MCP Tools (Simple)"
enabled: true
user_intent: "{INTENT}"
expected_trajectory:
  - action: "search_tools"
    tool: "mcp__mcpproxy__retrieve_tools"
    args:
      query: "environment"
"""


def searching(query, answer=FOUND):
    return Play([Say(SEARCHING), Use("retrieve_tools", query=query)], Say(answer))


STRAYING = Play(
    [Say("I'll help you add the GitHub server"), Use("list_registries")],
    Say("Let me search in the catalog..."),
)
BASELINE = searching(ASKED)


class Live:
    """A working folder, and an agent whose model says what a play tells it."""

    def __init__(self, folder):
        (folder / "scenarios").mkdir()
        (folder / "scenarios" / "search_tools_simple.yaml").write_text(SCENARIO)
        shutil.copy(SERVER, folder / "server.py")
        server = {"command": sys.executable, "args": ["server.py"]}
        (folder / "mcp_servers.json").write_text(json.dumps({"mcpServers": {"mcpproxy": server}}))

    def world(self, model):
        options = {"base_url": model.url, "model": "claude-sonnet-5"}
        self.project = Project(agents={"claude": options})
        self.scenarios = app.scenarios(self.project, (Path("scenarios"),))
        spec = app.target_spec(self.project, "", self.scenarios)
        return app.world(self.project, spec, agent="claude")

    async def record(self, play):
        async with AnthropicServer(play) as model:
            world = self.world(model)
            plan = RecordPlan(scenarios=self.scenarios, replace=True)
            events = [event async for event in record(world, plan)]
        return next(event for event in events if isinstance(event, RecordFinished))

    async def check(self, play):
        async with AnthropicServer(play) as model:
            world = self.world(model)
            baseline = app.baseline(self.project, None, self.scenarios)
            lanes = ("surface", "agent")
            plan = CheckPlan(baseline=baseline, scenarios=self.scenarios, lanes=lanes)
            events = [event async for event in check(world, plan)]
        return next(event for event in events if isinstance(event, Checked)).report


@pytest.fixture
def live(tmp_path, monkeypatch, claude_sdk):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-made-up-for-this-test")
    monkeypatch.setattr(app, "ROOT", Path())
    return Live(tmp_path)


@pytest.mark.timeout(180)
async def test_claude_records_a_scenario_and_its_runs_are_judged_as_the_transcripts_are(live):
    finished = await live.record(BASELINE)
    (recording,) = finished.recordings
    assert [step.name for step in recording.steps] == ["retrieve_tools"]
    assert recording.provenance.agent == "claude"
    assert recording.messages[-1].text == FOUND
    assert recording.usages[0].cost_usd > 0

    report = await live.check(searching(ASKED))
    assert (report.status, report.score) == ("good", 1.0)
    assert report.lanes["agent"] == "good"

    report = await live.check(searching("env vars configuration"))
    assert (report.status, report.passed) == ("good", True)

    report = await live.check(STRAYING)
    assert (report.status, finding(report, "goal-not-reached").status) == ("broken", "broken")

    report = await live.check(searching("GitHub repository", "Found create_issue tool"))
    assert report.status in {"degraded", "broken"}


@pytest.mark.timeout(240)
async def test_the_five_runs_pass_live(live):
    await live.record(searching("environment variables"))
    for query in ("environment variables", "env variables", "environment vars", "env vars config", "environment config"):  # fmt: skip
        report = await live.check(searching(query))
        assert (query, report.status, report.passed) == (query, "good", True)


@pytest.mark.timeout(180)
async def test_a_run_that_reached_its_goal_without_the_target_is_no_opinion(live):
    await live.record(Play(Use("retrieve_tools", query="environment"), Say("Done")))
    report = await live.check(Play(Use("Bash", command="echo printEnv"), Say("Done")))
    assert report.status == "inconclusive"
    assert "never used the target" in str(report.findings)
