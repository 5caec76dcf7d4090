"""What a target offers and no recorded request touches: tools, parameters, values, error paths."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from mcp_eval.compare.answers import classify
from mcp_eval.compare.schemas import Shape, read_shape
from mcp_eval.compare.tidy import tidy
from mcp_eval.compare.toolkey import bare_name
from mcp_eval.model.base import Json, Noun
from mcp_eval.model.recording import RecordedStep, Recording
from mcp_eval.model.surface import Surface, Tool

_KINDS = {
    "tool": "tools",
    "parameter": "parameters",
    "value": "enum values",
    "error": "error paths",
}
_ERRORS = frozenset({"failed", "refused"})


class Gap(Noun):
    """One thing that could break without any scenario noticing."""

    kind: str  # tool | parameter | value | error
    tool: str
    name: str = ""  # of the parameter
    value: Json = None  # of the parameter's enum


class Coverage(Noun):
    """How much of a surface the recorded requests touch, and what they leave out."""

    touched: dict[str, int] = {}  # by kind
    offered: dict[str, int] = {}
    gaps: tuple[Gap, ...] = ()


def coverage(surface: Surface, recordings: Sequence[Recording]) -> Coverage:
    """What the recordings touch of a surface."""
    made: dict[str, list[RecordedStep]] = defaultdict(list)
    for recording in recordings:
        for step in recording.steps:
            if step.method == "tools/call" and not step.foreign:
                made[bare_name(step.name)].append(step)
    items = [item for tool in surface.tools for item in _items(tool, made[tool.name])]
    touched: dict[str, int] = defaultdict(int)
    offered: dict[str, int] = defaultdict(int)
    for gap, is_touched in items:
        offered[gap.kind] += 1
        touched[gap.kind] += is_touched
    return Coverage(
        touched=dict(touched),
        offered=dict(offered),
        gaps=tuple(gap for gap, is_touched in items if not is_touched),
    )


def _items(tool: Tool, steps: Sequence[RecordedStep]) -> Iterator[tuple[Gap, bool]]:
    """All that one tool offers, and whether a step touches it; of an idle tool, no details."""
    yield Gap(kind="tool", tool=tool.name), bool(steps)
    if not steps:
        return
    root = tidy(tool.input_schema).schema
    for name, schema in read_shape(root, root).properties.items():
        sent = [step.arguments[name] for step in steps if name in step.arguments]
        yield Gap(kind="parameter", tool=tool.name, name=name), bool(sent)
        if not sent:
            continue
        shape = read_shape(schema, root)
        for value in (*_values(shape), *_values(read_shape(shape.items, root))):
            yield Gap(kind="value", tool=tool.name, name=name, value=value), _among(value, sent)
    yield Gap(kind="error", tool=tool.name), any(_failed(step) for step in steps)


def _values(shape: Shape) -> tuple[Json, ...]:
    listed = shape.values or ()
    return tuple(listed) if len(listed) > 1 else ()


def _among(value: Json, sent: Sequence[Json]) -> bool:
    """Whether a value was sent, alone or in a list."""
    return any(value == one or (isinstance(one, list) and value in one) for one in sent)


def _failed(step: RecordedStep) -> bool:
    return bool(_ERRORS & step.classes.keys()) or classify(step.outcome) in _ERRORS


def lines(found: Coverage) -> Iterator[str]:
    """Coverage as a person reads it: counts first, then the gaps by tool."""
    kinds = {
        "tool": "tools",
        "parameter": "parameters",
        "value": "enum values",
        "error": "error paths",
    }
    counts = (
        f"{found.touched.get(kind, 0)} of {found.offered[kind]} {plural}"
        for kind, plural in kinds.items()
        if found.offered.get(kind)
    )
    yield "touched by some scenario: " + ", ".join(counts)
    by_tool: dict[str, list[Gap]] = defaultdict(list)
    for gap in found.gaps:
        by_tool[gap.tool].append(gap)
    for tool, gaps in by_tool.items():
        yield f"{tool}: {', '.join(_said(gap) for gap in gaps)}"


def _said(gap: Gap) -> str:
    if gap.kind == "tool":
        return "never called"
    if gap.kind == "error":
        return "no call of it ever failed"
    return (
        f"{gap.name} never sent"
        if gap.kind == "parameter"
        else f"{gap.name}={gap.value} never sent"
    )
