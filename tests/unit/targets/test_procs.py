"""Which processes are ours to end: asked here, and never signalled."""

import os
import subprocess
import sys

import pytest

from mcp_eval.targets import procs
from mcp_eval.targets.procs import Proc, belonging

US = 500
TABLE = (
    Proc(1, 0, 0, "1"),  # the first process
    Proc(40, 1, 0, "5"),  # a service that was started from outside
    Proc(45, 1, 0, "5"),  # another one, and it has nothing to do with us
    Proc(41, 40, 41, "6"),  # a shell under it, not ours
    Proc(100, 40, 100, "7"),  # the shell we were started from
    Proc(US, 100, 100, "8"),  # ourselves
    Proc(510, 100, 100, "8"),  # another command of the same shell
    Proc(600, US, 600, "9"),  # what we started
    Proc(601, 600, 600, "10"),  # its child
    Proc(602, 601, 602, "11"),  # its grandchild, in a session of its own
    Proc(603, 1, 600, "12"),  # an orphan of its session
)


@pytest.fixture(autouse=True)
def machine(monkeypatch):
    monkeypatch.setattr(procs, "procs", lambda: iter(TABLE))
    monkeypatch.setattr(os, "getpid", lambda: US)
    monkeypatch.setattr(procs, "_carries", lambda pid, marker: marker == "all" or pid == 41)


def pids(leaders, marker=""):
    return sorted(each.pid for each in belonging(leaders, marker))


def test_a_leader_brings_its_session_and_all_its_descendants():
    assert pids([(600, "9")]) == [600, 601, 602, 603]


def test_a_leader_that_has_ended_still_brings_its_session(monkeypatch):
    monkeypatch.setattr(procs, "procs", lambda: (each for each in TABLE if each.pid != 600))
    assert pids([(600, "9")]) == [601, 602, 603]


def test_a_process_id_that_means_somebody_else_by_now_brings_nobody():
    assert pids([(600, "3")]) == []


@pytest.mark.parametrize("leader", [(0, ""), (0, "0"), (1, "1"), (1, ""), (-1, "")])
def test_no_process_id_and_the_first_one_bring_nobody(leader):
    # 0 is the session of whatever came from outside: on one machine that was nearly everything.
    assert pids([leader]) == []


def test_we_and_who_started_us_are_never_among_them():
    above = [(40, "5"), (100, "7"), (US, "8")]
    assert pids(above) == []
    assert pids(above, "all") == [41, 45, 510, 600, 601, 602, 603]


def test_a_marker_finds_what_left_its_family():
    assert pids([], "m") == [41]


def test_a_process_that_has_ended_is_not_looked_up():
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert procs.look_up(ended.pid) is None
    assert procs.started_at(ended.pid) == ""
