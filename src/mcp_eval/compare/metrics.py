"""Scores of two trajectories: the formula to the digit, and what peers call exact and in order."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from math import isqrt, sqrt
from typing import Literal

from mcp_eval.compare.matching import encoded, identical
from mcp_eval.compare.toolkey import bare_name
from mcp_eval.compare.words import SETTING_UP, words_of
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.comparison import Argument, ArgumentsSimilarity, Call, Pair

# Similarity, of the keys and of the values; the kind and the similarity of each argument.
Formula = tuple[float, float, float, dict[str, tuple[str, float]]]
ExecutionStatus = Literal["success", "failed", "blocked"]
Label = Literal["Perfect Match", "Partial Match", "Mismatch"]

MAX_DIFF = 1000.0
_KEY, _VALUE = 0.3, 0.7
_NUMERIC_TEXT = 0.9  # a number against a text that spells one
_MANY_MORE = 2  # calls by which two successful runs may differ without a loss
_MOVED = 0.9  # what remains of a pair whose call moved past one it depends on
_ERRORS = frozenset({"failed", "refused", "crashed"})
_NUMBER = re.compile(r"\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*")


def scores(
    olds: Sequence[Call],
    news: Sequence[Call],
    pairs: Sequence[Pair],
    *,
    max_diff: float = MAX_DIFF,
) -> dict[str, float]:
    """Every scorer's number for two trajectories; calls that were never sent are no calls."""
    mine, its = _sent(olds), _sent(news)
    trajectory = formula_trajectory(mine, its, max_diff=max_diff)
    final = final_score(
        trajectory,
        baseline=execution_status(mine),
        candidate=execution_status(its),
        more_calls=abs(len(mine) - len(its)),
    )
    precision, recall, f1 = precision_recall(mine, its)
    same = exact(mine, its)
    ordered = same or in_order(mine, its)
    return {
        "formula": trajectory,
        "formula-final": final,
        "exact": float(same),
        "in-order": float(ordered),
        "any-order": float(ordered or any_order(mine, its)),
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "aligned": aligned(pairs),
    }


def _sent(calls: Sequence[Call]) -> list[Call]:
    return [call for call in calls if call.outcome_class != "not-reached"]


def aligned(pairs: Sequence[Pair]) -> float:
    """The mean over aligned pairs; a call that moved past one it depends on loses a tenth."""
    if not pairs:
        return 1.0
    total = sum(pair.similarity * (_MOVED if pair.moved else 1.0) for pair in pairs)
    return total / len(pairs)


def mean(pairs: Sequence[Pair]) -> float:
    """How alike the pairs are, wherever they stand."""
    return sum(pair.similarity for pair in pairs) / len(pairs) if pairs else 1.0


def pair_scores(pairs: Sequence[Pair], *, max_diff: float = MAX_DIFF) -> dict[str, float]:
    """Every scorer's number for pairs, each side in the order it was made."""
    olds = [pair.baseline for pair in pairs if pair.baseline is not None]
    news = [pair.candidate for pair in pairs if pair.candidate is not None]
    olds.sort(key=lambda call: call.step)
    news.sort(key=lambda call: call.step)
    return scores(olds, news, pairs, max_diff=max_diff)


# --- the formula ---


def formula_trajectory(
    olds: Sequence[Call], news: Sequence[Call], *, max_diff: float = MAX_DIFF
) -> float:
    """Calls paired by position; the mean over the longer side, where a missing call counts 0."""
    longer = max(len(olds), len(news))
    if not longer:
        return 1.0
    both = zip(olds, news, strict=False)
    return sum(formula_invocation(old, new, max_diff=max_diff) for old, new in both) / longer


def formula_invocation(old: Call | None, new: Call | None, *, max_diff: float = MAX_DIFF) -> float:
    """0 where the tool names differ or a side is missing, else the arguments' similarity."""
    if old is None or new is None or bare_name(old.name) != bare_name(new.name):
        return 0.0
    if identical(old.arguments, new.arguments):
        return 1.0
    return _formula(old.arguments, new.arguments, max_diff)[0]


def label(similarity: float) -> Label:
    """What the formula calls a similarity."""
    if similarity >= 1.0:
        return "Perfect Match"
    return "Partial Match" if similarity > 0.0 else "Mismatch"


def formula_arguments(
    a: JsonObject, b: JsonObject, *, max_diff: float = MAX_DIFF
) -> ArgumentsSimilarity:
    """`0.3·key + 0.7·value`; no key in common is 0, nothing on both sides 1."""
    similarity, key, value, told = _formula(a, b, max_diff)
    return ArgumentsSimilarity(
        similarity=similarity,
        key_similarity=key,
        value_similarity=value,
        arguments=tuple(
            Argument(name=name, kind=kind, similarity=alike) for name, (kind, alike) in told.items()
        ),
    )


def _formula(a: JsonObject, b: JsonObject, max_diff: float) -> Formula:
    common = sorted(a.keys() & b.keys())
    if not common:
        same = float(not a and not b)
        return same, same, same, {}
    told = {name: _formula_value(a[name], b[name], max_diff) for name in common}
    key = len(common) / len(a.keys() | b.keys())
    value = sum([alike for _, alike in told.values()]) / len(told)
    return 1.0 if key == value == 1.0 else _KEY * key + _VALUE * value, key, value, told


