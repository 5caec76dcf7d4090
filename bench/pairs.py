"""How well argument similarity tells same from other, on the labelled pairs."""

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

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
    how: str
    split: str
    a: object
    b: object


def bench() -> None:
    """Print AUROC on free text, by kind and split, and the share wrong at 0.8 on exact kinds."""
    texts(FOLDER / "text.jsonl")
    exacts(FOLDER / "exact.jsonl")


def texts(file: Path) -> None:
    """AUROC of text similarity, paraphrases against each kind of negative."""
    pairs = [
        Scored(
            text_similarity(row["a"], row["b"]),
            row["same"],
            row["kind"],
            row.get("how", ""),
            row.get("split", "all"),
            row["a"],
            row["b"],
        )
        for row in rows(file)
    ]
    figure = auroc(pairs)
    print(f"  {len(pairs)} text pairs: AUROC {figure:.3f} (wanted: ≥ {AUROC})")
    for split in sorted({pair.split for pair in pairs}):
        here = [pair for pair in pairs if pair.split == split]
        print(f"    {split:<14} {len(here):4} pairs  AUROC {auroc(here):.3f}")
    alike = [pair for pair in pairs if pair.same]
    for kind, others in grouped(pair for pair in pairs if not pair.same).items():
        print(f"    {kind:<14} {len(others):4} pairs  AUROC {auroc([*alike, *others]):.3f}")


def exacts(file: Path) -> None:
    """The share of pairs of exact kinds that fall on the wrong side of the threshold."""
    pairs = [
        Scored(
            compare_arguments({row["name"]: row["a"]}, {row["name"]: row["b"]}).similarity,
            row["same"],
            row["kind"],
            row["name"],
            "all",
            row["a"],
            row["b"],
        )
        for row in rows(file)
    ]
    wrong = [pair for pair in pairs if (pair.similarity >= THRESHOLD) != pair.same]
    share = len(wrong) / len(pairs)
    print(
        f"  {len(pairs)} exact pairs: {len(wrong)} wrong at {THRESHOLD}, {share:.1%}"
        f" (wanted: ≤ {WRONG:.0%})"
    )
    for kind, found in grouped(pairs).items():
        off = sum(pair in wrong for pair in found)
        print(f"    {kind:<14} {len(found):4} pairs  {off} wrong")
    for pair in wrong:
        print(f"    wrong: {pair.how} {pair.a!r} ~ {pair.b!r}: {pair.similarity:.2f}")


def rows(file: Path) -> list[dict[str, object]]:
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
