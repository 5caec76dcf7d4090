"""From an empty folder, with public servers: init, record, check, a planted change, two releases."""

import json
import subprocess
import sys

import pytest

from bench.inject import wrapped
from mcp_eval.formats.scenario import read_scenario
from tests.flows.places import PATIENCE, SERVER, Place

pytestmark = pytest.mark.timeout(400)

MEMORY = {"MEMORY_FILE_PATH": "${workdir}/memory.jsonl"}
# Server, its arguments, its environment, what is planted, and where it shows.
SERVERS = {
    "server-everything@2026.1.14": ((), {}, {"fault": "remove-field", "tool": "get-structured-content", "path": "temperature"}, "get-structured-content"),
    "server-memory@2026.1.26": ((), MEMORY, {"fault": "remove-field", "tool": "read_graph", "path": "entities[0].observations"}, "read_graph"),
    "server-filesystem@2025.7.29": (("${workdir}",), {}, {"fault": "truncate-text", "tool": "get_file_info"}, "get_file_info"),
    "mcp-server-time@2026.1.26": ((), {}, {"fault": "remove-field", "tool": "convert_time", "path": "time_difference"}, "convert_time"),
    "mcp-server-git@2026.1.14": (("--repository", "REPOSITORY"), {}, {"fault": "truncate-text", "tool": "git_log"}, "git_log"),
}  # fmt: skip


@pytest.fixture
def place(tmp_path):
    (tmp_path / "work").mkdir()
    place = Place(tmp_path / "work")
    for path in ("scenarios/search_tools.yaml", "mcp_servers.json", "server.py"):
        (place.folder / path).unlink()
    (place.folder / "scenarios").rmdir()
    return place


def repository(folder):
    who = ("-c", "user.name=someone", "-c", "user.email=someone@example.com")
    folder.mkdir()
    (folder / "notes.txt").write_text("one\n")
    for words in (("init", "-q"), ("add", "."), (*who, "commit", "-q", "-m", "The first of them")):
        subprocess.run(["git", *words], cwd=folder, check=True, timeout=PATIENCE)
    return str(folder)


def servers(place, command, env):
    program, *args = command
    one = {"command": program, "args": args, "env": env}
    return place.write("servers.json", json.dumps({"mcpServers": {"real": one}}))


@pytest.mark.parametrize("name", SERVERS)
def test_five_public_servers_from_an_empty_folder(name, real_part, place, tmp_path):
    words, env, fault, tool = SERVERS[name]
    mine = [repository(tmp_path / "repo") if word == "REPOSITORY" else word for word in words]
    command = [*real_part(name), *mine]
    servers(place, command, env)
    # A repository outlives its server, and a minute's waiting is no first five minutes.
    clean = name.startswith(("server-memory", "server-filesystem"))
    begun = place.run("init", "servers.json", "--clean" if clean else "--no-clean", "--json")
    assert begun.returncode == 0, begun.stderr
    seen = json.loads(begun.stdout)["sight"]
    assert tool in seen["repeat"]
    assert len(seen["tried"]) * 2 >= seen["tools"] - len(seen["untried"])
    recorded = place.run("record")
    assert recorded.returncode == 0, recorded.stderr
    checked = place.run("check")
    assert checked.returncode == 0, checked.stdout
    assert " 0 failed" in checked.stdout.splitlines()[-1]

    servers(place, wrapped(command, [fault], tmp_path), env)
    found = place.run("check", "--json")
    assert found.returncode == 1, found.stdout
    assert tool in {one["tool"] for one in json.loads(found.stdout)["findings"]}


def test_two_releases_are_compared_without_any_scenario(real_part, place):
    before = " ".join(real_part("server-everything@2025.12.18"))
    after = " ".join(real_part("server-everything@2026.1.14"))
    compared = place.run("compare", before, after, "--json")
    assert compared.returncode == 1
    report = json.loads(compared.stdout)
    renamed = {
        one["tool"]: one["status"] for one in report["findings"] if one["rule"] == "tool-renamed"
    }
    assert renamed["printEnv"] == "broken"  # it was tried
    assert renamed["longRunningOperation"] == "degraded"  # it may write: nobody called it
    assert len(renamed) == 11
    said = next(one for one in report["remarks"] if "safe reads" in one)
    assert "printEnv" in said
    assert "longRunningOperation" not in said
    same = place.run("compare", after, after)
    assert same.returncode == 0, same.stdout


def test_what_may_write_stands_in_comments_unless_a_start_is_clean(real_part, place):
    servers(place, real_part("server-memory@2026.1.26"), MEMORY)
    begun = place.run("init", "servers.json")
    assert begun.returncode == 0, begun.stderr
    assert "memory-server 0.6.3: 9 tools, 3 tried, 3 repeat, catalogue 2," in begun.stdout
    path = place.folder / "scenarios/untried_tools.yaml"
    idle = read_scenario(path.read_bytes(), path=str(path))
    assert (idle.enabled, idle.expected_trajectory) == (False, ())
    lines = path.read_text("utf-8").splitlines()
    opened = "\n".join(
        line.removeprefix("# ") for line in lines if not line.startswith(("# These", "# what"))
    )
    woken = read_scenario(opened.encode(), path=str(path))
    assert [step.tool for step in woken.expected_trajectory][:2] == [
        "create_entities",
        "create_relations",
    ]
    assert "resettable" not in (place.folder / "mcp-eval.yaml").read_text("utf-8")
    path.write_text("name: mine\nenabled: false\n")
    again = place.run("init", "servers.json")
    assert "kept as it was: scenarios/untried_tools.yaml" in again.stderr
    assert path.read_text("utf-8") == "name: mine\nenabled: false\n"


def test_a_command_gets_a_name_of_its_own(place):
    place.write("server.py", SERVER.read_text("utf-8"))
    begun = place.run("init", f"{sys.executable} server.py", TINY_READS="1")
    assert begun.returncode == 0, begun.stderr
    assert "tiny 1: 1 tool, 1 repeat, catalogue" in begun.stdout
    assert "tiny:" in (place.folder / "mcp-eval.yaml").read_text("utf-8")
    assert place.run("record", TINY_READS="1").returncode == 0
    assert place.run("check", TINY_READS="1").returncode == 0
