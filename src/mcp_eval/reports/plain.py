"""Foreign text made harmless for any reader: controls shown, directions undone, lengths capped."""

import json
import re
import unicodedata
from functools import lru_cache

from mcp_eval.model.base import Json

# Joiners shape emoji and Persian words; they cannot move or hide anything by themselves.
_KEPT = frozenset("\u200c\u200d")
_HIDING = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_SELECTORS = range(0xE0100, 0xE01F0)  # invisible, and able to carry a whole message
_SPECIAL = re.compile(r"[^ -~]")
# No script stacks this many marks on one letter; more of them paint over the neighbouring lines.
_MARKS = 8
_PILED = re.compile("[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]{9,}")


def visible(text: str, *, keep: str = "") -> str:
    """The text with every character that acts instead of showing written as its escape."""
    if text.isascii() and text.isprintable():
        return text
    escaped = _SPECIAL.sub(lambda found: _plainly(found[0], keep), text)
    return _PILED.sub(lambda found: found[0][:_MARKS], escaped)


def line(text: str, limit: int = 400) -> str:
    """The text on one line, harmless and capped."""
    head = text[: limit * 2]
    whole = " ".join(head.split()) if len(head) == len(text) else " ".join(head.split()) + " "
    return capped(visible(whole), limit, total=len(text))


def block(text: str, limit: int = 4000) -> str:
    """The text with its line breaks, harmless and capped."""
    head = text[: limit + 1].replace("\r\n", "\n").replace("\r", "\n")
    return capped(visible(head, keep="\n\t"), limit, total=len(text))


def capped(text: str, limit: int, *, total: int = 0) -> str:
    """At most `limit` characters, and how many were left out."""
    size = max(total, len(text))
    if len(text) <= limit and size <= limit:
        return text
    tail = f"… ({size:,} characters)"
    return text[: max(0, limit - len(tail))].rstrip() + tail


def shown(value: Json, limit: int = 200) -> str:
    """A JSON value on one line, harmless and capped."""
    if isinstance(value, str):
        text = json.dumps(value[: limit * 2], ensure_ascii=False)
        return capped(visible(text), limit, total=len(value))
    return line(json.dumps(value, ensure_ascii=False, default=str), limit)


@lru_cache(maxsize=4096)
def _plainly(character: str, keep: str) -> str:
    return character if _shows(character, keep) else _escape(character)


def _shows(character: str, keep: str) -> bool:
    if character in keep or character in _KEPT:
        return True
    if ord(character) in _SELECTORS:
        return False
    return unicodedata.category(character) not in _HIDING


def _escape(character: str) -> str:
    point = ord(character)
    if point <= 0xFF:  # noqa: PLR2004 - what two hex digits can say
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point <= 0xFFFF else f"\\U{point:08x}"  # noqa: PLR2004 - four digits
