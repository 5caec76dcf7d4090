"""What a page shows of a scenario, small and harmless: the row in the list, the card behind it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.comparison import Call, Difference, Pair, ScenarioComparison
from mcp_eval.model.verdict import Finding, Report, ScenarioVerdict
from mcp_eval.reports import words
from mcp_eval.reports.plain import block, line, shown

_NAME = 160
_ARGUMENT = 600
_LABELS = {"Perfect Match": "p", "Partial Match": "~", "Mismatch": "x"}
_PERFECT = 1.0


class Deck:
    """All rows and cards of one report, by stem; answers are capped by who asks."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.findings = report.findings
        self._compared = _by_stem(report)
        self._of_scenario = _findings_of(report)
        self.tools = self._tool_keys()
        self._columns = {name: position for position, name in enumerate(self.tools)}

    def overview(self) -> JsonObject:
        """What the list, the matrix and the filters need, for every scenario."""
        roots = words.ordered(self.report)
        touched = _roots_of(roots)
        return {
            "tools": [line(name, _NAME) for name in self.tools],
            "roots": [
                {"id": line(one.id, 60), "status": one.status, "message": line(one.message, 200)}
                for one in roots
            ],
            "scenarios": [
                self._row(one, touched.get(one.stem, []) + touched.get(one.name, []))
                for one in self.report.scenarios
            ],
        }

    def finding_cards(self) -> list[JsonObject]:
        """Every finding, in the report's order: cards name them by position."""
        return [_finding(finding) for finding in self.findings]

    def card(self, verdict: ScenarioVerdict, limit: int) -> JsonObject:
        """All that is known of one scenario."""
        compared = self._compared.get(verdict.stem)
        positions = self._of_scenario.get(verdict.stem, ())
        return {
            "why": self._why(verdict, positions),
            "scores": {line(name, 40): value for name, value in verdict.scores.items()},
            "criteria": [_criterion(one) for one in verdict.criteria],
            "findings": list(positions),
            "pairs": list(self._pairs(verdict, compared, limit)),
            **(_looks(compared) if compared else {}),
        }

    def _row(self, verdict: ScenarioVerdict, roots: list[int]) -> JsonObject:
        pairs = verdict.pairs
        return {
            "name": line(verdict.name or verdict.stem, _NAME),
            "stem": line(verdict.stem, _NAME),
            "status": verdict.status,
            "score": verdict.score,
            "trajectory": verdict.trajectory_score,
            "lanes": {line(name, 20): line(state, 20) for name, state in verdict.lanes.items()},
            "trials": {line(name, 20): amount for name, amount in verdict.trials.items()},
            "cells": self._cells(verdict),
            "roots": sorted(set(roots)),
            "labels": "".join(_LABELS.get(str(one.get("label")), "x") for one in pairs[:60]),
            "calls": len(pairs),
        }

    def _cells(self, verdict: ScenarioVerdict) -> list[list[Json]]:
        known = [self.findings[position] for position in self._of_scenario.get(verdict.stem, ())]
        found = [one for one in known if one.status != "note"]
        cells: list[list[Json]] = []
        for name in _keys(verdict):
            about = [one.status for one in found if _about(one.tool, name) and one.status != "note"]
            cells.append(
                [self._columns[name], min(about, key=words.SEVERITY.index, default="good")]
            )
        return cells

    def _tool_keys(self) -> tuple[str, ...]:
        seen = (name for verdict in self.report.scenarios for name in _keys(verdict))
        return tuple(dict.fromkeys(seen))

    def _why(self, verdict: ScenarioVerdict, positions: Sequence[int]) -> str:
        found = [self.findings[position] for position in positions]
        worst = [one for one in found if one.status == verdict.status]
        score = words.number(verdict.score)
        if verdict.status == "inconclusive":
            return "No opinion could be formed, so there is no score."
        if self.report.policy == "seed":
            return f"Policy seed: the failure-aware score {score} decides the status by its band."
        if worst:
            named = words.few(tuple(dict.fromkeys(line(one.rule, 60) for one in worst)))
            return (
                f"The worst finding decides: {named}. "
                f"The score {score} says where in that status’s band it stands."
            )
        return f"No finding lowers it. The score {score} follows how alike the pairs are."

    def _pairs(
        self, verdict: ScenarioVerdict, compared: ScenarioComparison | None, limit: int
    ) -> Iterator[JsonObject]:
        facts = _by_step(compared)
        measured: Sequence[Pair | None] = compared.pairs if compared else ()
        for position, stated in enumerate(verdict.pairs):
            fits = position < len(measured) and len(measured) == len(verdict.pairs)
            yield _pair(stated, measured[position] if fits else None, facts, limit)


