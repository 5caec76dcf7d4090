"""Suites checked by an agent that does not always get there, and how often that is an alarm.

By simulation of the gate alone: each run reaches its goal or misses it by chance, and what a check
then makes of it is what the workflow makes of it (one run; a missed goal again, `reruns` times).
"""

import random
from collections.abc import Sequence

from mcp_eval.compare.goals import missed_goal
from mcp_eval.judge.verdict import judge
from mcp_eval.model.comparison import Comparison, GoalFacts, ScenarioComparison
from mcp_eval.model.policy import Policy

CHECKS, SCENARIOS = 200, 20
HONEST, DROPPED = 0.95, 0.30
_FAILING = frozenset({"degraded", "broken"})


def goal(chance: random.Random, rate: float, *, trials: int, policy: Policy) -> GoalFacts:
    """The runs one check makes of one scenario, and how many reached the goal."""
    reached = [chance.random() < rate for _ in range(trials)]
    if trials == 1 and not reached[0]:
        reached += [chance.random() < rate for _ in range(policy.reruns)]
    missed = tuple("no effect like create" for one in reached if not one)
    return GoalFacts(
        runs=len(reached), reached=sum(reached), missed=missed, rerun_possible=len(reached) > 1
    )


def fails(goals: Sequence[GoalFacts], policy: Policy) -> bool:
    """Whether a check of these scenarios ends degraded or broken."""
    scenarios = tuple(
        ScenarioComparison(
            name=f"s{number}",
            stem=f"s{number}",
            lane="agent",
            differences=tuple(missed_goal(f"s{number}", one)),
            goal=one,
            looks=one.runs,
        )
        for number, one in enumerate(goals)
    )
    lanes = ("surface", "agent")
    comparison = Comparison(scenarios=scenarios, lanes=lanes, required=lanes)
    return judge(comparison, policy).status in _FAILING


def alarms(seed: int, *, trials: int, policy: Policy, checks: int = CHECKS) -> int:
    """Of so many checks of an unchanged suite, how many end degraded or broken."""
    chance = random.Random(seed)
    return sum(
        fails(
            [goal(chance, HONEST, trials=trials, policy=policy) for _ in range(SCENARIOS)], policy
        )
        for _ in range(checks)
    )


def detected(seed: int, *, trials: int, policy: Policy, checks: int = CHECKS) -> float:
    """The share of checks that find one scenario that dropped."""
    chance = random.Random(seed)
    found = (
        fails([goal(chance, DROPPED, trials=trials, policy=policy)], policy) for _ in range(checks)
    )
    return sum(found) / checks


def bench() -> None:
    """False alarms of a suite, and detection of one scenario, at the default and with trials."""
    policy = Policy()
    print(f"  {CHECKS} checks of {SCENARIOS} scenarios, each run reaches its goal in {HONEST:.0%}")
    for trials in (1, 5, 8):
        count = alarms(7, trials=trials, policy=policy)
        found = detected(8, trials=trials, policy=policy, checks=1000)
        name = "default" if trials == 1 else f"--trials {trials}"
        print(f"  {name:10} alarms {count:3} of {CHECKS}  one that drops to 30 % found {found:.3f}")


if __name__ == "__main__":
    bench()
