"""Whom nobody may repeat without being asked: writes, and what a person's command does."""

import pytest

from mcp_eval.compare.effects import merely_reads
from mcp_eval.model.recording import RecordedStep, Recording
from mcp_eval.model.surface import Surface, Tool

READS = Tool(name="look", annotations={"readOnlyHint": True})
SURFACE = Surface(tools=(READS, Tool(name="put")))


@pytest.mark.parametrize(
    ("step", "reads"),
    [
        (RecordedStep(name="look"), True),
        (RecordedStep(name="mcp__s__look"), True),
        (RecordedStep(name="put"), False),
        (RecordedStep(name="gone"), False),
        (RecordedStep(name="a://b", method="resources/read"), True),
        (RecordedStep(name="run", method="user/run", foreign=True), False),
        (RecordedStep(name="wait", method="user/wait", foreign=True), True),
        (RecordedStep(name="restart", method="user/restart", foreign=True), True),
        (RecordedStep(name="Bash", foreign=True), True),
    ],
)
def test_a_scenario_merely_reads_as_far_as_its_steps_promise(step, reads):
    steps = (RecordedStep(name="look"), step)
    assert merely_reads(Recording(name="s", stem="s", steps=steps), SURFACE) is reads
