"""Runs distilled into a recording: an exemplar, and what one build varies by itself."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from mcp_eval.compare.answers import answer, classify
from mcp_eval.compare.contents import content_differences, read_two_ways
from mcp_eval.compare.effects import writes
from mcp_eval.compare.looks import by_step
from mcp_eval.compare.looks import symbols as symbols_of
from mcp_eval.compare.masks import learned
from mcp_eval.compare.outcomes import class_of
from mcp_eval.compare.toolkey import bare_name, tool_key
from mcp_eval.compare.view import View
from mcp_eval.compare.words import STATUSES, named
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.provenance import Provenance
from mcp_eval.model.recording import Hole, RecordedStep, Recording
from mcp_eval.model.scenario import Scenario
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Invocation, Outcome, Run, Trajectory

_BESIDE = "structuredContent"
_ARROW = " → "
_ANSWERED = frozenset({"ok", "empty"})
_POLLED = frozenset({"result-value-changed", "result-type-changed", "text-changed", "improvement"})


def distill(
    scenario: Scenario,
    runs: Sequence[Run],
    *,
    provenance: Provenance,
    surface: Surface | None = None,
    criteria: Mapping[str, str] | None = None,
    reached: int | None = None,
) -> Recording:
    """The recording of a scenario: its commonest run, and what its looks agreed on."""
    asked = [run for run in runs if not _is_replay(run)]
    paths = Counter(path_of(run, surface) for run in asked)
    commonest = max(paths, key=lambda path: paths[path], default="")
    exemplar = next((run for run in asked if path_of(run, surface) == commonest), runs[0])
    draft = _draft(scenario, exemplar, provenance)
    looks = [run for run in runs if _is_replay(run) or _same_requests(run, exemplar)]
    steps = tuple(_distilled(draft, number, looks) for number in range(len(draft.steps)))
    recording = replace(
        draft,
        steps=steps,
        usages=tuple(run.trajectory.usage for run in asked),
        runs=len(asked),
        reached=len(asked) if reached is None else reached,
        fresh=sum(run.fresh for run in looks) > 1,
        paths=dict(paths),
        criteria=dict(criteria or {}),
        effects=effects_of(exemplar.trajectory, surface),
    )
    return replace(recording, repeats=_repeats(recording, looks))


def path_of(run: Run, surface: Surface | None = None) -> str:
    """The tool keys of a run, in order."""
    made = (one for one in run.trajectory.invocations if not one.foreign)
    return _ARROW.join(key_of(one, surface) for one in made)


def key_of(made: Invocation | RecordedStep, surface: Surface | None) -> str:
    """The tool key of a request."""
    tool = surface.tool(bare_name(made.name)) if surface else None
    return tool_key(made.name, made.arguments, tool)


def effects_of(trajectory: Trajectory, surface: Surface | None) -> tuple[JsonObject, ...]:
    """The successful state-changing invocations: tool key and arguments."""
    return tuple(
        {"tool": key_of(made, surface), "arguments": made.arguments}
        for made in trajectory.invocations
        if is_effect(made, surface)
    )


def is_effect(made: Invocation, surface: Surface | None) -> bool:
    """Whether an invocation changed something, by what it is for and how it ended."""
    if made.foreign or made.method != "tools/call":
        return False
    tool = surface.tool(bare_name(made.name)) if surface else None
    if not writes(made.name, tool, key_of(made, surface)):
        return False
    return classify(made.outcome) in _ANSWERED


def _is_replay(run: Run) -> bool:
    return any(made.step is not None for made in run.trajectory.invocations)


def _same_requests(run: Run, exemplar: Run) -> bool:
    mine, its = run.trajectory.invocations, exemplar.trajectory.invocations
    return [(one.name, one.method) for one in mine] == [(one.name, one.method) for one in its]


def _draft(scenario: Scenario, exemplar: Run, provenance: Provenance) -> Recording:
    return Recording(
        name=scenario.name,
        stem=scenario.stem,
        fingerprint=scenario.fingerprint,
        user_intent=scenario.user_intent,
        tags=scenario.tags,
        steps=tuple(_with_matchers(scenario, exemplar.trajectory.invocations)),
        messages=exemplar.trajectory.messages,
        provenance=replace(provenance, recorded_at=exemplar.recorded_at or provenance.recorded_at),
    )


def _with_matchers(scenario: Scenario, invocations: Sequence[Invocation]) -> Iterator[RecordedStep]:
    """The steps, each with what its author says of its arguments; written and made go in order."""
    written = [step for step in (scenario.steps or scenario.expected_trajectory) if step.tool]
    for made in invocations:
        place = next(
            (
                number
                for number, step in enumerate(written)
                if bare_name(step.tool) == bare_name(made.name)
            ),
            None,
        )
        step = _step(made)
        if place is None:
            yield step
        else:
            yield replace(step, match=written[place].match)
            del written[: place + 1]


def _step(made: Invocation) -> RecordedStep:
    return RecordedStep(
        name=made.name,
        method=made.method,
        arguments=made.arguments,
        bindings=made.bindings,
        outcome=made.outcome,
        nested=made.nested,
        polls=made.polls,
        foreign=made.foreign,
    )


def _distilled(draft: Recording, number: int, runs: Sequence[Run]) -> RecordedStep:
    """One step with its classes, holes, latencies and sizes over all looks."""
    step = draft.steps[number]
    if step.foreign:
        return step
    looks = [(run, found) for run in runs if (found := _at(run, number)) is not None]
    reached = [(run, made) for run, made in looks if made.outcome.kind != "not-reached"]
    mine = classify(step.outcome)
    classes = Counter({mine: 0})
    others: dict[str, Outcome] = {}
    alike: list[tuple[Run, Invocation]] = []
    for run, made in reached:
        now = class_of(step, made.outcome)
        classes[now] += 1
        if now == mine:
            alike.append((run, made))
        else:
            others.setdefault(now, made.outcome)
    return replace(
        step,
        classes={name: count for name, count in classes.items() if count},
        others=tuple(others.values()),
        holes=_holes(draft, step, alike),
        latencies_ms=tuple(round(made.latency_ms, 1) for _, made in reached),
        sizes=tuple(made.size for _, made in reached),
    )


def _at(run: Run, number: int) -> Invocation | None:
    if _is_replay(run):
        return by_step(run).get(number)
    made = run.trajectory.invocations
    return made[number] if number < len(made) else None


def _holes(
    draft: Recording, step: RecordedStep, looks: Sequence[tuple[Run, Invocation]]
) -> dict[str, Hole]:
    before = answer(step.outcome)
    carried: list[tuple[Json, View]] = []
    worded: list[tuple[Json, View]] = []
    beside: list[tuple[Json, View]] = []
    for run, made in looks:
        made_all = by_step(run) if _is_replay(run) else dict(enumerate(run.trajectory.invocations))
        after = answer(made.outcome)
        view = View(
            before_at=draft.provenance.recorded_at,
            after_at=run.recorded_at,
            symbols=symbols_of(draft, made_all),
            arguments=step.arguments,
            blocks=before.parts > 1 or after.parts > 1,
        )
        if read_two_ways(before, after):
            worded.append((after.text, view))
        else:
            carried.append((after.value, view))
        if before.extra is not None and after.extra is not None:
            beside.append(({_BESIDE: after.extra}, view))
    found = learned(before.value, carried) | learned(before.text, worded)
    return found | learned({_BESIDE: before.extra}, beside)


def _repeats(recording: Recording, looks: Sequence[Run]) -> str:
    if len(looks) < 2:  # noqa: PLR2004 - one look says nothing about the next
        return "unknown"
    steps = [step for step in recording.steps if not step.foreign]
    if any(len(step.classes) > 1 or step.looks < len(looks) for step in steps):
        return "no"
    return "yes"


# --- what the walker and the workflows ask ---


def waiting(step: RecordedStep, outcome: Outcome) -> bool:
    """Whether a recorded read's answer now differs in a status-like leaf: ask again, later."""
    if classify(step.outcome) not in _ANSWERED or outcome.kind != "result":
        return False
    before, after = answer(step.outcome), answer(outcome)
    view = View(holes=step.holes, arguments=step.arguments)
    return any(
        one.change in _POLLED and named(one.site.path, STATUSES)
        for one in content_differences(before, after, view)
    )


