"""The verdict: the worst finding decides, the score says where in that status it stands."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from mcp_eval.compare.metrics import label
from mcp_eval.judge.catalogue import CATALOGUE, Catalogue
from mcp_eval.judge.expectations import marked
from mcp_eval.judge.facts import Fact
from mcp_eval.judge.findings import lanes, written
from mcp_eval.judge.opinions import LOWERING, Opinion, opinions
from mcp_eval.judge.roots import grouped
from mcp_eval.judge.rules.cost import looks_slower
from mcp_eval.judge.scoring import ACTIONS, SEVERITY, place, worst
from mcp_eval.judge.seeded import seeded
from mcp_eval.model.base import JsonObject
from mcp_eval.model.comparison import Comparison, Pair, ScenarioComparison
from mcp_eval.model.policy import Policy
from mcp_eval.model.trajectory import Trouble
from mcp_eval.model.verdict import ScenarioVerdict, Status, Verdict

_TWO = 2
_DIGITS = 9  # fewer would carry a score over the edge of a band, more show what floats are
_NAMED = 5


def judge(
    comparison: Comparison, policy: Policy = Policy(), *, catalogue: Catalogue = CATALOGUE
) -> Verdict:
    """Let the worst finding decide; the score only says where in that status's band we are."""
    comparison = _with_missing_looks(comparison)
    found = marked(opinions(comparison, policy, catalogue), comparison, policy)
    roots, findings = written(found, grouped(found), comparison)
    scenarios = tuple(_scenario(one, found, policy) for one in comparison.scenarios)
    by_lane: dict[str, Status] = {lane: _lane(lane, found) for lane in comparison.lanes}
    verdict = Verdict(
        status=_overall(found, by_lane, comparison),
        lanes={**by_lane},
        roots=roots,
        findings=findings,
        scenarios=scenarios,
        policy=policy.name,
        remarks=tuple(_remarks(comparison, found)),
    )
    verdict = _numbered(verdict, policy, comparison)
    return seeded(verdict, comparison, policy) if policy.name == "seed" else verdict


def suspects(comparison: Comparison, policy: Policy = Policy()) -> dict[str, int]:
    """The scenarios that should be looked at again, and how many looks each should have in all."""
    wanted: dict[str, int] = {}
    for one in opinions(_asking_the_old_build(comparison), policy):
        scenario = one.fact.scenario
        if scenario is None or scenario.lane != "replay" or not _suspicious(one):
            continue
        for fact in (one.fact, *one.absorbed):
            total = policy.rounds_disagreed if _disagreed(fact) else policy.rounds
            wanted[scenario.stem] = max(wanted.get(scenario.stem, 0), total)
    if comparison.old_starts:  # whether the environment is lost, or the new build in it
        lost = (one.scenario for one in comparison.troubles if one.rule == "target-lost")
        wanted |= {stem: policy.rounds for stem in lost if stem not in wanted}
    for scenario in comparison.scenarios:
        if _slow(scenario, comparison, policy):
            wanted.setdefault(scenario.stem, policy.rounds)
    return wanted


def _asking_the_old_build(comparison: Comparison) -> Comparison:
    """The comparison as it stands until the old build has said whether the world moved."""
    if not comparison.old_starts:
        return comparison
    scenarios = tuple(
        replace(one, world_may_have_moved=one.world_may_have_moved and one.old_looks > 0)
        for one in comparison.scenarios
    )
    return replace(comparison, scenarios=scenarios)


def _suspicious(one: Opinion) -> bool:
    return one.rule.kind == "outcome" and one.rule.suspected(one.fact).status in LOWERING


def _disagreed(fact: Fact) -> bool:
    return fact.steadiness.looks >= _TWO and not fact.always


def _slow(scenario: ScenarioComparison, comparison: Comparison, policy: Policy) -> bool:
    return any(
        looks_slower(Fact(difference=one, comparison=comparison, policy=policy, scenario=scenario))
        for one in scenario.differences
        if one.change == "slower"
    )


# --- scenarios -----------------------------------------------------------------------------------


def _scenario(
    compared: ScenarioComparison, found: Sequence[Opinion], policy: Policy
) -> ScenarioVerdict:
    mine = [one for one in found if compared.stem in one.scenarios and not one.expected]
    status = worst(one.status for one in mine)
    # Times that differ as times do make no finding, and no other answer.
    answers = [one for one in compared.differences if one.change != "slower"]
    identical = not answers and not mine
    goal = compared.goal
    return ScenarioVerdict(
        name=compared.name,
        stem=compared.stem,
        status=status,
        score=place(status, compared.similarity, identical=identical),
        trajectory_score=compared.scores.get(policy.scorer),
        lanes={
            lane: _lane(lane, mine)
            for lane in dict.fromkeys(("surface", compared.lane, *(("agent",) if goal else ())))
            if compared.looks or lane != compared.lane
        },
        trials={
            "runs": goal.runs if goal else compared.looks,
            "reached": goal.reached if goal else _reached(compared, mine),
        },
        scores={name: round(score, _DIGITS) for name, score in compared.scores.items()},
        criteria=tuple(msgspec.to_builtins(one) for one in compared.criteria),
        pairs=tuple(map(_pair, compared.pairs)),
    )


