"""What a fault should lead to, a rule at a site; and what takes the cases."""

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class Wish:
    """A rule, and where; None may be anywhere."""

    rule: str
    tool: str | None = None
    path: str | None = None

    def said(self) -> dict[str, str]:
        """As a case file has it."""
        stated = {"rule": self.rule, "tool": self.tool, "path": self.path}
        return {key: word for key, word in stated.items() if word is not None}


class Book(Protocol):
    """What takes the cases."""

    def fault(self, at: str, spec: dict[str, Any], *expected: Wish, **more: Any) -> None:
        """One more."""


def at_leaf(fault: str, tool: str, path: str, **more: Any) -> dict[str, Any]:
    """An injection at a leaf of an answer, or at a parameter."""
    return {"fault": fault, "tool": tool, "path": path, **more}