def _pair(
    stated: Mapping[str, Json],
    measured: Pair | None,
    facts: Mapping[int, list[Difference]],
    limit: int,
) -> JsonObject:
    before, after = _call(stated.get("baseline")), _call(stated.get("candidate"))
    if measured:
        before, after = before or measured.baseline, after or measured.candidate
    step = before.step if before else after.step if after else -1
    differences = facts.get(step, []) if before else []
    left, right = _side(before, limit), _side(after, limit)
    if left and right and left["outcome"] == right["outcome"]:
        right = {**right, "outcome": None}  # the same answer is kept once
    return {
        "step": step,
        "before": left,
        "after": right,
        "label": line(str(stated.get("label", "")), 40),
        "reached": bool(stated.get("reached", True)),
        "similarity": _number(stated.get("similarity")),
        "keys": _number(stated.get("key_similarity")),
        "values": _number(stated.get("value_similarity")),
        "answers": measured.outcome_similarity if measured else _number(stated.get("outcome")),
        "moved": bool(measured and measured.moved),
        "followed": line(measured.followed, _NAME) if measured else "",
        "arguments": [_argument(one) for one in stated.get("arguments") or ()],
        "facts": [_fact(one) for one in differences],
    }


def _side(call: Call | None, limit: int) -> JsonObject | None:
    if call is None:
        return None
    return {
        "tool": line(call.tool or call.name, _NAME),
        "arguments": {line(k, _NAME): shown(v, _ARGUMENT) for k, v in call.arguments.items()},
        "class": line(call.outcome_class, 20),
        "outcome": block(call.outcome, limit),
        "ms": call.latency_ms,
        "size": call.size,
        "effect": call.effect,
        "waits": call.waits_for,
    }


def _fact(difference: Difference) -> JsonObject:
    steady = difference.steadiness
    return {
        "rule": line(difference.change, 60),
        "path": line(difference.site.path, 200),
        "lane": difference.lane,
        "before": shown(difference.before, 300),
        "after": shown(difference.after, 300),
        "seen": [steady.seen, steady.looks, steady.baseline, steady.old_seen, steady.old_looks],
    }


def _finding(finding: Finding) -> JsonObject:
    return {
        "rule": line(finding.rule, 60),
        "status": finding.status,
        "lanes": [line(lane, 20) for lane in finding.lanes],
        "tool": line(finding.tool, _NAME),
        "path": line(finding.path, 200),
        "message": line(finding.message, 600),
        "fix": line(finding.fix, 600),
        "meaning": line(finding.meaning, 400),
        "evidence": {line(k, 40): shown(v, 600) for k, v in finding.evidence.items()},
        "certainty": words.certainty(finding),
        "cause": words.CAUSES.get(finding.cause, ""),
        "steps": list(finding.steps),
    }


def _looks(compared: ScenarioComparison) -> JsonObject:
    goal = compared.goal
    return {
        "lane": compared.lane,
        "looks": [compared.baseline_looks, compared.looks, compared.old_looks],
        "similarity": compared.similarity,
        "moved": compared.world_may_have_moved,
        "goal": [
            goal.runs,
            goal.reached,
            line(goal.by, 40),
            [line(missed, 300) for missed in goal.missed[:10]],
        ]
        if goal
        else None,
        "troubles": [
            [line(one.rule, 60), line(one.message, 300), block(one.evidence, 1200)]
            for one in compared.troubles
        ],
    }


def _criterion(stated: Mapping[str, Json]) -> JsonObject:
    named = {name: line(str(stated.get(name) or ""), 400) for name in ("text", "quote")}
    sides = {
        name: line(str(stated.get(name) or "not evaluated"), 20) for name in ("result", "baseline")
    }
    return {**named, **sides}


def _argument(stated: Mapping[str, Json]) -> JsonObject:
    return {
        "name": line(str(stated.get("name", "")), _NAME),
        "kind": line(str(stated.get("kind", "")), 40),
        "similarity": _number(stated.get("similarity")),
        "reason": line(str(stated.get("reason") or ""), 300),
    }


def _call(stated: Json) -> Call | None:
    if not isinstance(stated, dict):
        return None
    return msgspec.convert({"step": -1, "tool": "", "name": "", **stated}, Call)


def _number(stated: Json) -> float | None:
    if isinstance(stated, bool) or not isinstance(stated, int | float):
        return None
    return float(stated)


def _by_stem(report: Report) -> dict[str, ScenarioComparison]:
    return {one.stem: one for one in report.comparison.scenarios} if report.comparison else {}


def _by_step(compared: ScenarioComparison | None) -> dict[int, list[Difference]]:
    found: dict[int, list[Difference]] = defaultdict(list)
    for difference in compared.differences if compared else ():
        found[difference.site.step].append(difference)
    return found


def _findings_of(report: Report) -> dict[str, list[int]]:
    stems = {name: one.stem for one in report.scenarios for name in (one.name, one.stem)}
    found: dict[str, list[int]] = defaultdict(list)
    for position, finding in enumerate(report.findings):
        for stem in dict.fromkeys(stems.get(name, name) for name in finding.scenarios):
            found[stem].append(position)
    return found


def _roots_of(roots: Sequence[Json]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for position, root in enumerate(roots):
        for name in root.scenarios:
            found[name].append(position)
    return found


def _keys(verdict: ScenarioVerdict) -> tuple[str, ...]:
    names = []
    for stated in verdict.pairs:
        side = stated.get("baseline") or stated.get("candidate")
        if isinstance(side, dict):
            names.append(str(side.get("tool") or side.get("name") or ""))
    return tuple(dict.fromkeys(name for name in names if name))


def _about(tool: str, key: str) -> bool:
    """Whether a finding at `tool` speaks of this tool key: the surface names tools barely."""
    return bool(tool) and (key == tool or key.startswith((f"{tool}[", f"{tool} ")))
