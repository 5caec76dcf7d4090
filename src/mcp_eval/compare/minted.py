"""Which values of an outcome were made up by the server there and then.

Only such a value is followed at replay. A plain name that a search found stays a literal: to follow
it would call whatever the search finds now, and hide that what it found before is gone. So a value
is minted where it looks it (an id, a hash, a cursor, a temporary path, a URL with a port), or where
it stands under an id-like key of a step that creates something.
"""

import re
from collections.abc import Iterator
from itertools import chain

from mcp_eval.compare import anchors
from mcp_eval.compare.answers import answer
from mcp_eval.compare.paths import key, leaf, leaves
from mcp_eval.compare.shapes import text_shape
from mcp_eval.compare.toolkey import tool_key
from mcp_eval.compare.words import IDS, WRITING, named, words_of
from mcp_eval.model.trajectory import Invocation

_SHORTEST = 3
_LONGEST = 500
_OPAQUE = frozenset({"cursor", "token", "handle", "session", "continuation", "etag"})
_NUMBERED = {"id", "ids", "uuid", "guid", "ref", "hash", "sha", "oid", "key", "number", "next"}
_KEYS = _OPAQUE | _NUMBERED | {"revision", "pid"}
_TEMPORARY = re.compile(
    r"(?:file://)?(?:/private)?(?:/tmp|/var/tmp|/var/folders|/dev/shm|/run/user/\d+)/.+"
    r"|[A-Za-z]:\\.*\\temp\\.+",
    re.IGNORECASE | re.DOTALL,
)
_PORT = re.compile(r"[a-z][a-z0-9+.-]*://[^/\s]*:\d{2,5}(?:[/?#].*)?", re.IGNORECASE | re.DOTALL)
_MARK = re.compile(
    r"\b(?:id|uuid|guid|cursor|token|handle|ref|session|key|hash|number|no\.|#)[\s:=#\"'`(]*$",
    re.IGNORECASE,
)


def mints(invocation: Invocation) -> Iterator[tuple[str, str | int]]:
    """Every value that the server made up in this outcome, with its place."""
    outcome = invocation.outcome
    read = answer(outcome)
    if outcome.kind != "result" or read.flagged or invocation.foreign:
        return
    creates = creation(invocation)
    for path, member in chain(leaves(read.extra), leaves(read.value)):
        if isinstance(member, str):
            yield from _of_text(path, member, creates=creates)
        elif isinstance(member, int) and not isinstance(member, bool) and id_like(path):
            yield path, member


def creation(invocation: Invocation) -> bool:
    """Whether the tool's name, or its operation, says that it writes."""
    used = tool_key(invocation.name, invocation.arguments)
    return bool(WRITING.intersection(words_of(used)))


def id_like(path: str) -> bool:
    """Whether a name promises an identifier rather than a name or a position."""
    return named(path, _KEYS)


def _of_text(path: str, text: str, *, creates: bool) -> Iterator[tuple[str, str]]:
    whole = text.strip()
    if not re.search(r"\s", whole):
        if _is_minted(whole, path, creates=creates):
            yield path, whole
        return
    for start, token in anchors.tokens(text):
        # In a text the words before a value are its name.
        name = "id" if _MARK.search(text[max(0, start - _LONGEST) : start]) else ""
        if _is_minted(token, key("", name) if name else "", creates=creates):
            yield anchors.place(path, text, start), token


def _is_minted(text: str, path: str, *, creates: bool) -> bool:
    if not _SHORTEST <= len(text) <= _LONGEST:
        return bool(path) and text.isdigit() and id_like(path)
    shape = text_shape(text)
    if shape in {"uuid", "hash"} or _TEMPORARY.fullmatch(text) or _PORT.fullmatch(text):
        return True
    if shape in {"instant", "date", "duration", "words", "blank"} or not path:
        return False
    if named(path, _OPAQUE):
        return True
    if id_like(path) and any(character.isdigit() for character in text):
        return True
    return creates and named(path, IDS) and leaf(path) != "index"
