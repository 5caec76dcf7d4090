"""After a kill -9 the next command ends what the journal lists, and nothing else."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

import msgspec
import pytest

from mcp_eval.targets import procs
from mcp_eval.targets.journal import Entry, Journal, new_folder, sweep
from tests.unit.targets.servers import HELLO

# A command that starts two environments whose servers have children, says who runs, and waits.
OWNER = """
    import asyncio, json, sys
    from pathlib import Path
    from mcp_eval.clock import SystemClock
    from mcp_eval.model.project import TargetSpec
    from mcp_eval.tap.session import Session, body
    from mcp_eval.targets.process import ProcessTarget

    async def main():
        server, workspace = sys.argv[1], Path(sys.argv[2])
        spec = TargetSpec(name="tiny", command=(sys.executable, server))
        target = ProcessTarget(spec, workspace=workspace, clock=SystemClock())
        pids, folders = [], []
        for _ in range(2):
            environment = await target.start()
            session = Session(await environment.connect(), clock=SystemClock())
            await session.initialize(20)
            called = await session.call("go", {}, 20)
            pids += json.loads(body(called)["content"][0]["text"])
            folders.append(environment.workdir)
        print(json.dumps([pids, folders]), flush=True)
        await asyncio.sleep(600)

    asyncio.run(main())
"""

SERVER = """
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
sleeper = [sys.executable, "-c", "import time; time.sleep(600)"]
away = subprocess.Popen(sleeper, start_new_session=True)
near = subprocess.Popen(sleeper)
for message in messages():
    text(message, json.dumps([os.getpid(), near.pid, away.pid]))
time.sleep(600)
"""


@contextlib.contextmanager
def bystander():
    """A process of somebody else's."""
    started = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    try:
        yield started
    finally:
        started.kill()
        started.wait()


@contextlib.contextmanager
def owner(folder):
    """A running mcp-eval with two environments, and what runs in them."""
    (folder / "server.py").write_text(HELLO + SERVER)
    started = subprocess.Popen(
        [
            sys.executable,
            "-c",
            textwrap.dedent(OWNER),
            str(folder / "server.py"),
            str(folder / ".mcp-eval"),
        ],
        stdout=subprocess.PIPE,
    )
    try:
        pids, folders = json.loads(started.stdout.readline())
        yield started, pids, folders
    finally:
        started.kill()
        started.wait()
        started.stdout.close()
        sweep(folder / ".mcp-eval" / "journal")


def test_after_a_kill_9_all_that_is_listed_is_ended_and_nothing_else(tmp_path):
    journal = tmp_path / ".mcp-eval" / "journal"
    with bystander() as other, owner(tmp_path) as (started, pids, folders):
        assert len(pids) == 6
        assert all(Path(folder).is_dir() for folder in folders)
        started.send_signal(signal.SIGKILL)
        started.wait()
        # Whoever ignores that its client hung up lives on: that is what a sweep is for.
        assert all(procs.look_up(pid) for pid in pids)
        said = sweep(journal, patience=0.3)
        assert [pid for pid in pids if procs.look_up(pid)] == []
        assert other.poll() is None
        assert said == ("ended 3 processes that an interrupted mcp-eval left behind",) * 2
        assert not any(Path(folder).parent.exists() for folder in folders)
        assert list(journal.iterdir()) == []
        assert sweep(journal) == ()


def test_what_belongs_to_a_running_command_is_let_be(tmp_path):
    with owner(tmp_path) as (_started, pids, folders):
        assert sweep(tmp_path / ".mcp-eval" / "journal") == ()
        assert all(procs.look_up(pid) for pid in pids)
        assert all(Path(folder).is_dir() for folder in folders)


def entry(journal, **facts):
    known = {"marker": "m1", "owner": 1, "owner_started": "never", **facts}
    journal.mkdir(parents=True, exist_ok=True)
    (journal / f"{known['marker']}.json").write_bytes(msgspec.json.encode(Entry(**known)))


def test_a_process_id_that_was_given_to_another_by_now_is_let_be(tmp_path):
    with bystander() as other:
        entry(tmp_path, pid=other.pid, started="12345")
        assert sweep(tmp_path) == ()
        assert other.poll() is None
        assert list(tmp_path.iterdir()) == []


def test_the_same_process_id_with_the_same_start_is_ended(tmp_path):
    with bystander() as other:
        entry(tmp_path, pid=other.pid, started=procs.started_at(other.pid))
        assert len(sweep(tmp_path, patience=2)) == 1
        assert other.wait(5) == -signal.SIGTERM


def test_one_that_died_before_its_process_id_was_noted_is_found_by_its_marker(tmp_path):
    marker = "0123456789abcdef"
    started = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(600)"],
        env={**os.environ, procs.MARKER: marker},
    )
    try:
        _until(lambda: procs.belonging([], marker))
        entry(tmp_path, marker=marker)
        assert len(sweep(tmp_path, patience=2)) == 1
        assert started.wait(5) == -signal.SIGTERM
    finally:
        started.kill()
        started.wait()


def _until(happened):
    for _ in range(500):
        if happened():
            return
        time.sleep(0.01)
    pytest.fail("it never happened")


@pytest.mark.parametrize("payload", [b"", b"{", b'{"marker": 7}', b"[]", b"\xff"])
def test_an_entry_that_cannot_be_read_is_removed_and_ends_nobody(tmp_path, payload):
    (tmp_path / "torn.json").write_bytes(payload)
    assert sweep(tmp_path) == ()
    assert list(tmp_path.iterdir()) == []


def test_only_folders_of_our_own_making_are_removed(tmp_path, monkeypatch):
    # Recorded and not done: a mistake here must not cost anybody their files.
    removed = []
    monkeypatch.setattr(shutil, "rmtree", lambda place, **_: removed.append(place))
    ours, theirs = new_folder(), tmp_path / "mcp-eval-precious"
    theirs.mkdir()
    for number, folder in enumerate((str(ours), str(theirs), tempfile.gettempdir(), "/", "")):
        entry(tmp_path / "journal", marker=f"m{number}", folder=folder)
    sweep(tmp_path / "journal")
    ours.rmdir()
    assert removed == [ours]


def test_a_folder_that_is_not_there_holds_nothing_to_end(tmp_path):
    assert sweep(tmp_path / "nowhere") == ()


def test_a_journal_nobody_may_write_does_not_keep_a_command_from_running(tmp_path):
    (tmp_path / "file").write_text("in the way")
    journal = Journal(tmp_path / "file" / "journal")
    journal.write("m")
    journal.forget("m")
    assert (tmp_path / "file").read_text() == "in the way"
