"""Scenario files: what a person wants, the calls expected, and what success means."""

import hashlib
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

import msgspec

from mcp_eval.compare.matchers import complaint
from mcp_eval.formats.criteria import KINDS, criterion, typed
from mcp_eval.formats.fields import Fields, did_you_mean, named
from mcp_eval.formats.yaml import Node, read_yaml, wrong
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.scenario import Criterion, Scenario, Step

_KEYS = (
    "name",
    "description",
    "enabled",
    "user_intent",
    "expected_trajectory",
    "success_criteria",
    "config_file",
    "tags",
    "setup",
    "steps",
    "answers",
)
# What a step does: exactly one of these.
_DEEDS = ("tool", "resource", "prompt", "run", "wait", "restart")
_STEP_KEYS = ("action", *_DEEDS, "args", "method", "match", "notes")
_METHODS = {"tool": "tools/call", "resource": "resources/read", "prompt": "prompts/get"}
_ANSWERS = {
    "sampling": "sampling/createMessage",
    "elicitation": "elicitation/create",
    "roots": "roots/list",
}


def read_scenario(payload: bytes, *, path: str) -> Scenario:
    """The scenario in a file; UsageError with line and column where something is off."""
    fields = Fields(read_yaml(payload, path=path), path, _KEYS, what="a scenario")
    stem = PurePath(path).stem
    scenario = Scenario(
        name=fields.text("name", stem),
        stem=stem,
        path=path,
        description=fields.text("description"),
        enabled=fields.flag("enabled", default=True),
        user_intent=fields.text("user_intent"),
        expected_trajectory=_steps(fields, "expected_trajectory"),
        success_criteria=_criteria(fields),
        config_file=fields.text("config_file"),
        tags=fields.texts("tags"),
        setup=_steps(fields, "setup"),
        steps=_steps(fields, "steps"),
        answers=_answers(fields),
    )
    return msgspec.structs.replace(scenario, fingerprint=fingerprint(scenario))


def fingerprint(scenario: Scenario) -> str:
    """Changes when a recording of the scenario would: steps, setup, typed criteria; not wording."""
    heart = {
        "expected": [_deed(step) for step in scenario.expected_trajectory],
        "setup": [_deed(step) for step in scenario.setup],
        "steps": [_deed(step) for step in scenario.steps],
        "criteria": [
            [wish.kind, wish.subject, wish.operator, wish.value]
            for wish in scenario.success_criteria
            if wish.kind != "prose"
        ],
    }
    return hashlib.sha256(msgspec.json.encode(heart, order="sorted")).hexdigest()[:16]


def _deed(step: Step) -> JsonObject:
    """A step without its label, defaults stated: how a step is spelled must not count."""
    return {name: getattr(step, name) for name in step.__struct_fields__ if name != "action"}


def _steps(fields: Fields, key: str) -> tuple[Step, ...]:
    return tuple(_step(node, fields.path) for node in fields.items(key))


def _step(node: Node, path: str) -> Step:
    if node.value == "restart":
        return Step(restart=True)
    fields = Fields(node, path, _STEP_KEYS, what="a step")
    deed = _what_it_does(fields)
    return Step(
        action=fields.text("action"),
        tool=fields.text(deed) if deed in _METHODS else "",
        args=fields.object("args"),
        method=_method(fields, deed),
        run=fields.text("run"),
        wait=fields.number("wait", 0.0),
        restart=fields.flag("restart", default=False),
        match=_matchers(fields),
    )


def _matchers(fields: Fields) -> JsonObject:
    matchers = fields.object("match")
    for name, matcher in matchers.items():
        if wrong := complaint(matcher):
            node = fields.get("match") or fields.node
            raise fields.wrong(node, f"match of '{name}': {wrong}")
    return matchers


def _what_it_does(fields: Fields) -> str:
    """The one key that says what a step is."""
    present = [deed for deed in _DEEDS if fields.get(deed) is not None]
    if not present:
        raise fields.wrong(
            fields.node, "a step says nothing to do", hint=f"give it one of: {', '.join(_DEEDS)}"
        )
    if len(present) > 1:
        said = " and ".join(f"'{deed}'" for deed in present)
        raise fields.wrong(fields.node, f"a step says {said}", hint="make them two steps")
    deed = present[0]
    node = fields.node.value[deed]
    if node.value in ("", False) and node.value != 0:
        raise fields.wrong(node, f"'{deed}' is empty")
    for key in ("args", "match", "method"):
        if deed not in _METHODS and fields.get(key) is not None:
            raise fields.wrong(fields.node, f"'{key}' says nothing beside '{deed}'")
    return deed


