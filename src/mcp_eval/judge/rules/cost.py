"""Rules about time and size: never worse than acceptable."""

from statistics import median

from mcp_eval.judge.facts import Fact
from mcp_eval.judge.rules.base import Rule, acceptable
from mcp_eval.judge.rules.wording import tool

_SIDE = 3  # looks a side


def looks_slower(fact: Fact) -> bool:
    """Whether every new look is slower than every old one, by the policy's margins."""
    before, after = fact.before or (), fact.after or ()
    if not before or not after or min(after) <= max(before):
        return False
    old, new = median(before), median(after)
    return bool(new >= old * fact.policy.slower_ratio and new - old >= fact.policy.slower_ms)


def _slower(fact: Fact) -> bool:
    enough = len(fact.before or ()) >= _SIDE and len(fact.after or ()) >= _SIDE
    return enough and looks_slower(fact)


def _costlier(fact: Fact) -> bool:
    before, after = fact.before, fact.after
    if fact.details.get("unit") == "usd":
        return bool(after >= before * (1 + fact.policy.costlier_ratio))
    more = after - before >= fact.policy.costlier_tokens
    return bool(more and after >= before * (1 + fact.policy.costlier_ratio))


def _spent(fact: Fact) -> str:
    unit = fact.details.get("unit", "tokens")
    if fact.path == "run":
        return f"a run costs {fact.after} {unit} where it cost {fact.before}"
    return f"the answer of {tool(fact)} has {fact.after} {unit} where it had {fact.before}"


COST = (
    Rule(
        id="slower",
        kind="cost",
        cells=(
            acceptable(
                "three looks a side or more, every new one slower than every old one, "
                "median ≥ 2× and ≥ 100 ms more",
                _slower,
            ),
        ),
        meaning="An agent waits longer, and may give up.",
        says=lambda f: (
            f"{tool(f)} takes {median(f.after):.0f} ms where it took {median(f.before):.0f} ms"
        ),
        fix=lambda f: f"profile {tool(f)} with the recorded request",
    ),
    Rule(
        id="costlier",
        kind="cost",
        cells=(acceptable("median ≥ 25 % and ≥ 200 tokens more (characters ÷ 4)", _costlier),),
        meaning="Every conversation that makes this call pays for the longer answer.",
        says=_spent,
        fix=lambda f: f"shorten what {tool(f)} answers, or let the caller ask for less",
    ),
)
