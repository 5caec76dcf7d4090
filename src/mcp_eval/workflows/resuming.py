"""An interrupted check goes on: what it looked at counts, where build and baseline are the same."""

import hashlib

import msgspec

from mcp_eval.model.trajectory import Run
from mcp_eval.workflows.case import Case
from mcp_eval.workflows.events import Line
from mcp_eval.workflows.looks import REPLAY
from mcp_eval.workflows.needs import World
from mcp_eval.workflows.stream import Say


def resumed(world: World, case: Case, trials: int, *, resume: bool, say: Say) -> None:
    """Take over the looks of an interrupted check of the same, else begin to remember ours."""
    if world.progress is None:
        return
    for made in world.progress.begin(_key(case, trials), resume=resume):
        if made.scenario in case.baseline.recordings:
            side = case.runs if made.agent == REPLAY else case.tries
            side.setdefault(made.scenario, []).append(made)
    known = {*case.runs, *case.tries}
    if resume:
        text = f"{len(known)} of {len(case.baseline.recordings)} scenarios were looked at before"
        say(Line(text=text if known else "no check of the same was interrupted: it starts anew"))


def remember(world: World, made: Run) -> None:
    """Keep a look for a check that goes on; what kept it from happening may be gone by then."""
    if world.progress is not None and not made.troubles:
        world.progress.keep(made)


def finished(world: World) -> None:
    """Nothing is left to go on with."""
    if world.progress is not None:
        world.progress.end()


def _key(case: Case, trials: int) -> str:
    """What is checked against what: any change of it makes earlier looks worthless."""
    told = (case.new.build, case.baseline, case.lanes, trials)
    return hashlib.sha256(msgspec.json.encode(told, order="sorted")).hexdigest()
