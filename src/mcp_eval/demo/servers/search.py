"""Finds tools by words: BM25 over names and descriptions."""

import math
import re
from collections import Counter
from collections.abc import Mapping

STOP = frozenset(("a", "an", "and", "by", "for", "from", "in", "is", "it", "of", "the", "to"))
_WORD = re.compile(r"[a-z0-9]+")


def words(text: str) -> list[str]:
    """Lower-case words without their plural, stop words left out."""
    return [word.removesuffix("s") for word in _WORD.findall(text.lower()) if word not in STOP]


def ranked(
    query: str, documents: Mapping[str, str], *, k1: float = 1.2, b: float = 0.75
) -> list[tuple[str, float]]:
    """Names with their scores, best first, equal ones by name; only what shares a word."""
    texts = {name: Counter(words(text)) for name, text in documents.items()}
    usual = sum(sum(text.values()) for text in texts.values()) / max(1, len(texts))
    spread = Counter(word for text in texts.values() for word in text)
    scores = {}
    for name, text in texts.items():
        length = 1 - b + b * sum(text.values()) / usual
        scores[name] = sum(
            _rarity(spread[word], len(texts)) * text[word] * (k1 + 1) / (text[word] + k1 * length)
            for word in set(words(query))
            if word in text
        )
    found = [(name, round(score, 4)) for name, score in scores.items() if score > 0]
    return sorted(found, key=lambda hit: (-hit[1], hit[0]))


def _rarity(holding: int, total: int) -> float:
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))
