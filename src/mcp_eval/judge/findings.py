"""Opinions written up: findings with evidence, and the roots they share."""

from collections.abc import Iterable, Iterator, Sequence

from mcp_eval.judge.catalogue import CATALOGUE
from mcp_eval.judge.cause import cause_of
from mcp_eval.judge.opinions import Opinion
from mcp_eval.judge.roots import Group
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.comparison import Comparison, Hit
from mcp_eval.model.verdict import Cause, Confidence, Finding, FindingStatus, Root

_TWO = 2
_SHOWN = 5
_CAPPED = 600
_TOLD = ("lost", "count", "identities", "renamed_to", "lacked", "tool_failed", "mark", "reason")
_VALUES = frozenset({"result-value-changed", "text-changed"})
_ORDER: tuple[FindingStatus, ...] = ("broken", "degraded", "inconclusive", "acceptable", "note")


def written(
    found: Sequence[Opinion], groups: Sequence[Group], comparison: Comparison
) -> tuple[tuple[Root, ...], tuple[Finding, ...]]:
    """Roots and findings, the worst first, numbered in that order."""
    ranked = sorted(groups, key=lambda group: _rank(_chief(group)))
    grouped = {id(one) for group in groups for one in group}
    alone = [one for one in found if id(one) not in grouped]
    findings: list[Finding] = []
    roots: list[Root] = []
    for number, group in enumerate(ranked, start=1):
        cause = cause_of(group, comparison)
        mine = _findings(group, cause, start=len(findings) + 1)
        findings += mine
        roots.append(_root(f"R{number}", group, cause, mine, comparison))
    findings += _findings(alone, "unknown", start=len(findings) + 1)
    return tuple(roots), tuple(findings)


def _rank(one: Opinion) -> tuple[int, int, int, int]:
    """The worst first; of equals what is offered before what is answered, then by step."""
    expected = one.expected
    return (
        _ORDER.index(one.status) + len(_ORDER) * expected,
        one.rule.kind != "surface",
        one.place[1],
        CATALOGUE.rank[one.rule.id],
    )


def _chief(group: Group) -> Opinion:
    return min(group, key=_rank)


# --- findings ------------------------------------------------------------------------------------


def _findings(members: Iterable[Opinion], cause: Cause, *, start: int) -> list[Finding]:
    """One finding for what is the same at several places."""
    same: dict[tuple[Json, ...], list[Opinion]] = {}
    for one in sorted(members, key=_rank):
        where = (one.offered_as, one.fact.tool, one.fact.path)
        mark = (one.rule.id, *where, one.status, _confidence(one))
        same.setdefault((*mark, *_marks(one)), []).append(one)
    return [_finding(f"F{number}", ones, cause) for number, ones in enumerate(same.values(), start)]


def _finding(name: str, ones: Sequence[Opinion], cause: Cause) -> Finding:
    first = ones[0]
    stems = dict.fromkeys(stem for one in ones for stem in one.scenarios)
    home = first.place[0]
    return Finding(
        id=name,
        rule=first.rule.id,
        status=first.status,
        lanes=lanes(first),
        scenarios=tuple(stems),
        tool=first.fact.tool,
        path=first.fact.path,
        message=first.rule.says(first.fact),
        fix=first.rule.fix(first.fact),
        meaning=first.rule.meaning,
        evidence=_evidence(first, ones),
        confidence=_confidence(first),
        marks=_marks(first),
        cause=cause,
        steps=tuple(one.place[1] for one in ones if one.place[0] == home and one.place[1] >= 0),
    )


def lanes(one: Opinion) -> tuple[str, ...]:
    """Where it was seen; a surface change that made a replay fail was seen in both lanes."""
    own = one.fact.difference.lane
    if one.rule.kind == "inconclusive" and not one.place[0]:
        return tuple(one.fact.comparison.lanes)
    return (own, "replay") if one.absorbed and own == "surface" else (own,)


def _confidence(one: Opinion) -> Confidence:
    steady = one.fact.steadiness
    if one.rule.kind == "agent" and one.rule.id == "goal-not-reached":
        return "confirmed" if int(one.fact.details.get("runs", 1)) >= _TWO else "unconfirmed"
    if one.rule.kind != "outcome":
        return "confirmed"
    if one.rule.id in _VALUES and steady.baseline < _TWO:
        return "seen-once"
    if steady.looks < _TWO:
        return "unconfirmed" if one.status in {"broken", "degraded"} else "seen-once"
    return "confirmed" if steady.seen >= _TWO else "seen-once"


