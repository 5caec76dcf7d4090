"""What a check saw waits for a person; what a person decides is kept, and nothing moves by itself."""

import json
import os
import pty
import re
import select
import shlex
import subprocess
import termios
import time

import pytest

from tests.flows.places import PATIENCE, Place, command, one_line_and_a_hint, until

RENAMED = {"TINY_NAME": "getEnv"}


@pytest.fixture
def place(tmp_path):
    there = Place(tmp_path)
    there.project()
    return there


def accepts(text):
    """The accept commands a report prints."""
    return re.findall(r"mcp-eval (accept [^\n]*?)\s*\n", text)


def test_the_command_a_failing_check_prints_works_right_after_it(place):
    place.run("record")
    checked = place.run("check", **RENAMED)
    assert checked.returncode == 1, checked.stdout
    (printed, *_) = accepts(checked.stdout)
    assert place.run("check", **RENAMED).returncode == 1, "nothing moves by itself"
    accepted = place.run(*shlex.split(printed), "-m", "it is called so now")
    assert accepted.returncode == 0, accepted.stderr
    again = place.run("check", **RENAMED)
    assert again.returncode == 0, again.stdout
    assert place.run("check").returncode == 1, "the other one is the baseline now"


def test_a_baseline_elsewhere_is_named_in_the_command(place):
    place.run("record", "--output", "kept here")
    checked = place.run("check", "--baseline", "kept here", **RENAMED)
    (printed, *_) = accepts(checked.stdout)
    assert "--baseline 'kept here'" in printed
    assert place.run(*shlex.split(printed)).returncode == 0
    assert place.run("check", "--baseline", "kept here", **RENAMED).returncode == 0
    assert not (place.folder / "baselines").exists()


def test_a_check_without_a_change_leaves_nothing_and_takes_back_what_it_laid_down(place):
    place.run("record")
    assert place.run("check").returncode == 0
    assert json.loads(place.run("accept", "--json").stdout) == []
    place.run("check", **RENAMED)
    assert json.loads(place.run("accept", "--json").stdout) == ["surface", "search_tools"]
    place.run("check")
    assert json.loads(place.run("accept", "--json").stdout) == []


def test_a_target_that_gives_no_answer_leaves_nothing_to_accept(place):
    place.run("record")
    checked = place.run("check", TINY_FAULT="close")
    assert "nothing to accept" in checked.stderr
    refused = place.run("accept", "search_tools")
    assert refused.returncode == 2
    assert one_line_and_a_hint(refused.stderr)


def test_a_change_older_than_the_last_run_is_refused_until_it_is_looked_at_again(place):
    place.run("record")
    place.run("record", TINY_SCORE="0.5")
    place.run("check", "--lane", "replay", TINY_SCORE="0.4")
    refused = place.run("accept", "search_tools")
    assert refused.returncode == 2
    assert "run again after this change was made" in refused.stderr
    assert "a newer run of it exists" in place.run("accept").stdout
    place.run("record", TINY_SCORE="0.4")
    assert place.run("accept", "search_tools").returncode == 0


def test_only_what_is_acceptable_and_seen_twice_is_offered_as_an_update(place):
    place.run("record")
    place.run("check", **RENAMED)
    assert "a break to fix" in place.run("accept").stdout
    assert "nothing" in place.run("accept", "--updates").stdout
    place.run("accept", "--drop", "search_tools")
    place.run("record", TINY_SCORE="0.5")
    listed = place.run("accept").stdout
    assert "an update: " in listed
    assert "0.5" in listed
    taken = place.run("accept", "--updates")
    assert "accepted baselines/search_tools.json" in taken.stdout


