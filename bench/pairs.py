"""How well argument similarity tells same from other, on the labelled pairs."""

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mcp_eval.compare.arguments import compare_arguments
from mcp_eval.compare.text import text_similarity

FOLDER = Path(__file__).parent / "pairs"
AUROC = 0.93
WRONG = 0.02
THRESHOLD = 0.8


class Scored(NamedTuple):
    """One labelled pair with the similarity it got."""

    similarity: float
    same: bool
    kind: str
    name: str
    split: str
    a: object
    b: object


def bench() -> None:
    """Print AUROC on free text, by kind and split, and the share wrong at 0.8 on exact kinds."""
    texts(FOLDER / "text.jsonl")
    exacts(FOLDER / "exact.jsonl")


def texts(file: Path) -> None:
    """AUROC of text similarity, paraphrases against each kind of negative."""
    pairs = measured_texts(file)
    print(f"  {len(pairs)} text pairs: AUROC {auroc(pairs):.3f} (wanted: ≥ {AUROC})")
    for split in sorted({pair.split for pair in pairs}):
        here = [pair for pair in pairs if pair.split == split]
        print(f"    {split:<14} {len(here):4} pairs  AUROC {auroc(here):.3f}")
    alike = [pair for pair in pairs if pair.same]
    for kind, others in grouped(pair for pair in pairs if not pair.same).items():
        print(f"    {kind:<14} {len(others):4} pairs  AUROC {auroc([*alike, *others]):.3f}")


def exacts(file: Path) -> None:
    """The share of pairs of exact kinds that fall on the wrong side of the threshold."""
    pairs = measured_exact(file)
    off = wrong(pairs)
    share = len(off) / len(pairs)
    print(
        f"  {len(pairs)} exact pairs: {len(off)} wrong at {THRESHOLD}, {share:.1%}"
        f" (wanted: ≤ {WRONG:.0%})"
    )
    for kind, found in grouped(pairs).items():
        print(f"    {kind:<14} {len(found):4} pairs  {len(wrong(found))} wrong")
    for pair in off:
        print(f"    wrong: {pair.name} {pair.a!r} ~ {pair.b!r}: {pair.similarity:.2f}")


def measured_texts(file: Path) -> list[Scored]:
    """Every pair of texts with its similarity."""
    return [scored(row, text_similarity(str(row["a"]), str(row["b"]))) for row in rows(file)]


def measured_exact(file: Path) -> list[Scored]:
    """Every pair of values with its similarity under the name of its argument."""
    return [
        scored(row, compare_arguments({row["name"]: row["a"]}, {row["name"]: row["b"]}).similarity)
        for row in rows(file)
    ]


def scored(row: Mapping[str, Any], similarity: float) -> Scored:
    """A labelled pair with what it got."""
    return Scored(
        similarity=similarity,
        same=row["same"],
        kind=row["kind"],
        name=row.get("name", ""),
        split=row.get("split", "all"),
        a=row["a"],
        b=row["b"],
    )


def wrong(pairs: Iterable[Scored]) -> list[Scored]:
    """The pairs on the wrong side of the threshold."""
    return [pair for pair in pairs if (pair.similarity >= THRESHOLD) != pair.same]


def rows(file: Path) -> list[dict[str, Any]]:
    """The labelled pairs of a file."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line]


def grouped(pairs: Iterable[Scored]) -> dict[str, list[Scored]]:
    """The pairs by kind, in order of name."""
    found: dict[str, list[Scored]] = defaultdict(list)
    for pair in pairs:
        found[pair.kind].append(pair)
    return dict(sorted(found.items()))


def auroc(pairs: Sequence[Scored]) -> float:
    """The chance that a pair that means the same scores above one that does not; ties half."""
    alike = [pair.similarity for pair in pairs if pair.same]
    apart = [pair.similarity for pair in pairs if not pair.same]
    wins = sum((one > other) + 0.5 * (one == other) for one in alike for other in apart)
    return wins / (len(alike) * len(apart)) if alike and apart else float("nan")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        texts(Path(name))
    if len(sys.argv) == 1:
        bench()
