"""The catalogue: every rule, in its order of precedence."""

from dataclasses import dataclass
from functools import cached_property

from mcp_eval.judge.rules.agent import AGENT
from mcp_eval.judge.rules.base import Rule
from mcp_eval.judge.rules.cost import COST
from mcp_eval.judge.rules.outcome import OUTCOME
from mcp_eval.judge.rules.surface import SURFACE
from mcp_eval.judge.rules.upkeep import INCONCLUSIVE, UPKEEP


@dataclass(frozen=True)
class Catalogue:
    """Rules by id, and which of two comes first."""

    rules: tuple[Rule, ...]

    @cached_property
    def by_id(self) -> dict[str, Rule]:
        """Every rule under its id."""
        return {rule.id: rule for rule in self.rules}

    @cached_property
    def rank(self) -> dict[str, int]:
        """Precedence: the lower comes first."""
        return {rule.id: position for position, rule in enumerate(self.rules)}


CATALOGUE = Catalogue((*INCONCLUSIVE, *SURFACE, *OUTCOME, *COST, *AGENT, *UPKEEP))
