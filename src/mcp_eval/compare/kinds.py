"""Which kind of argument a value is: by schema, name, value and recordings, and what said so."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from mcp_eval.compare.schemas import ANY, Shape, read_shape
from mcp_eval.compare.shapes import text_shape
from mcp_eval.compare.tidy import Schema, tidy
from mcp_eval.compare.words import DISCRIMINATORS, IDS, TIMES, words_of
from mcp_eval.model.base import Json, JsonObject


class Kind(NamedTuple):
    """A kind, and what made it one."""

    name: str
    why: str


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TEXTS = _set(
    "query q text content contents message msg prompt question body description summary title"
    " comment note notes subject instructions intent goal thought reason explanation topic search"
    " keywords observation observations input answer reply caption headline feedback request"
    " requirement requirements context details abstract about bio problem phrase sentence"
)
_CHOICES = _set(
    "sort order direction format state status level priority severity visibility mode kind type"
    " scope role unit units protocol strategy sortby orderby encoding"
) | _set(" ".join(DISCRIMINATORS))
_COMMANDS = _set("command cmd commandline shell bash exec cli argv script")
_CODES = _set(
    "code function expression javascript js python regex regexp pattern glob selector xpath"
    " jq jsonpath cron template formula"
)
_PATHS = _set("path paths file files filename filepath dir directory folder cwd workdir root")
_URLS = _set("url urls uri uris href link endpoint website webpage")
_IDS = IDS | _set(
    "owner user assignee author repo repository branch tag version email host hostname namespace"
    " account customer channel bucket table column label labels names emails users keys"
)
_NUMBERED = _set("id ids uid number no ref key pid code sha issue pr port")
_FORMATS = {
    "uuid": "id",
    "uri": "url",
    "url": "url",
    "uri-reference": "url",
    "iri": "url",
    "email": "id",
    "hostname": "id",
    "ipv4": "id",
    "ipv6": "id",
    "date": "time",
    "date-time": "time",
    "time": "time",
}
_BY_SHAPE = {"uuid": "id", "hash": "id", "instant": "time", "date": "time", "url": "url"}
_SQL = re.compile(
    r"\s*(?:select\b.+\bfrom\b|select\s|insert\s+into\b|update\s+\S+\s+set\b|delete\s+from\b"
    r"|with\s+\w+\s+as\s*\(|create\s+(?:table|index|view|unique)\b|alter\s+table\b|drop\s+table\b"
    r"|pragma\s|explain\s+select\b|truncate\s+table\b|merge\s+into\b)",
    re.IGNORECASE | re.DOTALL,
)
_ENGLISH_SELECT = re.compile(
    r"\s*select\s+(?:a|an|the|all|one|some|your)\s+(?!from\b)", re.IGNORECASE
)
_LONGEST = 512  # no id is longer
_OF_ANY_LENGTH = frozenset({"command", "code", "sql", "text"})
_SENTENCE = 4  # words from which on what is called a name is a text
_FEW, _OFTEN = 4, 5  # so few different values, seen so often, are a choice


_BOOLEAN = Kind("boolean", "true or false")
_NOTHING = Kind("null", "nothing")
_HOLDER = Kind("object", "an object or a list")
_FEW_VALUES = Kind("enum", "one of few recorded values")
_WORDS = Kind("text", "words")
_ONE_WORD = Kind("id", "one word, as recorded")


class Hints:
    """What a schema and recordings say of one value, and of what is in it."""

    __slots__ = ("_inner", "_profile", "recorded", "root", "shape", "way")

    def __init__(
        self,
        shape: Shape = ANY,
        root: JsonObject | None = None,
        recorded: Sequence[Json] = (),
        way: tuple[str | None, ...] = (),
    ) -> None:
        self.shape = shape
        self.root = root or {}
        self.recorded = recorded  # whole argument objects
        self.way = way  # where in them: names, None for any item
        self._inner: dict[str | None, Hints] = {}
        self._profile: tuple[bool, bool] | None = None

    @classmethod
    def of(cls, schema: JsonObject | None, recorded: Sequence[Json]) -> "Hints":
        """The hints for a whole argument object."""
        if not schema:
            return cls(recorded=recorded)
        root = tidy(schema).schema
        return cls(read_shape(root, root), root, recorded)

    def member(self, name: str) -> "Hints":
        """What is known of a member."""
        return self._inner.get(name) or self._into(name, self._shape_of(name))

    def item(self) -> "Hints":
        """What is known of a list's items."""
        shape = read_shape(self.shape.items, self.root) if self.root else ANY
        return self._inner.get(None) or self._into(None, shape)

    def _into(self, step: str | None, shape: Shape) -> "Hints":
        found = self._inner[step] = Hints(shape, self.root, self.recorded, (*self.way, step))
        return found

    def seen(self) -> list[Json]:
        """What recordings hold here."""
        found = list(self.recorded)
        for step in self.way:
            if step is None:
                found = [item for one in found if isinstance(one, list) for item in one]
            else:
                found = [one[step] for one in found if isinstance(one, dict) and step in one]
        return found

    def _shape_of(self, name: str) -> Shape:
        if not self.root:
            return ANY
        for shape in self.shape.alternatives():
            if name in shape.properties:
                return read_shape(shape.properties[name], self.root)
        extra: Schema = self.shape.extra
        return read_shape(extra, self.root)

    @property
    def profile(self) -> tuple[bool, bool]:
        """Of recorded texts: whether some hold several words, and whether they are few values."""
        if self._profile is None:
            texts = [one for one in self.seen() if isinstance(one, str)]
            spaced = any(len(text.split()) > 1 for text in texts)
            few = not spaced and len(texts) >= _OFTEN and len(set(texts)) <= _FEW
            self._profile = spaced, few and len(set(texts)) * 2 < len(texts)
        return self._profile


