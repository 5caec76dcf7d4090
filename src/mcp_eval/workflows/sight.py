"""What a first look at a target gives: the facts, and what can be made of them."""

from mcp_eval.model.base import Noun, Stated
from mcp_eval.model.recording import Recording
from mcp_eval.model.scenario import Scenario, Step
from mcp_eval.model.surface import Surface


class Survey(Noun):
    """What a look at a target taught."""

    surface: Surface
    tried: tuple[str, ...] = ()  # tools whose calls were answered
    lost: tuple[str, ...] = ()  # tools no call of ours could please
    untried: tuple[str, ...] = ()  # tools that may write, and nobody said they may be tried
    hiding: tuple[str, ...] = ()  # tools whose errors carry no flag
    starters: tuple[Scenario, ...] = ()
    recordings: tuple[Recording, ...] = ()  # of the starters: a run and a replay of each
    guesses: tuple[Step, ...] = ()  # how the tools that were not tried might be called


class Sight(Stated):
    """What can be said of a target without any history."""

    server: str
    tools: int
    tried: tuple[str, ...] = ()
    repeat: tuple[str, ...] = ()
    varying: tuple[str, ...] = ()  # called alike, they did not answer alike
    volatile_ids: tuple[str, ...] = ()
    hiding_errors: tuple[str, ...] = ()
    not_answering: tuple[str, ...] = ()
    untried: tuple[str, ...] = ()
    catalogue_tokens: int = 0

    @property
    def said(self) -> str:
        """All of it in one line."""
        facts = [
            _counted(self.tools, "tool"),
            f"{len(self.tried)} tried" if len(self.tried) < self.tools else "",
            f"{len(self.repeat)} repeat",
            f"{len(self.varying)} do not" if self.varying else "",
            f"{len(self.volatile_ids)} return volatile ids" if self.volatile_ids else "",
            f"{_counted(len(self.hiding_errors), 'hides its', 'hide their')} errors"
            if self.hiding_errors
            else "",
            f"catalogue {self.catalogue_tokens:,} tokens",
        ]
        return ", ".join(fact for fact in facts if fact)


def _counted(amount: int, one: str, several: str = "") -> str:
    return f"{amount} {one if amount == 1 else several or one + 's'}"
