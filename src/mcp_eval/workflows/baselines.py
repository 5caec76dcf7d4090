"""What a baseline holds for a check: its requests, its own report, a stand-in for one."""

from collections.abc import Sequence

from mcp_eval.compare.compare import compare
from mcp_eval.compare.steady import expected_recording, run_of
from mcp_eval.judge.verdict import judge
from mcp_eval.model.candidate import Candidate
from mcp_eval.model.policy import Policy
from mcp_eval.model.provenance import Build
from mcp_eval.model.recording import Baseline, RecordedRequest, Recording
from mcp_eval.model.scenario import Scenario
from mcp_eval.model.surface import Surface
from mcp_eval.model.verdict import Report

_ANSWERED = ("ok", "empty")


def requests(recordings: Sequence[Recording]) -> tuple[RecordedRequest, ...]:
    """Every request the recordings made: what a surface change may hit."""
    return tuple(
        RecordedRequest(
            scenario=recording.stem,
            step=index,
            name=step.name,
            method=step.method,
            arguments=step.arguments,
            answered=any(step.classes.get(answered) for answered in _ANSWERED),
        )
        for recording in recordings
        for index, step in enumerate(recording.steps)
        if not step.foreign
    )


def expected(scenarios: Sequence[Scenario], surface: Surface) -> Baseline:
    """What the scenarios themselves expect, where nothing was recorded."""
    return Baseline(
        surface=surface,
        recordings={scenario.stem: expected_recording(scenario) for scenario in scenarios},
    )


def baseline_report(
    recordings: Sequence[Recording],
    surface: Surface,
    build: Build,
    *,
    created_at: str,
    version: str,
    policy: Policy,
) -> Report:
    """A recording held against itself: its calls, its criteria, its build, for people to read."""
    baseline = Baseline(surface=surface, recordings={one.stem: one for one in recordings})
    candidate = Candidate(
        surface=surface,
        runs={one.stem: (run_of(one),) for one in recordings},
        build=build,
        resettable=all(one.fresh for one in recordings),
        fingerprints={one.stem: one.fingerprint for one in recordings},
    )
    comparison = compare(baseline, candidate, policy=policy)
    return Report.of(judge(comparison, policy), comparison, created_at=created_at, mcp_eval=version)
