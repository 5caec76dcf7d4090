"""Whatever the code under test believes: these tests signal what they started, and nobody else."""

import os
import uuid
from pathlib import Path

import pytest

from mcp_eval.targets import procs

_MARK = "MCP_EVAL_STARTED_BY_TEST"


@pytest.fixture(autouse=True)
def only_what_this_test_started(monkeypatch):
    """Every process started here inherits a mark; a signal to any other is refused and fails."""
    mark = uuid.uuid4().hex
    monkeypatch.setenv(_MARK, mark)
    real, permitted = procs.send, set()

    def send(number, targets):
        targets = set(targets)
        permitted.update(each for each in targets if _carries(each.pid, mark) or _ours(each.pid))
        if strangers := procs.alive(targets - permitted):
            pytest.fail(f"would have signalled processes of others: {sorted(strangers)[:5]}")
        real(number, targets)

    monkeypatch.setattr(procs, "send", send)


def _carries(pid, mark):
    try:
        environ = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False
    return f"{_MARK}={mark}".encode() in environ.split(b"\0")


def _ours(pid):
    """Whether it descends from this test process: one that emptied its environment does too."""
    while (found := procs.look_up(pid)) is not None and pid > 1:
        if found.parent == os.getpid():
            return True
        pid = found.parent
    return False
