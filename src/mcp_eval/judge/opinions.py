"""Facts become opinions: at each site the first rule that holds; troubles come first."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from mcp_eval.judge.catalogue import CATALOGUE, Catalogue
from mcp_eval.judge.facts import Fact
from mcp_eval.judge.rules.base import Cell, Rule
from mcp_eval.model.comparison import Comparison, Difference, ScenarioComparison, Site
from mcp_eval.model.policy import Policy
from mcp_eval.model.trajectory import Trouble
from mcp_eval.model.verdict import FindingStatus

LOWERING = frozenset({"broken", "degraded"})
FAILING = frozenset({"newly-failing", "newly-refused"})
_ASKED = "server-request-new"
# Rules whose trouble says nothing about the other steps of a scenario, only about those after it.
_FROM_ITS_STEP = frozenset({"rate-limited", "not-reset", "target-lost", "auth-expired"})


class Opinion(msgspec.Struct, frozen=True, eq=False):
    """A fact, the rule that speaks of it, and the cell that holds."""

    fact: Fact
    rule: Rule
    cell: Cell
    absorbed: tuple[Fact, ...] = ()  # failures at replay that this surface change explains
    expected: bool = False
    scenarios: tuple[str, ...] = ()

    @property
    def status(self) -> FindingStatus:
        """What it says of the build."""
        return self.cell.status

    @property
    def lowers(self) -> bool:
        """Whether it is worse than a note, and nobody expects it."""
        return self.status != "note" and not self.expected

    @property
    def at_replay(self) -> bool:
        """Whether it is about what one request was answered."""
        return self.rule.kind in {"outcome", "cost"}

    @property
    def offered_as(self) -> str:
        """Of what is offered, what it is: a tool and a prompt may go by one name."""
        return str(self.fact.details.get("kind", "")) if self.rule.kind == "surface" else ""

    @property
    def place(self) -> tuple[str, int]:
        """The invocation it is about."""
        return self.fact.difference.site.scenario, self.fact.difference.site.step


def opinions(
    comparison: Comparison, policy: Policy, catalogue: Catalogue = CATALOGUE
) -> tuple[Opinion, ...]:
    """What the catalogue says of every site of a comparison."""
    found = [*_spoken(_troubles(comparison, policy), catalogue)]
    silenced = tuple(found)
    on_surface = list(_spoken(_surface(comparison, policy), catalogue))
    at_replay = [
        one
        for one in _spoken(_outcomes(comparison, policy), catalogue)
        if not _silent(one, silenced)
    ]
    return (*found, *_absorbing(on_surface, at_replay))


def _surface(comparison: Comparison, policy: Policy) -> Iterator[Fact]:
    for difference in comparison.surface:
        yield Fact(difference=difference, comparison=comparison, policy=policy)


def _outcomes(comparison: Comparison, policy: Policy) -> Iterator[Fact]:
    for scenario in comparison.scenarios:
        for difference in scenario.differences:
            yield Fact(
                difference=difference, comparison=comparison, policy=policy, scenario=scenario
            )


def _troubles(comparison: Comparison, policy: Policy) -> Iterator[Fact]:
    by_stem = {scenario.stem: scenario for scenario in comparison.scenarios}
    for trouble in comparison.troubles:
        yield _trouble(trouble, by_stem.get(trouble.scenario), comparison, policy)
    for scenario in comparison.scenarios:
        for trouble in scenario.troubles:
            yield _trouble(trouble, scenario, comparison, policy)


def _trouble(
    trouble: Trouble, scenario: ScenarioComparison | None, comparison: Comparison, policy: Policy
) -> Fact:
    stem = scenario.stem if scenario else trouble.scenario
    lane = scenario.lane if scenario else "surface"
    difference = Difference(
        site=Site(tool="", scenario=stem, step=trouble.step),
        lane=lane,
        change=trouble.rule,
        details={"message": trouble.message, "evidence": trouble.evidence},
    )
    return Fact(difference=difference, comparison=comparison, policy=policy, scenario=scenario)


# --- one opinion a site --------------------------------------------------------------------------


def _spoken(facts: Iterable[Fact], catalogue: Catalogue) -> Iterator[Opinion]:
    sites: dict[tuple[str, ...], list[Fact]] = defaultdict(list)
    for fact in facts:
        sites[_site(fact)].append(fact)
    for shared in sites.values():
        spoken = (_of(fact, catalogue) for fact in _ordered(shared, catalogue))
        first = next((one for one in spoken if one is not None), None)
        if first is not None:
            yield first


def _ordered(shared: Sequence[Fact], catalogue: Catalogue) -> list[Fact]:
    """By precedence; a question nobody answered is told rather than the error that it led to."""
    if len(shared) == 1:
        return list(shared)
    asked = any(one.change == _ASKED and not one.details.get("answered") for one in shared)
    return sorted(
        shared, key=lambda one: (asked and _said_no(one), catalogue.rank[one.change])
    )  # fmt: skip


def _said_no(fact: Fact) -> bool:
    """Whether a call ended in an orderly error, and no later step was stopped by it."""
    return fact.change in FAILING and fact.details.get("now") != "crashed" and not fact.needed


def _site(fact: Fact) -> tuple[str, ...]:
    site = fact.difference.site
    kind = str(fact.details.get("kind", ""))
    named = (
        (fact.change,)
        if fact.difference.lane == "agent" or (site.step < 0 and not site.tool)
        else ()
    )
    return (fact.difference.lane, site.scenario, str(site.step), site.tool, site.path, kind, *named)


def _of(fact: Fact, catalogue: Catalogue) -> Opinion | None:
    rule = catalogue.by_id[fact.change]
    cell = rule.cell(fact)
    if cell is None:
        return None
    return Opinion(fact=fact, rule=rule, cell=cell, scenarios=_scenarios(fact))


def _scenarios(fact: Fact) -> tuple[str, ...]:
    site = fact.difference.site
    if site.scenario:
        return (site.scenario,)
    if fact.hits:
        return tuple(dict.fromkeys(hit.scenario for hit in fact.hits))
    if "evidence" in fact.details and "message" in fact.details:  # a trouble of the whole target
        return tuple(scenario.stem for scenario in fact.comparison.scenarios)
    return ()


# --- what a trouble silences ---------------------------------------------------------------------


def _silent(one: Opinion, troubles: Sequence[Opinion]) -> bool:
    """Whether a trouble of the scenario forbids an opinion here."""
    scenario, step = one.place
    for trouble in troubles:
        its_scenario, its_step = trouble.place
        if its_scenario and its_scenario != scenario:
            continue
        if not its_scenario and trouble.rule.id == "target-lost":
            continue
        if trouble.rule.id not in _FROM_ITS_STEP or step >= its_step:
            return True
    return False


# --- what a surface change explains --------------------------------------------------------------


def _absorbing(on_surface: Sequence[Opinion], at_replay: Sequence[Opinion]) -> Iterator[Opinion]:
    """Surface changes that break a request take the failure of its replay as their evidence."""
    taken: set[int] = set()
    for one in on_surface:
        mine = [other for other in at_replay if _explains(one, other)]
        taken.update(id(other) for other in mine)
        yield Opinion(
            fact=one.fact,
            rule=one.rule,
            cell=one.cell,
            absorbed=tuple(other.fact for other in mine),
            scenarios=one.scenarios,
        )
    yield from (other for other in at_replay if id(other) not in taken)


def _explains(one: Opinion, other: Opinion) -> bool:
    if not one.rule.absorbs or one.status != "broken" or other.rule.id not in FAILING:
        return False
    return hits(one, other.place)


def hits(one: Opinion, place: tuple[str, int]) -> bool:
    """Whether a surface change concerns the request made at a place."""
    return any((hit.scenario, hit.step) == place for hit in one.fact.hits)
