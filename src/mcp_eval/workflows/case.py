"""A check under way: the baseline, the two builds as they were found, and all looks so far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from mcp_eval.compare.compare import compare
from mcp_eval.judge.criteria import evaluate
from mcp_eval.model.candidate import Candidate
from mcp_eval.model.comparison import Comparison, CriterionResult, Difference, Lane
from mcp_eval.model.policy import Policy
from mcp_eval.model.provenance import Build
from mcp_eval.model.recording import Baseline, Recording
from mcp_eval.model.scenario import Scenario
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Run, Trouble


@dataclass(frozen=True, kw_only=True)
class Side:
    """A build as it was found: what it offers, or why it could not say."""

    surface: Surface | None = None
    build: Build = field(default_factory=Build)
    troubles: tuple[Trouble, ...] = ()


@dataclass(kw_only=True)
class Case:
    """What is known so far; `candidate` states it for the pure rooms."""

    baseline: Baseline
    scenarios: Mapping[str, Scenario]
    new: Side
    old: Side | None
    resettable: bool
    lanes: tuple[Lane, ...]
    policy: Policy
    changes: tuple[Difference, ...] = ()  # on the surface: the walker follows its renames
    runs: dict[str, list[Run]] = field(default_factory=dict)
    tries: dict[str, list[Run]] = field(default_factory=dict)  # an agent's, beside the replays
    old_runs: dict[str, list[Run]] = field(default_factory=dict)
    opinions: dict[str, dict[str, CriterionResult]] = field(default_factory=dict)  # of a judge

    def recording(self, stem: str) -> Recording:
        """The baseline's recording of a scenario."""
        return self.baseline.recordings[stem]

    def compared(self, stems: Sequence[str] | None = None) -> Comparison:
        """All facts so far, or those of some scenarios."""
        wanted = self.baseline.recordings if stems is None else stems
        part = Baseline(
            surface=self.baseline.surface,
            recordings={stem: self.recording(stem) for stem in wanted},
        )
        return compare(part, self.candidate(tuple(wanted)), policy=self.policy)

    def candidate(self, stems: Sequence[str]) -> Candidate:
        """The runs under judgement, with how they came about."""
        old = self.old or Side()
        return Candidate(
            surface=self.new.surface,
            runs={stem: self.looks(stem) for stem in stems if self.looks(stem)},
            old_surface=old.surface,
            old_runs={stem: tuple(self.old_runs[stem]) for stem in stems if stem in self.old_runs},
            build=self.new.build,
            old_starts=None if self.old is None else old.surface is not None,
            resettable=self.resettable,
            fingerprints={
                stem: self.scenarios[stem].fingerprint for stem in stems if stem in self.scenarios
            },
            troubles=self.new.troubles,
            old_troubles=old.troubles,
            criteria={stem: self._criteria(stem) for stem in stems if self.looks(stem)},
            criteria_by_run={stem: self._by_run(stem) for stem in stems if stem in self.tries},
            lanes=self.lanes,
            required=self.lanes,
        )

    def looks(self, stem: str) -> tuple[Run, ...]:
        """Every run of a scenario, replayed or tried."""
        return (*self.runs.get(stem, ()), *self.tries.get(stem, ()))

    def _by_run(self, stem: str) -> tuple[tuple[CriterionResult, ...], ...]:
        scenario, before = self.scenarios.get(stem), self.recording(stem).criteria
        if scenario is None:
            return ()
        runs = (run for run in self.tries[stem] if not run.troubles)
        looks = (evaluate(scenario.success_criteria, run.trajectory) for run in runs)
        return tuple(tuple(_against(one, before) for one in results) for results in looks)

    def _criteria(self, stem: str) -> tuple[CriterionResult, ...]:
        # A criterion counts as missed where every look missed it: one miss may be a hiccup.
        scenario = self.scenarios.get(stem)
        if scenario is None:
            return ()
        before = self.recording(stem).criteria
        looks = [
            evaluate(scenario.success_criteria, made.trajectory)
            # What an agent was asked for is held against its own runs, where there are some.
            for made in self.tries.get(stem) or self.runs[stem]
            if not made.troubles
        ]
        together = (_together(results, before) for results in zip(*looks, strict=True))
        judged = self.opinions.get(stem, {})
        return tuple(judged.get(one.text, one) for one in together)


def _together(results: Sequence[CriterionResult], before: Mapping[str, str]) -> CriterionResult:
    best = next((one for one in results if one.result == "yes"), results[0])
    return _against(best, before)


def _against(one: CriterionResult, before: Mapping[str, str]) -> CriterionResult:
    return replace(one, baseline=before.get(one.text, one.baseline))
