"""A run as the agent's client tells it, joined with what the tap saw: the tap is to be believed."""

import re
from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from mcp_eval.agents.places import Places
from mcp_eval.model.base import JsonObject, Noun
from mcp_eval.model.trajectory import OWN_TOOL, Invocation, Message, Outcome

_KEPT = 4000  # characters of what a tool of the agent's own answered
_READS = "ReadMcpResourceTool"
_UNSAID = "the agent's client did not pass it on"


class _Words(Noun):
    text: str
    role: Literal["user", "assistant"] = "assistant"


class _Use(Noun):
    id: str
    name: str
    arguments: JsonObject = {}
    answer: str = ""
    failed: bool = False


class Story:
    """Words and uses of tools in order; tools that are not the target's are told apart."""

    def __init__(self, server: str, places: Places) -> None:
        self._prefix = f"mcp__{server}__"
        self._places = places
        self._deeds: list[_Words | _Use | Invocation] = []

    def say(self, text: str) -> None:
        """The agent said something."""
        if text.strip():
            self._deeds.append(_Words(text=text))

    def hear(self, text: str) -> None:
        """A person said something to the agent."""
        self._deeds.append(_Words(text=text, role="user"))

    def act(self, marker: Invocation) -> None:
        """A person did something between two turns."""
        self._deeds.append(marker)

    def use(self, id_: str, name: str, arguments: JsonObject) -> None:
        """The agent used a tool, the target's or one of its own."""
        self._deeds.append(_Use(id=id_, name=name, arguments=arguments))

    def answer(self, id_: str, text: str, *, failed: bool) -> None:
        """What a tool gave back, as the agent was shown it."""
        for place, deed in enumerate(self._deeds):
            if isinstance(deed, _Use) and deed.id == id_:
                self._deeds[place] = replace(deed, answer=text[:_KEPT], failed=failed)

    def joined(
        self, seen: Sequence[Invocation]
    ) -> tuple[tuple[Invocation, ...], tuple[Message, ...]]:
        """All invocations and messages in order: where nothing was told, as the tap saw them."""
        rest, made, messages = list(seen), list[Invocation](), list[Message]()
        for deed in self._deeds:
            if isinstance(deed, _Words):
                text = self._places.text(deed.text)
                messages.append(Message(role=deed.role, text=text, before=len(made)))
            elif isinstance(deed, Invocation):
                made.append(deed)
            else:
                made.append(self._places.stored(self._seen(deed, rest)))
        return (*made, *map(self._places.stored, rest)), tuple(messages)

    def _seen(self, deed: _Use, rest: list[Invocation]) -> Invocation:
        """The invocation behind a deed, taken from what the tap saw."""
        ours = deed.name.startswith(self._prefix)
        if not ours and deed.name != _READS:
            return _foreign(deed)
        name = deed.name.removeprefix(self._prefix) if ours else str(deed.arguments.get("uri", ""))
        same = [place for place, one in enumerate(rest) if plain(one.name) == plain(name)]
        exact = [place for place in same if rest[place].arguments == deed.arguments]
        if same:
            return rest.pop((exact or same)[0])
        return Invocation(name=name, arguments=deed.arguments, outcome=_unsent(deed))


def plain(name: str) -> str:
    """A name as agents' clients spell it: what a model's tool may not be called is replaced."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)


def _unsent(deed: _Use) -> Outcome:
    """A call the tap never saw: refused by the client, where no such tool is, or given up."""
    detail = ": ".join(filter(None, [_UNSAID, deed.answer]))
    if not deed.failed:
        return Outcome(kind="not-reached", detail=detail)
    body = msgspec.json.encode({"code": -32602, "message": deed.answer})
    return Outcome(kind="error", body=msgspec.Raw(body), detail=detail)


def _foreign(deed: _Use) -> Invocation:
    body = {"content": [{"type": "text", "text": deed.answer}], "isError": deed.failed}
    return Invocation(
        name=deed.name,
        method=OWN_TOOL,
        arguments=deed.arguments,
        outcome=Outcome(body=msgspec.Raw(msgspec.json.encode(body))),
        size=len(deed.answer),
        foreign=True,
    )
