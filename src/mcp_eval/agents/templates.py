"""`{{ steps.0.result.id }}` in a written step: which earlier answer it reads, and where in it."""

import json
import re
from collections.abc import Callable, Sequence

from mcp_eval.compare.paths import index as index_path
from mcp_eval.compare.paths import key, leaves, put
from mcp_eval.compare.paths import steps as steps_of
from mcp_eval.errors import UsageError
from mcp_eval.model.base import JsonObject, Noun
from mcp_eval.model.scenario import Step
from mcp_eval.model.trajectory import Binding

_EXPRESSION = re.compile(r"\{\{(\s*'[^']*'\s*|\s*\"[^\"]*\"\s*|.*?)\}\}", re.DOTALL)
_READS = re.compile(r"steps(?:\.(\d+)|\[(\d+)\])\.result(.*)", re.DOTALL)
_PART = re.compile(
    r"\.(\d+)(?=[.\[]|$)|\.([^.\[\]\s\"']+)|\[(\d+)\]|\[\"((?:[^\"\\]|\\.)*)\"\]|\['([^']*)'\]"
)
_LITERAL = re.compile(r"(['\"])(.*)\1", re.DOTALL)
_HINT = "write it as {{ steps.0.result.id }}: an earlier step's number, and a path in its answer"


class Written(Noun):
    """The arguments of a written step, and what they read from earlier answers."""

    arguments: JsonObject
    bindings: tuple[Binding, ...] = ()


def read_all(steps: Sequence[Step], *, where: str) -> tuple[Written, ...]:
    """Every step with its templates read; UsageError names the place of a wrong one."""
    return tuple(_read(steps, number, f"{where}[{number}]") for number in range(len(steps)))


def written(arguments: JsonObject, bindings: Sequence[Binding]) -> JsonObject:
    """Arguments as a person writes them: `{{ steps.0.result.id }}` where a value is bound."""
    said: JsonObject = arguments
    for path, text in leaves(arguments):
        here = [binding for binding in bindings if binding.argument == path]
        if isinstance(text, str):
            said = put(said, path, _expressed(text, here))
        elif here:
            said = put(said, path, _expression(here[0]))
    return said


def _expressed(text: str, bindings: Sequence[Binding]) -> str:
    places = sorted(
        (start, len(text) - len(after), binding)
        for binding in bindings
        for start, after in [_around(text, binding.template)]
    )
    said, end = "", 0
    for start, stop, binding in places:
        if start >= end:
            said += _literal(text[end:start]) + _expression(binding)
            end = stop
    return said + _literal(text[end:])


def _around(text: str, template: str) -> tuple[int, str]:
    """Where the value starts in a text, and what stands after it."""
    for hole in re.finditer(r"\{\}", template):
        before, after = template[: hole.start()], template[hole.end() :]
        fits = len(before) + len(after) <= len(text)
        if fits and text.startswith(before) and text.endswith(after):
            return len(before), after
    return 0, ""


def _literal(text: str) -> str:
    return text.replace("{{", "{{ '{{' }}")


def _expression(binding: Binding) -> str:
    way = "".join(map(_part, steps_of(binding.path)))
    return f"{{{{ steps.{binding.step}.result{way} }}}}"


def _part(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    plain = re.fullmatch(r"[^.\[\]\s\"']+", step) and not step.isdigit()
    return f".{step}" if plain else f"[{json.dumps(step, ensure_ascii=False)}]"


def _read(steps: Sequence[Step], number: int, where: str) -> Written:
    arguments: JsonObject = steps[number].args
    bindings: list[Binding] = []
    for path, text in leaves(arguments):
        if not isinstance(text, str) or "{{" not in text:
            continue
        place = f"{where}.args.{path}"
        plain, found = _text(text, path, lambda said, at=place: _source(said, steps, number, at))  # type: ignore[misc]
        if not found and "{{" in _EXPRESSION.sub("", text):
            raise UsageError(f"{place}: `{{{{` is never closed", hint=_HINT)
        arguments = put(arguments, path, plain)
        bindings += found
    return Written(arguments=arguments, bindings=tuple(bindings))


def _text(
    text: str, argument: str, source: Callable[[str], tuple[int, str]]
) -> tuple[str, list[Binding]]:
    """The text with its quoted literals in place, and a binding for each expression."""
    plain, end = "", 0
    spans: list[tuple[int, int, int, str]] = []
    for found in _EXPRESSION.finditer(text):
        plain += text[end : found.start()]
        said = found[1].strip()
        if literal := _LITERAL.fullmatch(said):
            plain += literal[2]
        else:
            step, path = source(said)
            spans.append((len(plain), len(plain) + len(found[0]), step, path))
            plain += found[0]
        end = found.end()
    plain += text[end:]
    return plain, [
        Binding(
            argument=argument,
            step=step,
            path=path,
            template=f"{plain[:start]}{{}}{plain[stop:]}",
        )
        for start, stop, step, path in spans
    ]


def _source(said: str, steps: Sequence[Step], number: int, place: str) -> tuple[int, str]:
    found = _READS.fullmatch(said)
    if found is None:
        raise UsageError(f"{place}: `{{{{ {said} }}}}` is no template", hint=_HINT)
    step = int(found[1] or found[2])
    if step >= number:
        why = "it has not run yet" if step < len(steps) else f"there are {len(steps)}"
        raise UsageError(f"{place}: no answer of step {step} to read: {why}", hint=_HINT)
    if not steps[step].tool:
        raise UsageError(f"{place}: step {step} is no call, it has no result", hint=_HINT)
    return step, _path(found[3], said, place)


def _path(rest: str, said: str, place: str) -> str:
    path, end = "", 0
    while end < len(rest):
        found = _PART.match(rest, end)
        if found is None:
            raise UsageError(
                f"{place}: `{{{{ {said} }}}}`: no path in `{rest[end:].strip()}`", hint=_HINT
            )
        number, name, position, quoted, single = found.groups()
        if number is not None or position is not None:
            path = index_path(path, int(number or position))
        elif quoted is not None:
            path = key(path, json.loads(f'"{quoted}"'))
        else:
            path = key(path, name if name is not None else single)
        end = found.end()
    return path
