"""The agent lane of one scenario: calls aligned with the recorded, and what tools answer."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from mcp_eval.compare.align import align
from mcp_eval.compare.answers import answer
from mcp_eval.compare.calls import made_call, recorded_call
from mcp_eval.compare.conduct import run_costs
from mcp_eval.compare.goals import (
    Attempt,
    agent_differences,
    failed_criteria,
    goal_facts,
    missed_goal,
)
from mcp_eval.compare.looks import merged
from mcp_eval.compare.matchers import matched
from mcp_eval.compare.metrics import mean, pair_scores
from mcp_eval.compare.outcomes import class_of, outcome_similarity, step_differences
from mcp_eval.compare.values import differ
from mcp_eval.compare.view import View
from mcp_eval.model.comparison import CriterionResult, Difference, Pair, ScenarioComparison, Site
from mcp_eval.model.policy import Policy
from mcp_eval.model.recording import RecordedStep, Recording
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Invocation, Run

_SAME = 0.999
_ANSWERED = frozenset({"ok", "empty"})
_ERRORS = frozenset({"newly-failing", "newly-refused"})


def tried(
    shell: ScenarioComparison,
    recording: Recording,
    runs: Sequence[Run],
    before: Surface,
    after: Surface,
    policy: Policy,
    *,
    by_run: Sequence[Sequence[CriterionResult]] = (),
) -> ScenarioComparison:
    """The runs of an agent beside the recorded one: its path is aligned, its goal looked for."""
    steps = [(number, step) for number, step in enumerate(recording.steps) if not step.foreign]
    olds = [recorded_call(step, number, before) for number, step in steps]
    mine = [made for made in runs[0].trajectory.invocations if not made.foreign]
    attempts = [_attempt(run, after) for run in runs]
    pairs = tuple(_with_outcomes(align(olds, attempts[0].calls), recording, mine, runs[0]))
    facts = [one for _, shown in pairs for one in shown]
    plain = tuple(pair for pair, _ in pairs)
    before_it = Attempt(calls=tuple(olds), messages=recording.messages)
    goal = goal_facts(before_it, attempts, before, after, shell.criteria, by_run)
    return replace(
        shell,
        lane="agent",
        pairs=plain,
        differences=(
            *facts,
            *agent_differences(recording.stem, plain),
            *missed_goal(recording.stem, goal),
            *failed_criteria(recording.stem, shell.criteria, "agent", len(runs)),
            *run_costs(recording, runs),
        ),
        scores=pair_scores(plain, max_diff=policy.max_diff),
        similarity=mean(plain),
        goal=goal,
    )


def _attempt(run: Run, surface: Surface) -> Attempt:
    made = (one for one in run.trajectory.invocations if not one.foreign)
    calls = tuple(made_call(one, number, surface) for number, one in enumerate(made))
    return Attempt(calls=calls, messages=run.trajectory.messages)


def _with_outcomes(
    pairs: Sequence[Pair], recording: Recording, made: Sequence[Invocation], run: Run
) -> Iterator[tuple[Pair, tuple[Difference, ...]]]:
    """Aligned pairs; where the very same request was made and failed, the tool is to answer."""
    extras = [made[new.step] for pair in pairs if (new := pair.candidate) and not pair.baseline]
    for pair in pairs:
        old, new = pair.baseline, pair.candidate
        if old is None or new is None:
            yield pair, ()
            continue
        if old.match:
            alike = matched(pair.arguments, old.match, old.arguments, new.arguments)
            pair = replace(pair, arguments=alike)  # noqa: PLW2901 - the same pair, as its author sees it
        step, here = recording.steps[old.step], made[new.step]
        likeness = _likeness(step, here, recording, run)
        facts: tuple[Difference, ...] = ()
        if pair.arguments.similarity >= _SAME and new.outcome_class not in _ANSWERED:
            # A call that was made again, since it failed or to be sure, was looked at twice.
            looks = (here, *(one for one in extras if _repeats(one, here)))
            facts = tuple(_tool_errors(step, looks, recording, run, old.tool, old.step))
        yield replace(pair, outcome_similarity=likeness), facts


def _repeats(made: Invocation, other: Invocation) -> bool:
    return made.name == other.name and made.arguments == other.arguments


def _tool_errors(
    step: RecordedStep,
    looks: Sequence[Invocation],
    recording: Recording,
    run: Run,
    tool: str,
    number: int,
) -> Iterator[Difference]:
    """What an agent's own path left in the world may differ; that a tool fails is a fact."""
    view = _view(step, recording, run)
    seen = [
        [one for one in step_differences(step, made.outcome, view) if one.change in _ERRORS]
        for made in looks
    ]
    place = Site(tool=tool, scenario=recording.stem, step=number)
    for one in merged(seen, (), step.classes.get(class_of(step), 0), place):
        yield replace(one, lane="agent")


def _view(step: RecordedStep, recording: Recording, run: Run) -> View:
    return View(
        holes=step.holes,
        before_at=recording.provenance.recorded_at,
        after_at=run.recorded_at,
        arguments=step.arguments,
    )


def _likeness(step: RecordedStep, here: Invocation, recording: Recording, run: Run) -> float:
    if here.outcome == step.outcome:
        return 1.0
    before, after = answer(step.outcome), answer(here.outcome)
    facts = tuple(differ(before.value, after.value, _view(step, recording, run)))
    return outcome_similarity(step, facts) if facts else 1.0
