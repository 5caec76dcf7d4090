"""YAML as plain values that remember their line: safe, bounded, and strict about doubled keys."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from mcp_eval.errors import UsageError
from mcp_eval.model.base import Json

MAX_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 100
MAX_NODES = 200_000  # aliases counted as often as they are used

_INTEGER = re.compile(r"[-+]?[0-9]+\Z|0o[0-7]+\Z|0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)\Z|\.(?:nan|NaN|NAN)\Z")
_WORDS: Final[dict[str, bool | None]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_SURROGATE = re.compile("[\ud800-\udfff]")
Event = Any  # the parser's events carry no types

_TEXT_TAG = "tag:yaml.org,2002:str"


@dataclass(kw_only=True)
class Node:
    """One value of a file, and where it stands; line 0 where nobody knows."""

    value: Any = None  # a scalar, a list of nodes, or a dict of nodes
    line: int = 0
    column: int = 0
    keys: dict[str, "Node"] = field(default_factory=dict)  # of a mapping: where its keys stand
    size: int = 1

    @classmethod
    def of(cls, value: Json) -> "Node":
        """A value that came without lines, as from JSON."""
        if isinstance(value, dict):
            return cls(value={name: cls.of(member) for name, member in value.items()})
        if isinstance(value, list):
            return cls(value=[cls.of(item) for item in value])
        return cls(value=value)

    def plain(self) -> Json:
        """The value without its places."""
        if isinstance(self.value, dict):
            return {name: member.plain() for name, member in self.value.items()}
        if isinstance(self.value, list):
            return [item.plain() for item in self.value]
        return self.value


def wrong(node: Node, path: str, message: str, *, hint: str = "") -> UsageError:
    """The error of a place in a file: `path:LINE:COL: message`."""
    where = f"{path}:{node.line}:{node.column}" if node.line else path
    return UsageError(f"{where}: {message}", hint=hint)


def read_yaml(payload: bytes, *, path: str) -> Node:
    """The one document of a file; an empty file is a null."""
    reading = _Reading(path=path)
    for event in _events(_text(payload, path), path):
        reading.take(event)
    return reading.root


def _text(payload: bytes, path: str) -> str:
    if len(payload) > MAX_BYTES:
        raise UsageError(f"{path}: over 4 MB of YAML", hint="is this the right file?")
    try:
        return payload.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{path}: byte {error.start} is not UTF-8 text", hint="save the file as UTF-8"
        ) from error


def _events(text: str, path: str) -> Iterator[Event]:
    """What the parser meets; it neither recurses nor builds objects, whatever the file says."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        yield from YAML(typ="safe", pure=True).parse(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Node(line=mark.line + 1, column=mark.column + 1) if mark else Node()
        said = " ".join(str(error.problem or error.context or "not YAML").split())
        raise wrong(
            place, path, said, hint="the line is no valid YAML: quotes and indents?"
        ) from error
    except (YAMLError, ValueError, IndexError, OverflowError) as error:
        said = str(error).strip().split("\n")[0]
        raise UsageError(f"{path}: not YAML: {said}", hint="is this the right file?") from error