def _formula_value(a: Json, b: Json, max_diff: float) -> tuple[str, float]:
    if isinstance(a, str) and isinstance(b, str):
        return "string", _words_in_common(a, b)
    if isinstance(a, bool | None) or isinstance(b, bool | None):
        kind = "null" if a is None or b is None else "boolean"
        return kind, float(type(a) is type(b) and a == b)
    if isinstance(a, int | float) and isinstance(b, int | float):
        return "number", _numbers(a, b, max_diff)
    if isinstance(a, int | float | str) and isinstance(b, int | float | str):
        return _number_and_text(a, b, max_diff)
    if isinstance(a, dict) and isinstance(b, dict):
        return "object", _characters(a, b)
    if isinstance(a, list) and isinstance(b, list):
        return "list", _characters(a, b)
    return "mixed", _words_in_common(_text(a), _text(b))


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)


def _words_in_common(a: str, b: str) -> float:
    ours, theirs = set(a.lower().split()), set(b.lower().split())
    every = ours | theirs
    return len(ours & theirs) / len(every) if every else 1.0


def _numbers(a: float, b: float, max_diff: float) -> float:
    apart = abs(a - b)
    if not apart:
        return 1.0
    # Integers may be larger than any float: only what is less than max_diff is divided.
    return 1.0 - apart / max_diff if apart < max_diff else 0.0


def _number_and_text(a: float | str, b: float | str, max_diff: float) -> tuple[str, float]:
    text, number = (a, b) if isinstance(a, str) else (b, a)
    if isinstance(text, str) and isinstance(number, int | float) and _NUMBER.fullmatch(text):
        return "number", _NUMERIC_TEXT * _numbers(float(text), number, max_diff)
    return "mixed", _words_in_common(_text(a), _text(b))


def _characters(a: Json, b: Json) -> float:
    """The cosine of the character frequencies of both texts; what it cannot see, rules do."""
    if a == b:
        return 1.0
    ours, theirs = Counter(_text(a)), Counter(_text(b))
    product = sum(count * theirs[character] for character, count in ours.items())
    squares = _square(ours) * _square(theirs)
    root = isqrt(squares)
    return min(1.0, product / (root if root * root == squares else sqrt(squares)))


def _square(counts: Counter[str]) -> int:
    return sum(count * count for count in counts.values())


# --- the formula's final score ---


def execution_status(calls: Sequence[Call]) -> ExecutionStatus:
    """Whether some call ended in an error, and whether that one was to set something up."""
    broken = [call for call in calls if call.outcome_class in _ERRORS]
    if any(_sets_up(call) for call in broken):
        return "blocked"
    return "failed" if broken else "success"


def _sets_up(call: Call) -> bool:
    operation = call.tool[call.tool.rindex("[") + 1 : -1] if call.tool.endswith("]") else ""
    spoken = (*words_of(bare_name(call.name)), *words_of(operation))
    return not SETTING_UP.isdisjoint(spoken)


def final_score(
    trajectory: float,
    *,
    baseline: ExecutionStatus,
    candidate: ExecutionStatus,
    more_calls: int = 0,
) -> float:
    """The failure-aware score of a candidate against its baseline."""
    if candidate == "success":
        if baseline == "success":
            return 0.8 * trajectory + 0.2 - (0.1 if more_calls > _MANY_MORE else 0.0)
        return min(1.0, trajectory + 0.2)
    if candidate == "failed":
        return (0.5 if baseline == "success" else 0.7) * trajectory
    return {"success": 0.0, "blocked": 0.3, "failed": 0.1}[baseline]


# --- what peers count ---


def exact(olds: Sequence[Call], news: Sequence[Call]) -> bool:
    """The same calls with equal arguments, one by one (ADK's EXACT)."""
    if len(olds) != len(news):
        return False
    return all(_equal(old, new) for old, new in zip(olds, news, strict=True))


def in_order(olds: Sequence[Call], news: Sequence[Call]) -> bool:
    """The baseline's calls stand among the candidate's, in their order (ADK's IN_ORDER)."""
    left = iter(news)
    return all(any(_equal(old, new) for new in left) for old in olds)


def any_order(olds: Sequence[Call], news: Sequence[Call]) -> bool:
    """The baseline's calls stand among the candidate's, in whatever order (ADK's ANY_ORDER)."""
    if olds and not any(_equal(olds[0], new) for new in news):
        return False  # as it is with most: the rest need not be counted
    wanted, made = (Counter(map(_identity, calls)) for calls in (olds, news))
    return wanted <= made


def precision_recall(olds: Sequence[Call], news: Sequence[Call]) -> tuple[float, float, float]:
    """Which share of either side's tool keys the other has, and their F1."""
    mine, its = Counter(call.tool for call in olds), Counter(call.tool for call in news)
    common = (mine & its).total()
    precision = common / len(news) if news else float(not olds)
    recall = common / len(olds) if olds else 1.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def _equal(old: Call, new: Call) -> bool:
    return bare_name(old.name) == bare_name(new.name) and old.arguments == new.arguments


def _identity(call: Call) -> tuple[str, bytes]:
    return bare_name(call.name), encoded(call.arguments)
