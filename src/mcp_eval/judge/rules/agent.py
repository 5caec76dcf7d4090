"""Rules about an agent's run: the goal and typed criteria may fail it, its path never does."""

from mcp_eval.judge.facts import Fact
from mcp_eval.judge.rules.base import Rule, acceptable, broken, degraded, note
from mcp_eval.judge.rules.wording import counted, name, tool

_MANY = 5
_HALF = 0.5


def _runs(fact: Fact) -> tuple[int, int]:
    return int(fact.details.get("runs", 0)), int(fact.details.get("missed", 0))


def _hopeless(fact: Fact) -> bool:
    runs, missed = _runs(fact)
    if runs >= _MANY and missed == runs:
        return True
    return bool(fact.details.get("tool_failed")) or not fact.details.get("common_keys", True)


def _often(fact: Fact) -> bool:
    runs, missed = _runs(fact)
    if runs == 1:
        return not fact.details.get("rerun_possible")
    return missed >= runs * _HALF


def _flaky(fact: Fact) -> bool:
    runs, missed = _runs(fact)
    return missed == 1 and runs > 1


def _nothing_else(fact: Fact) -> bool:
    goal = fact.scenario.goal if fact.scenario else None
    return goal is not None and goal.by == "nothing"


def _missed(fact: Fact) -> str:
    runs, missed = _runs(fact)
    return f"{missed} of {counted(runs, 'run')} did not reach the goal"


AGENT = (
    Rule(
        id="criterion-failed",
        kind="agent",
        cells=(
            broken("typed", lambda fact: not fact.details.get("judged")),
            degraded("prose, by a judge"),
        ),
        meaning="What the scenario is for is not achieved.",
        says=lambda f: f"a criterion that held on the baseline fails: {name(f.before)}",
        fix=lambda _: (
            "look at the answers the criterion reads; they stand beside each other in the report"
        ),
    ),
    Rule(
        id="goal-not-reached",
        kind="agent",
        cells=(
            broken(
                "every run of five or more missed it; or a tool the baseline used failed or "
                "vanished; or no tool key in common",
                _hopeless,
            ),
            note("missed once, reached in all re-runs", _flaky, mark="flaky"),
            degraded(
                "missed in half or more of the runs; or missed once and no re-run was possible",
                _often,
            ),
            acceptable("missed in fewer than half"),
        ),
        meaning="An agent that was given the same intent did not get there.",
        says=lambda f: (
            _missed(f)
            + (f"; {name(f.details['tool_failed'])} failed" if f.details.get("tool_failed") else "")
        ),
        fix=lambda f: (
            f"make {name(f.details['tool_failed'])} work again"
            if f.details.get("tool_failed")
            else "see what the missing runs lacked; where nothing of the target changed, "
            "look at the agent"
        ),
    ),
    Rule(
        id="wrong-tool",
        kind="agent",
        cells=(
            acceptable("nothing to judge by but an empty set of effects", _nothing_else),
            note("otherwise"),
        ),
        meaning="The agent chose another tool.",
        says=lambda f: f"another tool was called instead of {tool(f)}",
        fix=lambda f: f"if this is not wanted, see whether the description of {tool(f)} changed",
    ),
    Rule(
        id="call-missing",
        kind="agent",
        cells=(
            acceptable("nothing to judge by but an empty set of effects", _nothing_else),
            note("otherwise"),
        ),
        meaning="The agent left a call out.",
        says=lambda f: f"{tool(f)} was not called",
        fix=lambda _: "nothing to do where the goal is reached",
    ),
    *(
        Rule(
            id=what,
            kind="agent",
            cells=(note(),),
            meaning="Two honest runs of one agent differ so.",
            says=says,
            fix=lambda _: "nothing to do",
        )
        for what, says in (
            ("call-extra", lambda f: f"{tool(f)} was called in addition"),
            ("argument-drift", lambda f: f"{tool(f)} was called with other arguments"),
            ("call-moved", lambda f: f"{tool(f)} was called at another time"),
        )
    ),
)
