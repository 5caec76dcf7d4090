"""`expect:` entries: findings that somebody called fine, for a reason, until a day."""

from collections.abc import Iterator, Sequence

import msgspec

from mcp_eval.judge.catalogue import CATALOGUE
from mcp_eval.judge.facts import Fact
from mcp_eval.judge.opinions import Opinion
from mcp_eval.model.comparison import Comparison, Difference, Site
from mcp_eval.model.policy import Expectation, Policy

_STALE = CATALOGUE.by_id["stale-expect"]


def marked(found: Sequence[Opinion], comparison: Comparison, policy: Policy) -> tuple[Opinion, ...]:
    """The opinions, expected ones marked as such, and one more for every expectation gone stale."""
    if not policy.expect:
        return tuple(found)
    live = [entry for entry in policy.expect if not _expired(entry, policy)]
    marked_ = tuple(
        msgspec.structs.replace(one, expected=any(_matches(entry, one) for entry in live))
        for one in found
    )
    stale = (
        (entry, "expired" if _expired(entry, policy) else "matched nothing")
        for entry in policy.expect
        if _expired(entry, policy) or _idle(entry, found)
    )
    looked_at = {scenario.stem for scenario in comparison.scenarios}
    return (
        *marked_,
        *(
            one
            for entry, why in stale
            if not entry.scenario or entry.scenario in looked_at
            for one in _stale(entry, why, comparison, policy)
        ),
    )


def _expired(entry: Expectation, policy: Policy) -> bool:
    return bool(entry.expires and policy.today and policy.today > entry.expires)


def _idle(entry: Expectation, found: Sequence[Opinion]) -> bool:
    """Whether all was looked at, and nothing of it was what the entry expects."""
    troubles = (one for one in found if one.rule.kind == "inconclusive")
    if any(not entry.scenario or entry.scenario in one.scenarios for one in troubles):
        return False
    return not any(_matches(entry, one) for one in found)


def _matches(entry: Expectation, one: Opinion) -> bool:
    if one.rule.kind == "inconclusive":
        return False  # nobody can expect that nothing was learned and call it good
    if entry.scenario and one.scenarios != (entry.scenario,):
        return False
    rule, tool, path = one.rule.id, one.fact.tool, one.fact.path
    return entry.finding in {rule, f"{rule}@{tool}", f"{rule}@{tool}:{path}"}


def _stale(
    entry: Expectation, why: str, comparison: Comparison, policy: Policy
) -> Iterator[Opinion]:
    difference = Difference(
        site=Site(tool="", path=entry.finding, scenario=entry.scenario),
        lane="surface",
        change="stale-expect",
        before=entry.finding,
        details={"why": why, "reason": entry.reason, "expires": entry.expires},
    )
    fact = Fact(difference=difference, comparison=comparison, policy=policy)
    scenarios = (entry.scenario,) if entry.scenario else ()
    yield Opinion(fact=fact, rule=_STALE, cell=_STALE.cells[0], scenarios=scenarios)
