"""A scenario's written steps as a recording: each counts as recorded `ok`, in its place."""

import re
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from mcp_eval.model.base import Json
from mcp_eval.model.provenance import Provenance
from mcp_eval.model.recording import RecordedStep, Recording
from mcp_eval.model.scenario import Scenario, Step

# What a person does between two calls, as it stands in a trajectory.
RUN, WAIT, RESTART = "user/run", "user/wait", "user/restart"
_READS = re.compile(r"(\{\{\s*steps(?:\.|\[))(\d+)")


def expected_recording(scenario: Scenario) -> Recording:
    """The expected trajectory as a recording; its templates count the steps of the recording."""
    return Recording(
        name=scenario.name,
        stem=scenario.stem,
        fingerprint=scenario.fingerprint,
        user_intent=scenario.user_intent,
        tags=scenario.tags,
        steps=tuple(_steps(scenario)),
        provenance=Provenance(agent="script"),
    )


def _steps(scenario: Scenario) -> Iterator[RecordedStep]:
    # Calls of a set-up are made before anybody looks: an agent is not held to make them.
    before = [made for step in scenario.setup if not step.tool and (made := _recorded(step))]
    yield from before
    places: dict[int, int] = {}
    now = len(before)
    for number, step in enumerate(scenario.steps or scenario.expected_trajectory):
        made = _recorded(step)
        if made is not None:
            yield replace(made, arguments=_placed(made.arguments, places))
            places[number] = now
            now += 1


def _recorded(step: Step) -> RecordedStep | None:
    """A call, or the marker of what a person does; None where nothing is done."""
    if step.tool:
        return RecordedStep(
            name=step.tool, method=step.method, arguments=step.args, classes={"ok": 1}
        )
    if step.run:
        return RecordedStep(name="run", method=RUN, arguments={"command": step.run}, foreign=True)
    if step.restart:
        return RecordedStep(name="restart", method=RESTART, foreign=True)
    if step.wait:
        return RecordedStep(
            name="wait", method=WAIT, arguments={"seconds": step.wait}, foreign=True
        )
    return None


def _placed(value: Json, places: Mapping[int, int]) -> Json:
    """What reads an earlier step's answer, with the place of that step in the recording."""
    if isinstance(value, dict):
        return {name: _placed(member, places) for name, member in value.items()}
    if isinstance(value, list):
        return [_placed(item, places) for item in value]
    if not isinstance(value, str):
        return value
    return _READS.sub(lambda found: f"{found[1]}{places.get(int(found[2]), int(found[2]))}", value)
