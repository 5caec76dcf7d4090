"""Confirmation: what looks like a break is looked at again, wherever that is allowed."""

import dataclasses
from collections.abc import Mapping, Sequence
from functools import partial

from mcp_eval.judge.verdict import suspects
from mcp_eval.ports import Target
from mcp_eval.workflows.case import Case
from mcp_eval.workflows.events import Line, Progress, Took
from mcp_eval.workflows.looks import look
from mcp_eval.workflows.needs import World
from mcp_eval.workflows.permission import ALLOW, COST, known, may_repeat
from mcp_eval.workflows.stream import Say
from mcp_eval.workflows.together import at_most


async def confirm(world: World, case: Case, stems: Sequence[str], *, jobs: int, say: Say) -> None:
    """Rounds of looks until nobody suspects anything more, or the budget is spent."""
    ends = world.clock.monotonic() + case.policy.budget_seconds
    told: set[str] = set()
    while open_ := _open(world, case, stems, told, say):
        if world.clock.monotonic() >= ends:
            _spent(say, open_)
            return
        rounds = [partial(_round, world, case, stem, total, say) for stem, total in open_.items()]
        await at_most(jobs, rounds)


def _open(
    world: World, case: Case, stems: Sequence[str], told: set[str], say: Say
) -> dict[str, int]:
    """The suspects that may be looked at again, and how many looks each should have in all."""
    wanted = suspects(case.compared(stems), case.policy)
    short = {stem: total for stem, total in wanted.items() if _looks(case, stem) < total}
    allowed = {stem: total for stem, total in short.items() if _allowed(case, world.target, stem)}
    _say_once(sorted(set(short) - set(allowed) - told), told, say)
    return allowed


def _looks(case: Case, stem: str) -> int:
    return len(case.runs.get(stem, ()))


def _allowed(case: Case, target: Target, stem: str) -> bool:
    if case.new.surface is None:
        return False
    return may_repeat(case.recording(stem), known(case.baseline.surface, case.new.surface), target)


def _say_once(stems: Sequence[str], told: set[str], say: Say) -> None:
    if stems:
        told.update(stems)
        say(Line(text=f"not confirmed: {', '.join(stems)}: {COST}", level="warning", hint=ALLOW))


def _spent(say: Say, open_: Mapping[str, int]) -> None:
    say(
        Line(
            text=f"confirmation stopped at its budget; still suspected: {', '.join(sorted(open_))}",
            level="warning",
            hint="`budget_seconds` under `policy` in mcp-eval.yaml allows more",
        )
    )


async def _round(world: World, case: Case, stem: str, total: int, say: Say) -> None:
    """One more look at the new build, and one at the old build in turn with it."""
    number = _looks(case, stem) + 1
    say(Progress(scenario=stem, doing=f"looking again ({number} of {total})"))
    surface = case.new.surface
    if surface is None:
        return
    began = world.clock.monotonic()
    again = await look(
        world,
        world.target,
        case.recording(stem),
        surface=surface,
        changes=case.changes,
        number=number,
    )
    case.runs[stem].append(again)
    await _old(world, case, stem, number)
    say(Took(scenario=stem, seconds=world.clock.monotonic() - began))


async def _old(world: World, case: Case, stem: str, number: int) -> None:
    old = case.old
    if world.old is None or old is None or old.surface is None:
        return
    if not may_repeat(case.recording(stem), old.surface, world.old):
        return
    beside = dataclasses.replace(world, target=world.old)
    made = await look(beside, world.old, case.recording(stem), surface=old.surface, number=number)
    if not made.troubles:
        case.old_runs.setdefault(stem, []).append(made)
