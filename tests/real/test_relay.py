"""The relay as a real process, between a client and a server that know nothing of it."""

import json
import os
import random
import subprocess
import sys
import threading

import pytest

from mcp_eval.targets import procs

# Passes its stdin to its stdout, byte for byte; what it is told by `die` it does.
MIRROR = """
import os, sys
while chunk := os.read(0, 65536):
    if b"please die" in chunk:
        os._exit(4)
    while chunk:
        chunk = chunk[os.write(1, chunk):]
"""

RELAY = """
import asyncio, json, sys
from pathlib import Path
from mcp_eval.clock import SystemClock
from mcp_eval.model.project import TargetSpec
from mcp_eval.tap.recorder import Recorder
from mcp_eval.tap.relay import attach
from mcp_eval.targets.process import ProcessTarget

async def main():
    workspace, command = Path(sys.argv[1]), tuple(sys.argv[2:])
    clock = SystemClock()
    spec = TargetSpec(name="behind", command=command, cwd=".")
    environment = await ProcessTarget(spec, workspace=workspace, clock=clock).start()
    try:
        relay = await attach(environment, recorder=Recorder(), clock=clock)
        print("printed by a library", flush=True)
    finally:
        await environment.stop()
    made = relay.recorder.invocations
    (workspace / "seen.json").write_text(json.dumps({
        "kinds": sorted({one.outcome.kind for one in made}), "calls": len(made), "blind": relay.blind,
        "garbage": relay.recorder.garbage_lines}))

asyncio.run(main())
"""


class Client:
    """Starts the relay as its server."""

    def __init__(self, folder, server):
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-c", RELAY, str(folder), sys.executable, "-c", server],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def exchange(self, payload):
        """All that comes back until the relay closes its stdout."""

        def write():
            self.process.stdin.write(payload)
            self.process.stdin.close()

        writing = threading.Thread(target=write)
        writing.start()
        heard = self.process.stdout.read()
        writing.join()
        self.process.stdout.close()
        self.errors = self.process.stderr.read().decode()
        self.process.stderr.close()
        self.process.wait(20)
        return heard

    @property
    def seen(self):
        return json.loads((self.folder / "seen.json").read_text())


def line(message):
    return json.dumps(message, ensure_ascii=False).encode() + b"\n"


def call(number, **arguments):
    params = {"name": "mirror", "arguments": arguments}
    return line({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})


@pytest.fixture
def dice():
    return random.Random(7)


def test_ten_thousand_messages_pass_two_pipes_byte_for_byte(tmp_path, dice):
    words = ["plain", "häufig", "日本語", "🦜", "\u2028", "\x7f"]
    lines = [call(n, text=dice.choice(words) * dice.randrange(20)) for n in range(9_900)]
    lines += [b"noise " + dice.randbytes(40).replace(b"\n", b"") + b"\r\n" for _ in range(100)]
    dice.shuffle(lines)
    lines[5000] = call(-1, big="ü" * (5 * 1024 * 1024 // 2))
    payload = b"".join(lines)
    client = Client(tmp_path, MIRROR)
    assert client.exchange(payload) == payload
    assert client.seen["blind"] == ""
    assert 9_800 < client.seen["calls"] <= 9_901
    assert client.process.returncode == 0
    # Once the recording has begun nothing printed stands between the frames.
    assert "printed by a library" in client.errors


def test_a_server_that_dies_closes_the_line_to_the_client(tmp_path):
    client = Client(tmp_path, MIRROR)
    assert client.exchange(call(1, please="please die")) == b""
    assert client.process.returncode == 0
    assert client.seen["kinds"] == ["crashed"]


def test_a_client_that_is_gone_leaves_no_server_behind(tmp_path):
    client = Client(tmp_path, MIRROR)
    client.process.stdin.write(call(1))
    client.process.stdin.flush()
    assert client.process.stdout.readline() == call(1)
    session = {each for each in procs.procs() if each.parent == client.process.pid}
    assert session
    client.process.stdout.close()
    client.process.stdin.close()
    client.process.stderr.close()
    client.process.wait(20)
    assert procs.alive(session) == set()


def test_a_file_is_no_client(tmp_path):
    (tmp_path / "in").write_bytes(call(1))
    with (tmp_path / "in").open("rb") as opened:
        ended = subprocess.run(
            [sys.executable, "-c", RELAY, str(tmp_path), sys.executable, "-c", MIRROR],
            stdin=opened,
            capture_output=True,
            timeout=30,
            env={**os.environ},
            check=False,
        )
    assert b"UsageError: stdin and stdout are no pipes" in ended.stderr
