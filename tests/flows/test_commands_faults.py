"""What an interruption, a kill or a full disk leaves behind: nothing half, nobody running."""

import json
import signal
import subprocess

import pytest

from tests.flows.places import PATIENCE, Place, alive, command, one_line_and_a_hint, until

pytestmark = pytest.mark.timeout(180)

# Where a command stands when it is stopped: what the server heard last, and what it never answers.
STAGES = {
    "while the server starts": ("initialize", "initialize"),
    "while it is asked what it offers": ("tools/list", "tools/list"),
    "while a call runs": ("tools/call", "call"),
}


@pytest.fixture
def place(tmp_path):
    made = Place(tmp_path)
    made.project()
    return made


@pytest.fixture
def recorded(place):
    """A place with a baseline that must survive whatever comes."""
    done = place.run("record", "-q")
    assert done.returncode == 0, done.stderr
    place.log.unlink()
    return place


def stopped(place, words, stage, how):
    """The command, stopped at a stage; its exit code and what it said."""
    heard, hang = STAGES[stage]
    running = place.begin(*words, TINY_HANG=hang)
    until(lambda: heard in place.logged() or running.poll() is not None)
    assert running.poll() is None, running.communicate()
    running.send_signal(how)
    _, said = running.communicate(timeout=PATIENCE)
    return running.returncode, said


@pytest.mark.parametrize(
    "words",
    [
        ("record", "--replace"),
        ("check",),
        ("compare", "--scenario", "scenarios/search_tools.yaml", "--baseline", "baselines"),
    ],
    ids=lambda words: words[0],
)
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "term"])
def test_an_interruption_leaves_no_orphan_and_every_recording(recorded, words, stage, how):
    before = recorded.files()
    code, said = stopped(recorded, words, stage, how)
    assert code == 130, said
    assert "Traceback" not in said
    assert said.splitlines()[-1].startswith("interrupted:")
    assert recorded.servers()
    assert not any(alive(pid) for pid in recorded.servers())
    assert recorded.files() == before
    assert not list((recorded.folder / ".mcp-eval/journal").glob("*.json"))


@pytest.mark.parametrize("words", [("record", "--replace"), ("check",)], ids=lambda words: words[0])
@pytest.mark.parametrize("stage", STAGES)
def test_the_command_after_a_kill_ends_what_was_left(recorded, words, stage):
    before = recorded.files()
    code, _ = stopped(recorded, words, stage, signal.SIGKILL)
    assert code == -signal.SIGKILL
    assert recorded.files() == before
    left = [pid for pid in recorded.servers() if alive(pid)]
    after = recorded.run("show")
    assert after.returncode == 0, after.stderr
    assert bool(left) == ("left behind" in after.stderr)
    until(lambda: not any(alive(pid) for pid in recorded.servers()))
    assert not list((recorded.folder / ".mcp-eval/journal").glob("*.json"))


def test_of_many_at_once_none_is_left(recorded):
    text = (recorded.folder / "scenarios/search_tools.yaml").read_text()
    for number in range(4):
        recorded.write(f"scenarios/more_{number}.yaml", text)
    recorded.run("record", "-q", "--replace")
    recorded.log.unlink()
    running = recorded.begin("check", "-j", "4", TINY_HANG="call")
    until(lambda: recorded.logged().count("tools/call") >= 4)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130, said
    assert not any(alive(pid) for pid in recorded.servers())


def test_a_server_that_outlives_a_kill_is_really_met(recorded):
    """The test above would say little if every server ended by itself."""
    code, _ = stopped(recorded, ("check",), "while a call runs", signal.SIGKILL)
    assert code == -signal.SIGKILL
    assert any(alive(pid) for pid in recorded.servers())
    recorded.run("show")
    assert not any(alive(pid) for pid in recorded.servers())


def test_what_another_command_is_using_is_let_be(recorded):
    running = recorded.begin("check", TINY_HANG="call")
    until(lambda: "tools/call" in recorded.logged())
    assert "left behind" not in recorded.run("show").stderr
    assert running.poll() is None
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=PATIENCE)


def test_an_interruption_before_the_work_begins_is_one_too(place):
    running = place.begin("check")
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=PATIENCE)
    assert running.returncode in {130, -signal.SIGINT}
    assert "Traceback" not in said or running.returncode == -signal.SIGINT


def test_a_folder_nobody_may_write_to_is_an_error_with_a_hint(recorded):
    before = recorded.files()
    asked = recorded.run("record", "--output", "/proc/nowhere")
    assert asked.returncode == 2
    assert one_line_and_a_hint(asked.stderr)
    assert recorded.files() == before


