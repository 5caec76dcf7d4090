"""`--agent claude` on the command line: recorded offline, and inconclusive where the model fails."""

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest

from tests.agents.test_seed_transcripts import BASELINE, FOUND, Live
from tests.loopback.anthropic import AnthropicServer
from tests.loopback.mcp import McpServer
from tests.loopback.plays import Fail, Play

pytestmark = pytest.mark.timeout(240)
RECORD = ("record", "--agent", "claude", "--scenario", "scenarios/search_tools_simple.yaml")


@pytest.fixture
def place(tmp_path, real_part):
    Live(tmp_path)
    return Place(tmp_path, real_part("claude-agent-sdk@0.2.184")[0])


class Place:
    """A working folder, and the program run in it with Claude's SDK beside it."""

    def __init__(self, folder, library):
        self.folder, self.library = folder, library

    def say(self, url):
        settings = {"base_url": url, "model": "claude-sonnet-5"}
        text = json.dumps({"agents": {"claude": settings}})
        (self.folder / "mcp-eval.yaml").write_text(text)

    async def start(self, *words):
        hidden = {"PYTHONPATH": self.library, "ANTHROPIC_API_KEY": "sk-ant-made-up-for-this-test"}
        hidden["PROXY_TOKEN"] = "tok-made-up-0123456789"
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "mcp_eval.cli", *words),
            cwd=self.folder,
            env={**os.environ, **hidden},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )

    async def run(self, *words):
        """The command, ended: its status, and what it said on both."""
        started = await self.start(*words)
        out, err = await started.communicate()
        return started.returncode, out.decode(), err.decode()


async def test_claude_is_recorded_offline_and_its_recording_replays_good(place):
    async with AnthropicServer(BASELINE) as model:
        place.say(model.url)
        status, out, err = await place.run(*RECORD, "--output", "baselines/search_baseline")
    assert status == 0, err
    assert "claude: 1 run of at most 30 turns, $1.00, 5 min" in err
    stored = place.folder / "baselines" / "search_baseline" / "search_tools_simple.json"
    recording = json.loads(stored.read_text())
    assert FOUND in stored.read_text()
    assert "sk-ant" not in stored.read_text()
    assert recording["format"].startswith("mcp-eval/")
    pages = [*Path(place.folder / "reports").glob("search_tools_simple_baseline_*.html")]
    assert len(pages) == 1

    # The check replays it, without any model.
    baseline = "baselines/search_baseline/search_baseline"
    status, out, err = await place.run(
        "compare", "--scenario", "scenarios/search_tools_simple.yaml", "--baseline", baseline
    )
    assert (status, "good" in out) == (0, True), err


async def test_the_seeds_lines_with_claude_against_a_running_url(place):
    scenario = ("--scenario", "scenarios/search_tools_simple.yaml")
    async with AnthropicServer(BASELINE) as model, McpServer() as proxy:
        place.say(model.url)
        server = {"url": f"{proxy.url}/mcp", "headers": {"Authorization": "Bearer ${PROXY_TOKEN}"}}
        listed = json.dumps({"mcpServers": {"mcpproxy": server}})
        (place.folder / "mcp_servers.json").write_text(listed)
        record = ("record", "--agent", "claude", *scenario, "--output", "baselines/search_baseline")
        status, _, err = await place.run(*record)
        assert status == 0, err
        for baseline in ("baselines/search_baseline", "baselines/search_baseline/search_baseline"):
            output = ("--output", "comparison_results/search_test")
            status, out, err = await place.run(
                "compare", *scenario, "--baseline", baseline, *output
            )
            assert (status, "good" in out) == (0, True), err
        calls = [one for one in proxy.requests if one.body.get("method") == "tools/call"]
        assert len(calls) == 3
        # The tap shows the target its credentials; nobody else is told them.
        assert {one.headers["authorization"] for one in calls} == {"Bearer tok-made-up-0123456789"}
        assert "tok-made-up" not in str([one.body for one in model.requests])
    report = json.loads(
        (place.folder / "comparison_results/search_test/comparison.json").read_text()
    )
    assert report["status"] == "good"


@pytest.mark.parametrize("how", ["refused", 529, "silence", "hang up"])
async def test_a_model_that_fails_is_inconclusive(place, how):
    async with AnthropicServer(Play(Fail(how))) as model:
        place.say("http://127.0.0.1:9" if how == "refused" else model.url)
        async with asyncio.timeout(120):  # a minute on a machine that has nothing else to do
            status, out, err = await place.run(*RECORD)
    assert (status, out) == (3, "")
    assert "no run of it came about" in err
    assert not (place.folder / "baselines" / "search_tools_simple.json").exists()


async def test_whoever_kills_the_command_leaves_no_client_behind(place):
    async with AnthropicServer(Play(Fail("silence"))) as model:
        place.say(model.url)
        started = await place.start(*RECORD)
        await until(lambda: model.asked)  # its client is up and waits for the model
        assert knowing(model.url)
        started.kill()
        await started.communicate()
        await until(lambda: not knowing(model.url))


async def until(holds):
    while not holds():  # noqa: ASYNC110 - nobody tells us
        await asyncio.sleep(0.1)


def knowing(url):
    """Whoever has this address in its environment."""
    found = []
    for place in Path("/proc").glob("[0-9]*/environ"):
        try:
            known = f"ANTHROPIC_BASE_URL={url}".encode() in place.read_bytes()
        except OSError:
            continue
        found += [place.parent.name] if known else []
    return found
