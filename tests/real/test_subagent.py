"""The subagent offline: the real Claude client, a model on loopback, and `mcp-eval mcp` between."""

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest

from mcp_eval.cli.scaffold import write_subagent
from tests.flows.places import Place
from tests.loopback.anthropic import AnthropicServer
from tests.loopback.plays import Play, Say, Use

SECONDS = 150
ASKED = "The proxy was updated. May it be deployed?"


class Subagent(AnthropicServer):
    """A model that checks, asks about the first finding, and reports what it was told, no more."""

    def __init__(self):
        super().__init__(Play(Say("x")))

    def _turn(self, body):
        if not any("mcp-eval" in tool["name"] for tool in body.get("tools", ())):
            return [Say("A title")]
        told = [answer(block) for message in body["messages"] for block in results(message)]
        if not told:
            return [Use("check")]
        status = re.search(r"\b(good|acceptable|degraded|broken|inconclusive)\b", told[0])[1]
        rule = re.search(r'(?:rule: \\?"|findings\\?":\[\\?")([^"\\]+)', told[0])
        if status == "broken" and len(told) == 1:
            return [Use("explain_finding", finding=rule[1])]
        advice = {
            "good": "Deploy.",
            "broken": "Stop the deployment.",
            "inconclusive": "The check did not happen.",
        }
        return [Say("\n".join([f"Status: {status}. {advice[status]}", *told]))]


def results(message):
    content = message["content"] if isinstance(message["content"], list) else []
    return [block for block in content if block["type"] == "tool_result"]


def answer(block):
    content = block["content"]
    return (
        content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)
    )


async def reported(place, client, **environ):
    """What the client prints as its last words, and what it asked the model."""
    folder = place.folder
    async with Subagent() as model:
        more = {
            "ANTHROPIC_BASE_URL": model.url,
            "ANTHROPIC_API_KEY": "nobody-knows",
            "CLAUDE_CONFIG_DIR": str(folder / ".home"),
            "HOME": str(folder / ".home"),
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "MCP_TOOL_TIMEOUT": "120000",
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        }
        words = ["-p", ASKED, "--agent", "mcp-eval", "--mcp-config", ".mcp.json"]
        words += [
            "--strict-mcp-config",
            "--allowedTools",
            "mcp__mcp-eval__check,mcp__mcp-eval__explain_finding",
        ]
        running = await asyncio.create_subprocess_exec(
            client,
            *words,
            cwd=folder,
            env=place.environ({**more, **environ}),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(SECONDS):
                out, err = await running.communicate()
        finally:
            if running.returncode is None:
                running.kill()
                await running.wait()
        assert running.returncode == 0, (out + err).decode()
        return out.decode(), model.asked


@pytest.fixture
def client(real_part):
    (place,) = real_part("claude-agent-sdk@0.2.184")
    return str(Path(place) / "claude_agent_sdk" / "_bundled" / "claude")


@pytest.fixture
def place(tmp_path):
    there = Place(tmp_path)
    there.project()
    assert there.run("record").returncode == 0
    write_subagent(tmp_path)
    return there


@pytest.mark.timeout(240)
async def test_a_planted_regression_is_reported_with_its_root_and_fix(place, client):
    before = place.files()["baselines/search_tools.json"]
    said, asked = await reported(place, client, TINY_NAME="getEnv")
    assert "Stop the deployment" in said
    assert "`retrieve_tools` is called `getEnv` now" in said
    assert "keep `retrieve_tools` as an alias" in said
    told = "".join(str(block) for block in asked[0]["system"])
    assert "move no baseline" in told, "the client read the subagent's file"
    names = {tool["name"] for tool in asked[0]["tools"]}
    assert not [name for name in names if "accept" in name or name in {"Bash", "Write", "Edit"}]
    assert place.files()["baselines/search_tools.json"] == before


@pytest.mark.timeout(240)
async def test_an_unchanged_build_may_be_deployed(place, client):
    said, _ = await reported(place, client)
    assert said.startswith("Status: good. Deploy.")


@pytest.mark.timeout(240)
async def test_a_dead_target_means_that_the_check_did_not_happen(place, client):
    place.write("server.py", "raise SystemExit(3)\n")
    said, _ = await reported(place, client)
    assert said.startswith("Status: inconclusive. The check did not happen.")
