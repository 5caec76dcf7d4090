"""What a change may touch on its way between client and server, and when it does."""

import copy
import fcntl
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

INJECTIONS: dict[str, type["Injection"]] = {}
HARMLESS: set[str] = set()
UNFIT = object()


@dataclass
class Call:
    """One tools/call on its way to the server."""

    tool: str
    arguments: dict[str, Any]


@dataclass
class Reply:
    """An answer the injector gives itself; the server never hears of the call."""

    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None


@dataclass
class Injection:
    """One change; its methods see what passes and return what goes on."""

    silent: ClassVar[bool] = False  # it changes something although no frame differs

    name: str = ""
    tool: str = ""  # "" is every tool
    path: str = ""  # in the answer: `servers[].enabled`, `items[2]`; "" is all of it
    value: Any = None
    to: str = ""  # a new name
    when: str = "always"  # always, once, 3/10, after:N (calls)
    counter: str = ""  # a file that counts over all processes; "" counts in this one
    seen: int = field(default=0, repr=False)

    def touches(self, call: Call) -> bool:
        """Whether it concerns this call, by its tool and by its turn."""
        return self.tool in {"", call.tool} and self._turn()

    def initialize(self, result: dict[str, Any]) -> dict[str, Any]:
        """What the server said of itself."""
        return result

    def tools(self, tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """What `tools/list` answers."""
        return tools

    def call(self, call: Call) -> Call | Reply:
        """What the client asked."""
        return call

    def copies(self, call: Call) -> int:
        """How many times more the server hears of the call."""
        del call
        return 0

    def asks(self, call: Call) -> dict[str, Any] | None:
        """What the server asks the client before it answers: a method and its params."""
        del call
        return None

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """What a call's result carries, whole."""
        return result

    def line(self, line: bytes) -> list[bytes]:
        """What is written to the client for it, in these pieces."""
        return [line]

    def _turn(self) -> bool:
        if self.when == "always":
            return True
        count = self._counted()
        if self.when == "once":
            return count == 1
        if self.when.startswith("after:"):
            return count > int(self.when.removeprefix("after:"))
        hits, rounds = (int(part) for part in self.when.split("/"))
        return count * hits // rounds != (count - 1) * hits // rounds

    def _counted(self) -> int:
        if not self.counter:
            self.seen += 1
            return self.seen
        with Path(self.counter).open("a+", encoding="ascii") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            count = int(file.read() or 0) + 1
            file.truncate(0)
            file.write(str(count))
        return count


class BodyInjection(Injection):
    """A change of an answer's body: the JSON in its text, and its structured content."""

    def body(self, body: Any) -> Any:
        """The changed body."""
        raise NotImplementedError

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """Both copies of the body are changed, as a server would."""
        changed = {**result, "content": [self._block(block) for block in result.get("content", [])]}
        if "structuredContent" in result:
            structured = self._fitting(result["structuredContent"])
            # The protocol allows nothing but an object there.
            if isinstance(structured, dict):
                changed["structuredContent"] = structured
        return changed

    def _block(self, block: dict[str, Any]) -> dict[str, Any]:
        if block.get("type") != "text":
            return block
        try:
            body = json.loads(block["text"])
        except ValueError:
            body = block["text"]
        changed = self._fitting(body)
        # What is not changed keeps its layout; keys in another order are a change.
        if changed is UNFIT or json.dumps(changed) == json.dumps(body):
            return block
        return {**block, "text": text_of(changed)}

    def _fitting(self, body: Any) -> Any:
        """The changed body, or UNFIT: a change made for lists may meet a text."""
        try:
            return self.body(copy.deepcopy(body))
        except (TypeError, ValueError, KeyError, IndexError, AttributeError):
            return UNFIT


def register(name: str, *, harmless: bool = False) -> Callable[[type[Injection]], type[Injection]]:
    """Enter a change under its name."""

    def entered(kind: type[Injection]) -> type[Injection]:
        if name in INJECTIONS:
            raise ValueError(f"two changes are called {name}")
        INJECTIONS[name] = kind
        if harmless:
            HARMLESS.add(name)
        return kind

    return entered


def make(spec: dict[str, Any]) -> Injection:
    """The change a specification names: `{"fault": NAME, "tool": …, "path": …, …}`."""
    fields = dict(spec)
    name = fields.pop("fault")
    if name not in INJECTIONS:
        raise ValueError(f"unknown fault {name!r}; there are {', '.join(sorted(INJECTIONS))}")
    return INJECTIONS[name](name=name, **fields)


def text_of(held: Any) -> str:
    """As it would be written."""
    return held if isinstance(held, str) else json.dumps(held, ensure_ascii=False)


def error_result(text: str) -> dict[str, Any]:
    """A tool's failure."""
    return {"content": [{"type": "text", "text": text}], "isError": True}
