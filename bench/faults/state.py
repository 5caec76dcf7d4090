"""What a server remembers, changed for the worse."""

import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.faults.base import BodyInjection, Call, Injection, Reply, register, text_of


@register("forget-write")
class ForgetWrite(Injection):
    """A write says it is done, and is not: `value` is what it answers, or its whole result."""

    def call(self, call: Call) -> Call | Reply:
        """Never passed on."""
        said = self.value if self.value is not None else {"success": True}
        if isinstance(said, dict) and "content" in said:
            return Reply(result=said)
        text = text_of(said).replace("${workdir}", str(Path.cwd()))
        return Reply(result={"content": [{"type": "text", "text": text}], "isError": False})


@register("stale-read")
@dataclass
class StaleRead(Injection):
    """A read answers for ever what it answered first."""

    first: dict[str, Any] | None = field(default=None, repr=False)

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """The first answer."""
        self.first = self.first or copy.deepcopy(result)
        return self.first


@register("ignore-argument")
class IgnoreArgument(Injection):
    """An argument is accepted and has no effect: `path` names it."""

    def call(self, call: Call) -> Call | Reply:
        """Passed on without it."""
        kept = {name: held for name, held in call.arguments.items() if name != self.path}
        return Call(call.tool, kept)


@register("replace-argument")
class ReplaceArgument(Injection):
    """The server works on another value than the one sent."""

    def call(self, call: Call) -> Call | Reply:
        """`value` instead, where it was sent."""
        sent = {**call.arguments, self.path: self.value}
        return Call(call.tool, sent) if self.path in call.arguments else call


@register("mint-other")
class MintOther(BodyInjection):
    """An id is answered that the server does not know."""

    def body(self, body: Any) -> Any:
        """Right in shape, wrong in fact."""
        from bench.faults.paths import each

        def reverse(container: Any, key: Any) -> None:
            container[key] = str(container[key])[::-1] + "x"

        return each(body, self.path, reverse)


@register("add-guard")
class AddGuard(BodyInjection):
    """What was done waits for approval now."""

    def body(self, body: Any) -> Any:
        """A flag beside what it carried."""
        guard = {"quarantined": True, "message": "approval is required"}
        return {**body, **guard} if isinstance(body, dict) else f"{body}\napproval is required"
