"""Which requests change something, by annotation, by name, and by how they ended."""

from mcp_eval.compare import words
from mcp_eval.compare.expected import RUN
from mcp_eval.compare.toolkey import bare_name
from mcp_eval.model.base import Json
from mcp_eval.model.recording import RecordedStep, Recording
from mcp_eval.model.surface import Surface, Tool


def merely_reads(recording: Recording, surface: Surface) -> bool:
    """Whether repeating every step is permitted: annotations say that nothing is changed."""
    return all(_merely_reads(step, surface) for step in recording.steps)


def _merely_reads(step: RecordedStep, surface: Surface) -> bool:
    """Nobody promised what a person's own command does; other tools of an agent are not ours."""
    if step.foreign:
        return step.method != RUN
    return step.method != "tools/call" or annotated_read(surface.tool(bare_name(step.name)))


def annotated_read(tool: Tool | None) -> bool:
    """Whether a tool's annotations promise that it only reads; silence is no promise."""
    return tool is not None and (tool.annotations or {}).get("readOnlyHint") is True


def writes(name: str, tool: Tool | None, key: str) -> bool:
    """Whether a request is meant to change something: by annotation, else by its verbs."""
    hint = _hint(tool)
    operation = _operation(key)
    if hint is True:
        return False
    if hint is False and operation is None:
        return True
    meant = operation if operation is not None else bare_name(name)
    return _verb(meant) == "write" and not hands_over(meant)


def _hint(tool: Tool | None) -> Json:
    return (tool.annotations or {}).get("readOnlyHint") if tool else None


def _operation(key: str) -> str | None:
    """What a tool of several operations was asked to do, or the tool a gateway wraps."""
    if " → " in key:
        return key.rpartition(" → ")[2].rpartition(":")[2]
    if key.endswith("]") and "[" in key:
        return key[key.rindex("[") + 1 : -1]
    return None


def hands_over(name: str) -> bool:
    """Whether the conversation goes to a person: `transfer_to_human_agents`."""
    parts = words.words_of(name)
    return bool(set(parts) & words.PEOPLE) and bool({"to", "transfer", "escalate"} & set(parts))


def _verb(name: str) -> str:
    """`write` or `read`, by the first verb that a name holds; `unknown` where none does."""
    for part in words.words_of(name):
        if part in words.READING:
            return "read"
        if part in words.WRITING:
            return "write"
    return "unknown"
