"""`record --attach` before real servers: the client's bytes, and a recording that replays good."""

import json

import pytest

from tests.flows.places import Place, command
from tests.flows.test_commands_attach import Client

EVERYTHING = "server-everything@2026.1.14"


@pytest.fixture
def place(tmp_path):
    place = Place(tmp_path)
    (tmp_path / "scenarios/search_tools.yaml").unlink()
    (tmp_path / "mcp_servers.json").unlink()
    return place


def project(place, program, **env):
    target = {"command": program, "resettable": True, "env": env}
    place.write("mcp-eval.yaml", json.dumps({"targets": {"real": target}}))


def asked(client):
    client.open()
    client.ask("tools/list")
    client.ask("resources/read", {"uri": "demo://resource/static/document/features.md"})
    client.ask("prompts/get", {"name": "simple-prompt"})
    for name, arguments in (
        ("echo", {"message": "häufig"}),
        ("get-sum", {"a": 2, "b": 40}),
        ("get-structured-content", {"location": "Chicago"}),
        ("get-tiny-image", {}),
    ):
        client.ask("tools/call", {"name": name, "arguments": arguments})


@pytest.mark.timeout(180)
def test_a_session_with_server_everything_is_passed_on_to_the_byte_and_replays_good(
    real_part, place
):
    program = real_part(EVERYTHING)
    bare = Client(place, program)
    asked(bare)
    bare.leave()
    project(place, program)
    tapped = Client(place, command("record", "--attach", "--target", "real"))
    asked(tapped)
    assert tapped.leave() == 0, tapped.told
    assert answers(tapped.heard) == answers(bare.heard)
    checked = place.run("check")
    assert (checked.returncode, checked.stdout.splitlines()[-1]) == (0, "1 passed, 0 failed")
    (recorded,) = (place.folder / "baselines").glob("session-*.json")
    assert len(json.loads(recorded.read_bytes())["steps"]) == 6


def answers(heard):
    return [line for line in heard.splitlines() if b'"id":' in line and b'"method":' not in line]


@pytest.mark.timeout(180)
def test_a_session_that_fills_a_memory_starts_from_an_empty_one_each_time(real_part, place):
    program = real_part("server-memory@2026.1.26")
    project(place, program, MEMORY_FILE_PATH="${workdir}/memory.jsonl")
    client = Client(place, command("record", "--attach", "--target", "real")).open()
    entity = {"name": "Ada", "entityType": "person", "observations": ["writes programs"]}
    client.call("create_entities", entities=[entity])
    client.call("read_graph")
    assert client.leave() == 0, client.told
    for _ in range(2):
        checked = place.run("check")
        assert (checked.returncode, checked.stdout.splitlines()[-1]) == (0, "1 passed, 0 failed")
