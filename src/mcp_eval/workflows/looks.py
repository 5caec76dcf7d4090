"""One run, one look: what happens in an environment of its own, kept without its secrets."""

from collections.abc import Sequence

from msgspec.structs import replace

from mcp_eval.compare.bindings import bind
from mcp_eval.errors import InconclusiveError
from mcp_eval.model.comparison import Difference
from mcp_eval.model.provenance import Build
from mcp_eval.model.recording import Recording
from mcp_eval.model.scenario import Scenario
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Run
from mcp_eval.ports import Environment, Target
from mcp_eval.workflows.environments import PAUSES, identified, passes, started, trouble
from mcp_eval.workflows.needs import World

REPLAY = "replay"


async def run(world: World, scenario: Scenario, *, surface: Surface, trial: int) -> Run:
    """The agent's run of a scenario, its later arguments bound to the earlier values they hold."""
    began = world.clock.now()
    async with started(world.target, world.sleep) as environment:
        made = await world.agent.run(scenario, environment, surface=surface, trial=trial)
        made = _stamped(made, environment, surface, began)
    # Bound first: a secret an earlier answer minted must still be recognised as that answer's.
    return kept(world, bind(made))


async def attempt(world: World, scenario: Scenario, *, surface: Surface, trial: int) -> Run:
    """An agent's run at a check; whatever keeps it from happening is a fact in the run."""
    began = world.clock.now()
    try:
        return await run(world, scenario, surface=surface, trial=trial)
    except InconclusiveError as error:
        return Run(
            scenario=scenario.stem,
            trial=trial,
            agent=world.agent.name,
            build=Build(target=world.target.name),
            recorded_at=began,
            troubles=(trouble(error),),
        )


async def look(
    world: World,
    target: Target,
    recording: Recording,
    *,
    surface: Surface,
    changes: Sequence[Difference] = (),
    number: int = 1,
) -> Run:
    """One replay of a recording; whatever keeps it from happening is a fact in the run."""
    made = await _look(world, target, recording, surface, changes, number)
    for pause in PAUSES:
        if not any(passes(fact) for fact in made.troubles):
            break
        await world.sleep(pause)
        made = await _look(world, target, recording, surface, changes, number)
    return kept(world, made)


def kept(world: World, made: Run) -> Run:
    """The run without its secrets, after it was put where raw runs go."""
    clean = world.redactor.run(made)
    world.store.run(clean)
    return clean


async def _look(
    world: World,
    target: Target,
    recording: Recording,
    surface: Surface,
    changes: Sequence[Difference],
    number: int,
) -> Run:
    began = world.clock.now()
    try:
        async with started(target, None) as environment:
            made = await world.replayer.replay(
                recording, environment, surface=surface, changes=changes, look=number
            )
            return _stamped(made, environment, surface, began)
    except InconclusiveError as error:
        return Run(
            scenario=recording.stem,
            trial=number,
            agent=REPLAY,
            build=Build(target=target.name),
            recorded_at=began,
            troubles=(trouble(error),),
        )


def _stamped(made: Run, environment: Environment, surface: Surface, began: str) -> Run:
    build = made.build if made.build != Build() else environment.build
    return replace(
        made,
        build=identified(build, surface),
        recorded_at=made.recorded_at or began,
        fresh=environment.fresh,
    )
