"""Small servers with one fault each, as real processes, and how to talk to them."""

import sys
import textwrap
from contextlib import asynccontextmanager
from pathlib import Path

from mcp_eval.clock import SystemClock
from mcp_eval.model.project import TargetSpec
from mcp_eval.tap.session import Session
from mcp_eval.targets.process import ProcessTarget

HELLO = """
import json, os, subprocess, sys, time

def say(message):
    sys.stdout.write(json.dumps(message) + "\\n")
    sys.stdout.flush()

def answer(message, result):
    say({"jsonrpc": "2.0", "id": message["id"], "result": result})

def text(message, said):
    answer(message, {"content": [{"type": "text", "text": said}]})

def messages():
    for line in iter(sys.stdin.readline, ""):
        message = json.loads(line)
        if message.get("method") == "initialize":
            answer(message, {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                             "serverInfo": {"name": "tiny", "version": "1"}})
        elif message.get("method") == "tools/list":
            answer(message, {"tools": [{"name": "go", "inputSchema": {"type": "object"}}]})
        elif message.get("method") == "tools/call":
            yield message
"""


class Servers:
    """Writes servers into a folder, and starts them as targets with a journal there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workspace = folder / ".mcp-eval"

    def spec(self, body, *, hello=HELLO, **more):
        path = self.folder / "server.py"
        path.write_text(hello + textwrap.dedent(body))
        more.setdefault("start_timeout", 10)
        return TargetSpec(name="tiny", command=(sys.executable, "-u", str(path)), **more)

    def target(self, body, **more):
        return ProcessTarget(self.spec(body, **more), workspace=self.workspace, clock=SystemClock())

    @asynccontextmanager
    async def session(self, body, **more):
        environment = await self.target(body, **more).start()
        session = None
        try:
            session = Session(
                await environment.connect(),
                clock=SystemClock(),
                post_mortem=environment.post_mortem,
            )
            await session.initialize(10)
            yield session
        finally:
            if session is not None:
                await session.close()
            await environment.stop()
