"""Puts the tables into a page, between the comments that mark their places."""

import re
from collections.abc import Sequence
from pathlib import Path

from bench.detection.results import Result
from bench.detection.tables import Share, misses, table

_PLACE = r"(<!-- bench\.detection: {name} -->\n).*?(<!-- end -->)"


def write_page(path: Path, results: Sequence[Result], found: Sequence[Share]) -> None:
    """Replace what stands between the marks; a page without one of them is an error."""
    text = path.read_text(encoding="utf-8")
    of = {share.what: share for share in found}
    parts = {
        "found": [*_shares([of["found"]]), "", *table(results, "fault")],
        "alarms": [*_shares([of["false alarms"]]), "", *table(results, "harmless")],
        "roots": _shares([of["right rule at the right site"], of["one root a fault"]]),
        "misses": misses(results) or ["None."],
    }
    for name, lines in parts.items():
        body = "\n".join(lines)
        place = re.compile(_PLACE.format(name=name), re.DOTALL)
        text, count = place.subn(lambda at, body=body: f"{at[1]}{body}\n{at[2]}", text)  # type: ignore[misc]
        if count != 1:
            raise ValueError(f"{path}: no place for '{name}'")
    path.write_text(text, encoding="utf-8")


def _shares(found: Sequence[Share]) -> list[str]:
    head = ["| | cases | share | one-sided 95 % bound | wanted |", "|---|---|---|---|---|"]
    return [
        *head,
        *(
            f"| {one.what} | {one.hits} of {one.n} | {one.share:.3f} "
            f"| {'≤' if one.at_most else '≥'} {one.bound:.3f} "
            f"| {'≤' if one.at_most else '≥'} {one.target:.2f} |"
            for one in found
        ),
    ]
