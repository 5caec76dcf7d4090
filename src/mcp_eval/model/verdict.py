"""Opinions: findings, the roots they share, the verdict, and the report that carries them."""

from typing import Literal

from mcp_eval.model.base import Json, JsonObject, Noun, Stated
from mcp_eval.model.comparison import Comparison
from mcp_eval.model.provenance import Build

Status = Literal["good", "acceptable", "degraded", "broken", "inconclusive"]
FindingStatus = Literal["note", "acceptable", "degraded", "broken", "inconclusive"]
Cause = Literal["target", "agent", "environment", "baseline", "scenario", "unknown"]
Confidence = Literal["confirmed", "unconfirmed", "seen-once"]


class Finding(Stated):
    """A difference with a rule, a status, its meaning, its fix and its evidence."""

    id: str
    rule: str
    status: FindingStatus
    lanes: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = ()
    tool: str = ""
    path: str = ""
    message: str = ""
    fix: str = ""
    meaning: str = ""
    evidence: JsonObject = {}
    confidence: Confidence = "confirmed"
    marks: tuple[str, ...] = ()
    cause: Cause = "unknown"
    steps: tuple[int, ...] = ()


class Root(Stated):
    """The one cause several findings share: what a maintainer fixes."""

    id: str
    cause: Cause
    status: FindingStatus
    message: str
    fix: str
    findings: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = ()
    share: float = 0.0  # of recorded calls


class ScenarioVerdict(Stated):
    """Where one scenario stands."""

    name: str
    stem: str
    status: Status
    score: float | None = None
    trajectory_score: float | None = None
    lanes: dict[str, str] = {}
    trials: dict[str, int] = {}
    scores: dict[str, float] = {}
    criteria: tuple[JsonObject, ...] = ()
    pairs: tuple[JsonObject, ...] = ()
    path: str = ""  # of the scenario's file, as it was named


class Verdict(Noun):
    """The opinion on a whole comparison."""

    status: Status
    score: float | None = None
    trajectory_score: float | None = None
    action: str = ""
    lanes: dict[str, str] = {}
    roots: tuple[Root, ...] = ()
    findings: tuple[Finding, ...] = ()
    scenarios: tuple[ScenarioVerdict, ...] = ()
    policy: str = "default"
    passed: bool = True
    remarks: tuple[str, ...] = ()  # what a reader must know first: single looks, nobody recorded …


class Report(Stated):
    """The document of a verdict; it may embed the comparison it came from."""

    status: Status
    score: float | None = None
    trajectory_score: float | None = None
    action: str = ""
    lanes: dict[str, str] = {}
    roots: tuple[Root, ...] = ()
    findings: tuple[Finding, ...] = ()
    scenarios: tuple[ScenarioVerdict, ...] = ()
    builds: dict[str, Build] = {}
    remarks: tuple[str, ...] = ()
    policy: str = "default"
    passed: bool = True
    skipped: tuple[str, ...] = ()
    created_at: str = ""
    mcp_eval: str = ""
    folder: str = ""  # where the baseline lies, when it is not where everybody looks
    comparison: Comparison | None = None

    @classmethod
    def of(cls, verdict: Verdict, comparison: Comparison, **facts: Json) -> "Report":
        """The report of a verdict, with the comparison it can be re-judged from."""
        return cls(
            status=verdict.status,
            score=verdict.score,
            trajectory_score=verdict.trajectory_score,
            action=verdict.action,
            lanes=verdict.lanes,
            roots=verdict.roots,
            findings=verdict.findings,
            scenarios=verdict.scenarios,
            remarks=verdict.remarks,
            policy=verdict.policy,
            passed=verdict.passed,
            builds={"baseline": comparison.baseline, "candidate": comparison.candidate},
            comparison=comparison,
            **facts,
        )
