"""Values that an earlier outcome minted and a later argument used: found, and put in afresh.

A binding says whose outcome, and where in it; it follows the earliest outcome that holds the
value, and none where the agent knew the value before. What still stands in a fresh answer stays in
use, even where the order there changed; what does not stand at its place any more is lost, and so
are the steps that need it.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from mcp_eval.compare import anchors
from mcp_eval.compare.answers import answer
from mcp_eval.compare.minted import id_like, mints
from mcp_eval.compare.parsing import loads
from mcp_eval.compare.paths import MISSING, get, leaves, put
from mcp_eval.compare.places import look_up, stands
from mcp_eval.compare.shapes import json_type
from mcp_eval.model.base import Json, JsonObject, Noun
from mcp_eval.model.trajectory import Binding, Invocation, Outcome, Run

_EMBEDDED = 4  # shorter, a value inside a text is a coincidence
_NOTHING = frozenset({"", "none", "null", "undefined", "nil", "n/a"})
_EXPRESSION = "{{"

Minted = dict[str | int, tuple[int, str]]


# --- finding -------------------------------------------------------------------------------------


def bind(run: Run) -> Run:
    """The run with the bindings of every invocation; those it has already stay."""
    invocations = run.trajectory.invocations
    known = [said.text for said in run.trajectory.messages if said.role == "user"]
    minted: Minted = {}
    bound: list[Invocation] = []
    later = _spoken(invocations)
    for position, invocation in enumerate(invocations):
        bound.append(_bound(invocation, minted))
        known += [
            str(value)
            for path, value in _values(invocation)
            if isinstance(value, str) or id_like(path)  # a limit of 3 is no knowledge of id 3
        ]
        if invocation.foreign:
            known.append(answer(invocation.outcome).text)
            continue
        before = "\n".join(known).casefold()
        for path, value in mints(invocation):
            used = str(value) in later[position]
            if used and value not in minted and not stands(str(value).casefold(), before):
                minted[value] = (position, path)
    trajectory = replace(run.trajectory, invocations=tuple(bound))
    return replace(run, trajectory=trajectory)


def _spoken(invocations: Sequence[Invocation]) -> list[str]:
    """For each invocation all that later arguments say: what is not in there needs no place."""
    spoken = ""
    later: list[str] = []
    for invocation in reversed(invocations):
        later.append(spoken)
        spoken += "\n" + "\n".join(str(value) for _, value in _values(invocation))
    return later[::-1]


def _values(invocation: Invocation) -> Iterator[tuple[str, str | int]]:
    for path, value in leaves(invocation.arguments):
        if isinstance(value, str | int) and not isinstance(value, bool):
            yield path, value


def _bound(invocation: Invocation, minted: Minted) -> Invocation:
    if invocation.foreign or not minted:
        return invocation
    written = {binding.argument for binding in invocation.bindings}
    found = [
        binding
        for path, value in _values(invocation)
        if path not in written
        for binding in _bindings(path, value, minted)
    ]
    return replace(invocation, bindings=(*invocation.bindings, *found)) if found else invocation


def _bindings(path: str, value: str | int, minted: Minted) -> Iterator[Binding]:
    source = minted.get(value)
    if source is not None and (not str(value).isdigit() or id_like(path)):
        yield Binding(argument=path, step=source[0], path=source[1])
    elif source is None and (twin := _twin(value)) in minted and id_like(path):
        yield Binding(argument=path, step=minted[twin][0], path=minted[twin][1])
    elif isinstance(value, str):
        for start, end, (step, place) in _embedded(value, minted):
            template = f"{value[:start]}{{}}{value[end:]}"
            yield Binding(argument=path, step=step, path=place, template=template)


def _twin(value: str | int) -> str | int:
    """42 for "42" and the other way round: agents do not keep them apart."""
    if isinstance(value, int):
        return str(value)
    return int(value) if re.fullmatch(r"[1-9]\d{0,17}", value) else value


def _embedded(text: str, minted: Minted) -> list[tuple[int, int, tuple[int, str]]]:
    """Where minted values stand in a longer text; the longest first, none inside another."""
    taken: list[tuple[int, int, tuple[int, str]]] = []
    for value, source in sorted(minted.items(), key=lambda item: -len(str(item[0]))):
        for found in re.finditer(_inside(value), text):
            start, end = found.span(1)
            if all(end <= begins or start >= ends for begins, ends, _ in taken):
                taken.append((start, end, source))
    return sorted(taken)


def _inside(value: str | int) -> str:
    if isinstance(value, int):
        # In a text only JSON says what a bare number is: an id-like key stands before it.
        return rf"\"\w*(?:id|Id|ID|number|key|cursor|token)\"\s*:\s*({value})(?![\w.])"
    if len(value) < _EMBEDDED:
        return rf"\"({re.escape(value)})\""
    return rf"(?<![A-Za-z0-9])({re.escape(value)})(?![A-Za-z0-9])"


# --- putting in ----------------------------------------------------------------------------------


class Settled(Noun):
    """Arguments with fresh values in them, and the bindings as they stand in these arguments."""

    arguments: JsonObject
    bindings: tuple[Binding, ...] = ()
    lost: int | None = None  # the step whose value is not there any more
    what: str = ""


def resolve(
    arguments: JsonObject,
    bindings: Sequence[Binding],
    bodies: Mapping[int, Outcome],
    recorded: Mapping[int, Outcome] | None = None,
) -> tuple[JsonObject, int | None, str]:
    """The arguments with fresh values; else the step whose value is lost, and what is missing."""
    settled = settle(arguments, bindings, bodies, recorded)
    return settled.arguments, settled.lost, settled.what


def settle(
    arguments: JsonObject,
    bindings: Sequence[Binding],
    bodies: Mapping[int, Outcome],
    recorded: Mapping[int, Outcome] | None = None,
) -> Settled:
    """Like `resolve`, with the bindings of the new arguments too."""
    fresh: JsonObject = arguments
    settled: list[Binding] = []
    for path in dict.fromkeys(binding.argument for binding in bindings):
        old = get(arguments, path)
        if old is MISSING:
            continue  # an edited document: there is nothing to put a value into
        here = [binding for binding in bindings if binding.argument == path]
        values: list[Json] = []
        for binding in here:
            outcome = bodies.get(binding.step)
            value, missing = _fresh(binding, outcome, _part(old, binding), (recorded or {}))
            if missing:
                return Settled(arguments=arguments, lost=binding.step, what=missing)
            values.append(value)
        new, now = _filled(old, here, values)
        fresh = put(fresh, path, new)
        settled += now
    return Settled(arguments=fresh, bindings=tuple(settled))


def _part(old: Json, binding: Binding) -> Json:
    """The value that stood where a binding points; MISSING where an expression stands there."""
    part = old
    if binding.template != "{}" and isinstance(old, str):
        start, end = _span(old, binding.template)
        part = old[start:end]
    return MISSING if isinstance(part, str) and part.lstrip().startswith(_EXPRESSION) else part


def _span(text: str, template: str) -> tuple[int, int]:
    """From where to where the value stands in a text, by the text around it."""
    for hole in re.finditer(r"\{\}", template):
        before, after = template[: hole.start()], template[hole.end() :]
        fits = len(before) + len(after) <= len(text)
        if fits and text.startswith(before) and text.endswith(after):
            return len(before), len(text) - len(after)
    return 0, len(text)


def _filled(
    old: Json, bindings: Sequence[Binding], values: Sequence[Json]
) -> tuple[Json, list[Binding]]:
    """An argument with its fresh values, and its bindings written around them."""
    whole = next((n for n, binding in enumerate(bindings) if binding.template == "{}"), None)
    if whole is not None or not isinstance(old, str):
        return _coerced(values[whole or 0], old), [bindings[whole or 0]]
    quoted = _is_json(old)
    places = sorted(
        (*_span(old, binding.template), _written(value, quoted=quoted), binding)
        for binding, value in zip(bindings, values, strict=True)
    )
    text, end = "", 0
    spans: list[tuple[int, int, Binding]] = []
    for start, stop, value, binding in places:
        text += old[end:start]
        spans.append((len(text), len(text) + len(value), binding))
        text, end = text + value, stop
    text += old[end:]
    return text, [
        replace(binding, template=f"{text[:start]}{{}}{text[stop:]}")
        for start, stop, binding in spans
    ]


def _is_json(text: str) -> bool:
    if text.lstrip()[:1] not in {"{", "["}:
        return False
    try:
        return isinstance(loads(text), dict | list)
    except ValueError:
        return False


def _written(value: Json, *, quoted: bool) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)[1:-1] if quoted else value
    return json.dumps(value, ensure_ascii=False)


def _coerced(value: Json, old: Json) -> Json:
    """A number as text, or a text as number, where it was passed on like that."""
    if isinstance(old, str) and not old.lstrip().startswith(_EXPRESSION):
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if isinstance(old, int) and isinstance(value, str) and value.isdigit():
        return int(value)
    return value


def _fresh(
    binding: Binding, outcome: Outcome | None, old: Json, recorded: Mapping[int, Outcome]
) -> tuple[Json, str]:
    """The value a fresh outcome holds at a binding's place; else what is missing."""
    if outcome is None or outcome.kind == "not-reached":
        return None, f"step {binding.step} was not reached"
    read = answer(outcome)
    if outcome.kind != "result" or read.flagged:
        return None, f"step {binding.step} failed"
    then = recorded.get(binding.step)
    value = look_up(read, binding.path, old, answer(then) if then is not None else None)
    if value is MISSING or value is None or str(value).strip().lower() in _NOTHING:
        where = f"`{_spoken_path(binding.path)}`" if binding.path else "value"
        return None, f"the answer of step {binding.step} holds no {where} any more"
    if old is not MISSING and _no_single(value) and json_type(old) != json_type(value):
        where = _spoken_path(binding.path) or "value"
        return None, f"the `{where}` of step {binding.step} is no single value any more"
    return value, ""


def _no_single(value: Json) -> bool:
    return json_type(value) in {"object", "array", "boolean"}


def _spoken_path(path: str) -> str:
    place = anchors.split(path)
    return (place[2].strip() or place[0] or "value") if place else path
