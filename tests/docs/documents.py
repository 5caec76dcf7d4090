"""The documents as tests read them: fenced blocks, each with the HTML comment right before it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = (
    ROOT / "README.md",
    ROOT / "ARCHITECTURE.md",
    *sorted((ROOT / "docs").rglob("*.md")),
)

_FENCE = re.compile(r"^(`{3,})(\w*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
_NOTE = re.compile(r"<!-- ([a-z][a-z ,]*): ((?:(?!-->)[\s\S])*?) -->\s*\Z")
_SPAN = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and what the comment before it says of it."""

    document: str
    line: int
    language: str
    text: str
    note: str = ""  # "shown, not run", "exits", "file", "read as", "printed by"
    said: str = ""

    def __str__(self) -> str:
        return f"{self.document}:{self.line}"


def blocks(document: Path) -> Iterator[Block]:
    """Every fenced block of a document, in order."""
    text = document.read_text(encoding="utf-8")
    for found in _FENCE.finditer(text):
        note = _NOTE.search(text[: found.start()])
        yield Block(
            document=named(document),
            line=text.count("\n", 0, found.start()) + 1,
            language=found[2],
            text=found[3],
            note=note[1] if note else "",
            said=note[2] if note else "",
        )


def spans(document: Path) -> list[str]:
    """What stands in single backticks, outside of blocks."""
    return _SPAN.findall(_FENCE.sub("", document.read_text(encoding="utf-8")))


def links(document: Path) -> list[str]:
    """Where the document points to."""
    return _LINK.findall(_FENCE.sub("", document.read_text(encoding="utf-8")))


def named(document: Path) -> str:
    """A document as a test's id."""
    return str(document.relative_to(ROOT))
