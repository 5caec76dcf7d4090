"""`record --attach`: between a client and its server, which know nothing of it."""

import json
import signal
import subprocess
import sys

import pytest

from mcp_eval.formats.scenario import read_scenario
from tests.flows.places import Place, command, until

pytestmark = pytest.mark.timeout(180)

TICKETS = """\
import json, os, sys, uuid
minted = {}
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    method, params = message["method"], message.get("params", {})
    if method == "initialize":
        result = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}},
                  "serverInfo": {"name": "tickets", "version": "1"}}
    elif method == "tools/list":
        text = {"type": "object", "properties": {"id": {"type": "string"}}}
        result = {"tools": [{"name": name, "inputSchema": text} for name in ("open_ticket", "get_ticket")]}
    elif params["name"] == "open_ticket":
        made = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{os.getpid() if 'SPREAD' in os.environ else 0}"))
        minted[made] = {"id": made, "state": "open", "token": os.environ.get("TICKET_TOKEN", "")}
        result = {"content": [{"type": "text", "text": json.dumps(minted[made])}]}
    else:
        found = minted.get(params["arguments"]["id"])
        result = {"content": [{"type": "text", "text": json.dumps(found or "no such ticket")}]}
        result["isError"] = found is None
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}) + "\\n")
    sys.stdout.flush()
"""
TOKEN = "tk-5f2a9c17e0b84d33a6"
SERVER = ("--", sys.executable, "server.py")


@pytest.fixture
def place(tmp_path):
    (tmp_path / "work").mkdir()
    place = Place(tmp_path / "work")
    (place.folder / "scenarios/search_tools.yaml").unlink()
    return place


@pytest.fixture
def tickets(place):
    place.write("server.py", TICKETS)
    return place


class Client:
    """Speaks JSON-RPC with whatever its configuration names, and keeps every byte it gets."""

    def __init__(self, place, words, **environ):
        self.heard = b""
        self.number = 0
        self.process = subprocess.Popen(
            words,
            cwd=place.folder,
            env=place.environ(environ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def open(self):
        hello = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "desk", "version": "1"},
        }
        self.ask("initialize", hello)
        self.say({"method": "notifications/initialized"})
        return self

    def say(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method, params=None):
        self.number += 1
        self.say({"id": self.number, "method": method, "params": params or {}})
        while line := self.process.stdout.readline():
            self.heard += line
            answered = json.loads(line)
            if answered.get("id") == self.number and "method" not in answered:
                return answered["result"]
        raise EOFError(method)

    def call(self, name, **arguments):
        answered = self.ask("tools/call", {"name": name, "arguments": arguments})
        return json.loads(answered["content"][0]["text"])

    def leave(self):
        self.process.stdin.close()
        self.heard += self.process.stdout.read()
        self.process.stdout.close()
        self.told = self.process.stderr.read().decode()
        self.process.stderr.close()
        return self.process.wait(60)


def worked(client):
    client.open()
    client.ask("tools/list")
    made = client.call("open_ticket")
    client.call("get_ticket", id=made["id"])
    return made


def scenario_of(place):
    (path,) = (place.folder / "scenarios").glob("*.yaml")
    return read_scenario(path.read_bytes(), path=str(path))


def test_the_client_gets_the_very_bytes_the_server_wrote(tickets):
    bare = Client(tickets, [sys.executable, "server.py"])
    worked(bare)
    bare.leave()
    tapped = Client(tickets, command("record", "--attach", *SERVER))
    worked(tapped)
    assert tapped.leave() == 0, tapped.told
    assert tapped.heard == bare.heard


