"""The project file, `mcp-eval.yaml`: targets, agents, policy, what is expected, and where."""

import re
from pathlib import PurePath

import msgspec

from mcp_eval.formats.fields import Fields, did_you_mean, named
from mcp_eval.formats.servers import LISTS, servers
from mcp_eval.formats.targets import one_of, target_of
from mcp_eval.formats.yaml import Node, read_yaml, wrong
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.policy import Expectation, Policy
from mcp_eval.model.project import Project, TargetSpec

_KEYS = (
    "targets",
    "default_target",
    "agent",
    "agents",
    "judge",
    "lanes",
    "policy",
    "expect",
    "paths",
    *LISTS,
)
_PLACES = ("scenarios", "baselines", "reports")
_EXPECT_KEYS = ("finding", "reason", "expires", "scenario")
_LANES = ("surface", "replay", "agent")
_STATUSES = ("acceptable", "degraded", "broken")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
# What a policy says of itself is read from its noun; these two have places of their own.
_POLICY = {
    field.name: field.type
    for field in msgspec.structs.fields(Policy)
    if field.name not in {"expect", "today"}
}


def read_project(payload: bytes, *, path: str) -> Project:
    """The project in a file; UsageError with line and column where something is off."""
    root = read_yaml(payload, path=path)
    if root.value is None:
        return Project(path=path)
    fields = Fields(root, path, _KEYS, what="a project file", strict=False)
    _refuse_unknown(fields)
    base = str(PurePath(path).parent)
    targets = {
        name: target_of(name, node, path, base) for name, node in fields.members("targets").items()
    }
    for name in LISTS:
        if (listed := fields.get(name)) is not None:
            targets |= servers(listed, path, base)
    places = _places(fields)
    return Project(
        path=path,
        targets=targets,
        default_target=_default(fields, targets),
        agent=fields.text("agent"),
        agents={
            name: _mapping(node, path, f"the agent '{name}'")
            for name, node in fields.members("agents").items()
        },
        judge=fields.text("judge"),
        lanes=_lanes(fields),
        policy=_policy(fields),
        **{name: _from(base, place) for name, place in places.items()},
    )


def _refuse_unknown(fields: Fields) -> None:
    for key in fields.unknown():
        place = fields.node.keys.get(key, fields.node)
        hint = did_you_mean(key, _KEYS)
        if key in _PLACES:
            hint = f"it goes under `paths:`, as in `paths: {{{key}: …}}`"
        elif key in _POLICY:
            hint = f"it goes under `policy:`, as in `policy: {{{key}: …}}`"
        raise fields.wrong(place, f"unknown key '{key}'", hint=hint)


def _places(fields: Fields) -> dict[str, str]:
    node = fields.get("paths")
    if node is None:
        return {name: getattr(Project(), name) for name in _PLACES}
    paths = Fields(node, fields.path, _PLACES, what="'paths'")
    return {name: paths.text(name, getattr(Project(), name)) for name in _PLACES}


def _from(base: str, place: str) -> str:
    """A folder of the project, from where the command runs."""
    return str(PurePath(base) / place)


def _default(fields: Fields, targets: dict[str, TargetSpec]) -> str:
    text = fields.text("default_target")
    if text and text not in targets:
        hint = did_you_mean(text, targets) if targets else "the file names no target at all"
        raise fields.wrong(
            fields.node.value["default_target"], f"no target is called '{text}'", hint=hint
        )
    return text


def _lanes(fields: Fields) -> tuple[str, ...]:
    lanes = fields.texts("lanes")
    for lane in lanes:
        if lane not in _LANES:
            raise fields.wrong(
                fields.node.value["lanes"],
                f"no lane is called '{lane}'",
                hint=did_you_mean(lane, _LANES),
            )
    return lanes


def _mapping(node: Node, path: str, what: str) -> JsonObject:
    if node.value is None:
        return {}
    if not isinstance(node.value, dict):
        raise wrong(node, path, f"{what} is a mapping, not {named(node.value)}")
    found: JsonObject = node.plain()
    return found


def _policy(fields: Fields) -> Policy:
    expect = tuple(_expectation(node, fields.path) for node in fields.items("expect"))
    node = fields.get("policy")
    if node is None:
        return Policy(expect=expect)
    if isinstance(node.value, str):
        return Policy(name=_policy_name(fields, node), expect=expect)
    said = Fields(node, fields.path, tuple(_POLICY), what="'policy'")
    values = {key: _choice(said, key) for key in _POLICY if said.get(key) is not None}
    return Policy(**values, expect=expect)


def _policy_name(fields: Fields, node: Node) -> str:
    known = ("default", "seed")
    if node.value not in known:
        hint = did_you_mean(node.value, known)
        raise fields.wrong(node, f"no policy is called '{node.value}'", hint=hint)
    return str(node.value)


def _choice(said: Fields, key: str) -> Json:
    """One choice of the policy, as the noun wants it."""
    node = said.node.value[key]
    if key == "tools":
        return said.texts(key)
    if key == "fail_on":
        return one_of(said, key, _STATUSES)
    try:
        value = msgspec.convert(node.plain(), _POLICY[key])
    except msgspec.ValidationError:
        wanted = {str: "text", int: "a whole number"}.get(_POLICY[key], "a number")
        raise said.wrong(node, f"'{key}' expects {wanted}, not {named(node.value)}") from None
    if isinstance(value, (int, float)) and value < 0:
        raise said.wrong(node, f"'{key}' expects a number from 0 up")
    if key == "threshold" and value is not None and value > 1:
        raise said.wrong(node, "'threshold' expects a score, from 0 to 1")
    return value


def _expectation(node: Node, path: str) -> Expectation:
    fields = Fields(node, path, _EXPECT_KEYS, what="each of 'expect'")
    finding, reason = fields.text("finding"), fields.text("reason")
    if not finding:
        raise wrong(node, path, "an expectation names no finding", hint="as in `tool-added@echo`")
    if not reason:
        raise wrong(node, path, f"the expectation '{finding}' has no reason", hint="say why")
    expires = fields.text("expires")
    if expires and not _DAY.fullmatch(expires):
        raise wrong(node.value["expires"], path, f"'{expires}' is no day", hint="as in 2030-01-31")
    return Expectation(
        finding=finding, reason=reason, expires=expires, scenario=fields.text("scenario")
    )
