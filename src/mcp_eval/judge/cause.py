"""Where a root comes from, named from evidence alone: without any, it is unknown."""

from collections.abc import Sequence

from mcp_eval.judge.facts import Fact
from mcp_eval.judge.opinions import Opinion
from mcp_eval.model.comparison import Comparison
from mcp_eval.model.verdict import Cause

_OF_TROUBLE: dict[str, Cause] = {
    "rate-limited": "environment",
    "auth-expired": "environment",
    "target-lost": "environment",
    "not-reset": "environment",
    "build-mismatch": "environment",
    "baseline-unusable": "baseline",
    "scenario-edited": "scenario",
    "agent-failed": "agent",
}
_TWO = 2
_MEASURED = frozenset({"slower", "costlier"})  # numbers, not answers that agree or do not
_WORDING = frozenset({"description-changed", "instructions-changed"})


def cause_of(group: Sequence[Opinion], comparison: Comparison) -> Cause:
    """The cause the group's evidence names; the surface is the surest witness."""
    trouble = next((one for one in group if one.rule.kind == "inconclusive"), None)
    if trouble is not None:
        return _of_trouble(trouble)
    if any(one.rule.kind == "surface" for one in group):
        return "target"
    heavy = [one for one in group if one.status != "note"]
    answers = [one.fact for one in heavy if one.rule.kind != "agent"]
    if answers:
        return _of_replay(answers)
    return _of_agent([one.fact for one in heavy], comparison)


def _of_trouble(one: Opinion) -> Cause:
    if one.status == "broken":
        return "target"
    return _OF_TROUBLE.get(one.rule.id, "unknown")


def _of_replay(facts: Sequence[Fact]) -> Cause:
    if all(_unsteady(fact) for fact in facts):
        return "baseline"
    if all(fact.old_build_too for fact in facts):
        return "environment"
    return "target" if any(_proved(fact) for fact in facts) else "unknown"


def _unsteady(fact: Fact) -> bool:
    """Whether the baseline's own looks differed here."""
    if fact.change in _MEASURED:
        return False
    looks = fact.scenario.baseline_looks if fact.scenario else 0
    return looks >= _TWO and fact.steadiness.baseline < looks


def _proved(fact: Fact) -> bool:
    """Whether the same request, in a world that cannot have moved, was answered otherwise."""
    if fact.change == "slower":  # the machine may be: only both builds side by side tell
        return fact.scenario is not None and fact.scenario.old_looks > 0
    if fact.scenario is None or fact.scenario.world_may_have_moved or fact.old_build_too:
        return fact.details.get("now") == "crashed" and fact.steadiness.seen >= _TWO
    return fact.steadiness.seen >= _TWO or fact.scenario.resettable


def _of_agent(facts: Sequence[Fact], comparison: Comparison) -> Cause:
    if any(fact.details.get("tool_failed") for fact in facts):
        return "target"
    if any(fact.difference.lane == "replay" for fact in facts):
        return "unknown"  # a criterion fails, and no answer that it reads has changed
    replayed = "replay" in comparison.lanes
    moved = [one for one in comparison.surface if one.change not in _WORDING]
    if comparison.surface and not moved:
        return "target"  # weaker evidence: only words of the surface moved
    if moved:
        return "unknown"
    return "agent" if replayed or "surface" in comparison.lanes else "unknown"
