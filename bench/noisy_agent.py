"""An agent without a model that is as unruly as one: the same seed, the same moods.

It paraphrases, reorders, explores, calls wrongly and again, and sometimes gives up. Calm, it does
what a scenario says and tells what it found: that is how its baselines are recorded.
"""

import asyncio
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.noisy_words import CLOSINGS, OPENINGS, REWORDED
from mcp_eval.agents.walk import Pace, Request, Walk
from mcp_eval.compare.answers import answer, classify
from mcp_eval.compare.starters import reads
from mcp_eval.model.scenario import Scenario, Step
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Invocation, Message, Run, Trajectory
from mcp_eval.ports import Bounds, Clock, Environment

_FREE = frozenset({"message", "query", "content", "contents", "observations", "text"})
_FACTS = re.compile(r"\b(?:[A-Z][a-z]{3,}(?:-\d+)?|\d+(?:\.\d+)?)\b")
_TOLD = 4


@dataclass(frozen=True, kw_only=True)
class Mood:
    """How likely each unruliness is."""

    explores: float = 0.5
    reorders: float = 0.3
    paraphrases: float = 0.5
    repeats: float = 0.3
    errs: float = 0.2
    forgets: float = 0.2
    gives_up: float = 0.03


CALM = Mood(
    explores=0, reorders=0, paraphrases=0, repeats=0, errs=0, forgets=0, gives_up=0
)  # fmt: skip


@dataclass(kw_only=True)
class NoisyAgent:
    """An Agent of a seed and a mood; each run of a scenario has its own luck."""

    clock: Clock
    seed: int = 0
    mood: Mood = CALM
    name: str = "noisy"
    model: str = ""
    bounds: Bounds = field(default_factory=Bounds)
    runs: dict[str, int] = field(default_factory=dict)

    async def run(
        self, scenario: Scenario, environment: Environment, *, surface: Surface, trial: int
    ) -> Run:
        """One run, through the same walk every built-in agent uses."""
        number = self.runs[scenario.stem] = self.runs.get(scenario.stem, 0) + 1
        chance = random.Random(f"{self.seed}:{scenario.stem}:{number}")
        walk = Walk(environment, Pace(clock=self.clock, sleep=asyncio.sleep))
        work = _Work(walk, surface, chance, self.mood)
        await walk.open()
        try:
            done = await work.all(scenario.expected_trajectory)
        finally:
            await walk.close()
        said = [Message(role="user", text=scenario.user_intent)]
        if done:
            said.append(Message(role="assistant", text=work.told(), before=len(work.made)))
        trajectory = Trajectory(
            invocations=tuple(work.made), messages=tuple(said), ended="done" if done else "gave-up"
        )
        return Run(
            scenario=scenario.stem,
            trial=trial,
            agent=self.name,
            recorded_at=self.clock.now(),
            trajectory=trajectory,
        )


class _Work:
    """One run under way."""

    def __init__(self, walk: Walk, surface: Surface, chance: random.Random, mood: Mood) -> None:
        self._walk = walk
        self._surface = surface
        self._chance = chance
        self._mood = mood
        self._facts: list[str] = []
        self.made: list[Invocation] = []

    async def all(self, steps: Sequence[Step]) -> bool:
        """Every step, in some order, with what an agent does between; False where it gave up."""
        if self._likely(self._mood.explores):
            await self._explore()
        for step in self._ordered(steps):
            if self._likely(self._mood.gives_up / len(steps)):
                return False
            if self._likely(self._mood.errs) and step.args:
                lost = self._chance.choice(sorted(step.args))
                wrong = {name: value for name, value in step.args.items() if name != lost}
                if self._requires(step.tool, lost):
                    await self._ask(step.tool, wrong)
            await self._step(step)
        return True

    def told(self) -> str:
        """What it found, in words of its own."""
        facts = list(dict.fromkeys(self._facts))
        if len(facts) > 2 and self._likely(self._mood.forgets):
            facts.remove(self._chance.choice(facts))
        if not self._mood.paraphrases:
            return f"Found: {' '.join(facts)}"
        opening, closing = self._chance.choice(OPENINGS), self._chance.choice(CLOSINGS)
        return f"{opening} {', '.join(facts)} {closing}"

    async def _explore(self) -> None:
        known = [
            tool.name
            for tool in self._surface.tools
            if reads(tool) and not tool.input_schema.get("required")
        ]
        for name in self._chance.sample(known, min(len(known), self._chance.randint(1, 2))):
            await self._ask(name, {})

    def _ordered(self, steps: Sequence[Step]) -> list[Step]:
        """Two neighbours that merely read may change places."""
        order = list(steps)
        for at in range(len(order) - 1):
            if all(self._reads(one.tool) for one in order[at : at + 2]) and self._likely(
                self._mood.reorders
            ):
                order[at], order[at + 1] = order[at + 1], order[at]
        return order

    async def _step(self, step: Step) -> None:
        spoken = dict(_reworded(step.args, self._chance, self._mood.paraphrases))
        made = await self._ask(step.tool, spoken)
        if self._reads(step.tool):
            if spoken != step.args and (classify(made.outcome) != "ok" or self._likely(0.5)):
                made = await self._ask(step.tool, step.args)  # another wording found nothing
            elif self._likely(self._mood.repeats):
                made = await self._ask(step.tool, spoken)
        if classify(made.outcome) == "ok":
            self._facts += _FACTS.findall(answer(made.outcome).text)[:_TOLD]

    async def _ask(self, tool: str, arguments: dict[str, Any]) -> Invocation:
        made = await self._walk.ask(Request(name=tool, arguments=arguments))
        self.made.append(made)
        return made

    def _reads(self, name: str) -> bool:
        tool = self._surface.tool(name)
        return tool is not None and reads(tool)

    def _requires(self, name: str, parameter: str) -> bool:
        tool = self._surface.tool(name)
        return tool is not None and parameter in tool.input_schema.get("required", ())

    def _likely(self, rate: float) -> bool:
        return self._chance.random() < rate


def _reworded(
    arguments: dict[str, Any], chance: random.Random, rate: float
) -> Iterator[tuple[str, Any]]:
    """Free text said otherwise; names, paths, ids and numbers as they are."""
    for name, value in arguments.items():
        yield name, _said(value, chance, rate, free=name in _FREE)


def _said(value: Any, chance: random.Random, rate: float, *, free: bool) -> Any:
    if isinstance(value, dict):
        return dict(_reworded(value, chance, rate))
    if isinstance(value, list):
        return [_said(one, chance, rate, free=free) for one in value]
    if not (free and isinstance(value, str) and chance.random() < rate):
        return value
    words = [REWORDED.get(word, word) for word in value.split()]
    return " ".join(words if chance.random() < rate else [*words, chance.choice(CLOSINGS)])
