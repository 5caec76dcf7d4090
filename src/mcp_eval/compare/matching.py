"""The calls of one tool on either side: which stands for which, by its arguments alone."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

import msgspec

from mcp_eval.compare.arguments import compare_objects
from mcp_eval.compare.assignment import best_pairs
from mcp_eval.compare.kinds import Hints
from mcp_eval.model.base import JsonObject
from mcp_eval.model.comparison import ArgumentsSimilarity

Matches = dict[int, tuple[int, ArgumentsSimilarity]]
Scores = dict[tuple[int, int], float]
Firsts = dict[int, tuple[float, int, float]]  # whose first choice is whom, and what comes next

SAME = ArgumentsSimilarity(similarity=1.0)
_FEW = 12  # calls up to which every pairing is weighed
_REACH = 3  # beyond: how far from its place a call is looked for
_RARE = 3  # or wherever it has a word that so few others have
_NEAR = 0.001  # what standing in the same place is worth: it decides between equals
_CLEAR = 0.1  # shared words by which a pairing is ahead of every other
_SURELY = 1e-9  # a lead that no rounding makes
_NOBODY = (float("-inf"), -1, float("-inf"))
_ALIKE = 0.8  # and how alike its arguments then must be
_WORD = re.compile(rb"\w+")
encoded = msgspec.json.Encoder(order="sorted").encode


def match(olds: Sequence[JsonObject], news: Sequence[JsonObject]) -> Matches:
    """Every call of the shorter side with its counterpart, so that all are the most alike."""
    if len(olds) == len(news) and all(map(identical, olds, news)):
        return {i: (i, SAME) for i in range(len(olds))}
    if len(olds) == len(news) == 1:
        return {0: (0, compare_objects(olds[0], news[0], Hints(recorded=[olds[0], news[0]])))}
    mine, its = [encoded(one) for one in olds], [encoded(one) for one in news]
    same = _same(mine, its)
    found: Matches = {i: (j, SAME) for i, j in same.items()}
    taken = set(same.values())
    left = {i: text for i, text in enumerate(mine) if i not in same}
    free = {j: text for j, text in enumerate(its) if j not in taken}
    if left and free:
        found |= _Rest(olds, news, left, free).matches()
    return found


def identical(old: JsonObject, new: JsonObject) -> bool:
    """Equal as JSON: to Python true is 1, so what is written must be the same too."""
    if old is new:
        return True
    if old != new:
        return False
    for name, value in old.items():
        kind = type(value)
        if kind is dict or kind is list or kind is not type(new[name]):
            return encoded(old) == encoded(new)
    return True


def _same(mine: Sequence[bytes], its: Sequence[bytes]) -> dict[int, int]:
    """Equal arguments, the first with the first."""
    waiting = defaultdict[bytes, list[int]](list)
    for j in range(len(its) - 1, -1, -1):
        waiting[its[j]].append(j)
    return {i: waiting[text].pop() for i, text in enumerate(mine) if waiting.get(text)}


class _Rest:
    """Calls that nobody repeats to the letter."""

    def __init__(
        self,
        olds: Sequence[JsonObject],
        news: Sequence[JsonObject],
        left: dict[int, bytes],
        free: dict[int, bytes],
    ) -> None:
        self.olds, self.news = olds, news
        self.mine, self.its = list(left), list(free)
        self.hints = Hints(recorded=[*(olds[i] for i in left), *(news[j] for j in free)])
        self.words = {i: frozenset(_WORD.findall(text)) for i, text in left.items()}
        self.others = {j: frozenset(_WORD.findall(text)) for j, text in free.items()}
        self.compared: dict[tuple[int, int], ArgumentsSimilarity] = {}

    def matches(self) -> Matches:
        """By shared words where those leave no doubt, else by the arguments themselves."""
        shared = {(i, j): _overlap(self.words[i], self.others[j]) for i, j in self._rivals()}
        sure = {i: j for i, j in _clear(shared).items() if self._alike(i, j) >= _ALIKE}
        taken = set(sure.values())
        scores = {
            (i, j): 1.0 + self._alike(i, j) + _NEAR * self._nearness(i, j)
            for i, j in shared
            if i not in sure and j not in taken
        }
        few = max(len(self.mine), len(self.its)) <= _FEW
        paired = sure | (_obvious(scores) or (best_pairs if few else _eager)(scores))
        done = set(paired.values())
        lonely = [i for i in self.mine if i not in paired]
        paired |= dict(zip(lonely, [j for j in self.its if j not in done], strict=False))
        return {i: (j, self._compared(i, j)) for i, j in paired.items()}

    def _rivals(self) -> list[tuple[int, int]]:
        """Every pairing of few calls; of many, those near the same place or with a rare word."""
        if max(len(self.mine), len(self.its)) <= _FEW:
            return [(i, j) for i in self.mine for j in self.its]
        common = Counter(word for words in self.others.values() for word in words)
        where = defaultdict[bytes, list[int]](list)
        for j, words in self.others.items():
            for word in words:
                if common[word] <= _RARE:
                    where[word].append(j)
        rivals: list[tuple[int, int]] = []
        for at, i in enumerate(self.mine):
            middle = at * len(self.its) // len(self.mine)
            near = self.its[max(0, middle - _REACH) : middle + _REACH + 1]
            far = [j for word in sorted(self.words[i] & where.keys()) for j in where[word]]
            rivals += [(i, j) for j in dict.fromkeys([*near, *far])]
        return rivals

    def _compared(self, i: int, j: int) -> ArgumentsSimilarity:
        if (i, j) not in self.compared:
            self.compared[i, j] = compare_objects(self.olds[i], self.news[j], self.hints)
        return self.compared[i, j]

    def _alike(self, i: int, j: int) -> float:
        return self._compared(i, j).similarity

    def _nearness(self, i: int, j: int) -> float:
        ours, theirs = i / max(1, len(self.olds)), j / max(1, len(self.news))
        return 1.0 - abs(ours - theirs)


def _overlap(one: frozenset[bytes], other: frozenset[bytes]) -> float:
    common = len(one & other)
    return common / ((len(one) + len(other) - common) or 1)


def _clear(scores: Scores) -> dict[int, int]:
    """Pairings that are ahead of all their rivals on either side."""
    ahead, leads = _leading(scores, _CLEAR)
    return {i: j for i, j in ahead.items() if leads.get(j) == i}


def _obvious(scores: Scores) -> dict[int, int]:
    """The best of all pairings where everybody's first choice is another; else nothing."""
    ahead, _ = _leading(scores, _SURELY)
    firsts = {i for i, _ in scores}
    return ahead if len(ahead) == len(firsts) == len(set(ahead.values())) else {}


def _leading(scores: Scores, margin: float) -> tuple[dict[int, int], dict[int, int]]:
    """For each of either side the one that is ahead of its rivals by this much."""
    rows: Firsts = {}
    columns: Firsts = {}
    for (i, j), score in scores.items():
        for firsts, mine, its in ((rows, i, j), (columns, j, i)):
            best, _, second = firsts.get(mine, _NOBODY)
            if score > best:
                firsts[mine] = (score, its, best)
            elif score > second:
                firsts[mine] = (best, firsts[mine][1], score)
    return _ahead(rows, margin), _ahead(columns, margin)


def _ahead(firsts: Firsts, margin: float) -> dict[int, int]:
    return {one: other for one, (best, other, next_) in firsts.items() if best - next_ >= margin}


def _eager(scores: Scores) -> dict[int, int]:
    """The likest first: of very many calls, nobody waits for the best sum."""
    paired: dict[int, int] = {}
    taken: set[int] = set()
    for i, j in sorted(scores, key=lambda pair: (-scores[pair], pair)):
        if i not in paired and j not in taken:
            paired[i] = j
            taken.add(j)
    return paired
