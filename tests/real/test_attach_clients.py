"""`record --attach` in a foreign client's configuration: the client sees no difference."""

import json
import shlex
import subprocess

import pytest

from mcp_eval.formats.scenario import read_scenario
from tests.flows.places import PATIENCE, Place, command
from tests.real.test_attach import EVERYTHING, answers

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

CLIENT = """
import asyncio, json, sys
from mcp import Client, StdioServerParameters

async def main():
    server = StdioServerParameters(command=sys.argv[2], args=sys.argv[3:])
    async with Client(server, mode=sys.argv[1]) as client:
        seen = [
            await client.list_tools(),
            await client.call_tool("echo", {"message": "häufig"}),
            await client.call_tool("get-sum", {"a": 2, "b": 40}),
        ]
        print(client.protocol_version, json.dumps([one.model_dump(mode="json") for one in seen]))

asyncio.run(main())
"""
LIST = ("--method", "tools/list")
ECHO = ("--tool-name", "echo", "--tool-arg", "message=häufig", "--method", "tools/call")
SUM = ("--tool-name", "get-sum", "--tool-arg", "a=2", "b=40", "--method", "tools/call")


@pytest.fixture
def place(tmp_path):
    place = Place(tmp_path)
    (tmp_path / "scenarios/search_tools.yaml").unlink()
    (tmp_path / "mcp_servers.json").unlink()
    return place


@pytest.fixture
def server(real_part):
    return real_part(EVERYTHING)


def attached(*words):
    return command("record", "--attach", *words)


def heard_in(place, name, words):
    """The server of these words, which keeps a copy of every byte the client gets from it."""
    return ["sh", "-c", '"$@" | tee -a "$0"', str(place.folder / name), *words]


def printed(place, words):
    """What a client printed, which found nothing wrong."""
    said = subprocess.run(
        words,
        cwd=place.folder,
        env=place.environ({}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert said.returncode == 0, said.stderr.decode()
    return said.stdout


def same_bytes(place):
    """Whether both servers' answers were the same to the byte, and were any."""
    bare, tapped = ((place.folder / name).read_bytes() for name in ("bare", "tapped"))
    return answers(tapped) == answers(bare) != []


def recorded(place):
    """The calls of each session, in the order of the sessions."""
    paths = sorted((place.folder / "scenarios").glob("session-*.yaml"))
    told = [read_scenario(path.read_bytes(), path=str(path)) for path in paths]
    return [[(step.tool, step.args) for step in one.expected_trajectory] for one in told]


def replays_good(place, target, amount):
    checked = place.run("check", "--target", target)
    last = checked.stdout.splitlines()[-1:]
    assert (checked.returncode, last) == (0, [f"{amount} passed, 0 failed"]), (
        checked.stdout + checked.stderr
    )
    assert "good" in checked.stdout


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_official_client_sees_the_same_and_its_session_replays_good(
    real_part, place, server, mode
):
    python = real_part("mcp-everything-server@2.3.0")[0]
    script = str(place.write("client.py", CLIENT))
    seen = [
        printed(place, [python, script, mode, *heard_in(place, name, words)])
        for name, words in (("bare", server), ("tapped", attached("--", *server)))
    ]
    assert b"The sum of 2 and 40 is 42." in seen[0]
    assert seen[0] == seen[1]
    assert same_bytes(place)
    assert recorded(place) == [[("echo", {"message": "häufig"}), ("get-sum", {"a": 2, "b": 40})]]
    replays_good(place, shlex.join(server), 1)


def test_the_inspector_configured_by_a_file_sees_the_same_and_its_sessions_replay_good(
    real_part, place, server
):
    # Behind a `--` in its file it would not see what it is asked: so the target has a name.
    target = {"command": server, "resettable": True}
    place.write("mcp-eval.yaml", json.dumps({"targets": {"real": target}}))
    servers = {
        name: {"command": words[0], "args": words[1:]}
        for name, words in (
            ("bare", heard_in(place, "bare", server)),
            ("tapped", heard_in(place, "tapped", attached("--target", "real"))),
        )
    }
    file = str(place.write("servers.json", json.dumps({"mcpServers": servers})))
    inspector = [*real_part("inspector@0.15.0"), "--cli", "--config", file, "--server"]
    bare, tapped = (
        [printed(place, [*inspector, name, *asked]) for asked in (LIST, ECHO, SUM)]
        for name in servers
    )
    assert {"echo", "get-sum"} <= {tool["name"] for tool in json.loads(bare[0])["tools"]}
    assert bare == tapped
    assert same_bytes(place)
    assert recorded(place) == [
        [("echo", {"message": "häufig"})],
        [("get-sum", {"a": 2, "b": 40})],
    ]
    replays_good(place, "real", 2)


def test_the_inspector_given_the_words_sees_the_same_and_its_session_replays_good(
    real_part, place, server
):
    # It takes the first `--` for itself, and so does the program it starts with the rest.
    inspector = [*real_part("inspector@0.15.0"), "--cli", *SUM, "--"]
    seen = [
        printed(place, [*inspector, *heard_in(place, name, words)])
        for name, words in (("bare", server), ("tapped", attached("--", "--", *server)))
    ]
    assert json.loads(seen[0])["content"][0]["text"] == "The sum of 2 and 40 is 42."
    assert seen[0] == seen[1]
    assert same_bytes(place)
    assert recorded(place) == [[("get-sum", {"a": 2, "b": 40})]]
    replays_good(place, shlex.join(server), 1)
