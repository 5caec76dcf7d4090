"""Which call of a candidate stands for which of the baseline, and which of them really moved."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from mcp_eval.compare.matching import Matches, identical, match
from mcp_eval.compare.ties import ties
from mcp_eval.model.comparison import Call, Pair


def align(olds: Sequence[Call], news: Sequence[Call]) -> tuple[Pair, ...]:
    """Pairs in the baseline's order; a call without a counterpart stands alone, where it stood."""
    if len(olds) == len(news) and all(map(_repeats, olds, news)):
        return tuple(
            [Pair(baseline=old, candidate=new) for old, new in zip(olds, news, strict=True)]
        )
    matched: Matches = {}
    for mine, its in _by_tool(olds, news):
        found = match([olds[i].arguments for i in mine], [news[j].arguments for j in its])
        matched |= {mine[at]: (its[other], alike) for at, (other, alike) in found.items()}
    moved = _moved(olds, news, matched)
    return tuple(_in_order(olds, news, matched, moved))


def _repeats(old: Call, new: Call) -> bool:
    return old.tool == new.tool and identical(old.arguments, new.arguments)


def _by_tool(olds: Sequence[Call], news: Sequence[Call]) -> Iterator[tuple[list[int], list[int]]]:
    """The places of every tool key that stands on both sides."""
    mine, its = defaultdict[str, list[int]](list), defaultdict[str, list[int]](list)
    for i, call in enumerate(olds):
        mine[call.tool].append(i)
    for j, call in enumerate(news):
        its[call.tool].append(j)
    for tool, places in mine.items():
        if tool in its:
            yield places, its[tool]


# --- what moved ---


def _moved(olds: Sequence[Call], news: Sequence[Call], matched: Matches) -> set[int]:
    """Calls that left their place and passed one they depend on, or that depends on them."""
    order = [(i, matched[i][0]) for i in sorted(matched)]
    if all(one[1] < other[1] for one, other in pairwise(order)):
        return set()
    stays = staying(order)
    now = dict(order)
    tied = defaultdict[int, set[int]](set)
    for one, other in _tied(olds, news, order):
        tied[one].add(other)
        tied[other].add(one)
    return {
        i for i, j in order if i not in stays and any((k - i) * (now[k] - j) < 0 for k in tied[i])
    }


def _tied(
    olds: Sequence[Call], news: Sequence[Call], order: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Baseline calls that may not change places, as either side shows it."""
    yield from ties({i: olds[i] for i, _ in order})
    stands_for = {j: i for i, j in order}
    for one, other in ties({j: news[j] for j in sorted(stands_for)}):
        yield stands_for[one], stands_for[other]


def staying(order: Sequence[tuple[int, int]]) -> set[int]:
    """The most calls that stand in the same order on both sides."""
    tails: list[int] = []  # the smallest last place of an ordered run, by its length
    ends: list[int] = []  # whose place that is
    back: dict[int, int | None] = {}
    for i, j in order:
        at = bisect_left(tails, j)
        back[i] = ends[at - 1] if at else None
        tails[at : at + 1] = [j]
        ends[at : at + 1] = [i]
    found: set[int] = set()
    last: int | None = ends[-1] if ends else None
    while last is not None:
        found.add(last)
        last = back[last]
    return found


# --- the pairs ---


def _in_order(
    olds: Sequence[Call], news: Sequence[Call], matched: Matches, moved: set[int]
) -> Iterator[Pair]:
    extras = _extras(news, {j: i for i, (j, _) in matched.items()})
    waiting = extras.get(-1, [])
    for i, old in enumerate(olds):
        if i not in matched:
            yield Pair(baseline=old)
            continue
        yield from waiting
        j, similarity = matched[i]
        yield Pair(baseline=old, candidate=news[j], arguments=similarity, moved=i in moved)
        waiting = extras.get(i, [])
    yield from waiting


def _extras(news: Sequence[Call], stands_for: dict[int, int]) -> dict[int, list[Pair]]:
    """Calls without a counterpart, by the baseline call after whose counterpart they came."""
    found = defaultdict[int, list[Pair]](list)
    last = -1
    for j, new in enumerate(news):
        if j in stands_for:
            last = stands_for[j]
        else:
            found[last].append(Pair(candidate=new))
    return found
