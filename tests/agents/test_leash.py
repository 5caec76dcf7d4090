"""A client on a leash: it ends with all that it started, whoever ends first."""

import signal
import subprocess
import sys
import time
from pathlib import Path

from mcp_eval.agents import leash
from tests.agents.outings import children

LEASH = [sys.executable, "-I", leash.__file__, "/nowhere/at/all"]
# A child in its group, and one that left it and was left behind.
BROOD = "sleep 600 & (setsid sleep 600 &) ; echo up; exec sleep 600"


def started(*command, **more):
    child = subprocess.Popen([*LEASH, *command], stdout=subprocess.PIPE, text=True, **more)
    assert child.stdout.readline() == "up\n"
    return child


def gone(pid):
    return leash._read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()[:1] in ([], ["Z"])


def test_its_status_is_the_clients():
    assert subprocess.run([*LEASH, "sh", "-c", "exit 7"], check=False).returncode == 7
    assert subprocess.run([*LEASH, "sh", "-c", "kill -9 $$"], check=False).returncode == 128 + 9


def test_it_passes_words_both_ways():
    ended = subprocess.run([*LEASH, "cat"], input=b"words", capture_output=True, check=True)
    assert ended.stdout == b"words"


def test_told_to_end_it_ends_whoever_left_the_group_too():
    with started("sh", "-c", BROOD) as child:
        family = list(leash._family(child.pid))
        assert len(family) == 3
        child.send_signal(signal.SIGTERM)
        assert child.wait(60) == 128 + signal.SIGTERM
    assert all(gone(pid) for pid in family)


def test_a_client_that_ends_leaves_nobody_behind():
    with started("sh", "-c", "sleep 600 & (setsid sleep 600 &) ; echo up") as child:
        assert child.wait(60) == 0
    assert children() == []


def test_a_starter_that_is_killed_leaves_nobody_behind(tmp_path):
    pids, folder = tmp_path / "pid", tmp_path / "folder"
    folder.mkdir()
    (folder / "said").write_text("what was said")
    leashed = [*LEASH[:-1], str(folder), "sh", "-c", BROOD]
    code = (
        "import subprocess, sys; child = subprocess.Popen(sys.argv[2:]);"
        "open(sys.argv[1], 'w').write(str(child.pid)); child.wait()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(pids), *leashed],
        stdout=subprocess.PIPE,
        text=True,
    ) as starter:
        assert starter.stdout.readline() == "up\n"
        pid = int(pids.read_text())
        family = [pid, *leash._family(pid)]
        assert len(family) == 4
        starter.kill()
        starter.wait()
        while not all(gone(each) for each in family):
            time.sleep(0.05)
    assert not folder.exists()
