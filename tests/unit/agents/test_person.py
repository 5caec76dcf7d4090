"""A person's steps, and how they stand in a trajectory."""

import asyncio
from pathlib import Path

import pytest

from mcp_eval.agents.person import marker, run_command, step_of
from mcp_eval.errors import InconclusiveError
from mcp_eval.model.scenario import Step

ENVIRON = {"PATH": "/usr/bin:/bin"}


@pytest.mark.parametrize("step", [Step(run="make x"), Step(wait=0.5), Step(restart=True)])
def test_a_marker_says_which_step_it_stands_for(step):
    made = marker(step)
    assert made.foreign
    assert step_of(made.name, made.method, made.arguments) == step


def test_an_agents_own_tool_is_no_persons_step():
    assert step_of("Bash", "agent/tool", {"command": "ls"}) is None


async def test_a_command_runs_in_the_working_folder(tmp_path):
    await run_command("pwd > here", workdir=str(tmp_path), environ=ENVIRON)
    assert (tmp_path / "here").read_text().strip() == str(tmp_path.resolve())


async def test_a_folder_with_blanks_is_quoted_by_the_shells_own_rules(tmp_path):
    folder = tmp_path / "two words"
    folder.mkdir()
    await run_command('touch "${workdir}/a b"', workdir=str(folder), environ=ENVIRON)
    assert [each.name for each in folder.iterdir()] == ["a b"]


async def test_a_command_that_does_not_end_is_ended_with_all_it_started(tmp_path):
    command = "sleep 60 & echo $! > pid; wait"
    with pytest.raises(InconclusiveError, match=r"was not done after 0\.3 s"):
        await run_command(command, workdir=str(tmp_path), environ=ENVIRON, seconds=0.3)
    pid = (tmp_path / "pid").read_text().strip()
    async with asyncio.timeout(10):
        while _lives(pid):  # noqa: ASYNC110 - killed, it is gone a moment later
            await asyncio.sleep(0.01)


def _lives(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
