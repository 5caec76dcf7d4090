"""Two things in, a comparison out: the surface, every scenario, and what forbids an opinion."""

from collections import Counter
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from mcp_eval.compare.looks import by_step
from mcp_eval.compare.outcomes import class_of
from mcp_eval.compare.scenario import as_replay, compare_scenario
from mcp_eval.compare.steady import key_of
from mcp_eval.compare.surface import surface_differences
from mcp_eval.compare.troubles import of_target
from mcp_eval.model.candidate import Candidate
from mcp_eval.model.comparison import Comparison, Difference, Hit, Lane
from mcp_eval.model.policy import Policy
from mcp_eval.model.provenance import Build
from mcp_eval.model.recording import Baseline, RecordedRequest, Recording
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Run

_ANSWERED = frozenset({"ok", "empty"})


def compare(baseline: Baseline, candidate: Candidate, *, policy: Policy = Policy()) -> Comparison:
    """All differences and numbers of a baseline and a candidate."""
    recordings = tuple(baseline.recordings.values())
    scenarios = tuple(
        compare_scenario(recording, candidate, baseline.surface, policy)
        for recording in recordings
        if "replay" in candidate.lanes or "agent" in candidate.lanes
    )
    return Comparison(
        surface=_surface(baseline, candidate),
        scenarios=scenarios,
        troubles=(*candidate.troubles, *of_target(recordings, candidate.runs, candidate.old_runs)),
        lanes=candidate.lanes,
        required=candidate.required,
        recorded=any(recording.steps for recording in recordings),
        calls=calls(recordings, baseline.surface),
        baseline=_build(recordings),
        candidate=candidate.build,
        old_starts=candidate.old_starts,
    )


def requests(recordings: Sequence[Recording]) -> tuple[RecordedRequest, ...]:
    """Every request of the recordings, and whether it was answered."""
    return tuple(
        RecordedRequest(
            scenario=recording.stem,
            step=number,
            name=step.name,
            method=step.method,
            arguments=step.arguments,
            answered=class_of(step) in _ANSWERED,
        )
        for recording in recordings
        for number, step in enumerate(recording.steps)
        if not step.foreign
    )


def candidate_of(baseline: Baseline, other: Baseline) -> Candidate:
    """Another recording folder as the candidate of this one."""
    runs: dict[str, tuple[Run, ...]] = {
        stem: (as_replay(recording, other.recordings[stem], baseline.surface),)
        for stem, recording in baseline.recordings.items()
        if stem in other.recordings
    }
    builds = [one.provenance.build for one in other.recordings.values()]
    replayed = all(
        any(made.step is not None for made in run.trajectory.invocations)
        for (run, *_) in runs.values()
    )
    lane: Lane = "replay" if replayed else "agent"
    return Candidate(
        surface=other.surface,
        runs=runs,
        build=builds[0] if builds else Build(),
        resettable=True,
        fingerprints={stem: other.recordings[stem].fingerprint for stem in runs}
        if replayed
        else {},
        lanes=("surface", lane),
        required=("surface", lane),
    )


def calls(recordings: Sequence[Recording], surface: Surface) -> dict[str, int]:
    """Recorded calls by tool key."""
    found = Counter(
        key_of(step, surface)
        for recording in recordings
        for step in recording.steps
        if not step.foreign
    )
    return dict(sorted(found.items()))


def _build(recordings: Sequence[Recording]) -> Build:
    return recordings[0].provenance.build if recordings else Build()


def _surface(baseline: Baseline, candidate: Candidate) -> tuple[Difference, ...]:
    if candidate.surface is None or "surface" not in candidate.lanes:
        return ()
    if _same(baseline.surface, candidate.surface):
        return ()
    recordings = tuple(baseline.recordings.values())
    found = surface_differences(baseline.surface, candidate.surface, requests(recordings))
    return tuple(_with_outcomes(one, baseline, candidate) for one in found)


def _same(before: Surface, after: Surface) -> bool:
    """Whether the same is offered to the letter, as it is by most builds."""
    return before is after or msgspec.json.encode(before) == msgspec.json.encode(after)


def _with_outcomes(one: Difference, baseline: Baseline, candidate: Candidate) -> Difference:
    """A surface difference with what its hits came to at replay."""
    if not one.hits:
        return one
    hits = tuple(
        replace(
            hit,
            outcome=_outcome(
                baseline.recordings[hit.scenario], hit, candidate.runs.get(hit.scenario, ())
            ),
        )
        for hit in one.hits
    )
    return replace(one, hits=hits)


def _outcome(recording: Recording, hit: Hit, runs: Sequence[Run]) -> str:
    """The class of the replay of a hit, the commonest over looks."""
    step = recording.steps[hit.step]
    found = Counter(
        class_of(step, made.outcome)
        for run in runs
        if (made := by_step(run).get(hit.step)) is not None and made.outcome.kind != "not-reached"
    )
    return found.most_common(1)[0][0] if found else "not-replayed"
