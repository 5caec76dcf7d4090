"""What of an answer counts: not its echoes, counts, flags and messages, nor what varies by form."""

from collections.abc import Iterator

from mcp_eval.compare import words
from mcp_eval.compare.glance import carries
from mcp_eval.compare.paths import leaf as last_name
from mcp_eval.compare.paths import leaves, walk
from mcp_eval.compare.shapes import json_type, volatile
from mcp_eval.compare.words import named
from mcp_eval.model.base import Json, JsonObject


def is_empty(value: Json) -> bool:
    """Whether an answer carries nothing: empty containers, or null, and no other substance."""
    if isinstance(value, str):
        return not value.strip() or bool(words.EMPTY.match(value.strip()))
    if value is None or value in ([], {}):
        return True
    if not isinstance(value, dict | list):
        return False
    if carries(value) or any(True for _ in substance(value)):
        return False
    return any(_sign_of_emptiness(path, member) for path, member in walk(value))


def _sign_of_emptiness(path: str, member: Json) -> bool:
    if member is None or member in ([], {}):
        return not named(path, words.ERRORS)  # no error is no emptiness
    if isinstance(member, str):
        return bool(named(path, words.MESSAGES) or not path) and bool(
            words.EMPTY.match(member.strip())
        )
    return False


def substance(
    value: Json, arguments: JsonObject | None = None, moment: str = ""
) -> Iterator[tuple[str, Json]]:
    """The leaves that count: no echoes, counts, flags, messages, volatile or empty ones."""
    echoes = {
        _comparable(member) for _, member in leaves(arguments or {}) if member not in ("", None)
    }
    for path, member in walk(value):
        if member is None or member in ([], {}, ""):
            continue
        if path and _formal(path, member):
            continue
        if _comparable(member) in echoes or volatile(member, path, moment):
            continue
        yield path, member


def _formal(path: str, member: Json) -> bool:
    """A count, a flag or a message: about the answer rather than the answer."""
    if isinstance(member, bool):
        return True
    if isinstance(member, int | float):
        return named(path, words.COUNTS | words.LIMITS | words.DURATIONS)
    name = last_name(path)
    nested = "[" in path
    if named(path, words.FLAGS | words.STATUSES):
        return not nested
    return bool(name) and not nested and named(path, words.NOTICES)


def _comparable(member: Json) -> str:
    return f"{json_type(member)}:{member}".casefold()


def echo_paths(value: Json, arguments: JsonObject) -> set[str]:
    """Where an answer merely repeats its arguments."""
    echoes = {_comparable(member) for _, member in leaves(arguments) if member not in ("", None)}
    return {path for path, member in leaves(value) if _comparable(member) in echoes}
