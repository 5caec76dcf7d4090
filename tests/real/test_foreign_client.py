"""The official MCP client talks to `mcp-eval mcp`."""

import json
import subprocess
import sys

import pytest

from tests.flows.places import Place

CLIENT = """
import asyncio, json, sys
sys.path[:0] = sys.argv[1:2]
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

async def main():
    server = StdioServerParameters(command=sys.argv[2], args=["-m", "mcp_eval.cli", "mcp"])
    told = []
    async def progress(done, total, message):
        told.append(message)
    async with stdio_client(server) as (reads, writes), ClientSession(reads, writes) as session:
        await session.initialize()
        tools = await session.list_tools()
        said = await session.call_tool("check", {}, progress_callback=progress)
        print(json.dumps([[tool.name for tool in tools.tools], said.structuredContent["status"], len(told)]))

asyncio.run(main())
"""


@pytest.mark.timeout(180)
def test_the_official_client_lists_the_tools_and_gets_a_verdict(real_part, tmp_path):
    python = real_part("mcp-server-time@2026.1.26")[0]
    place = Place(tmp_path)
    place.project()
    assert place.run("record").returncode == 0
    words = [python, "-c", CLIENT, "", sys.executable]
    said = subprocess.run(
        words, cwd=tmp_path, capture_output=True, text=True, timeout=150, check=False
    )
    assert said.returncode == 0, said.stderr
    tools, status, told = json.loads(said.stdout.splitlines()[-1])
    assert tools == [
        "list_scenarios",
        "check",
        "explain_finding",
        "propose_baseline_change",
        "summary",
    ]
    assert status == "good"
    assert told > 0
