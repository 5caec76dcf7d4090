"""Who may be repeated: scenarios that merely read, and targets whose start is clean."""

from msgspec.structs import replace

from mcp_eval.compare.effects import merely_reads
from mcp_eval.model.recording import Recording
from mcp_eval.model.surface import Surface
from mcp_eval.ports import Target

COST = (
    "a start of this target is not known to be clean, so scenarios that write are looked at "
    "once only: nothing can be confirmed, and what varies by itself cannot be told from a change"
)
ALLOW = (
    "where a new process in an empty folder starts clean, say `resettable: true` "
    "(or the command that resets it) at the target in mcp-eval.yaml"
)


def may_repeat(recording: Recording, surface: Surface, target: Target) -> bool:
    """Whether the recording may be re-issued more often than anybody asked for."""
    return bool(target.resettable) or merely_reads(recording, surface)


def known(before: Surface, now: Surface) -> Surface:
    """What is offered now, and what a recording may still name although it is gone."""
    names = {tool.name for tool in now.tools}
    gone = tuple(tool for tool in before.tools if tool.name not in names)
    return replace(now, tools=now.tools + gone)
