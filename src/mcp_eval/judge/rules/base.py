"""What a rule is: an id, cells from the worst status down, what it says and what mends it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from mcp_eval.judge.facts import Fact
from mcp_eval.model.verdict import FindingStatus

Kind = Literal["surface", "outcome", "cost", "agent", "upkeep", "inconclusive"]
Condition = Callable[[Fact], bool]
Sentence = Callable[[Fact], str]


@dataclass(frozen=True, slots=True)
class Cell:
    """When a rule has a status; the words are what `docs/rules.md` shows."""

    status: FindingStatus
    when: str
    holds: Condition
    mark: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """One row of the catalogue."""

    id: str
    kind: Kind
    cells: tuple[Cell, ...]
    meaning: str  # to an agent that learned the old build
    says: Sentence
    fix: Sentence
    absorbs: bool = False  # failures of the recorded requests it hits are its evidence

    def cell(self, fact: Fact) -> Cell | None:
        """The first cell that holds, from the worst down; None: no finding."""
        if self.kind == "outcome" and fact.transient:
            return TRANSIENT
        return next((cell for cell in self.cells if cell.holds(fact)), None)

    def suspected(self, fact: Fact) -> Cell:
        """The cell it would have if every look agreed."""
        return next((cell for cell in self.cells if cell.holds(fact)), self.cells[0])


def always(_fact: Fact) -> bool:
    """A cell without a condition."""
    return True


def broken(when: str, holds: Condition = always) -> Cell:
    """Stop the deployment."""
    return Cell("broken", when, holds)


def degraded(when: str = "always", holds: Condition = always, *, mark: str = "") -> Cell:
    """Review it."""
    return Cell("degraded", when, holds, mark)


def acceptable(when: str = "always", holds: Condition = always) -> Cell:
    """Worth a look."""
    return Cell("acceptable", when, holds)


def note(when: str = "always", holds: Condition = always, *, mark: str = "") -> Cell:
    """Nothing to do."""
    return Cell("note", when, holds, mark)


TRANSIENT = note(
    "in exactly one of two looks or more, or now and then on both builds", mark="transient"
)
