"""What the differ knows about two answers beside the answers: holes, instants, symbols, pages."""

import re
from collections.abc import Iterable, Mapping

from mcp_eval.compare.shapes import masked, volatile, written
from mcp_eval.model.base import Json, JsonObject, Noun
from mcp_eval.model.recording import Hole

_FEWEST = 3  # a shorter symbol would be found inside other words


class View(Noun):
    """How to look at two answers of one request."""

    holes: Mapping[str, Hole] = {}
    before_at: str = ""
    after_at: str = ""
    symbols: Mapping[str, str] = {}  # a value minted at the baseline -> the one minted now
    arguments: JsonObject = {}
    pages: Iterable[Json] = ()  # what other pages of this call answered
    structured: bool = True  # the answer is JSON, not prose
    blocks: bool = False  # the outermost list is one of content blocks
    learning: bool = False  # looks at one build: what varies is noted even where its form tells

    def hole(self, path: str) -> Hole | None:
        """What is known to vary at a site."""
        return self.holes.get(path)

    def same(self, before: Json, after: Json) -> bool:
        """Equal, or the same symbol on either side."""
        if type(before) is type(after) and before == after:
            return True
        if _both_numbers(before, after) and _close(before, after):
            return True
        if not self.symbols:
            return False
        if isinstance(before, str) and isinstance(after, str):
            return self.translated(before) == after
        return not isinstance(before, dict | list) and self.symbols.get(str(before)) == str(after)

    def translated(self, text: str) -> str:
        """The text with every symbol in it as the candidate minted it."""
        for old, new in self.symbols.items():
            if len(old) >= _FEWEST and old in text:
                # A split and a join, since a minted value may hold what `re.sub` would expand.
                text = new.join(re.split(rf"(?<!\w){re.escape(old)}(?!\w)", text))
        return text

    def both_vary(self, before: Json, after: Json, path: str) -> bool:
        """Volatile by form or name on both sides, in the same way."""
        kind = volatile(before, path, self.before_at)
        if not kind or kind != volatile(after, path, self.after_at):
            return False
        # A time may move, not come in another writing.
        return kind != "time" or written(before) == written(after)

    def masked(self, before: str, after: str) -> tuple[str, str]:
        """Both texts with all that varies by form replaced by its kind."""
        return masked(self.translated(before), self.before_at), masked(after, self.after_at)


def _both_numbers(before: Json, after: Json) -> bool:
    return all(
        isinstance(value, int | float) and not isinstance(value, bool) for value in (before, after)
    )


def _close(before: float, after: float) -> bool:
    """Equal but for the last bits of a float."""
    if isinstance(before, int) and isinstance(after, int):
        return before == after  # an id of many digits has no noise
    return before == after or abs(before - after) <= 1e-9 * max(abs(before), abs(after))
