"""Foreign text made harmless for any reader: controls shown, directions undone, lengths capped."""

import json
import unicodedata

from mcp_eval.model.base import Json

# Joiners shape emoji and Persian words; they cannot move or hide anything by themselves.
_KEPT = frozenset("\u200c\u200d")
_HIDING = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_SELECTORS = range(0xE0100, 0xE01F0)  # invisible, and able to carry a whole message


def visible(text: str, *, keep: str = "") -> str:
    """The text with every character that acts instead of showing written as its escape."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        character if _shows(character, keep) else _escape(character) for character in text
    )


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