@dataclass(kw_only=True)
class _Reading:
    """The tree as it grows, event by event."""

    path: str
    root: Node = field(default_factory=Node)
    documents: int = 0
    open: list[Node] = field(default_factory=list)
    anchored: list[str | None] = field(default_factory=list)
    pending: list[Node | None] = field(default_factory=list)  # a mapping's key that waits
    anchors: dict[str, Node] = field(default_factory=dict)
    nodes: int = 0

    def take(self, event: Event) -> None:
        kind = type(event).__name__
        place = Node(line=event.start_mark.line + 1, column=event.start_mark.column + 1)
        if kind in ("MappingStartEvent", "SequenceStartEvent"):
            self._begin(place, event, {} if kind == "MappingStartEvent" else [])
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            self._end()
        elif kind == "ScalarEvent":
            self._scalar(place, event)
        elif kind == "AliasEvent":
            self._alias(place, event.anchor)
        elif kind == "DocumentStartEvent":
            self.documents += 1
            if self.documents > 1:
                raise self._wrong(
                    place, "a second document", "one file, one document: drop the '---'"
                )

    def _begin(self, place: Node, event: Event, value: Json) -> None:
        self._untagged(place, event)
        if len(self.open) >= MAX_DEPTH:
            raise self._wrong(place, f"nested deeper than {MAX_DEPTH} levels", "")
        place.value = value
        self.open.append(place)
        self.anchored.append(event.anchor)
        self.pending.append(None)

    def _end(self) -> None:
        node, anchor, key = self.open.pop(), self.anchored.pop(), self.pending.pop()
        if key is not None:
            raise self._wrong(key, f"the key '{key.value}' has no value", "")
        self._settle(node, anchor)

    def _scalar(self, place: Node, event: Event) -> None:
        self._untagged(place, event)
        self.nodes += 1
        if _SURROGATE.search(event.value):
            raise self._wrong(place, "half a surrogate pair stands for no character", "")
        is_key = bool(self.open) and isinstance(self.open[-1].value, dict) and not self.pending[-1]
        plain = event.implicit[0] and not is_key and event.ctag is None
        place.value = self._resolve(place, event.value) if plain else event.value
        self._settle(place, event.anchor)

    def _resolve(self, place: Node, text: str) -> Json:
        """What an unquoted word means; a date stays the text it is."""
        if text in _WORDS:
            return _WORDS[text]
        if _NOT_FINITE.match(text):
            raise self._wrong(
                place, f"{text} is no number that JSON can carry", "write it in quotes"
            )
        try:
            return _number(text)
        except (ValueError, OverflowError):
            raise self._wrong(
                place, f"{text[:20]}… is too large a number", "write it in quotes"
            ) from None

    def _alias(self, place: Node, anchor: str) -> None:
        if anchor not in self.anchors:
            raise self._wrong(place, f"'*{anchor}' names nothing that is complete by here", "")
        target = self.anchors[anchor]
        self._settle(Node(**{**vars(target), "line": place.line, "column": place.column}), None)

    def _settle(self, node: Node, anchor: str | None) -> None:
        """Put a complete node where it belongs."""
        if anchor:
            self.anchors[anchor] = node
        if not self.open:
            self.root = node
            return
        parent = self.open[-1]
        parent.size += node.size
        if parent.size > MAX_NODES:
            raise self._wrong(node, f"over {MAX_NODES:,} values", "aliases count each time")
        if isinstance(parent.value, list):
            parent.value.append(node)
        else:
            self._member(parent, node)

    def _member(self, parent: Node, node: Node) -> None:
        key = self.pending[-1]
        if key is None:
            self._key(parent, node)
            return
        self.pending[-1] = None
        if key.value == "<<":
            self._merge(parent, key, node)
            return
        parent.value[key.value] = node
        parent.keys[key.value] = key

    def _key(self, parent: Node, node: Node) -> None:
        if isinstance(node.value, (dict, list)):
            raise self._wrong(node, "a key must be a word", "")
        key = node.value if isinstance(node.value, str) else str(node.value)
        if key in parent.keys:
            first = parent.keys[key].line
            raise self._wrong(node, f"the key '{key}' stands twice", f"first on line {first}")
        self.pending[-1] = Node(value=key, line=node.line, column=node.column)

    def _merge(self, parent: Node, key: Node, node: Node) -> None:
        """`<<: *defaults`: what the mapping does not say itself, it takes from there."""
        sources = node.value if isinstance(node.value, list) else [node]
        for source in sources:
            if not isinstance(source.value, dict):
                raise self._wrong(key, "'<<' takes a mapping", "")
            for name, member in source.value.items():
                parent.value.setdefault(name, member)

    def _untagged(self, place: Node, event: Event) -> None:
        if event.ctag is not None and str(event.ctag) not in (_TEXT_TAG, "!"):
            raise self._wrong(place, "tags are not read", "drop the word that begins with '!'")

    def _wrong(self, place: Node, message: str, hint: str) -> UsageError:
        return wrong(place, self.path, message, hint=hint)


def _number(text: str) -> Json:
    if _INTEGER.match(text):
        return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
    if not _FLOAT.match(text):
        return text
    number = float(text)
    if not math.isfinite(number):
        raise OverflowError
    return number