def test_every_decision_is_in_a_log_beside_the_baselines(place):
    git = ["git", "-c", "user.name=A Tester", "-c", "user.email=a@example.org"]
    subprocess.run([*git, "init", "-q"], cwd=place.folder, check=True)
    subprocess.run(["git", "config", "user.name", "A Tester"], cwd=place.folder, check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], cwd=place.folder, check=True)
    place.run("record")
    place.run("check", **RENAMED)
    place.run("accept", "--drop", "search_tools", "-m", "not meant")
    place.run("check", **RENAMED)
    place.run("accept", "search_tools", "-m", "meant after all")
    notes = json.loads(place.run("show", "--log", "--json").stdout)
    assert [(note["what"], note["why"]) for note in notes] == [
        ("rejected", "not meant"),
        ("accepted", "meant after all"),
    ]
    assert all(note["who"] == "A Tester" and len(note["commit"]) == 40 for note in notes)
    assert notes[1]["roots"]
    told = place.run("show", "--log").stdout.splitlines()
    assert len(told) == 2
    assert "accepted search_tools by A Tester" in told[1]
    waits = subprocess.run(
        ["git", "status", "--porcelain", "-uall"],
        cwd=place.folder,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "baselines/accepted.jsonl" in waits, "the log goes into git"
    assert ".pending" not in waits, "what waits does not"


def test_what_is_expected_is_written_down_and_passes_from_then_on(place):
    place.run("record")
    place.run("check", **RENAMED)
    assert place.run("accept", "search_tools", "--expect").returncode == 2, "a reason is needed"
    wrong = place.run("accept", "search_tools", "--expect", "-m", "x", "--until", "soon")
    assert (wrong.returncode, one_line_and_a_hint(wrong.stderr)) == (2, True)
    said = place.run(
        "accept", "search_tools", "--expect", "-m", "until 2.0", "--until", "2999-01-31"
    )
    assert said.returncode == 0, said.stderr
    project = (place.folder / "mcp-eval.yaml").read_text()
    assert "2999-01-31" in project
    assert "reason: until 2.0" in project
    checked = place.run("check", **RENAMED)
    assert checked.returncode == 0, checked.stdout
    again = place.run("check", TINY_NAME="other", TINY_FAULT="close")
    assert again.returncode != 0, "only this finding is expected"


class Terminal:
    """A command on a terminal of its own, its keys pressed one by one."""

    def __init__(self, place, *words):
        self.mine, theirs = pty.openpty()
        self.running = subprocess.Popen(
            command(*words),
            cwd=place.folder,
            env=place.environ({"TERM": "dumb"}),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self.shown = ""

    def until(self, text):
        deadline = time.monotonic() + PATIENCE
        while text not in self.shown:
            assert time.monotonic() < deadline, self.shown
            if select.select([self.mine], [], [], 0.1)[0]:
                try:
                    self.shown += os.read(self.mine, 65536).decode("utf-8", "replace")
                except OSError:
                    assert text in self.shown, self.shown
        return self.shown

    def press(self, keys):
        if len(keys) == 1:  # typed before the command listens for single keys, it would be lost
            until(lambda: not termios.tcgetattr(self.mine)[3] & termios.ICANON)
        self.shown = ""
        os.write(self.mine, keys.encode())

    def ended(self):
        status = self.running.wait(PATIENCE)
        os.close(self.mine)
        return status


def test_on_a_terminal_one_key_decides(place):
    place.run("record")
    place.run("check", **RENAMED)
    there = Terminal(place, "accept")
    shown = there.until("(q)uit")
    assert "[1/2] surface" in shown
    assert "a break to fix" in shown
    assert "touches: surface, search_tools" in shown
    there.press("x")
    there.until("(q)uit")
    there.press("d")
    there.until("(q)uit")
    there.press("s")
    assert "[2/2] search_tools" in there.until("(q)uit")
    there.press("e")
    there.until("reason")
    there.press("renamed\n")
    there.until("until")
    there.press("2999-01-31\n")
    assert "1 expected, 1 still waiting" in there.until("still waiting")
    assert there.ended() == 0
    assert "renamed" in (place.folder / "mcp-eval.yaml").read_text()


@pytest.mark.parametrize(
    ("key", "word", "kept"), [("r", "1 rejected", b"0.149"), ("a", "1 accepted", b"0.5")]
)
def test_on_a_terminal_accept_and_reject_are_one_key_too(place, key, word, kept):
    place.run("record", TINY_SCORE="0.149")
    place.run("record", TINY_SCORE="0.5")
    there = Terminal(place, "accept")
    there.until("(q)uit")
    there.press(key)
    assert word in there.until("still waiting")
    assert there.ended() == 0
    assert kept in place.files()["baselines/search_tools.json"]


def test_a_check_writes_as_many_formats_as_it_is_asked_for(place):
    place.run("record")
    names = ["a.html", "b.json", "c.xml", "d.md", "e.annotations", "f.summary", "g.txt"]
    asked = [word for name in names for word in ("-o", f"out/{name}")]
    checked = place.run("check", "--summary", *asked, **RENAMED)
    assert checked.returncode == 1
    written = place.files("out")
    assert sorted(written) == [f"out/{name}" for name in names]
    assert all(b"broken" in text or b"degraded" in text for text in written.values())
    assert checked.stdout.encode() == written["out/f.summary"]
    assert b"file=scenarios/search_tools.yaml" in written["out/e.annotations"]
