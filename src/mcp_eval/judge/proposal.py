"""What a waiting change of a baseline is: an update to be offered, or a break to be mended.

The rule: an update adds something or is acceptable, and was seen alike in two looks or more; what
was seen once wants another look; all that is degraded or broken, and whatever nobody could judge,
is a break to fix and is never offered.
"""

from typing import Literal

from mcp_eval.model.base import Noun
from mcp_eval.model.recording import Recording
from mcp_eval.model.verdict import Report

# Notes that say a build gives more than before: worth taking into a baseline.
ADDITIONS = frozenset(
    {
        "tool-added",
        "parameter-added",
        "enum-value-added",
        "bounds-widened",
        "result-field-added",
        "item-added",
        "improvement",
        "error-flagged",
    }
)
_LOOKS = 2
_OFFERED = frozenset({"good", "acceptable"})
_UNSURE = frozenset({"transient", "intermittent"})


class Proposal(Noun):
    """What is proposed about one change, and why."""

    kind: Literal["update", "look again", "break"]
    why: str


def proposed(report: Report, recording: Recording | None) -> Proposal:
    """The proposal for a change; a surface (no recording) was taken once it was quiet."""
    if report.status not in _OFFERED:
        return Proposal(kind="break", why=f"{report.status}: mend it, or say why it is meant")
    if recording is not None and (why := _unsteady(recording)):
        return Proposal(kind="look again", why=why)
    if any(_UNSURE.intersection(one.marks) for one in report.findings):
        return Proposal(kind="look again", why="something in it comes and goes")
    said = "only additions" if report.status == "good" else "acceptable"
    return Proposal(kind="update", why=f"{said}, seen alike in every look")


def adds(rules: frozenset[str]) -> bool:
    """Whether any of these rules says that a build gives more than before."""
    return bool(rules & ADDITIONS)


def _unsteady(recording: Recording) -> str:
    steps = [step for step in recording.steps if not step.foreign]
    fewest = min((step.looks for step in steps), default=0)
    if fewest < _LOOKS:
        return f"seen in {fewest} look{'' if fewest == 1 else 's'}: two are needed (--trials 2)"
    if any(len(step.classes) > 1 for step in steps) or recording.repeats == "no":
        return "its looks did not agree"
    return ""
