"""One scenario, compared: its pairs, its differences counted over looks, its numbers."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from mcp_eval.compare.align import align
from mcp_eval.compare.answers import answer
from mcp_eval.compare.calls import made_call, recorded_call
from mcp_eval.compare.conduct import conduct, run_costs
from mcp_eval.compare.flow import in_the_flow
from mcp_eval.compare.goals import (
    Attempt,
    agent_differences,
    failed_criteria,
    goal_facts,
    missed_goal,
)
from mcp_eval.compare.looks import by_step, look_facts, merged
from mcp_eval.compare.matchers import matched
from mcp_eval.compare.metrics import scores
from mcp_eval.compare.outcomes import class_of, outcome_similarity, step_differences
from mcp_eval.compare.paths import site
from mcp_eval.compare.steady import key_of, run_of
from mcp_eval.compare.toolkey import bare_name
from mcp_eval.compare.troubles import of_scenario
from mcp_eval.compare.values import differ
from mcp_eval.compare.view import View
from mcp_eval.model.candidate import Candidate
from mcp_eval.model.comparison import CriterionResult, Difference, Pair, ScenarioComparison, Site
from mcp_eval.model.policy import Policy
from mcp_eval.model.recording import RecordedStep, Recording
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Invocation, Run

_SAME = 0.999
_ANSWERED = frozenset({"ok", "empty"})
_ERRORS = frozenset({"newly-failing", "newly-refused"})


def compare_scenario(
    recording: Recording, candidate: Candidate, before: Surface, policy: Policy
) -> ScenarioComparison:
    """All differences and numbers of one scenario."""
    runs = candidate.runs.get(recording.stem, ())
    replays = tuple(run for run in runs if _is_replay(run))
    tries = tuple(run for run in runs if not _is_replay(run))
    shell = _shell(recording, candidate, replays or tries)
    if not (replays and tries):
        return _compared(shell, recording, runs, candidate, before, policy)
    told = tries[0].troubles if all(run.troubles for run in tries) else ()
    shell = replace(shell, troubles=(*shell.troubles, *told))
    replayed = _compared(shell, recording, replays, candidate, before, policy)
    tried = _compared(shell, recording, tries, candidate, before, policy)
    kept = (one for one in replayed.differences if one.change != "criterion-failed")
    return replace(replayed, differences=(*kept, *tried.differences), goal=tried.goal)


def _shell(recording: Recording, candidate: Candidate, runs: Sequence[Run]) -> ScenarioComparison:
    """What is known of a scenario before its runs are read."""
    return ScenarioComparison(
        name=recording.name,
        stem=recording.stem,
        baseline_looks=max((step.looks for step in recording.steps), default=recording.runs),
        looks=len(runs),
        old_looks=len(candidate.old_runs.get(recording.stem, ())),
        criteria=candidate.criteria.get(recording.stem, ()),
        troubles=of_scenario(
            recording,
            runs,
            fingerprint=candidate.fingerprints.get(recording.stem, ""),
            resettable=candidate.resettable,
        ),
        resettable=candidate.resettable,
        world_may_have_moved=not candidate.resettable
        and not candidate.old_runs.get(recording.stem),
    )


def _compared(
    shell: ScenarioComparison,
    recording: Recording,
    runs: Sequence[Run],
    candidate: Candidate,
    before: Surface,
    policy: Policy,
) -> ScenarioComparison:
    """The runs of one lane."""
    usable = tuple(run for run in runs if not run.troubles) or tuple(runs)
    if not usable:
        return replace(shell, similarity=0.0, looks=0)
    after = candidate.surface or before
    if _is_replay(usable[0]):
        return _replayed(shell, recording, usable, candidate, before, after, policy)
    by_run = candidate.criteria_by_run.get(recording.stem, ())
    return _tried(shell, recording, usable, before, after, policy, by_run=by_run)


def _is_replay(run: Run) -> bool:
    return run.agent == "replay" or any(
        made.step is not None for made in run.trajectory.invocations
    )


# --- the replay lane ---


def _replayed(
    shell: ScenarioComparison,
    recording: Recording,
    runs: Sequence[Run],
    candidate: Candidate,
    before: Surface,
    after: Surface,
    policy: Policy,
) -> ScenarioComparison:
    looks = [in_the_flow(recording, run, look_facts(recording, run), after) for run in runs]
    old_runs = candidate.old_runs.get(recording.stem, ())
    old = [in_the_flow(recording, run, look_facts(recording, run), before) for run in old_runs]
    made, made_before = [by_step(run) for run in runs], [by_step(run) for run in old_runs]
    found: dict[int, tuple[Difference, ...]] = {}
    for number, step in enumerate(recording.steps):
        if step.foreign:
            continue
        place = Site(tool=key_of(step, before), scenario=recording.stem, step=number)
        agreed = step.classes.get(class_of(step), 0)
        seen = [look[number] for look in looks if number in look]
        seen_old = [look[number] for look in old if number in look]
        found[number] = (
            *merged(seen, seen_old, agreed, place),
            *conduct(step, _made_at(made, number), _made_at(made_before, number), place),
        )
    pairs = tuple(_replay_pairs(recording, runs[0], found, before, after))
    return replace(
        shell,
        lane="replay",
        pairs=pairs,
        differences=(
            *(one for shown in found.values() for one in shown),
            *failed_criteria(recording.stem, shell.criteria, "replay", len(runs)),
        ),
        scores=_scores(pairs, policy),
        similarity=_mean(pairs),
    )


def _made_at(looks: Sequence[Mapping[int, Invocation]], number: int) -> list[Invocation]:
    """One step's invocation in each look that came to it."""
    return [look[number] for look in looks if number in look]