def run_of(recording: Recording) -> Run:
    """The exemplar of a recording as a run, so that two recordings can be compared."""
    made = tuple(
        Invocation(
            name=step.name,
            method=step.method,
            arguments=step.arguments,
            bindings=step.bindings,
            outcome=step.outcome,
            latency_ms=step.latencies_ms[0] if step.latencies_ms else 0.0,
            size=step.sizes[0] if step.sizes else 0,
            nested=step.nested,
            polls=step.polls,
            foreign=step.foreign,
        )
        for step in recording.steps
    )
    return Run(
        scenario=recording.stem,
        agent=recording.provenance.agent or "script",
        model=recording.provenance.model,
        trajectory=Trajectory(invocations=made, messages=recording.messages),
        build=recording.provenance.build,
        recorded_at=recording.provenance.recorded_at,
        fresh=recording.fresh,
    )


def unusable(recordings: Sequence[Recording], scenarios: Sequence[Scenario]) -> str:
    """Why this recording is refused as a baseline; "" where it is fine."""
    expecting = {scenario.stem for scenario in scenarios if _expects_failure(scenario)}
    empty = [one.stem for one in recordings if one.stem not in expecting and _only_failures(one)]
    if not recordings or len(empty) * 2 <= len(recordings):
        return ""
    share = f"{len(empty)} of {len(recordings)} scenarios"
    return f"{share} hold nothing but failed or refused calls: {', '.join(sorted(empty)[:5])}"


def _only_failures(recording: Recording) -> bool:
    steps = [step for step in recording.steps if not step.foreign]
    return not any(classify(step.outcome) in _ANSWERED for step in steps)


def _expects_failure(scenario: Scenario) -> bool:
    return any(criterion.kind in {"result", "calls"} for criterion in scenario.success_criteria)
