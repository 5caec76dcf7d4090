"""A scenario's written steps, walked: its set-up, then its own steps or the expected ones."""

from msgspec.structs import replace

from mcp_eval.agents import patience, person
from mcp_eval.agents.templates import Written, read_all
from mcp_eval.agents.walk import Request, Walk
from mcp_eval.compare.bindings import Settled, settle
from mcp_eval.compare.effects import annotated_read
from mcp_eval.compare.toolkey import bare_name
from mcp_eval.model.base import Noun
from mcp_eval.model.scenario import Scenario, Step
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Invocation


class Deed(Noun):
    """One written step, and what its arguments read from earlier ones."""

    step: Step
    written: Written


def read_script(scenario: Scenario) -> tuple[Deed, ...]:
    """What a scenario wants done, in order; UsageError where a template is wrong."""
    where = scenario.path or scenario.stem
    own = "steps" if scenario.steps else "expected_trajectory"
    before = _read(scenario.setup, f"{where}: setup", 0)
    return before + _read(
        scenario.steps or scenario.expected_trajectory, f"{where}: {own}", len(before)
    )


def _read(steps: tuple[Step, ...], where: str, first: int) -> tuple[Deed, ...]:
    """Each section counts from 0 where it is written; here all are counted together."""
    return tuple(
        Deed(step=step, written=_counted(written, first))
        for step, written in zip(steps, read_all(steps, where=where), strict=True)
    )


def _counted(written: Written, first: int) -> Written:
    bindings = tuple(replace(one, step=one.step + first) for one in written.bindings)
    return replace(written, bindings=bindings)


class WrittenWalk:
    """Does one deed after the other; what was made so far stays, whatever happens."""

    def __init__(self, script: tuple[Deed, ...], walk: Walk, *, surface: Surface) -> None:
        self._script = script
        self._walk = walk
        self._surface = surface
        self._places: dict[int, int] = {}  # where a deed stands in what was made
        self.made: list[Invocation] = []

    async def go(self) -> None:
        """All of it; InconclusiveError where it cannot go on."""
        for deed in self._script:
            wanted = {**deed.written.arguments, "": deed.step.run}
            self._walk.needs(wanted, deed.step.tool or "run")
        for number, deed in enumerate(self._script):
            if deed.step.tool:
                await self._call(deed)
            else:
                await self._act(deed.step)
            self._places[number] = len(self.made) - 1

    async def _act(self, step: Step) -> None:
        if not self._walk.stopped or step.restart:
            await self._walk.act(step)
        self.made.append(person.marker(step))

    async def _call(self, deed: Deed) -> None:
        settled = self._settled(deed.written)
        request = Request(
            name=self._offered(deed.step.tool),
            method=deed.step.method,
            arguments=settled.arguments,
        )
        if settled.lost is not None:
            missed = request.not_reached(settled.what)
            self.made.append(replace(missed, waits_for=settled.lost))
        elif self._walk.stopped:
            self.made.append(request.not_reached(self._walk.stopped))
        else:
            made = await self._walk.ask(request)
            self._keep(replace(made, bindings=settled.bindings))
            patience.refuse_limits(made)

    def _offered(self, tool: str) -> str:
        """Its bare name; of several servers, the one under which its own offers it."""
        whole = tool.removeprefix("mcp__")
        return whole if self._surface.tool(whole) is not None else bare_name(tool)

    def _settled(self, written: Written) -> Settled:
        bindings = [replace(one, step=self._places[one.step]) for one in written.bindings]
        outcomes = {place: self.made[place].outcome for place in self._places.values()}
        return settle(written.arguments, bindings, outcomes)

    def _keep(self, made: Invocation) -> None:
        """Another look at the same state is one poll with the look before it."""
        before = self.made[-1] if self.made else None
        if before is not None and self._again(before, made):
            self.made[-1] = replace(made, polls=before.polls + 1)
        else:
            self.made.append(made)

    def _again(self, before: Invocation, made: Invocation) -> bool:
        if before.outcome.kind == "not-reached" or before.foreign:
            return False
        same = (before.name, before.method, before.arguments)
        reads = made.method == "tools/call" and annotated_read(self._surface.tool(made.name))
        return reads and same == (made.name, made.method, made.arguments)
