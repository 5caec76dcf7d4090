"""The tool an invocation really used: its name, its operation, the tool it wraps.

The key must be the same whichever surface is at hand, so values decide wherever they can: only an
argument whose name could mean anything (`mode`, `type`) asks the schema what it stands for.
"""

import re
from functools import lru_cache

from mcp_eval.compare.parsing import loads
from mcp_eval.compare.words import (
    DISCRIMINATORS,
    READING,
    WRAPPED,
    WRAPPED_ARGUMENTS,
    WRITING,
    words_of,
)
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.surface import Tool

_PREFIX = re.compile(r"mcp__.+?__(?=.)", re.DOTALL)
_IDENTIFIER = re.compile(r"[A-Za-z][\w.:/-]{0,39}")
_TOOL_NAME = re.compile(r"[^\s\[\]{}\"']{1,120}")
_LONGEST = 40
_DEPTH = 3  # a gateway behind a gateway; nobody means more

# These say what is done whatever their schema declares; the others need a value that is a verb.
_CERTAIN = frozenset({"operation", "action", "op", "subcommand", "verb"})
_VERBS = WRITING | READING | frozenset({"new", "on", "off", "undo", "history", "status", "pause"})
_WRAPPERS = frozenset({"tool", "tools", "call", "invoke", "dispatch", "mcp"})
_CALLING = frozenset({"call", "invoke", "execute", "exec", "run", "use", "dispatch"})
_SERVERS = ("server", "server_name", "servername", "mcp_server", "server_id")


def bare_name(name: str) -> str:
    """The name without `mcp__server__`, which a client puts before it."""
    return _PREFIX.sub("", name, count=1) if name.startswith("mcp__") else name


def tool_key(name: str, arguments: JsonObject, tool: Tool | None = None) -> str:
    """The tool key: `upstream_servers[add]`, `call_tool_read → github:create_issue`."""
    return _key(bare_name(name), arguments, _properties(tool), _DEPTH)


def _key(name: str, arguments: Json, declared: JsonObject, depth: int) -> str:
    if not isinstance(arguments, dict):
        return name
    if len(arguments) != 1 and not any(map(_speaks, arguments)):
        return name  # nothing among them says more, as is so in most calls
    if inner := _wrapped(name, arguments, declared, depth):
        return f"{name} → {inner}"
    choice = _choice(arguments, declared)
    return f"{name}[{choice}]" if choice else name


def _properties(tool: Tool | None) -> JsonObject:
    schema: Json = tool.input_schema if tool is not None else {}
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return properties if isinstance(properties, dict) else {}


@lru_cache(maxsize=4096)
def _speaks(argument: str) -> bool:
    """Whether a name may stand for an operation, or for a tool that is wrapped."""
    return "_".join(words_of(argument)) in WRAPPED or _joined(argument) in DISCRIMINATORS


# --- the operation ---


def _choice(arguments: JsonObject, declared: JsonObject) -> str:
    """The value that says which of a tool's operations is meant; "" where none does."""
    named = {_joined(name): name for name in sorted(arguments, reverse=True)}
    for word in DISCRIMINATORS:
        name = named.get(word)
        if name is not None and _discriminates(word, arguments[name], declared.get(name)):
            return str(arguments[name])
    if len(arguments) == 1:
        # Some frameworks put all arguments of a tool into one object.
        ((name, only),) = arguments.items()
        if isinstance(only, dict) and len(only) > 1:
            return _choice(only, _properties(_inside(declared.get(name))))
    return ""


def _inside(schema: Json) -> Tool | None:
    return Tool(name="", input_schema=schema) if isinstance(schema, dict) else None


def _discriminates(word: str, value: Json, schema: Json) -> bool:
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST:
        return False
    if not _IDENTIFIER.fullmatch(value):
        return False
    if word in _CERTAIN or _verb(value):
        return True
    choices = _enum(schema)
    if word in {"command", "method"}:
        return bool(choices)
    return sum(map(_verb, choices)) * 2 > len(choices)


def _enum(schema: Json) -> list[str]:
    """The strings a schema allows, as `enum`, `const`, or alternatives of either."""
    if not isinstance(schema, dict):
        return []
    found = schema.get("enum")
    choices = list(found) if isinstance(found, list) else []
    for name in ("anyOf", "oneOf"):
        members = schema.get(name)
        for member in members if isinstance(members, list) else []:
            if isinstance(member, dict):
                choices += [member.get("const")]
                choices += member["enum"] if isinstance(member.get("enum"), list) else []
    return [choice for choice in choices if isinstance(choice, str)]


def _verb(value: str) -> bool:
    parts = words_of(value)
    return bool(parts) and parts[0] in _VERBS


def _joined(name: str) -> str:
    return "".join(words_of(name))


# --- the wrapped tool ---


def _wrapped(name: str, arguments: JsonObject, declared: JsonObject, depth: int) -> str:
    """The key of the tool that this call passes on to; "" where it passes nothing on."""
    if not depth:
        return ""
    spoken = set(words_of(name))
    for candidate, value in sorted(arguments.items()):
        if not _names_a_tool(candidate, value, spoken):
            continue
        passed = _passed(arguments, candidate)
        if passed is None and not (_declares(declared, candidate) or _calls(spoken)):
            continue
        inner = _key(bare_name(value), passed, {}, depth - 1)
        return f"{_server(arguments)}{inner}"
    return ""


def _names_a_tool(argument: str, value: Json, spoken: set[str]) -> bool:
    word = "_".join(words_of(argument))
    if word not in WRAPPED or not isinstance(value, str) or not _TOOL_NAME.fullmatch(value):
        return False
    # `name` is anybody's; it names a tool where the tool itself speaks of tools or calls.
    return word != "name" or bool(spoken & _WRAPPERS)


def _passed(arguments: JsonObject, candidate: str) -> Json:
    """The arguments passed on: an object, or a text that holds one; None where there are none."""
    for name, value in sorted(arguments.items()):
        if name == candidate or "_".join(words_of(name)) not in WRAPPED_ARGUMENTS:
            continue
        if isinstance(value, dict):
            return value
        if isinstance(value, str) and value.lstrip().startswith("{"):
            return _object(value)
    return None


def _object(text: str) -> JsonObject:
    try:
        value = loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _declares(declared: JsonObject, candidate: str) -> bool:
    return any(
        name != candidate and "_".join(words_of(name)) in WRAPPED_ARGUMENTS for name in declared
    )


def _calls(spoken: set[str]) -> bool:
    return bool(spoken & _CALLING) and bool(spoken & {"tool", "tools"})


def _server(arguments: JsonObject) -> str:
    for name, value in sorted(arguments.items()):
        named = "_".join(words_of(name)) in _SERVERS
        if named and isinstance(value, str) and _TOOL_NAME.fullmatch(value):
            return f"{value}:"
    return ""
