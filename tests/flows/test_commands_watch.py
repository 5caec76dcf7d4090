"""`check --watch` as people run it: every change one run, a word at another verdict, a clean end."""

import signal
import subprocess

import pytest

from mcp_eval.cli.watching import without
from tests.flows.places import PATIENCE, SCENARIO, Place, alive, command, until


class Watching:
    """A check that watches, its words in a file."""

    def __init__(self, place, *words):
        self.said = place.folder / "said.txt"
        with self.said.open("w") as file:
            self.running = subprocess.Popen(
                command("check", "--watch", *words),
                cwd=place.folder,
                env=place.environ({}),
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
            )

    @property
    def text(self):
        return self.said.read_text("utf-8")

    def runs(self):
        return self.text.count("watching; ")

    def until(self, runs):
        until(lambda: self.runs() >= runs or self.running.poll() is not None)
        assert self.runs() == runs, self.text


@pytest.mark.timeout(300)
def test_each_change_is_one_run_of_what_it_affects_and_an_end_leaves_nothing(place):
    there = Watching(place, "--on-change", "echo $MCP_EVAL_BEFORE $MCP_EVAL_STATUS >> changes")
    try:
        there.until(1)
        assert "2 passed" in there.text
        server = place.folder / "server.py"
        server.write_text(server.read_text().replace("retrieve_tools", "getEnv"))
        there.until(2)
        changes = place.folder / "changes"
        until(lambda: changes.exists() and changes.read_text() == "0 1\n")
        before = len(there.text)
        place.write("scenarios/again.yaml", SCENARIO.replace("Simple", "Edited"))
        there.until(3)
        assert "search_tools: replaying" not in there.text[before:]
    finally:
        there.running.send_signal(signal.SIGTERM)
    assert there.running.wait(PATIENCE) == 130
    assert there.runs() == 3
    assert not any(alive(pid) for pid in place.servers())


@pytest.fixture
def place(tmp_path):
    there = Place(tmp_path)
    there.project()
    there.write("scenarios/again.yaml", SCENARIO)
    assert there.run("record").returncode == 0
    return there


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("check --watch a.yaml -x", "check a.yaml -x"),
        ("check --on-change --watch --watch -q", "check -q"),
        ("check --on-change=x --watch", "check"),
        ("check -k watch", "check -k watch"),
    ],
)
def test_the_check_that_is_run_again_has_the_same_words_without_these(words, kept):
    assert without(words.split(), "--watch", valued="--on-change") == tuple(kept.split())
