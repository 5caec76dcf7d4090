import json
import re
from importlib.metadata import version

import pytest
from click.testing import CliRunner

from mcp_eval.cli.init import command
from mcp_eval.cli.scaffold import SUBAGENT, WORKFLOWS, write_subagent, write_workflow
from mcp_eval.errors import UsageError
from mcp_eval.judge.scoring import ACTIONS
from mcp_eval.mcp_server.tools import Suite

OURS = {"command": "mcp-eval", "args": ["mcp"]}


def test_the_subagent_may_call_every_tool_that_is_served_and_none_that_accepts(tmp_path):
    paths = write_subagent(tmp_path)
    text = (tmp_path / SUBAGENT).read_text()
    named = re.search(r"^tools: (.*)$", text, re.MULTILINE)[1].split(", ")
    assert named == [f"mcp__mcp-eval__{tool['name']}" for tool in Suite().listed()]
    assert json.loads((tmp_path / ".mcp.json").read_text()) == {"mcpServers": {"mcp-eval": OURS}}
    assert paths == (tmp_path / SUBAGENT, tmp_path / ".mcp.json")


@pytest.mark.parametrize("status", ["good", "degraded", "broken", "inconclusive"])
def test_the_subagent_knows_each_status_and_the_words_of_its_action(status, tmp_path):
    write_subagent(tmp_path)
    (row,) = re.findall(
        rf"^\| {status} \| (.*) \|$", (tmp_path / SUBAGENT).read_text(), re.MULTILINE
    )
    assert all(part in row for part in ACTIONS[status].split(", "))


def test_other_servers_stay_and_ours_as_somebody_wrote_it(tmp_path):
    path = tmp_path / ".mcp.json"
    path.write_text('{"mcpServers": {"a": {"url": "x"}}, "more": 1}')
    write_subagent(tmp_path)
    held = json.loads(path.read_text())
    assert held == {"mcpServers": {"a": {"url": "x"}, "mcp-eval": OURS}, "more": 1}
    path.write_text('{"mcpServers": {"mcp-eval": {"command": "uvx"}}}')
    assert write_subagent(tmp_path) == (tmp_path / SUBAGENT,)
    assert json.loads(path.read_text()) == {"mcpServers": {"mcp-eval": {"command": "uvx"}}}


@pytest.mark.parametrize("held", ["[]", '{"mcpServers": []}', "{"])
def test_a_servers_file_nobody_can_read_stays_and_nothing_is_written(held, tmp_path):
    (tmp_path / ".mcp.json").write_text(held)
    with pytest.raises(UsageError):
        write_subagent(tmp_path)
    assert (tmp_path / ".mcp.json").read_text() == held
    assert not (tmp_path / SUBAGENT).exists()


@pytest.mark.parametrize("forge", WORKFLOWS)
def test_a_workflow_installs_the_version_that_wrote_it(forge, tmp_path):
    (path,) = write_workflow(tmp_path, forge)
    text = path.read_text()
    assert f"mcp-eval=={version('mcp-eval')}" in text
    assert "@VERSION@" not in text
    assert write_workflow(tmp_path, forge) == (path,)
    path.write_text(text + "# mine\n")
    with pytest.raises(UsageError, match="is there already"):
        write_workflow(tmp_path, forge)
    assert path.read_text().endswith("# mine\n")


def test_init_writes_both_without_a_target(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(command, ["--subagent", "--ci", "gitlab"])
    assert done.exit_code == 0, done.output
    places = [SUBAGENT, ".mcp.json", WORKFLOWS["gitlab"]]
    assert done.stderr.splitlines() == [f"written: {place}" for place in places]
    assert all((tmp_path / place).is_file() for place in places)


def test_init_without_anything_to_do_says_what_it_wants(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert isinstance(CliRunner().invoke(command, []).exception, UsageError)
