import errno
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from mcp_eval.errors import InconclusiveError, UsageError
from mcp_eval.store import atomic
from mcp_eval.store.atomic import move, read_file, remove, write_atomic, write_together


def test_a_file_is_written_with_its_folders_and_nothing_beside_it(tmp_path):
    write_atomic(tmp_path / "a/b/c.json", b"{}")
    assert [path.name for path in (tmp_path / "a/b").iterdir()] == ["c.json"]
    assert (tmp_path / "a/b/c.json").read_bytes() == b"{}"


@pytest.fixture
def limit():
    """No file of this process may grow beyond so many bytes: a full disk, for us."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def limited(size):
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))

    yield limited
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_where_there_is_no_room_the_file_before_stays_and_the_error_says_so(tmp_path, limit):
    path = tmp_path / "kept.json"
    write_atomic(path, b"old")
    limit(100)
    with pytest.raises(UsageError) as caught:
        write_atomic(path, b"x" * 1000)
    limit(resource.RLIM_INFINITY)
    assert "kept.json: cannot be written" in caught.value.message
    assert "nothing was overwritten" in caught.value.hint
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["kept.json"]


def test_files_that_belong_together_are_all_written_or_none(tmp_path, limit):
    small, large = tmp_path / "small.json", tmp_path / "large.json"
    write_together({small: b"1", large: b"1"})
    limit(100)
    with pytest.raises(UsageError):
        write_together({small: b"2", large: b"x" * 1000})
    limit(resource.RLIM_INFINITY)
    assert small.read_bytes() == large.read_bytes() == b"1"
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    ("number", "hint"),
    [
        (errno.ENOSPC, "full"),
        (errno.EDQUOT, "quota"),
        (errno.EROFS, "read-only"),
        (errno.EACCES, "permissions"),
        (errno.EIO, "--output"),
    ],
)
def test_each_reason_has_its_own_way_out(tmp_path, monkeypatch, number, hint):
    def refuse(path, payload):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(atomic, "_write", refuse)
    with pytest.raises(UsageError) as caught:
        write_atomic(tmp_path / "a.json", b"")
    assert os.strerror(number) in caught.value.message
    assert hint in caught.value.hint


@pytest.mark.parametrize("name", ["file/below.json", "x" * 300 + ".json", "a\0b.json"])
def test_a_place_that_cannot_be_is_a_usage_error(tmp_path, name):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError):
        write_atomic(tmp_path / name, b"")


def test_a_link_in_the_place_of_our_temporary_is_not_followed(tmp_path, monkeypatch):
    victim = tmp_path / "victim"
    victim.write_bytes(b"untouched")
    target = tmp_path / "a.json"
    monkeypatch.setattr(atomic, "_sweep", lambda path: None)
    atomic._temporary(target).symlink_to(victim)
    with pytest.raises(UsageError):
        write_atomic(target, b"{}")
    assert victim.read_bytes() == b"untouched"


def test_what_a_killed_writer_left_is_cleared_and_a_living_ones_is_not(tmp_path):
    gone = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"],
        capture_output=True,
        text=True,
        check=True,
    )
    dead = tmp_path / f".a.json.{gone.stdout.strip()}-1.tmp"
    living = tmp_path / f".a.json.{os.getppid()}-1.tmp"
    other = tmp_path / f".b.json.{gone.stdout.strip()}-1.tmp"
    for path in (dead, living, other):
        path.write_bytes(b"half")
    write_atomic(tmp_path / "a.json", b"{}")
    assert not dead.exists()
    assert living.exists()
    assert other.exists()


def test_a_writer_killed_in_between_leaves_the_old_file_whole(tmp_path):
    path = tmp_path / "a.json"
    write_atomic(path, b"old")
    program = (
        "import os, signal, sys\nfrom pathlib import Path\nfrom mcp_eval.store import atomic\n"
        "atomic.os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)\n"
        "atomic.write_atomic(Path(sys.argv[1]), b'new' * 1000)\n"
    )
    killed = subprocess.run([sys.executable, "-c", program, str(path)], check=False)
    assert killed.returncode == -9
    assert path.read_bytes() == b"old"
    write_atomic(path, b"newer")
    assert [one.name for one in tmp_path.iterdir()] == ["a.json"]


def test_a_huge_file_is_refused_before_it_is_read(tmp_path, monkeypatch):
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(200 * 1024 * 1024)
    with pytest.raises(InconclusiveError, match="200 MB, and 100 MB is the limit"):
        read_file(path, refuse=InconclusiveError)


@pytest.mark.parametrize("name", ["nowhere.json", "."])
def test_what_cannot_be_read_is_named(tmp_path, name):
    with pytest.raises(UsageError, match="cannot be read") as caught:
        read_file(tmp_path / name)
    assert caught.value.hint


def test_removing_what_is_gone_is_fine_and_moving_replaces(tmp_path):
    remove(tmp_path / "never")
    write_atomic(tmp_path / "a", b"a")
    write_atomic(tmp_path / "b", b"b")
    move(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "b").read_bytes() == b"a"
    assert not Path(tmp_path / "a").exists()
