"""Constructed comparisons: differences as somebody might have measured them, and what is said."""

from mcp_eval.judge.verdict import judge
from mcp_eval.model.comparison import (
    Call,
    Comparison,
    Difference,
    GoalFacts,
    Hit,
    Pair,
    ScenarioComparison,
    Site,
    Steadiness,
)
from mcp_eval.model.policy import Policy
from mcp_eval.model.trajectory import Trouble

REPLAYED = ("surface", "replay")
TRIED = ("surface", "agent")


# --- facts ---------------------------------------------------------------------------------------


def at_replay(
    change,
    *,
    tool="search",
    path="",
    step=0,
    scenario="story",
    seen=3,
    looks=3,
    old=(0, 0),
    baseline=2,
    alike=True,
    before=None,
    after=None,
    **details,
):
    """A difference of an answer; seen in every one of three looks unless it is said otherwise."""
    steadiness = Steadiness(
        baseline=baseline, seen=seen, looks=looks, alike=alike, old_seen=old[0], old_looks=old[1]
    )
    return Difference(
        site=Site(tool=tool, path=path, scenario=scenario, step=step),
        lane="replay",
        change=change,
        before=before,
        after=after,
        steadiness=steadiness,
        details=details,
    )


def on_surface(
    change, *, tool="search", path="", hits=(), witness=None, before=None, after=None, **details
):
    """A difference of what is offered."""
    return Difference(
        site=Site(tool=tool, path=path),
        lane="surface",
        change=change,
        before=before,
        after=after,
        details=details,
        hits=tuple(hits),
        witness=witness,
    )


def by_agent(change, *, tool="search", path="", step=0, scenario="story", before=None, **details):
    """A difference of an agent's run."""
    return Difference(
        site=Site(tool=tool, path=path, scenario=scenario, step=step),
        lane="agent",
        change=change,
        before=before,
        details=details,
    )


def hit(outcome="failed", *, reason="'query' is a required property", scenario="story", step=0):
    """A recorded request that a surface change concerns."""
    return Hit(scenario=scenario, step=step, reason=reason, outcome=outcome, arguments={"q": "git"})


def trouble(rule, *, scenario="", step=-1, message="told", evidence="seen"):
    return Trouble(rule=rule, message=message, evidence=evidence, scenario=scenario, step=step)


# --- comparisons ---------------------------------------------------------------------------------


def pair(step, *, tool="search", arguments=None, said="", needs=(), waits_for=None, reached=True):
    """A recorded call and its replay; `needs` holds "step:path" of the values it uses."""
    call = Call(step=step, tool=tool, name=tool, arguments=arguments or {}, outcome=said)
    now = "ok" if reached else "not-reached"
    return Pair(
        baseline=call,
        candidate=Call(
            step=step, tool=tool, name=tool, outcome_class=now, waits_for=waits_for
        ),
        needs=tuple(sorted({int(one.partition(":")[0]) for one in needs})),
        needs_paths=tuple(needs),
    )  # fmt: skip


def story(*differences, stem="story", **how):
    """A scenario whose baseline was seen twice and whose candidate was seen three times."""
    usual = {"name": stem.title(), "baseline_looks": 2, "looks": 3, "similarity": 0.5}
    return ScenarioComparison(stem=stem, differences=tuple(differences), **{**usual, **how})


def comparison(*scenarios, surface=(), **how):
    """A comparison of some scenarios."""
    return Comparison(scenarios=tuple(scenarios), surface=tuple(surface), **how)


def tried(*differences, goal=None, **how):
    """A comparison of the agent lane."""
    scenario = story(*differences, lane="agent", goal=goal or GoalFacts(runs=1, reached=1), **how)
    return comparison(scenario, lanes=TRIED, required=TRIED)


# --- verdicts ------------------------------------------------------------------------------------


def verdict(*differences, policy=None, **how):
    """What is judged of one scenario with these differences."""
    return judge(comparison(story(*differences, **how)), policy or Policy())


def offered(*differences, scenarios=None, **how):
    """What is judged of a surface with these differences."""
    compared = (story(),) if scenarios is None else scenarios
    return judge(comparison(*compared, surface=differences, **how))


def only(verdict):
    """The one finding of a verdict."""
    assert len(verdict.findings) == 1, [(one.rule, one.status) for one in verdict.findings]
    return verdict.findings[0]


def status_of(verdict):
    """The status of its one finding; None where nothing was found."""
    return only(verdict).status if verdict.findings else None


def rules(verdict):
    return {(one.rule, one.status) for one in verdict.findings}
