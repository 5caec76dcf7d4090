"""A target nobody has used yet: its tools tried, and what that taught as starter scenarios."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec.structs import replace

from mcp_eval.compare.answers import classify
from mcp_eval.compare.starters import (
    Found,
    Way,
    finds,
    hides,
    reads,
    undoes,
    variants,
    ways,
    wrong_way,
)
from mcp_eval.compare.steady import distill
from mcp_eval.formats.scenario import fingerprint
from mcp_eval.model.base import JsonObject, Noun
from mcp_eval.model.provenance import Provenance
from mcp_eval.model.recording import Recording
from mcp_eval.model.scenario import Scenario, Step
from mcp_eval.model.surface import Surface, Tool
from mcp_eval.model.trajectory import Invocation, Run
from mcp_eval.workflows import looks
from mcp_eval.workflows.events import Progress
from mcp_eval.workflows.needs import World
from mcp_eval.workflows.sight import Survey
from mcp_eval.workflows.stream import Say
from mcp_eval.workflows.together import at_most

WRITING = "writing_tools"
TAG = "starter"
_ROUNDS = 5
_ABOUT = 120

Writer = Callable[[Run], tuple[Step, ...]]  # a run as a scenario writes its steps


class Trial(Noun):
    """What is asked of a survey."""

    places: tuple[str, ...] = ()  # folders that paths may name
    clean: bool = False  # a new start is clean, so that what writes may be tried
    jobs: int = 1


async def survey(world: World, surface: Surface, plan: Trial, write: Writer, say: Say) -> Survey:
    """Try the tools, keep the calls that were answered, and see whether they repeat."""
    safe = [tool for tool in surface.tools if reads(tool)]
    writing = [tool for tool in surface.tools if not reads(tool)]
    say(Progress(scenario="survey", doing=f"trying {len(safe)} tools that read"))
    known = await _tried(world, surface, safe, {}, plan, "survey")
    say(Progress(scenario="survey", doing="seeing how errors are told"))
    hiding = await _hiding(world, surface, [tool for tool in safe if tool.name in known])
    scenarios = [_starter(tool, known) for tool in safe if tool.name in known]
    if plan.clean and writing:
        say(Progress(scenario="survey", doing=f"trying {len(writing)} tools that may write"))
        # What was made last is taken away first.
        last = [tool for tool in reversed(writing) if undoes(tool)]
        order = (*(tool for tool in writing if not undoes(tool)), *last)
        written = await _tried(world, surface, order, {}, plan, WRITING)
        scenarios += _story(order, written, known)
        known = known | written
    kept = await _repeated(world, surface, scenarios, plan, write, say)
    answered = [tool.name for tool in surface.tools if tool.name in known]
    tried = (*safe, *(writing if plan.clean else ()))
    return Survey(
        surface=surface,
        tried=tuple(answered),
        lost=tuple(tool.name for tool in tried if tool.name not in known),
        untried=tuple(tool.name for tool in writing if not plan.clean),
        hiding=hiding,
        starters=tuple(scenario for scenario, _ in kept),
        recordings=tuple(recording for _, recording in kept),
        guesses=tuple(_guess(tool, plan) for tool in surface.tools if tool.name not in known),
    )


def _guess(tool: Tool, plan: Trial) -> Step:
    found = ways(tool, (), plan.places)
    return Step(action=tool.name, tool=tool.name, args=found[0].arguments if found else {})


# --- finding calls that are answered ---


async def _tried(
    world: World,
    surface: Surface,
    tools: Sequence[Tool],
    known: Mapping[str, Way],
    plan: Trial,
    stem: str,
) -> dict[str, Way]:
    """For each tool a call that was answered, within a few rounds; later ones know more."""
    chosen = dict(known)
    empty: dict[str, Way] = {}
    seen: dict[str, list[JsonObject]] = {tool.name: [] for tool in tools}
    made: list[Invocation] = []
    for number in range(1, _ROUNDS + 1):
        asked = _next(tools, chosen, seen, finds(made), plan)
        if not asked:
            break
        run = await _run(world, surface, stem, _with_sources(asked, chosen | empty), number)
        made += run.trajectory.invocations
        for name, way in asked.items():
            outcome = _outcome(run, name, way)
            if outcome is None or outcome == "not-reached":
                continue
            seen[name].append(way.arguments)
            if outcome == "ok":
                chosen[name] = way
            elif outcome == "empty":
                empty.setdefault(name, way)
        if run.troubles:
            break
    return {**empty, **chosen}


def _next(
    tools: Sequence[Tool],
    chosen: Mapping[str, Way],
    seen: Mapping[str, list[JsonObject]],
    found: Sequence[Found],
    plan: Trial,
) -> dict[str, Way]:
    asked: dict[str, Way] = {}
    for tool in tools:
        if tool.name in chosen:
            continue
        new = (
            way for way in ways(tool, found, plan.places) if way.arguments not in seen[tool.name]
        )
        if (way := next(new, None)) is not None:
            asked[tool.name] = way
    return asked


def _with_sources(asked: Mapping[str, Way], known: Mapping[str, Way]) -> list[Step]:
    """Each call after those whose answers its values came from."""
    steps: list[Step] = []
    for name, way in asked.items():
        steps += [_step(source, known[source]) for source in way.after if source in known]
        steps.append(_step(name, way))
    return [step for at, step in enumerate(steps) if step not in steps[:at]]


def _step(name: str, way: Way) -> Step:
    return Step(action=name, tool=name, args=way.arguments)


async def _run(
    world: World, surface: Surface, stem: str, steps: Sequence[Step], number: int
) -> Run:
    scenario = Scenario(name=stem, stem=stem, expected_trajectory=tuple(steps))
    return await looks.run(world, scenario, surface=surface, trial=number)


def _outcome(run: Run, name: str, way: Way) -> str | None:
    """How the call ended; None where it stands nowhere in the run."""
    for made in run.trajectory.invocations:
        if (made.name, made.arguments) == (name, way.arguments):
            reached = made.outcome.kind != "not-reached"
            return classify(made.outcome) if reached else "not-reached"
    return None


async def _hiding(world: World, surface: Surface, tools: Sequence[Tool]) -> tuple[str, ...]:
    """The tools that answer a wrong request with an error that does not say it is one."""
    wrong = {tool.name: way for tool in tools if (way := wrong_way(tool)) is not None}
    if not wrong:
        return ()
    steps = [Step(tool=name, args=arguments) for name, arguments in wrong.items()]
    run = await _run(world, surface, "survey-errors", steps, 1)
    return tuple(one.name for one in run.trajectory.invocations if hides(one))


# --- starters ---


def _starter(tool: Tool, known: Mapping[str, Way]) -> Scenario:
    """One tool, called in each of the ways its choices allow."""
    steps: list[Step] = []
    for way in variants(tool, known[tool.name]):
        steps += _with_sources({tool.name: way}, known)
    once = [step for at, step in enumerate(steps) if step not in steps[:at]]
    return _scenario(_stem(tool.name), _about(tool), once)


def _story(
    tools: Sequence[Tool], written: Mapping[str, Way], known: Mapping[str, Way]
) -> list[Scenario]:
    """What writes, then all that reads, then what takes away: effects show between them."""
    before = {tool.name: written[tool.name] for tool in tools if tool.name in written}
    last = {tool.name: before.pop(tool.name) for tool in tools if _is_last(tool, before)}
    steps = _with_sources({**before, **known, **last}, {**known, **written})
    about = "Change something, look at what became of it, and take it away again"
    return [_scenario(WRITING, about, steps)] if before or last else []


def _is_last(tool: Tool, before: Mapping[str, Way]) -> bool:
    return undoes(tool) and tool.name in before


def _scenario(stem: str, intent: str, steps: Sequence[Step]) -> Scenario:
    return Scenario(
        name=stem,
        stem=stem,
        description="A starter: mcp-eval found these calls by itself, change them as you like",
        user_intent=intent,
        expected_trajectory=tuple(steps),
        tags=(TAG,),
    )


def _stem(name: str) -> str:
    plain = "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in name)
    return f"{plain}_tool" if plain in {"surface", "comparison", WRITING} else plain


def _about(tool: Tool) -> str:
    said = " ".join((tool.description or f"Use {tool.name}").split())
    first, stop, _ = said.partition(". ")
    return (first + stop.strip())[:_ABOUT]


async def _repeated(
    world: World,
    surface: Surface,
    scenarios: Sequence[Scenario],
    plan: Trial,
    write: Writer,
    say: Say,
) -> list[tuple[Scenario, Recording]]:
    """Each starter run and replayed once, in environments of their own."""
    jobs = 1 if world.target.serial else plan.jobs
    work = [partial(_one, world, surface, scenario, write, say) for scenario in scenarios]
    return [one for one in await at_most(jobs, work) if one is not None]


async def _one(
    world: World, surface: Surface, scenario: Scenario, write: Writer, say: Say
) -> tuple[Scenario, Recording] | None:
    say(Progress(scenario=scenario.stem, doing="seeing whether it repeats"))
    made = await looks.run(world, scenario, surface=surface, trial=1)
    if made.troubles or not made.trajectory.invocations:
        return None
    steps = write(made)
    scenario = replace(scenario, expected_trajectory=steps)
    scenario = replace(scenario, fingerprint=fingerprint(scenario))
    write_up = partial(
        distill,
        scenario,
        provenance=Provenance(
            mcp_eval=world.version,
            agent=made.agent,
            recorded_at=made.recorded_at,
            build=made.build,
        ),
        surface=surface,
    )
    again = await looks.look(world, world.target, write_up([made]), surface=surface, number=2)
    runs = [made] if again.troubles else [made, again]
    return scenario, write_up(runs)
