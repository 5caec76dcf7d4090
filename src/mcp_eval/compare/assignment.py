"""The best one-to-one pairing of two sides by score."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from typing import TypeVar

One = TypeVar("One", bound=Hashable)
Other = TypeVar("Other", bound=Hashable)
_FAR = float("inf")


def best_pairs(scores: Mapping[tuple[One, Other], float]) -> dict[One, Other]:
    """The pairing with the highest sum of scores; only pairs with a score may be made."""
    paired: dict[One, Other] = {}
    for group in _groups(scores):
        ones = list(dict.fromkeys(one for one, _ in group))
        others = list(dict.fromkeys(other for _, other in group))
        size = max(len(ones), len(others))
        costs = [[0.0] * size for _ in range(size)]
        for i, one in enumerate(ones):
            for j, other in enumerate(others):
                costs[i][j] = -scores.get((one, other), 0.0)
        for i, j in enumerate(_cheapest(costs)):
            if i < len(ones) and j < len(others) and (ones[i], others[j]) in scores:
                paired[ones[i]] = others[j]
    return paired


def _groups(scores: Mapping[tuple[One, Other], float]) -> Iterator[list[tuple[One, Other]]]:
    """Pairs that compete with each other, directly or through others."""
    by_one: dict[One, list[Other]] = defaultdict(list)
    by_other: dict[Other, list[One]] = defaultdict(list)
    for one, other in scores:
        by_one[one].append(other)
        by_other[other].append(one)
    left = dict.fromkeys(by_one)
    while left:
        group: list[tuple[One, Other]] = []
        first = next(iter(left))
        del left[first]
        eager = [first]
        while eager:
            one = eager.pop()
            for other in by_one[one]:
                group.append((one, other))
                rivals = [rival for rival in by_other[other] if rival in left]
                eager += rivals
                for rival in rivals:
                    del left[rival]
        yield group


def _cheapest(costs: list[list[float]]) -> list[int]:
    """The column of each row in the cheapest full assignment (the Hungarian method)."""
    size = len(costs)
    rows, columns = [0.0] * (size + 1), [0.0] * (size + 1)  # the potentials
    holder = [0] * (size + 1)  # of each column, 1-based; 0: nobody
    for row in range(1, size + 1):
        holder[0] = row
        _augment(costs, rows, columns, holder)
    found = [0] * size
    for column in range(1, size + 1):
        found[holder[column] - 1] = column - 1
    return found


def _augment(
    costs: list[list[float]], rows: list[float], columns: list[float], holder: list[int]
) -> None:
    """Give the row that waits at column 0 a column, moving others along the cheapest chain."""
    size = len(costs)
    slack, back, used = [_FAR] * (size + 1), [0] * (size + 1), [False] * (size + 1)
    column = 0
    while holder[column]:
        used[column] = True
        row = holder[column]
        for each in range(1, size + 1):
            if not used[each]:
                cost = costs[row - 1][each - 1] - rows[row] - columns[each]
                if cost < slack[each]:
                    slack[each], back[each] = cost, column
        free = [each for each in range(1, size + 1) if not used[each]]
        nearest = min(free, key=slack.__getitem__)
        step = slack[nearest]
        for each in range(size + 1):
            if used[each]:
                rows[holder[each]] += step
                columns[each] -= step
            else:
                slack[each] -= step
        column = nearest
    while column:
        holder[column], column = holder[back[column]], back[column]