def test_a_persons_own_work_becomes_a_scenario_and_its_recording_which_replays_good(tickets):
    client = Client(tickets, command("record", "--attach", *SERVER), SPREAD="1")
    minted = worked(client)["id"]
    assert client.leave() == 0, client.told
    scenario = scenario_of(tickets)
    assert scenario.stem.startswith("session-")
    opened, read = scenario.expected_trajectory
    assert (opened.tool, read.tool) == ("open_ticket", "get_ticket")
    assert read.args == {"id": "{{ steps.0.result.id }}"}
    recorded = json.loads((tickets.folder / f"baselines/{scenario.stem}.json").read_bytes())
    assert [one["path"] for one in recorded["steps"][1]["bindings"]] == ["id"]
    assert recorded["steps"][1]["arguments"] == {"id": minted}
    assert f"check it: mcp-eval check scenarios/{scenario.stem}.yaml --target" in client.told

    checked = tickets.run(
        "check", "--target", f"{sys.executable} {tickets.folder}/server.py", SPREAD="1"
    )
    assert (checked.returncode, checked.stdout.splitlines()[-1]) == (0, "1 passed, 0 failed"), (
        checked.stdout + checked.stderr
    )
    assert "good" in checked.stdout
    again = tickets.run(
        *("record", "--replace", "--target", f"{sys.executable} {tickets.folder}/server.py"),
        SPREAD="1",
    )
    assert again.returncode == 0, again.stderr


def test_no_secret_reaches_the_disk(tickets):
    client = Client(tickets, command("record", "--attach", *SERVER), TICKET_TOKEN=TOKEN)
    assert worked(client)["token"] == TOKEN
    assert client.leave() == 0, client.told
    kept = [path for path in tickets.folder.rglob("*") if path.is_file()]
    assert any(b"${secret:TICKET_TOKEN}" in path.read_bytes() for path in kept)
    assert [path for path in kept if TOKEN.encode() in path.read_bytes()] == []
    checked = tickets.run(
        *("check", "--target", f"{sys.executable} {tickets.folder}/server.py"), TICKET_TOKEN=TOKEN
    )
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGKILL])
def test_what_was_done_before_a_pause_outlives_a_client_that_ends_its_server(tickets, sign):
    client = Client(tickets, command("record", "--attach", *SERVER))
    worked(client)
    until(lambda: list((tickets.folder / "baselines").glob("session-*.json")))
    client.process.send_signal(sign)
    client.process.stdout.read()
    client.leave()
    recorded = scenario_of(tickets)
    assert len(recorded.expected_trajectory) == 2


def test_each_session_has_a_name_of_its_own_and_the_approved_surface_waits_for_accept(tickets):
    wanted = ("record", "scenarios/mine.yaml", "--attach", "--output", "kept")
    for _ in range(2):
        client = Client(tickets, command(*wanted, *SERVER))
        worked(client)
        assert client.leave() == 0, client.told
    assert {path.name for path in (tickets.folder / "scenarios").iterdir()} == {
        "mine.yaml",
        "mine-2.yaml",
    }
    kept = {path.name for path in (tickets.folder / "kept").glob("*.json")}
    assert kept == {"mine.json", "mine-2.json", "surface.json"}


def test_a_project_target_is_attached_to_by_its_name(tickets):
    program = json.dumps([sys.executable, f"{tickets.folder}/server.py"])
    tickets.write(
        "mcp-eval.yaml", f"targets:\n  desk:\n    command: {program}\n    resettable: true\n"
    )
    client = Client(tickets, command("record", "--attach", "--target", "desk"))
    worked(client)
    assert client.leave() == 0, client.told
    assert "--target desk" in client.told
    checked = tickets.run("check")
    assert checked.returncode == 0, checked.stdout


def test_a_client_that_calls_nothing_leaves_nothing(tickets):
    client = Client(tickets, command("record", "--attach", *SERVER))
    client.open().ask("tools/list")
    assert client.leave() == 0
    assert "nothing was called" in client.told
    assert not (tickets.folder / "baselines").exists()


def test_work_in_which_every_call_fails_is_refused(tickets):
    client = Client(tickets, command("record", "--attach", *SERVER)).open()
    client.call("get_ticket", id="4711")
    assert client.leave() == 3
    assert "refused as a baseline" in client.told
    assert not (tickets.folder / "baselines").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("--trials", "2", "--attach", *SERVER),
        ("--attach", "--target", "x", *SERVER),
        ("one.yaml", "two.yaml", "--attach", *SERVER),
        ("--attach", "--json", *SERVER),
    ],
)
def test_what_cannot_go_with_it_is_said(tickets, words):
    said = tickets.run("record", *words)
    assert said.returncode == 2
    assert "--attach" in said.stderr
    assert said.stdout == ""
