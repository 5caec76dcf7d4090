"""Statuses, bands and actions: the finding decides, the number says where in its band."""

from collections.abc import Iterable

from mcp_eval.model.verdict import FindingStatus, Status

ACTIONS: dict[Status, str] = {
    "good": "deploy with confidence",
    "acceptable": "monitor, consider a baseline update",
    "degraded": "review the changes, update docs",
    "broken": "stop the deployment, investigate",
    "inconclusive": "the check did not happen: fix the set-up",
}
BANDS: dict[Status, tuple[float, float]] = {
    "broken": (0.0, 0.3),
    "degraded": (0.3, 0.6),
    "acceptable": (0.6, 0.8),
    "good": (0.8, 1.0),
}
PASS = 0.8  # the seed's threshold
SEVERITY: tuple[Status, ...] = ("broken", "degraded", "inconclusive", "acceptable", "good")
_STEP = 0.01
_OF_FINDING: dict[FindingStatus, Status] = {
    "broken": "broken",
    "degraded": "degraded",
    "inconclusive": "inconclusive",
    "acceptable": "acceptable",
    "note": "good",
}


def worst(statuses: Iterable[FindingStatus | Status]) -> Status:
    """The worst of some; broken and degraded come before "no opinion", good is the best."""
    plain = [_OF_FINDING.get(status, status) for status in statuses]  # type: ignore[arg-type]
    return min(plain, key=SEVERITY.index, default="good")


def place(status: Status, similarity: float, *, identical: bool = False) -> float | None:
    """Where in its status's band something stands; None where no opinion could be formed."""
    if status == "inconclusive":
        return None
    if identical and status == "good":
        return 1.0
    low, high = BANDS[status]
    return round(min(low + (high - low) * max(0.0, min(1.0, similarity)), high - _STEP), 4)


def band(score: float) -> Status:
    """The status a score falls into, as the seed has it."""
    if score < BANDS["broken"][1]:
        return "broken"
    if score < BANDS["degraded"][1]:
        return "degraded"
    return "acceptable" if score < BANDS["acceptable"][1] else "good"