def _method(fields: Fields, deed: str) -> str:
    """The protocol's method: from the deed, or as it is written."""
    implied = _METHODS.get(deed, "tools/call")
    node = fields.get("method")
    if node is None:
        return implied
    written = fields.text("method")
    if written not in _METHODS.values():
        hint = did_you_mean(written, _METHODS.values())
        raise fields.wrong(node, f"no step can be made of '{written}'", hint=hint)
    if deed != "tool" and written != implied:
        raise fields.wrong(node, f"'{deed}' is made by {implied}, not by {written}")
    return written


def _criteria(fields: Fields) -> tuple[Criterion, ...]:
    node = fields.get("success_criteria")
    if node is not None and isinstance(node.value, str):
        return (_criterion(node, fields.path),)
    return tuple(_criterion(item, fields.path) for item in fields.items("success_criteria"))


def _criterion(node: Node, path: str) -> Criterion:
    try:
        if isinstance(node.value, dict) and len(node.value) == 1:
            ((kind, rest),) = node.value.items()
            return _typed(kind, rest, node, path)
        if isinstance(node.value, str):
            return criterion(node.value)
    except ValueError as error:
        hint = "as in `result: steps.1.result.total >= 1`"
        raise wrong(node, path, str(error), hint=hint) from error
    raise wrong(
        node,
        path,
        f"a criterion is one text or one of {', '.join(KINDS)}, not {named(node.value)}",
        hint="put a sentence with a colon or a number in quotes",
    )


def _typed(kind: str, rest: Node, node: Node, path: str) -> Criterion:
    if kind not in KINDS:
        hint = f"{did_you_mean(kind, KINDS)} (a sentence with a colon goes in quotes)"
        raise wrong(node, path, f"unknown kind of criterion '{kind}'", hint=hint)
    if rest.value is None or isinstance(rest.value, (dict, list)):
        raise wrong(node, path, f"'{kind}' expects text, not {named(rest.value)}")
    word = str(rest.value).lower() if isinstance(rest.value, bool) else str(rest.value)
    return typed(kind, word)


def _answers(fields: Fields) -> dict[str, Json]:
    """Results for the server's own requests, by method; the short names stand for it."""
    known = (*_ANSWERS, *_ANSWERS.values())
    answers: dict[str, Json] = {}
    for name, member in fields.members("answers").items():
        if name not in known:
            place = fields.node.value["answers"].keys.get(name, member)
            said = f"no server request is called '{name}'"
            raise fields.wrong(place, said, hint=did_you_mean(name, known))
        answers[_ANSWERS.get(name, name)] = member.plain()
    return answers


def write_scenario(scenario: Scenario) -> bytes:
    """The scenario as YAML that reads back equal."""
    from mcp_eval.formats.writing import write_yaml

    written: dict[str, Any] = {
        "name": scenario.name,
        "description": scenario.description,
        "enabled": scenario.enabled,
        "user_intent": scenario.user_intent,
        "config_file": scenario.config_file,
        "tags": list(scenario.tags),
        "setup": [_written(step) for step in scenario.setup],
        "steps": [_written(step) for step in scenario.steps],
        "expected_trajectory": [_written(step) for step in scenario.expected_trajectory],
        "success_criteria": [_wish(wish) for wish in scenario.success_criteria],
        "answers": scenario.answers,
    }
    always = ("name", "enabled")
    return write_yaml({name: value for name, value in written.items() if value or name in always})


def write_suggested(scenario: Scenario, steps: Sequence[Step], why: Sequence[str]) -> bytes:
    """A scenario that does nothing yet: the steps it might have stand in comments."""
    from mcp_eval.formats.writing import write_yaml

    said = write_yaml({"expected_trajectory": [_written(step) for step in steps]}).decode()
    lines = [*why, *said.splitlines()]
    return (
        write_scenario(scenario) + "".join(f"# {line}".rstrip() + "\n" for line in lines).encode()
    )


def _written(step: Step) -> JsonObject:
    deeds = {method: deed for deed, method in _METHODS.items()}
    written: JsonObject = {"action": step.action} if step.action else {}
    if step.tool:
        written[deeds[step.method]] = step.tool
        written |= {"args": step.args} if step.args else {}
        written |= {"match": step.match} if step.match else {}
    elif step.run:
        written["run"] = step.run
    elif step.restart:
        written["restart"] = True
    else:
        written["wait"] = step.wait
    return written


def _wish(wish: Criterion) -> Json:
    if wish.kind == "prose":
        return wish.text
    return {wish.kind: wish.text.partition(":")[2].strip()}