def limited(place, words, size):
    """The command, where no file may grow beyond a size: a full disk, for this process."""
    return subprocess.run(
        ["sh", "-c", f'ulimit -f {size}; exec "$@"', "sh", *command(*words)],
        cwd=place.folder,
        env=place.environ({"PYTHONDONTWRITEBYTECODE": "1", "TINY_SCORE": "0.9"}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_a_full_disk_ends_a_recording_and_leaves_the_one_before(recorded):
    before = recorded.files()
    full = limited(recorded, ("record", "--replace"), 1)
    assert full.returncode == 2, full.stderr
    assert one_line_and_a_hint(full.stderr)
    assert "nothing was overwritten" in full.stderr
    assert recorded.files() == before
    assert recorded.run("check").returncode == 0


def test_a_full_disk_does_not_swallow_a_verdict(recorded):
    full = limited(recorded, ("check", "-o", "report.json"), 1)
    assert full.returncode == 2
    assert full.stdout.splitlines()[-1] == "1 passed, 0 failed"
    assert one_line_and_a_hint(full.stderr)
    assert not (recorded.folder / "report.json").exists()
    assert not list(recorded.folder.glob(".report.json*"))


def test_a_verdict_needs_no_memory(recorded):
    full = limited(recorded, ("check",), 1)
    assert full.returncode == 0, full.stderr
    assert full.stdout.splitlines()[-1] == "1 passed, 0 failed"


def test_no_room_for_temporary_files_is_said_too(recorded):
    full = limited(recorded, ("check",), 0)
    assert full.returncode == 2
    assert one_line_and_a_hint(full.stderr)
    assert "TMPDIR" in full.stderr


def test_a_reader_who_leaves_early_is_no_error(recorded):
    words = " ".join(command("check", "--json"))
    piped = subprocess.run(
        ["sh", "-c", f"{words} | head -c 1"],
        cwd=recorded.folder,
        env=recorded.environ({}),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert piped.stdout == "{"
    assert "Traceback" not in piped.stderr
    assert "BrokenPipe" not in piped.stderr


@pytest.mark.parametrize(
    ("program", "what"),
    [
        ("raise SystemExit(3)", "exit status 3"),
        ("print('hello', flush=True); import time; time.sleep(600)", ""),
        ("import sys; sys.stderr.write('no licence\\n'); raise SystemExit(1)", "no licence"),
        ("import os; os.environ['TINY_TOKEN']", "TINY_TOKEN"),
        ('import sys; sys.stdin.readline(); print(\'{"jsonrpc": "2.0",\')', ""),
    ],
    ids=["exits", "garbage", "complains", "lacks a variable", "half a line"],
)
def test_a_target_that_does_not_start_is_inconclusive_with_its_own_words(recorded, program, what):
    recorded.write("bad.py", program)
    text = f"targets: {{bad: {{command: [{command()[0]}, bad.py], start_timeout: 2}}}}\n"
    recorded.write("mcp-eval.yaml", text)
    before = recorded.files()
    asked = recorded.run("record")
    assert asked.returncode == 3, asked.stderr
    assert one_line_and_a_hint(asked.stderr)
    assert what in asked.stderr
    checked = recorded.run("check")
    assert checked.returncode == 3
    assert checked.stdout.splitlines()[-1] == "0 passed, 0 failed, 1 inconclusive"
    assert what in checked.stdout
    assert recorded.files() == before


@pytest.mark.parametrize(
    ("fault", "status", "rule"),
    [
        ({"TINY_FAULT": "close"}, "broken", "newly-failing"),
        ({"TINY_HANG": "call"}, "broken", "newly-failing"),
        ({"TINY_FAULT": "flood"}, "good", None),
        ({"TINY_FAULT": "garbage"}, "good", None),
        ({"TINY_FAULT": "huge"}, "acceptable", "costlier"),
    ],
    ids=["closes mid-call", "never answers", "floods stderr", "prints garbage", "50 MB"],
)
def test_a_target_that_misbehaves_in_a_call_is_judged_for_what_it_did(
    recorded, fault, status, rule
):
    asked = ("check", "--json", "--call-timeout", "10" if "TINY_FAULT" in fault else "1")
    checked = recorded.run(*asked, **fault)
    report = json.loads(checked.stdout)
    assert report["status"] == status
    assert checked.returncode == (1 if status == "broken" else 0)
    rules = {one["rule"] for one in report["findings"]}
    assert rule is None or rule in rules
    assert not any(alive(pid) for pid in recorded.servers())
