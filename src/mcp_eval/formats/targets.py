"""One target of a project file: how to start, reach, reset and identify it."""

import shlex

from mcp_eval.formats.fields import Fields, did_you_mean, named
from mcp_eval.formats.yaml import Node
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.project import TargetSpec

_WAYS = ("command", "url", "config_file", "image", "compose", "kind")
_TARGET_KEYS = (
    *_WAYS,
    "env",
    "cwd",
    "transport",
    "headers",
    "options",
    "checkout",
    "build",
    "preflight",
    "sha256",
    "previous",
    "resettable",
    "home",
    "start_timeout",
    "call_timeout",
)
_TRANSPORTS = ("stdio", "streamable-http", "sse")


def target_of(name: str, node: Node, path: str, base: str) -> TargetSpec:
    """One target, as it is written; a text alone is a URL or a command."""
    if isinstance(node.value, str):
        node = Node(value={_way_of(node.value): node}, line=node.line, column=node.column, keys={})
    fields = Fields(node, path, _TARGET_KEYS, what=f"the target '{name}'", strict=False)
    options = _options(fields)
    _one_way(fields, name)
    return TargetSpec(
        name=name,
        command=_command(fields),
        env=fields.words("env"),
        cwd=fields.text("cwd"),
        url=fields.text("url"),
        transport=one_of(fields, "transport", _TRANSPORTS),
        headers=fields.words("headers"),
        config_file=fields.text("config_file"),
        image=fields.text("image"),
        compose=_compose(fields),
        kind=fields.text("kind"),
        options=options,
        checkout=fields.text("checkout"),
        build=fields.text("build"),
        preflight=fields.texts("preflight"),
        sha256=fields.text("sha256"),
        previous=_previous(fields, name, base),
        resettable=_resettable(fields),
        home=one_of(fields, "home", ("fresh",)),
        start_timeout=_seconds(fields, "start_timeout", 30.0),
        call_timeout=_seconds(fields, "call_timeout", 60.0),
        base=base,
    )


def _way_of(text: str) -> str:
    return "url" if text.startswith(("http://", "https://")) else "command"


def _options(fields: Fields) -> JsonObject:
    """What only a plug-in's kind knows; a slip of the pen is met all the same."""
    options = fields.object("options")
    kind = fields.get("kind") is not None
    for key in fields.unknown():
        hint = did_you_mean(key, _TARGET_KEYS)
        if not kind or hint.startswith("did you mean"):
            place = fields.node.keys.get(key, fields.node)
            raise fields.wrong(place, f"unknown key '{key}'", hint=hint)
        options[key] = fields.node.value[key].plain()
    return options


def _one_way(fields: Fields, name: str) -> None:
    present = [way for way in _WAYS if fields.get(way) is not None]
    # A command may listen at a URL of its own, and a compose file publishes one.
    reached = [way for way in present if way != "url"]
    if not present:
        raise fields.wrong(
            fields.node,
            f"the target '{name}' does not say how to reach it",
            hint=f"give it one of: {', '.join(_WAYS)}",
        )
    if len(reached) > 1:
        said = " and ".join(f"'{way}'" for way in reached)
        raise fields.wrong(fields.node, f"the target '{name}' says {said}", hint="keep one")


def _command(fields: Fields) -> tuple[str, ...]:
    node = fields.get("command")
    if node is None:
        return ()
    if isinstance(node.value, list):
        words = tuple(fields.word_of(item, "each word of 'command'") for item in node.value)
    else:
        words = _split(fields, node)
    if not words:
        raise fields.wrong(node, "'command' is empty")
    return words


def _split(fields: Fields, node: Node) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(fields.text_of(node, "'command'")))
    except ValueError as error:
        raise fields.wrong(
            node, f"'command': {error}", hint="quote it as a shell would, or write a list of words"
        ) from error


def _compose(fields: Fields) -> JsonObject:
    node = fields.get("compose")
    if node is not None and isinstance(node.value, str):
        return {"file": node.value}
    return fields.object("compose")


def _previous(fields: Fields, name: str, base: str) -> Json:
    """The old build: read now, so that a mistake in it is said before anything starts."""
    node = fields.get("previous")
    if node is None:
        return None
    if isinstance(node.value, dict):
        target_of(f"{name} (previous)", node, fields.path, base)
    elif not isinstance(node.value, str):
        raise fields.wrong(
            node,
            f"'previous' expects a name, a command, a URL or a mapping, not {named(node.value)}",
        )
    return node.plain()


def _resettable(fields: Fields) -> bool | str | None:
    node = fields.get("resettable")
    if node is None:
        return None
    if isinstance(node.value, bool) or (isinstance(node.value, str) and node.value.strip()):
        return node.value
    raise fields.wrong(
        node,
        "'resettable' expects true, false or the command that resets the target",
        hint="true: a new process in an empty folder starts clean",
    )


def one_of(fields: Fields, key: str, known: tuple[str, ...]) -> str:
    """A text that is one of a few."""
    text = fields.text(key)
    if text and text not in known:
        raise fields.wrong(
            fields.node.value[key], f"'{key}' cannot be '{text}'", hint=did_you_mean(text, known)
        )
    return text


def _seconds(fields: Fields, key: str, default: float) -> float:
    value = fields.number(key, default)
    if not value:
        raise fields.wrong(fields.node.value[key], f"'{key}' expects more than 0 seconds")
    return value
