"""What a fault should lead to: a rule at a site."""

from dataclasses import dataclass


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
