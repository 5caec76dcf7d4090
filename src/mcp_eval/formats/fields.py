"""One mapping of a file, read key by key; what is off is said with line and column."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from mcp_eval.errors import UsageError
from mcp_eval.formats.yaml import Node, wrong
from mcp_eval.model.base import Json, JsonObject


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The hint for a word nobody knows."""
    names = list(known)
    near = get_close_matches(word, names, n=1, cutoff=0.6)
    return f"did you mean '{near[0]}'?" if near else f"known: {', '.join(names)}"


def named(value: Json) -> str:
    """What a person calls a value's type."""
    if isinstance(value, bool):
        return "true or false"
    kinds = {dict: "a mapping", list: "a list", str: "text", int: "a number", float: "a number"}
    return kinds.get(type(value), "nothing")


class Fields:
    """A mapping whose keys are known; a null counts as a key that is not there."""

    def __init__(
        self, node: Node, path: str, known: Sequence[str], *, what: str, strict: bool = True
    ) -> None:
        if not isinstance(node.value, dict):
            raise wrong(node, path, f"{what} is a mapping, not {named(node.value)}")
        self.node, self.path, self.known, self.what = node, path, known, what
        if strict:
            self.refuse_unknown()

    def unknown(self) -> list[str]:
        """The keys that nobody knows."""
        return [key for key in self.node.value if key not in self.known]

    def refuse_unknown(self) -> None:
        """Say of the first unknown key which one may be meant."""
        for key in self.unknown():
            place = self.node.keys.get(key, self.node)
            raise wrong(
                place, self.path, f"unknown key '{key}'", hint=did_you_mean(key, self.known)
            )

    def get(self, key: str) -> Node | None:
        """The node under a key, unless it is null."""
        node: Node | None = self.node.value.get(key)
        return None if node is None or node.value is None else node

    def text(self, key: str, default: str = "") -> str:
        """A text."""
        node = self.get(key)
        return default if node is None else self.text_of(node, f"'{key}'")

    def text_of(self, node: Node, what: str) -> str:
        """The text that a node holds."""
        if not isinstance(node.value, str):
            hint = "put it in quotes" if not isinstance(node.value, (dict, list)) else ""
            raise self.wrong(node, f"{what} expects text, not {named(node.value)}", hint=hint)
        return node.value

    def texts(self, key: str) -> tuple[str, ...]:
        """Several texts; one alone needs no list."""
        node = self.get(key)
        if node is not None and isinstance(node.value, str):
            return (node.value,)
        return tuple(self.text_of(item, f"each of '{key}'") for item in self.items(key))

    def flag(self, key: str, *, default: bool) -> bool:
        """True or false."""
        node = self.get(key)
        if node is None:
            return default
        if not isinstance(node.value, bool):
            hint = "drop the quotes" if str(node.value).lower() in ("true", "false") else ""
            said = f"'{key}' expects true or false, not {named(node.value)}"
            raise self.wrong(node, said, hint=hint)
        return node.value

    def number(self, key: str, default: float) -> float:
        """A number from 0 up."""
        node = self.get(key)
        if node is None:
            return default
        if isinstance(node.value, bool) or not isinstance(node.value, (int, float)):
            raise self.wrong(node, f"'{key}' expects a number, not {named(node.value)}")
        if node.value < 0:
            raise self.wrong(node, f"'{key}' expects a number from 0 up")
        try:
            return float(node.value)
        except OverflowError:
            raise self.wrong(node, f"'{key}' is too large a number") from None

    def items(self, key: str) -> list[Node]:
        """The items of a list."""
        node = self.get(key)
        if node is None:
            return []
        if not isinstance(node.value, list):
            raise self.wrong(node, f"'{key}' expects a list, not {named(node.value)}")
        return node.value

    def members(self, key: str) -> dict[str, Node]:
        """The members of a mapping."""
        node = self.get(key)
        if node is None:
            return {}
        if not isinstance(node.value, dict):
            raise self.wrong(node, f"'{key}' expects a mapping, not {named(node.value)}")
        return node.value

    def object(self, key: str) -> JsonObject:
        """A mapping as it stands."""
        return {name: member.plain() for name, member in self.members(key).items()}

    def words(self, key: str) -> dict[str, str]:
        """A mapping of texts; numbers and flags count as the words that name them."""
        return {
            name: self.word_of(member, f"'{name}' in '{key}'")
            for name, member in self.members(key).items()
        }

    def word_of(self, node: Node, what: str) -> str:
        """A scalar as text."""
        if node.value is None or isinstance(node.value, (dict, list)):
            raise self.wrong(node, f"{what} expects text, not {named(node.value)}")
        return str(node.value).lower() if isinstance(node.value, bool) else str(node.value)

    def wrong(self, node: Node, message: str, *, hint: str = "") -> UsageError:
        """The error of a place in this file."""
        return wrong(node, self.path, message, hint=hint)
