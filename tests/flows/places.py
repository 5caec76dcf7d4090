"""A working folder with one scenario and a tiny server, and commands run in it as people run them."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

SERVER = Path(__file__).with_name("tiny_server.py")
SCENARIO = """\
name: "Search MCP Tools (Simple)"
description: "Simple test to find environment-related tools"
enabled: true
user_intent: "Find tools for environment variables"
expected_trajectory:
  - action: "search_tools"
    tool: "mcp__mcpproxy__retrieve_tools"
    args:
      query: "environment"
success_criteria:
  - "Found environment-related tools"
  - "Retrieved tool descriptions"
"""
PATIENCE = 120.0  # a bound, no promise: machines are shared


class Place:
    """A working folder."""

    def __init__(self, folder):
        self.folder = folder
        self.log = folder / "server.log"
        (folder / "scenarios").mkdir()
        self.write("scenarios/search_tools.yaml", SCENARIO)
        shutil.copy(SERVER, folder / "server.py")
        servers = {"mcpproxy": {"command": sys.executable, "args": ["server.py"]}}
        self.write("mcp_servers.json", json.dumps({"mcpServers": servers}))

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def project(self, text=""):
        """A project file whose one target may be repeated."""
        command = json.dumps([sys.executable, "server.py"])
        start = f"targets:\n  tiny:\n    command: {command}\n    resettable: true\n"
        return self.write("mcp-eval.yaml", start + text)

    def run(self, *words, stdin="", before=(), **environ):
        """The command, ended; its output as text."""
        return subprocess.run(
            [*before, *command(*words)],
            cwd=self.folder,
            env=self.environ(environ),
            input=stdin,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def begin(self, *words, **environ):
        """The command, running."""
        return subprocess.Popen(
            command(*words),
            cwd=self.folder,
            env=self.environ(environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def environ(self, more):
        return {**os.environ, "TINY_LOG": str(self.log), "NO_COLOR": "1", **more}

    def logged(self):
        return self.log.read_text("utf-8").splitlines() if self.log.exists() else []

    def servers(self):
        """The process ids of every server that was ever started here."""
        return [int(line.split()[1]) for line in self.logged() if line.startswith("start ")]

    def files(self, under="baselines"):
        """Every file below a folder, and its bytes."""
        found = sorted((self.folder / under).rglob("*"))
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in found
            if path.is_file()
        }


def command(*words):
    return [sys.executable, "-m", "mcp_eval.cli", *map(str, words)]


def until(true):
    """Wait for a fact; how long it takes is nobody's promise."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, "it never came about"
        time.sleep(0.02)


def alive(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in {"Z", "X"}


def one_line_and_a_hint(text):
    """Whether this is how an error ends: one line what, one line hint, no traceback."""
    lines = text.strip().splitlines()
    return (
        "Traceback" not in text
        and len(lines) >= 2
        and lines[-2].startswith("error: ")
        and lines[-1].startswith("hint: ")
    )