@lru_cache(maxsize=4096)
def _named(name: str) -> Kind | None:
    """The kind that a name promises for a text."""
    parts = words_of(name)
    if not parts:
        return None
    last, whole = parts[-1], "".join(parts)
    for words, kind in (
        (_COMMANDS, "command"),
        (_PATHS, "path"),
        (_URLS, "url"),
        (_TEXTS, "text"),
        (_CHOICES, "enum"),
        (_IDS, "id"),
        (_CODES, "code"),
        (TIMES, "time"),
    ):
        if last in words or whole in words:
            return Kind(kind, f"called {name}")
    if parts[0] in {"sql", "command"}:
        return Kind("sql" if parts[0] == "sql" else "command", f"called {name}")
    return None


@lru_cache(maxsize=8192)
def _formed(text: str) -> str:
    """The kind that a text's own form proves; "" where it proves none."""
    if _SQL.match(text) and not _ENGLISH_SELECT.match(text):
        return "sql"
    if len(text) > _LONGEST or (" " in text and ":" not in text):
        return ""
    shape = text_shape(text)
    if shape == "path" and (text.count("/") > 1 or text[:1] in "/~."):
        return "path"
    return _BY_SHAPE.get(shape, "")


def kind_of(name: str, a: Json, b: Json, hints: Hints) -> Kind:
    """The kind of one argument by the values of both sides; an absent one stands for the other."""
    if hints.shape is not ANY and (told := _by_schema(hints.shape)):
        return told
    if isinstance(a, str) and isinstance(b, str):
        return _of_texts(name, a, b, hints)
    if isinstance(a, bool) or isinstance(b, bool):
        return _BOOLEAN
    if a is None and b is None:
        return _NOTHING
    if isinstance(a, dict | list) or isinstance(b, dict | list):
        return _HOLDER
    return _number(name)


def _by_schema(shape: Shape) -> Kind | None:
    if shape.values is not None:
        number = len(shape.values)
        told = "one value" if number == 1 else f"one of {number}"
        return Kind("const" if number == 1 else "enum", f"{told} in the schema")
    if shape.types and shape.types <= {"boolean", "null"}:
        return Kind("boolean", "a boolean in the schema")
    form = _FORMATS.get(str(shape.bounds.get("format", "")))
    return Kind(form, f"format {shape.bounds['format']} in the schema") if form else None


@lru_cache(maxsize=4096)
def _number(name: str) -> Kind:
    parts = words_of(name)
    numbered = bool(parts) and parts[-1] in _NUMBERED
    return Kind("id", f"called {name}") if numbered else Kind("number", "a number")


def _of_texts(name: str, a: str, b: str, hints: Hints) -> Kind:
    if (form := _formed(a)) and form == _formed(b):
        return Kind(form, f"written as {form}")
    called = _named(name)
    if called is not None and _fits(called, a, b):
        return called
    spaced, few = hints.profile
    if few:
        return _FEW_VALUES
    return _WORDS if spaced or len(a.split()) > 1 or len(b.split()) > 1 else _ONE_WORD


def _fits(called: Kind, a: str, b: str) -> bool:
    """Whether values are what their name promises: a name of four words is a text."""
    if called.name in _OF_ANY_LENGTH:
        return True
    if called.name == "time":
        return any(c.isdigit() for c in a) and any(c.isdigit() for c in b)
    longest = max(len(a.split()), len(b.split()))
    if longest < (_SENTENCE if called.name == "id" else _SENTENCE - 1):
        return True
    return all("/" in text or "\\" in text for text in (a, b))
