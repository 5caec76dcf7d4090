"""Which call of a candidate stands for which of the baseline, and which of them really moved."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from mcp_eval.compare.arguments import compare_objects
from mcp_eval.compare.assignment import best_pairs
from mcp_eval.compare.kinds import Hints
from mcp_eval.compare.ties import ties
from mcp_eval.model.comparison import ArgumentsSimilarity, Call, Pair

SAME = ArgumentsSimilarity(similarity=1.0)
_MANY = 12  # calls of one tool up to which every pairing is weighed
_REACH = 3  # beyond: how far from its place a call is looked for
_NEAR = 0.01  # what standing in the same place is worth: it decides between equals
_encode = msgspec.json.Encoder(order="sorted").encode

Matched = dict[int, tuple[int, ArgumentsSimilarity]]


def align(olds: Sequence[Call], news: Sequence[Call]) -> tuple[Pair, ...]:
    """Pairs in the baseline's order; a call without a counterpart stands alone, where it stood."""
    matched: Matched = {}
    for mine, its in _by_tool(olds, news):
        _match(olds, news, mine, its, matched)
    moved = _moved(olds, news, matched)
    return tuple(_in_order(olds, news, matched, moved))


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


# --- the calls of one tool ---


def _match(
    olds: Sequence[Call],
    news: Sequence[Call],
    mine: list[int],
    its: list[int],
    matched: Matched,
) -> None:
    """Equal calls first, in order; what is left by the likeness of its arguments."""
    if len(mine) == len(its) and all(
        olds[i].arguments == news[j].arguments for i, j in zip(mine, its, strict=True)
    ):
        matched.update({i: (j, SAME) for i, j in zip(mine, its, strict=True)})
        return
    if len(mine) > 1 or len(its) > 1:
        mine, its = _equal(olds, news, mine, its, matched)
    if not mine or not its:
        return
    hints = Hints(seen=[*(olds[i].arguments for i in mine), *(news[j].arguments for j in its)])
    found = {
        (i, j): compare_objects(olds[i].arguments, news[j].arguments, hints)
        for i, j in _competing(mine, its)
    }
    if len(found) == 1:
        ((i, j), similarity) = next(iter(found.items()))
        matched[i] = j, similarity
        return
    for i, j in _paired(mine, its, found).items():
        matched[i] = j, found[i, j]


def _equal(
    olds: Sequence[Call],
    news: Sequence[Call],
    mine: list[int],
    its: list[int],
    matched: Matched,
) -> tuple[list[int], list[int]]:
    """Pair equal arguments, the first with the first; what is left of either side."""
    waiting = defaultdict[bytes, list[int]](list)
    for j in reversed(its):
        waiting[_encode(news[j].arguments)].append(j)
    left: list[int] = []
    for i in mine:
        if same := waiting.get(_encode(olds[i].arguments)):
            matched[i] = same.pop(), SAME
        else:
            left.append(i)
    return left, sorted(j for same in waiting.values() for j in same)


def _competing(mine: list[int], its: list[int]) -> Iterator[tuple[int, int]]:
    """Every pairing of few calls; of many, those near the same place among their like."""
    if max(len(mine), len(its)) <= _MANY:
        yield from ((i, j) for i in mine for j in its)
        return
    scale = len(its) / len(mine)
    for at, i in enumerate(mine):
        middle = int(at * scale)
        for j in its[max(0, middle - _REACH) : middle + _REACH + 1]:
            yield i, j


def _paired(
    mine: list[int], its: list[int], found: dict[tuple[int, int], ArgumentsSimilarity]
) -> dict[int, int]:
    """The best pairing; among equals the one that keeps the order."""
    ours, theirs = ({i: at for at, i in enumerate(places)} for places in (mine, its))
    longest = max(len(mine), len(its))
    scores = {
        (i, j): 1.0 + one.similarity + _NEAR * (1.0 - abs(ours[i] - theirs[j]) / longest)
        for (i, j), one in found.items()
    }
    if longest <= _MANY:
        return best_pairs(scores)
    paired: dict[int, int] = {}
    taken: set[int] = set()
    for i, j in sorted(scores, key=lambda pair: (-scores[pair], pair)):
        if i not in paired and j not in taken:
            paired[i] = j
            taken.add(j)
    return paired


# --- what moved ---


def _moved(olds: Sequence[Call], news: Sequence[Call], matched: Matched) -> set[int]:
    """Calls that left their place and passed one they depend on, or that depends on them."""
    order = [(i, matched[i][0]) for i in sorted(matched)]
    if all(one[1] < other[1] for one, other in pairwise(order)):
        return set()
    staying = _staying(order)
    now = dict(order)
    tied = defaultdict[int, set[int]](set)
    for one, other in _tied(olds, news, order):
        tied[one].add(other)
        tied[other].add(one)
    return {
        i for i, j in order if i not in staying and any((k - i) * (now[k] - j) < 0 for k in tied[i])
    }


def _tied(
    olds: Sequence[Call], news: Sequence[Call], order: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Baseline calls that may not change places, as either side shows it."""
    yield from ties({i: olds[i] for i, _ in order})
    stands_for = {j: i for i, j in order}
    for one, other in ties({j: news[j] for j in sorted(stands_for)}):
        yield stands_for[one], stands_for[other]


def _staying(order: Sequence[tuple[int, int]]) -> set[int]:
    """The most calls that stand in the same order on both sides."""
    tails: list[int] = []  # the smallest last place of an ordered run, by its length
    ends: list[int] = []  # whose place that is
    back: dict[int, int | None] = {}
    for i, j in order:
        at = bisect_left(tails, j)
        back[i] = ends[at - 1] if at else None
        tails[at : at + 1] = [j]
        ends[at : at + 1] = [i]
    staying: set[int] = set()
    last: int | None = ends[-1]
    while last is not None:
        staying.add(last)
        last = back[last]
    return staying


# --- the pairs ---


def _in_order(
    olds: Sequence[Call], news: Sequence[Call], matched: Matched, moved: set[int]
) -> Iterator[Pair]:
    extras = _extras(news, {j: i for i, (j, _) in matched.items()})
    yield from extras.get(-1, ())
    for i, old in enumerate(olds):
        if i not in matched:
            yield Pair(baseline=old)
            continue
        j, similarity = matched[i]
        yield Pair(baseline=old, candidate=news[j], arguments=similarity, moved=i in moved)
        yield from extras.get(i, ())


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
