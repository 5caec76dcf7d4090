"""One scenario's pairs: what a client puts before a name is no new name."""

import pytest

from mcp_eval.compare.compare import compare
from mcp_eval.model.candidate import Candidate
from mcp_eval.model.recording import Baseline, RecordedStep, Recording
from mcp_eval.model.surface import Surface, Tool
from mcp_eval.model.trajectory import Invocation, Run, Trajectory
from tests.unit.compare.spoken import carried

SURFACE = Surface(tools=(Tool(name="search"),))
SAID = carried({"items": [{"name": "tea"}]})


def followed(recorded, made):
    """The new name that a pair shows."""
    step = RecordedStep(name=recorded, outcome=SAID, classes={"ok": 2})
    recording = Recording(name="s", stem="s", steps=(step,), runs=2)
    trajectory = Trajectory(invocations=(Invocation(name=made, outcome=SAID, step=0),))
    found = compare(
        Baseline(surface=SURFACE, recordings={"s": recording}),
        Candidate(surface=SURFACE, runs={"s": (Run(scenario="s", trajectory=trajectory),)}),
    )
    return found.scenarios[0].pairs[0].followed


@pytest.mark.parametrize(
    ("recorded", "made", "name"),
    [
        ("search", "search", ""),
        ("mcp__server__search", "search", ""),
        ("search", "mcp__other__search", ""),
        ("search", "find", "find"),
        ("mcp__server__search", "find", "find"),
    ],
)
def test_only_another_bare_name_is_a_rename(recorded, made, name):
    assert followed(recorded, made) == name