def _marks(one: Opinion) -> tuple[str, ...]:
    found = [one.cell.mark] if one.cell.mark else []
    if one.rule.kind == "outcome" and one.fact.intermittent and "intermittent" not in found:
        found.append("intermittent")
    if one.fact.unknown:
        found.append("unknown")
    if one.fact.needed:
        found.append("not-reached")
    if one.expected:
        found.append("expected")
    return tuple(found)


# --- evidence ------------------------------------------------------------------------------------


def _evidence(first: Opinion, ones: Sequence[Opinion]) -> JsonObject:
    """What was seen, capped; the only place where a server's own words stand."""
    fact = first.fact
    if first.rule.kind == "inconclusive":
        return {name: fact.details[name] for name in ("message", "evidence") if fact.details[name]}
    told = {name: value for name, value in _seen(first) if value}
    if fact.difference.witness is not None:  # a request without arguments is one, too
        told = {"witness": _capped(fact.difference.witness), **told}
    if fact.before is not None or fact.after is not None:
        told = {"before": _capped(fact.before), "after": _capped(fact.after), **told}
    if len(ones) > 1:
        told["also"] = [f"{one.place[0]}, step {one.place[1]}" for one in ones[1 : _SHOWN + 1]]
    return told


def _seen(one: Opinion) -> Iterator[tuple[str, Json]]:
    fact = one.fact
    yield "requests", [_request(hit) for hit in fact.hits[:_SHOWN]]
    yield "answered", [_capped(other.after) for other in one.absorbed[:_SHOWN]]
    yield "looks", _looks(one) if one.rule.kind == "outcome" else ""
    yield "not_reached", list(fact.needed)
    yield from ((name, _capped(fact.details.get(name))) for name in _TOLD)


def _request(hit: Hit) -> JsonObject:
    return {
        "scenario": hit.scenario,
        "step": hit.step,
        "arguments": _capped(hit.arguments),
        "reason": hit.reason,
        "outcome": hit.outcome,
    }


def _looks(one: Opinion) -> str:
    steady = one.fact.steadiness
    said = f"{steady.seen} of {steady.looks} at the new build"
    if steady.old_looks:
        said += f", {steady.old_seen} of {steady.old_looks} at the old one now"
    return f"{said}; {steady.baseline} agreed at the baseline"


def _capped(value: Json) -> Json:
    text = str(value)
    if len(text) <= _CAPPED:
        return value
    return f"{text[:_CAPPED]}…"


# --- roots ---------------------------------------------------------------------------------------


def _root(
    name: str, group: Group, cause: Cause, findings: Sequence[Finding], comparison: Comparison
) -> Root:
    chief = _chief(group)
    counted = [one for one in group if one.lowers] or list(group)
    status = min((one.status for one in counted), key=_ORDER.index)
    if all(one.expected for one in group if one.status != "note"):
        status = "note"
    stems = dict.fromkeys(stem for one in counted for stem in one.scenarios)
    return Root(
        id=name,
        cause=cause,
        status=status,
        message=_message(chief, group),
        fix=chief.rule.fix(chief.fact),
        findings=tuple(finding.id for finding in findings),
        scenarios=tuple(stems),
        share=_share(counted, comparison),
    )


def _message(chief: Opinion, group: Group) -> str:
    said = chief.rule.says(chief.fact)
    others = {
        one.fact.tool
        for one in group
        if one.rule.id == chief.rule.id and one.fact.tool not in {"", chief.fact.tool}
    }
    return f"{said} (and {len(others)} more alike)" if others else said


def _share(members: Sequence[Opinion], comparison: Comparison) -> float:
    """The share of recorded calls that a root touches."""
    total = sum(comparison.calls.values())
    touched = {one.place for one in members if one.place[0] and one.place[1] >= 0}
    touched |= {(hit.scenario, hit.step) for one in members for hit in one.fact.hits}
    unreached = {(one.place[0], step) for one in members for step in one.fact.needed}
    return round(min(1.0, len(touched | unreached) / total), 4) if total else 0.0
