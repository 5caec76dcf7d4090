"""One-sided 95 % Clopper–Pearson bounds of a share, in plain arithmetic."""

import math
from collections.abc import Callable

CONFIDENCE = 0.95
_HALVINGS = 60


def lowest(hits: int, n: int, confidence: float = CONFIDENCE) -> float:
    """The smallest share that would still give so many hits now and then; 0 without cases."""
    if not hits:
        return 0.0
    return _rising(lambda share: 1 - _at_most(hits - 1, n, share), 1 - confidence)


def highest(hits: int, n: int, confidence: float = CONFIDENCE) -> float:
    """The greatest share that would still give so few hits now and then; 1 without cases."""
    if hits >= n:
        return 1.0
    return _rising(lambda share: 1 - _at_most(hits, n, share), confidence)


def _at_most(hits: int, n: int, share: float) -> float:
    """The probability of `hits` or fewer in n cases."""
    return math.fsum(math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(hits + 1))


def _rising(curve: Callable[[float], float], wanted: float) -> float:
    """Where a rising curve over 0..1 reaches a height."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if curve(middle) < wanted else (low, middle)
    return (low + high) / 2
