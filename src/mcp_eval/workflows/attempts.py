"""The agent lane of a check: one run is enough to pass, a missed goal is tried again first."""

import dataclasses
from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from mcp_eval.model.trajectory import Run
from mcp_eval.workflows import looks
from mcp_eval.workflows.agents import announce, worthless
from mcp_eval.workflows.case import Case
from mcp_eval.workflows.environments import BACKOFF
from mcp_eval.workflows.events import Line, Progress, Took
from mcp_eval.workflows.needs import World
from mcp_eval.workflows.permission import ALLOW, COST, known, may_repeat
from mcp_eval.workflows.resuming import remember
from mcp_eval.workflows.stream import Say
from mcp_eval.workflows.together import at_most

_MINUTE = 60


async def attempts(
    world: World, case: Case, stems: Sequence[str], *, trials: int, jobs: int, say: Say
) -> None:
    """An agent's runs of these scenarios, and again where one missed its goal."""
    tried = [stem for stem in stems if stem in case.scenarios]
    announce(world, len(tried) * trials, case.policy.budget_usd, say)
    if trials == 1 and case.policy.reruns:
        say(Line(text=_promise(case)))
    lane = _Lane(world, case, trials, say)
    await at_most(jobs, [partial(lane.scenario, stem) for stem in tried])


def _promise(case: Case) -> str:
    policy = case.policy
    return (
        f"a missed goal is tried again, up to {policy.reruns} times, while less than "
        f"${policy.budget_usd:.2f} and {policy.budget_seconds / _MINUTE:g} min were spent"
    )


class _Lane:
    """All runs of one check, and what they have cost."""

    def __init__(self, world: World, case: Case, trials: int, say: Say) -> None:
        self._world = world
        self._case = case
        self._trials = trials
        self._say = say
        self._ends = world.clock.monotonic() + case.policy.budget_seconds
        self._usd = 0.0

    async def scenario(self, stem: str) -> None:
        """The runs somebody asked for, then those a missed goal asks for."""
        before = len(self._case.tries.get(stem, ()))  # in the check that was interrupted
        for trial in range(before + 1, self._trials + 1):
            await self._run(stem, trial, f"run {trial} of {self._trials}")
        if self._trials > 1 or not self._missed(stem):
            return
        again = self._case.policy.reruns
        if again and not self._allowed(stem):
            self._warn(f"{stem}: its goal was missed, and it is not tried again: {COST}", ALLOW)
            return
        for number in range(max(1, before), again + 1):
            if self._spent:
                self._warn(f"{stem}: its goal was missed, and the budget for more runs is spent")
                return
            await self._run(stem, number + 1, f"its goal was missed: again ({number} of {again})")

    async def _run(self, stem: str, trial: int, doing: str) -> None:
        self._say(Progress(scenario=stem, doing=doing))
        began = self._world.clock.monotonic()
        made = await self._made(stem, trial)
        if made.troubles and not made.trajectory.invocations:  # nothing was done, so once more
            await self._world.sleep(BACKOFF)
            made = await self._made(stem, trial)
        why = worthless(made)
        if why and not made.troubles and not self._lacks(stem, made):
            made = replace(made, troubles=why)
        for fact in made.troubles:
            self._warn(f"{stem}: {fact.message}")
        self._case.tries.setdefault(stem, []).append(made)
        remember(self._world, made)
        self._say(Took(scenario=stem, seconds=self._world.clock.monotonic() - began))

    async def _made(self, stem: str, trial: int) -> Run:
        surface = self._case.new.surface
        if surface is None:
            raise RuntimeError("no agent runs where nothing is offered")
        scenario = self._case.scenarios[stem]
        made = await looks.attempt(self._world, scenario, surface=surface, trial=trial)
        self._usd += made.trajectory.usage.cost_usd or 0.0
        return made

    def _lacks(self, stem: str, made: Run) -> bool:
        """Whether this run, alone, missed the goal."""
        alone = dataclasses.replace(self._case, runs={}, tries={stem: [made]})
        (compared,) = alone.compared([stem]).scenarios
        goal = compared.goal
        return goal is None or goal.reached < goal.runs

    def _missed(self, stem: str) -> bool:
        (compared,) = self._case.compared([stem]).scenarios
        goal = compared.goal
        came = any(not run.troubles for run in self._case.tries[stem])
        return came and goal is not None and goal.reached < goal.runs

    def _allowed(self, stem: str) -> bool:
        surface = self._case.new.surface
        if surface is None:
            return False
        offered = known(self._case.baseline.surface, surface)
        return may_repeat(self._case.recording(stem), offered, self._world.target)

    @property
    def _spent(self) -> bool:
        late = self._world.clock.monotonic() >= self._ends
        return late or self._usd >= self._case.policy.budget_usd

    def _warn(self, text: str, hint: str = "") -> None:
        self._say(Line(text=text, level="warning", hint=hint))
