"""One scenario, compared: its pairs, its differences counted over looks, its numbers."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from mcp_eval.compare.calls import made_call, recorded_call
from mcp_eval.compare.conduct import conduct
from mcp_eval.compare.flow import in_the_flow
from mcp_eval.compare.goals import failed_criteria
from mcp_eval.compare.looks import by_step, look_facts, merged
from mcp_eval.compare.metrics import mean, pair_scores
from mcp_eval.compare.outcomes import class_of, outcome_similarity
from mcp_eval.compare.paths import site
from mcp_eval.compare.steady import key_of, run_of
from mcp_eval.compare.toolkey import bare_name
from mcp_eval.compare.tried import tried
from mcp_eval.compare.troubles import of_scenario
from mcp_eval.model.candidate import Candidate
from mcp_eval.model.comparison import Difference, Pair, ScenarioComparison, Site
from mcp_eval.model.policy import Policy
from mcp_eval.model.recording import RecordedStep, Recording
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Invocation, Run


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
    beside = _compared(shell, recording, tries, candidate, before, policy)
    kept = (one for one in replayed.differences if one.change != "criterion-failed")
    return replace(replayed, differences=(*kept, *beside.differences), goal=beside.goal)


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
    return tried(shell, recording, usable, before, after, policy, by_run=by_run)


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
        scores=pair_scores(pairs, max_diff=policy.max_diff),
        similarity=mean(pairs),
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


# --- recordings as runs ---


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
