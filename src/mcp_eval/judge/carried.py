"""What one step does to the next: an earlier trouble, and the differences that it brought."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from mcp_eval.compare.parsing import loads
from mcp_eval.compare.paths import leaves
from mcp_eval.judge.opinions import FAILING, Opinion
from mcp_eval.model.base import Json
from mcp_eval.model.comparison import Call, Pair, ScenarioComparison

_FEWEST = 3  # a shorter value stands in anything


def carried(heavy: Sequence[Opinion]) -> Iterator[tuple[Opinion, Opinion]]:
    """Differences that an earlier step's trouble brought with it."""
    by_scenario: dict[str, list[Opinion]] = defaultdict(list)
    compared: dict[str, ScenarioComparison] = {}
    for one in heavy:
        if one.fact.scenario is not None and one.at_replay:
            by_scenario[one.fact.scenario.stem].append(one)
            compared[one.fact.scenario.stem] = one.fact.scenario
    surface = [one for one in heavy if one.absorbed]
    for stem, members in by_scenario.items():
        sources = [*members, *(one for one in surface if stem in one.scenarios)]
        pairs = _pairs(compared[stem])
        for later in members:
            for earlier in sources:
                if earlier is not later and any(
                    _brings(earlier, step, later, pairs) for step in _steps(earlier, stem)
                ):
                    yield earlier, later


def _steps(one: Opinion, stem: str) -> Iterator[int]:
    """Where an opinion stands in a scenario; a surface change stands where it made a call fail."""
    if one.at_replay:
        yield one.place[1]
    for fact in one.absorbed:
        if fact.difference.site.scenario == stem:
            yield fact.difference.site.step


def _pairs(scenario: ScenarioComparison) -> dict[int, Pair]:
    return {pair.baseline.step: pair for pair in scenario.pairs if pair.baseline is not None}


def _brings(earlier: Opinion, step: int, later: Opinion, pairs: dict[int, Pair]) -> bool:
    number = later.place[1]
    if step >= number:
        return False
    if number in earlier.fact.needed or later.fact.details.get("written_by") == step:
        return True
    if _needs(pairs.get(number), step, earlier):
        return True
    return _holds(later, _stopped_by(earlier, step, pairs), pairs)


def _needs(pair: Pair | None, step: int, earlier: Opinion) -> bool:
    """Whether a later request uses what an earlier answer no longer says as it did."""
    if pair is None:
        return False
    used = (path for path in pair.needs_paths if path.partition(":")[0] == str(step))
    place = earlier.fact.path
    return any(not place or path.partition(":")[2].startswith(place) for path in used)


def _stopped_by(earlier: Opinion, step: int, pairs: dict[int, Pair]) -> tuple[int, ...]:
    """The steps that failed, or could not run, for what an opinion says."""
    if earlier.rule.id in FAILING or earlier.absorbed:
        return _stopped(step, pairs)
    return earlier.fact.needed


def _stopped(step: int, pairs: dict[int, Pair]) -> tuple[int, ...]:
    """A failed step, and those that were not reached for want of it."""
    found = {step}
    for number, pair in sorted(pairs.items()):
        waits = pair.candidate.waits_for if pair.candidate else None
        if waits in found:
            found.add(number)
    return tuple(found)


def _holds(later: Opinion, stopped: Sequence[int], pairs: dict[int, Pair]) -> bool:
    """Whether a difference misses what these steps sent, or said, when they were recorded."""
    calls = [call for step in stopped if step in pairs and (call := pairs[step].baseline)]
    text = str(later.fact.before)
    if any(value in text for call in calls for value in _words(call.arguments)):
        return True
    before = set(_words(later.fact.before))
    return any(before & set(_words(_said(call))) for call in calls)


def _said(call: Call) -> Json:
    """What a recorded call was answered, where it is short enough to be at hand as a whole."""
    try:
        return loads(call.outcome)
    except ValueError:
        return None


def _words(value: Json) -> Iterator[str]:
    for _, member in leaves(value):
        if isinstance(member, str) and len(member) >= _FEWEST:
            yield member
