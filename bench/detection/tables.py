"""The results as tables: shares with their bounds, a line a kind, and every miss."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from bench.detection.bounds import highest, lowest
from bench.detection.results import Result


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """How many of how many, and how sure that is."""

    what: str
    hits: int
    n: int
    bound: float
    target: float
    at_most: bool = False

    @property
    def share(self) -> float:
        """The point estimate; 0 without cases."""
        return self.hits / self.n if self.n else 0.0

    @property
    def met(self) -> bool:
        """Whether the target holds, as a point estimate."""
        return self.share <= self.target if self.at_most else self.share >= self.target

    def line(self) -> str:
        """As it is printed."""
        sign = "≤" if self.at_most else "≥"
        return (
            f"{self.what:<28}{self.hits:>4} of {self.n:<4} {self.share:.3f}"
            f"   95 %: {sign} {self.bound:.3f}   wanted: {sign} {self.target:.2f}"
            f"   {'yes' if self.met else 'NO'}"
        )


def shares(results: Sequence[Result]) -> tuple[Share, ...]:
    """The four numbers; a fault that was not found has no right rule and no root."""
    tried = [one for one in results if not one.not_run]
    faults = [one for one in tried if one.sort == "fault"]
    harmless = [one for one in tried if one.sort == "harmless"]
    alarms = sum(one.alarm for one in harmless)
    return (
        _at_least("found", [one.found for one in faults], 0.97),
        Share(
            what="false alarms",
            hits=alarms,
            n=len(harmless),
            bound=highest(alarms, len(harmless)),
            target=0.02,
            at_most=True,
        ),
        _at_least("right rule at the right site", [one.right for one in faults], 0.95),
        _at_least("one root a fault", [one.single for one in faults], 0.85),
    )


def _at_least(what: str, hits: Sequence[bool], target: float) -> Share:
    return Share(
        what=what, hits=sum(hits), n=len(hits), bound=lowest(sum(hits), len(hits)), target=target
    )


def by_kind(results: Iterable[Result], sort: str) -> Iterator[tuple[str, list[Result]]]:
    """The tried cases of a sort, kind by kind."""
    kinds: dict[str, list[Result]] = {}
    for one in results:
        if one.sort == sort and not one.not_run:
            kinds.setdefault(one.kind, []).append(one)
    yield from sorted(kinds.items())


def table(results: Sequence[Result], sort: str) -> list[str]:
    """A Markdown table, a line a kind."""
    if sort == "harmless":
        rows = [
            f"| {kind} | {len(of)} | {sum(one.alarm for one in of)} |"
            for kind, of in by_kind(results, sort)
        ]
        return ["| harmless change | n | alarms |", "|---|---|---|", *rows]
    rows = [
        f"| {kind} | {len(of)} | {sum(one.found for one in of)} "
        f"| {sum(one.right for one in of)} | {sum(one.single for one in of)} |"
        for kind, of in by_kind(results, sort)
    ]
    head = "| fault | n | found | right rule at the right site | one root |"
    return [head, "|---|---|---|---|---|", *rows]


def misses(results: Sequence[Result]) -> list[str]:
    """Every case that did not end as it should, and what was said instead."""
    lines: list[str] = []
    for one in sorted(results, key=lambda one: (one.sort, one.kind, one.id)):
        wrong = list(_wrong(one))
        if wrong:
            lines += [f"- {one.id} ({one.kind}, {one.server}): {', '.join(wrong)}", *_said(one)]
    return lines


def _wrong(one: Result) -> Iterator[str]:
    if one.not_run:
        yield f"not run: {one.not_run}"
    elif one.sort == "fault":
        if not one.found:
            yield f"not found ({one.status})"
        elif not one.right:
            yield f"{one.status}, but not the right rule at the right site"
        if one.found and not one.single:
            yield "more roots than one"
    elif one.alarm:
        yield f"false alarm ({one.status})"
    elif one.above:
        yield f"worse than the case allows ({one.status})"


def _said(one: Result) -> Iterator[str]:
    if one.expected:
        wanted = " or ".join(_site(wish.rule, wish.tool, wish.path) for wish in one.expected)
        yield f"    expected {wanted}"
    for root in one.roots:
        sites = ", ".join(_site(each.rule, each.tool, each.path) for each in root.findings)
        yield f"    said {root.status}: {sites}"


def _site(rule: str, tool: str | None, path: str | None) -> str:
    at = f"@{tool}" if tool else ""
    return f"{rule}{at}" + (f":{path}" if path else "")
