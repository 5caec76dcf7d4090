"""On a terminal, `record` asks once whether a new process starts clean, and writes the answer."""

import os
import pty
import signal
import subprocess
import sys

import pytest

from mcp_eval.formats.project import read_project
from tests.flows.places import PATIENCE, Place, command, until

pytestmark = pytest.mark.timeout(180)


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


def on_a_terminal(place, words, answer, **environ):
    """The command as a person runs it, who types an answer at the question; what they saw."""
    ours, theirs = pty.openpty()
    os.set_blocking(ours, False)
    seen = bytearray()
    running = subprocess.Popen(
        command(*words),
        cwd=place.folder,
        env=place.environ({"TERM": "xterm", **environ}),
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)

    def asked():
        read(ours, seen)
        return b"[y/n]" in seen or running.poll() is not None

    until(asked)
    if running.poll() is None:
        os.write(ours, answer) if answer else running.send_signal(signal.SIGINT)
    until(lambda: read(ours, seen) or running.poll() is not None)
    out, _ = running.communicate(timeout=PATIENCE)
    read(ours, seen)
    os.close(ours)
    return running.returncode, seen.decode(), out.decode()


def read(terminal, seen):
    try:
        seen += os.read(terminal, 65536)
    except OSError:
        return False
    return False


def project(place):
    return read_project((place.folder / "mcp-eval.yaml").read_bytes(), path="mcp-eval.yaml")


def test_without_a_project_file_the_answer_makes_one_that_names_the_servers_file(place):
    code, seen, _ = on_a_terminal(place, ["record"], b"y\n")
    assert code == 0, seen
    assert "start clean" in seen
    assert "written to mcp-eval.yaml: resettable: true" in seen
    assert "repeats itself" in seen
    written = project(place).targets["mcpproxy"]
    assert (written.config_file, written.resettable, written.command) == (
        "mcp_servers.json",
        True,
        (),
    )


def test_it_asks_once(place):
    on_a_terminal(place, ["record"], b"y\n")
    code, seen, _ = on_a_terminal(place, ["record", "--replace"], b"")
    assert code == 0, seen
    assert "[y/n]" not in seen
    assert "repeats itself" in seen


def test_a_no_is_an_answer_too(place):
    on_a_terminal(place, ["record"], b"n\n")
    assert project(place).targets["mcpproxy"].resettable is False
    code, seen, _ = on_a_terminal(place, ["record", "--replace"], b"")
    assert code == 0
    assert "[y/n]" not in seen
    assert "repeats itself" not in seen


def test_a_project_file_keeps_every_other_byte(place):
    before = "# ours\ntargets:\n  tiny:\n    command: python3 server.py  # built by make\n"
    place.write("mcp-eval.yaml", before)
    on_a_terminal(place, ["record"], b"y\n")
    after = (place.folder / "mcp-eval.yaml").read_text("utf-8")
    assert after.replace("    resettable: true\n", "") == before
    assert after != before


def test_a_target_that_merely_reads_raises_no_question(place):
    code, seen, _ = on_a_terminal(place, ["record"], b"", TINY_READS="1")
    assert code == 0
    assert "[y/n]" not in seen
    assert "repeats itself" in seen


def test_a_secret_on_the_command_line_stays_out_of_the_file(place):
    secret = "sk-ant-api03-" + "a1B2" * 12
    target = f"python3 server.py --api-key {secret}"
    code, seen, _ = on_a_terminal(place, ["record", "--target", target], b"y\n")
    assert code == 0, seen
    assert "not kept" in seen
    assert not (place.folder / "mcp-eval.yaml").exists()


def test_ctrl_c_at_the_question_is_an_interruption(place):
    code, seen, _ = on_a_terminal(place, ["record"], b"")
    assert code == 130, seen
    assert "Traceback" not in seen
    assert not (place.folder / "mcp-eval.yaml").exists()


def test_elsewhere_nobody_is_asked_and_one_line_says_what_that_costs(place):
    recorded = place.run("record")
    assert recorded.returncode == 0
    assert "[y/n]" not in recorded.stderr
    assert recorded.stderr.count("not known to be clean") == 1
    assert "`resettable: true`" in recorded.stderr


@pytest.mark.parametrize(("answer", "kept"), [(b"y\n", True), (b"n\n", False)])
def test_init_asks_too_and_what_may_write_is_tried_only_where_a_start_is_clean(place, answer, kept):
    (place.folder / "scenarios/search_tools.yaml").unlink()
    words = ("init", f"{sys.executable} server.py")
    code, seen, out = on_a_terminal(place, words, answer, TINY_NAME="make_tools")
    assert code == 0, seen
    assert project(place).targets["tiny"].resettable is kept
    assert ("1 repeat" in out) is kept
    written = {path.name for path in (place.folder / "scenarios").iterdir()}
    assert written == {"writing_tools.yaml" if kept else "untried_tools.yaml"}
