"""`--policy seed`: a verdict on the same facts by the seed's arithmetic, its badges too."""

import msgspec
from msgspec.structs import replace

from mcp_eval.compare.metrics import formula_arguments, formula_invocation, label
from mcp_eval.judge.scoring import ACTIONS, PASS, band
from mcp_eval.model.base import JsonObject
from mcp_eval.model.comparison import ArgumentsSimilarity, Comparison, Pair
from mcp_eval.model.policy import Policy
from mcp_eval.model.verdict import ScenarioVerdict, Verdict

SEED_FINAL, SEED_TRAJECTORY = "formula-final", "formula"


def seeded(verdict: Verdict, comparison: Comparison, policy: Policy) -> Verdict:
    """The same facts under the seed's rule: bands of its score, passed from 0.8 on."""
    pairs = {one.stem: one.pairs for one in comparison.scenarios}
    scenarios = tuple(
        replace(_by_formula(one), pairs=_badges(one, pairs.get(one.stem, ()), policy))
        for one in verdict.scenarios
    )
    scored = [one.score for one in scenarios if one.score is not None]
    if not scenarios:
        return verdict  # of surfaces alone the seed says nothing
    if verdict.status == "inconclusive" or len(scored) < len(scenarios):
        return replace(
            verdict,
            status="inconclusive",
            score=None,
            action=ACTIONS["inconclusive"],
            scenarios=scenarios,
            passed=False,
        )
    score = min(scored)
    threshold = PASS if policy.threshold is None else policy.threshold
    return replace(
        verdict,
        status=band(score),
        score=score,
        trajectory_score=min(one.scores[SEED_TRAJECTORY] for one in scenarios),
        action=ACTIONS[band(score)],
        scenarios=scenarios,
        passed=score >= threshold,
    )


def _by_formula(scenario: ScenarioVerdict) -> ScenarioVerdict:
    final = scenario.scores.get(SEED_FINAL)
    if final is None or scenario.status == "inconclusive":
        return replace(scenario, status="inconclusive", score=None)
    return replace(
        scenario,
        status=band(final),
        score=final,
        trajectory_score=scenario.scores[SEED_TRAJECTORY],
    )


def _badges(
    scenario: ScenarioVerdict, pairs: tuple[Pair, ...], policy: Policy
) -> tuple[JsonObject, ...]:
    """The pairs as they stand, each with the formula's numbers and its word for them."""
    return tuple(
        {**stated, **_badge(pair, policy.max_diff)}
        for stated, pair in zip(scenario.pairs, pairs, strict=True)
    )


def _badge(pair: Pair, max_diff: float) -> JsonObject:
    old, new = pair.baseline, pair.candidate
    alike = formula_invocation(old, new, max_diff=max_diff)
    told = ArgumentsSimilarity(similarity=0.0, key_similarity=0.0, value_similarity=0.0)
    if old is not None and new is not None:
        told = formula_arguments(old.arguments, new.arguments, max_diff=max_diff)
    return {
        "key_similarity": round(told.key_similarity, 4),
        "value_similarity": round(told.value_similarity, 4),
        "similarity": round(alike, 4),
        "label": label(alike),
        "arguments": list(msgspec.to_builtins(told.arguments)),
    }