def _reached(compared: ScenarioComparison, mine: Sequence[Opinion]) -> int:
    """How many looks came to the end as recorded."""
    lost = [
        fact.steadiness.seen
        for one in mine
        for fact in (one.fact, *one.absorbed)
        if fact.change in {"newly-failing", "newly-refused"} or fact.needed
    ]
    return max(0, compared.looks - max(lost, default=0))


def _pair(pair: Pair) -> JsonObject:
    both = pair.baseline is not None and pair.candidate is not None
    alike = pair.arguments.similarity if both else 0.0
    plain = msgspec.to_builtins(pair)
    return {
        "baseline": plain.get("baseline"),
        "candidate": plain.get("candidate"),
        "tool_name_match": both,
        "key_similarity": round(pair.arguments.key_similarity, 4),
        "value_similarity": round(pair.arguments.value_similarity, 4),
        "similarity": round(pair.similarity, 4),
        "label": label(alike),
        "reached": not (
            pair.candidate is not None and pair.candidate.outcome_class == "not-reached"
        ),
        "arguments": list(plain.get("arguments", {}).get("arguments", ())),
        "outcome": round(pair.outcome_similarity, 4),
    }


# --- the whole -----------------------------------------------------------------------------------


def _lane(lane: str, found: Sequence[Opinion]) -> Status:
    return worst(one.status for one in found if lane in lanes(one) and not one.expected)


def _overall(
    found: Sequence[Opinion], by_lane: Mapping[str, Status], comparison: Comparison
) -> Status:
    statuses = {one.status for one in found if not one.expected}
    if statuses & LOWERING:
        return worst(statuses)
    unseen = [lane for lane in comparison.required if lane not in by_lane]
    if unseen or any(by_lane[lane] == "inconclusive" for lane in comparison.required):
        return "inconclusive"
    return worst(statuses - {"inconclusive"})


def _with_missing_looks(comparison: Comparison) -> Comparison:
    """No look is no opinion: a scenario that was never looked at says so."""
    if comparison.troubles:
        return comparison
    scenarios = tuple(
        replace(
            one,
            troubles=(Trouble(rule="agent-failed", message="no look at it came about"),),
        )
        if not one.looks and not one.troubles
        else one
        for one in comparison.scenarios
    )
    return replace(comparison, scenarios=scenarios)


def _numbered(verdict: Verdict, policy: Policy, comparison: Comparison) -> Verdict:
    """The verdict with its numbers, its action, and whether it passes."""
    scored = [one.score for one in verdict.scenarios if one.score is not None]
    tracks = [one.trajectory_score for one in verdict.scenarios]
    score = _suite(verdict, scored, comparison)
    return replace(
        verdict,
        score=score,
        trajectory_score=min((one for one in tracks if one is not None), default=None),
        action=ACTIONS[verdict.status],
        passed=_passes(verdict.status, score, policy),
    )


def _suite(verdict: Verdict, scored: Sequence[float], comparison: Comparison) -> float | None:
    """The worst scenario's; where only the surface is that bad, a place in its band."""
    identical = not comparison.surface and not verdict.findings
    highest = place(verdict.status, 1.0, identical=identical)
    if highest is None:
        return None
    if any(one.status == verdict.status for one in verdict.scenarios):
        return min(highest, *scored)
    alike = min((one.similarity for one in comparison.scenarios), default=1.0)
    return place(verdict.status, alike, identical=identical)


def _passes(status: Status, score: float | None, policy: Policy) -> bool:
    if status == "inconclusive" or score is None:
        return False
    if policy.threshold is not None and score < policy.threshold:
        return False
    return SEVERITY.index(status) > SEVERITY.index(policy.fail_on)


def _remarks(comparison: Comparison, found: Sequence[Opinion]) -> Iterator[str]:
    """What a reader must know before anything else."""
    if not comparison.recorded:
        yield "nobody was recorded using this: every request that became invalid counts"
    looked = [one for one in comparison.scenarios if one.looks]
    single = [one for one in looked if one.lane == "replay" and one.baseline_looks < _TWO]
    if single:
        yield (
            f"the baseline of {len(single)} of {len(looked)} scenarios rests on single looks: "
            "what varies by itself cannot be told from a change"
        )
    shaky = {
        one.fact.scenario.stem
        for one in found
        if one.status in LOWERING
        and one.rule.kind == "outcome"
        and one.fact.scenario is not None
        and one.fact.steadiness.looks < _TWO
    }
    if shaky:
        yield f"seen once and not confirmed: {', '.join(sorted(shaky)[:_NAMED])}"
    unseen = [lane for lane in comparison.required if lane not in comparison.lanes]
    if unseen:
        yield f"required, and not looked at: {', '.join(unseen)}"