def _replay_pairs(
    recording: Recording,
    run: Run,
    found: Mapping[int, tuple[Difference, ...]],
    before: Surface,
    after: Surface,
) -> Iterator[Pair]:
    made = by_step(run)
    for number, step in enumerate(recording.steps):
        if step.foreign:
            continue
        here = made.get(number)
        reached = here is not None and here.outcome.kind != "not-reached"
        steady = [one for one in found.get(number, ()) if _weighs(one)]
        yield Pair(
            baseline=recorded_call(step, number, before),
            candidate=made_call(here, number, after, step) if here is not None else None,
            outcome_similarity=outcome_similarity(step, steady) if reached else 0.0,
            needs=tuple(sorted({binding.step for binding in step.bindings})),
            needs_paths=tuple(f"{binding.step}:{site(binding.path)}" for binding in step.bindings),
            followed=_followed(here, step),
        )


def _followed(here: Invocation | None, step: RecordedStep) -> str:
    """The new name a call was made under; what a client puts before a name is no part of it."""
    renamed = here is not None and bare_name(here.name) != bare_name(step.name)
    return here.name if here is not None and renamed else ""


def _weighs(one: Difference) -> bool:
    """What was seen once in several looks is no lasting loss."""
    return one.steadiness.looks == 1 or one.steadiness.seen > 1


# --- the agent lane ---


def _tried(
    shell: ScenarioComparison,
    recording: Recording,
    runs: Sequence[Run],
    before: Surface,
    after: Surface,
    policy: Policy,
    *,
    by_run: Sequence[Sequence[CriterionResult]] = (),
) -> ScenarioComparison:
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
        scores=_scores(plain, policy),
        similarity=_mean(plain),
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


# --- both ---


def _mean(pairs: Sequence[Pair]) -> float:
    return sum(pair.similarity for pair in pairs) / len(pairs) if pairs else 1.0


def _scores(pairs: Sequence[Pair], policy: Policy) -> dict[str, float]:
    olds = [pair.baseline for pair in pairs if pair.baseline is not None]
    news = [pair.candidate for pair in pairs if pair.candidate is not None]
    ordered = sorted(news, key=lambda call: call.step)
    return scores(
        sorted(olds, key=lambda call: call.step), ordered, pairs, max_diff=policy.max_diff
    )


def as_replay(recording: Recording, other: Recording, before: Surface) -> Run:
    """The exemplar of another recording; a replay where it made the very same requests."""
    run = run_of(other)
    mine = [step for step in recording.steps if not step.foreign]
    its = run.trajectory.invocations
    if len(mine) != len(its) or not all(
        _same_request(step, made, before) for step, made in zip(mine, its, strict=True)
    ):
        return run
    numbered = tuple(replace(made, step=number) for number, made in enumerate(its))
    return replace(run, trajectory=replace(run.trajectory, invocations=numbered))


def _same_request(step: RecordedStep, made: Invocation, surface: Surface) -> bool:
    if key_of(step, surface) != key_of(made, surface) or step.method != made.method:
        return False
    bound = {binding.argument.partition(".")[0].partition("[")[0] for binding in step.bindings}
    return all(
        made.arguments.get(name) == value or name in bound for name, value in step.arguments.items()
    ) and set(made.arguments) == set(step.arguments)
