"""The lines a person types, where `mcp_servers.json` names a URL or several servers."""

import json
import socket
import subprocess
import sys
import time

import pytest

SCENARIO = """
name: Search
user_intent: Say hello back to me
expected_trajectory:
  - {{tool: {tool}, args: {{message: "hello, world"}}}}
  - {{tool: {other}, args: {args}}}
"""


@pytest.fixture
def here(tmp_path):
    """Runs `mcp-eval` in a folder; what it printed, where it ended as expected."""

    def run(*words, status=0):
        ended = subprocess.run(
            [sys.executable, "-m", "mcp_eval.cli", *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=50,
            check=False,
        )
        assert ended.returncode == status, ended.stdout + ended.stderr
        return ended.stdout + ended.stderr

    run.folder = tmp_path
    return run


@pytest.fixture
def running(real_part):
    """Server-everything, running somewhere: its URL."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [*real_part("server-everything@2026.1.14"), "streamableHttp"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env={"PORT": str(port), "PATH": "/usr/bin:/bin"}, **quiet) as it:
        try:
            _listening(port)
            yield f"http://127.0.0.1:{port}/mcp", it
        finally:
            it.terminate()


def _listening(port):
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    pytest.fail("it does not listen")


def written(folder, servers, **scenario):
    (folder / "mcp_servers.json").write_text(json.dumps({"mcpServers": servers}))
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / "search.yaml").write_text(SCENARIO.format(**scenario))


async def test_record_and_both_forms_of_compare_against_a_running_url(here, running):
    url, server = running
    written(here.folder, {"mine": {"url": url}}, tool="echo", other="get-sum", args="{a: 1, b: 2}")
    said = here("record", "--scenario", "scenarios/search.yaml", "--output", "baselines/search")
    assert "recorded 1 scenario" in said
    for baseline in ("baselines/search", "baselines/search/search"):
        words = ["--scenario", "scenarios/search.yaml", "--baseline", baseline]
        said = here("compare", *words, "--output", "comparisons")
        assert "1 passed, 0 failed" in said
    assert server.poll() is None  # it outlives whoever talked to it


async def test_several_servers_are_recorded_and_checked_together(here, running, real_part):
    url, _ = running
    program, *arguments = real_part("server-everything@2025.12.18")
    servers = {"web": {"url": url}, "pipe": {"command": program, "args": arguments}}
    written(here.folder, servers, tool="mcp__pipe__echo", other="web__echo", args='{message: "x"}')
    here("record", "scenarios")
    assert "1 passed, 0 failed" in here("check", "scenarios")
    steps = json.loads((here.folder / "baselines" / "search.json").read_text())["steps"]
    assert [step["name"] for step in steps] == ["pipe__echo", "web__echo"]
    assert all(step["outcome"].get("kind", "result") == "result" for step in steps)


async def test_a_server_that_is_not_there_is_no_opinion(here):
    written(
        here.folder, {"mine": {"url": "http://127.0.0.1:9/mcp"}}, tool="echo", other="x", args="{}"
    )
    assert "connection refused" in here("record", "scenarios", status=3)
