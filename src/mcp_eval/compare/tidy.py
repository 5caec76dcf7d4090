"""Schemas as they come, whatever their draft or faults, written as well-formed draft 2020-12."""

import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from mcp_eval.model.base import Json, JsonObject

Schema = JsonObject | bool

TYPES = frozenset(["string", "number", "integer", "boolean", "object", "array", "null"])
_SCHEMAS = frozenset(
    [
        "additionalProperties",
        "items",
        "not",
        "if",
        "then",
        "else",
        "contains",
        "propertyNames",
        "unevaluatedProperties",
        "unevaluatedItems",
        "additionalItems",
    ]
)
_MAPS = frozenset(["properties", "$defs", "definitions", "dependentSchemas"])
_LISTS = frozenset(["anyOf", "oneOf", "allOf", "prefixItems"])
_SIZES = frozenset(
    [
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
        "minContains",
        "maxContains",
    ]
)
_NUMBERS = frozenset(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"])
_AS_THEY_ARE = frozenset(["const", "default", "examples", "dependentRequired"])
_TEXTS = frozenset(["title", "description", "format", "$anchor"])
_BESIDE_A_REFERENCE = frozenset(
    ["$ref", "$defs", "definitions", "title", "description", "default", "examples"]
)
_OLD_DRAFT = re.compile(r"draft-0?[34567]\b")
_DEEPEST = 64
_HUGE = 1e300  # past this, and for NaN, arithmetic gives no answer


@dataclass(frozen=True, slots=True)
class Tidy:
    """A schema every later step can trust, and whether something in it could not be read."""

    schema: JsonObject
    broken: bool = False
    cut: bool = False  # it goes on, deeper than anybody reads


def tidy(schema: Json) -> Tidy:
    """The schema of one tool, made well-formed; what cannot be understood is left out and told."""
    if not isinstance(schema, dict):
        return Tidy(schema={}, broken=True)
    work = _Tidying(old=bool(_OLD_DRAFT.search(str(schema.get("$schema", "")))))
    plain = work.of(schema, 0)
    root = plain if isinstance(plain, dict) else {}
    for holder in work.references:
        if resolve(holder["$ref"], root) is None:
            del holder["$ref"]
            work.broken = True
    return Tidy(schema=root, broken=work.broken, cut=work.cut)


def resolve(reference: str, root: JsonObject) -> Schema | None:
    """What a local reference names; None where it names nothing here."""
    if not reference.startswith("#"):
        return None
    if reference[1:2] not in {"", "/"}:
        return _anchored(root, reference[1:], 0)
    found: Json = root
    for part in reference[1:].split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~").replace("%24", "$")
        if isinstance(found, dict) and name in found:
            found = found[name]
        elif isinstance(found, list) and name.isdecimal() and int(name) < len(found):
            found = found[int(name)]
        else:
            return None
    return found if isinstance(found, dict | bool) else None


def _anchored(node: Json, anchor: str, depth: int) -> JsonObject | None:
    if depth > _DEEPEST or not isinstance(node, dict | list):
        return None
    if isinstance(node, dict) and node.get("$anchor") == anchor:
        return node
    inner = node.values() if isinstance(node, dict) else node
    return next((hit for each in inner if (hit := _anchored(each, anchor, depth + 1))), None)


@lru_cache(maxsize=2048)
def pattern_reads(pattern: str) -> bool:
    """Whether a pattern is one we can try texts against, and means here what it means elsewhere."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # `[[a]`: read otherwise here than in other languages
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError, Warning):
        return False
    return True


class _Tidying:
    """One walk through one schema."""

    def __init__(self, *, old: bool) -> None:
        self.old = old
        self.broken = False
        self.cut = False
        self.references: list[JsonObject] = []

    def of(self, schema: Json, depth: int) -> Schema:
        if isinstance(schema, bool):
            return schema
        if not isinstance(schema, dict) or depth > _DEEPEST:
            self.broken = True
            self.cut = self.cut or depth > _DEEPEST
            return {}
        plain: JsonObject = {}
        for word, stated in self._words(schema):
            read = self._reader(word)
            if read is not None:
                read(plain, word, stated, depth)
        _settle_bounds(plain)
        if "$ref" in plain:
            self.references.append(plain)
        return _with_null(plain) if schema.get("nullable") is True else plain

    def _words(self, schema: JsonObject) -> list[tuple[str, Json]]:
        words = [(str(word), stated) for word, stated in schema.items()]
        if self.old and "$ref" in schema:  # up to draft 7 a reference's neighbours mean nothing
            return [each for each in words if each[0] in _BESIDE_A_REFERENCE]
        return words

    def _reader(self, word: str) -> Callable[[JsonObject, str, Json, int], None] | None:
        for vocabulary, read in (
            (_SCHEMAS, self._schema),
            (_MAPS, self._map),
            (_LISTS, self._list),
            (_SIZES, self._number),
            (_NUMBERS, self._number),
            (_AS_THEY_ARE, self._as_it_is),
            (_TEXTS, self._text),
        ):
            if word in vocabulary:
                return read
        return {
            "type": self._type,
            "enum": self._enum,
            "required": self._required,
            "pattern": self._pattern,
            "patternProperties": self._patterns,
            "$ref": self._reference,
            "uniqueItems": self._flag,
            "dependencies": self._dependencies,
        }.get(word)

    def _schema(self, plain: JsonObject, word: str, stated: Json, depth: int) -> None:
        if word == "items" and isinstance(stated, list):
            plain["prefixItems"] = [self.of(each, depth + 1) for each in stated]
        elif word == "additionalItems":
            plain.setdefault("items", self.of(stated, depth + 1))
        else:
            plain[word] = self.of(stated, depth + 1)

    def _map(self, plain: JsonObject, word: str, stated: Json, depth: int) -> None:
        if isinstance(stated, dict):
            plain[word] = {str(name): self.of(each, depth + 1) for name, each in stated.items()}
        else:
            self.broken = True

    def _list(self, plain: JsonObject, word: str, stated: Json, depth: int) -> None:
        if isinstance(stated, list) and stated:
            plain[word] = [self.of(each, depth + 1) for each in stated]
        else:
            self.broken = True

    def _as_it_is(self, plain: JsonObject, word: str, stated: Json, _depth: int) -> None:
        wanted = {"examples": list, "dependentRequired": dict}.get(word, object)
        if isinstance(stated, wanted):
            plain[word] = stated
        else:
            self.broken = True

    def _text(self, plain: JsonObject, word: str, stated: Json, _depth: int) -> None:
        if isinstance(stated, str):
            plain[word] = stated

    def _number(self, plain: JsonObject, word: str, stated: Json, _depth: int) -> None:
        if word in {"exclusiveMinimum", "exclusiveMaximum"} and isinstance(stated, bool):
            plain[word] = stated  # draft 4; settled once its bound is known
        elif _number(stated) and _possible(word, stated):
            plain[word] = stated
        else:
            self.broken = True

    def _type(self, plain: JsonObject, word: str, stated: Json, _depth: int) -> None:
        names = stated if isinstance(stated, list) else [stated]
        known = [name for name in names if isinstance(name, str) and name in TYPES]
        if known:
            plain[word] = known[0] if len(known) == 1 else sorted(set(known))
        self.broken = self.broken or len(known) < len(names) or not known

    def _enum(self, plain: JsonObject, word: str, stated: Json, _depth: int) -> None:
        if isinstance(stated, list):
            plain[word] = stated
        else:
            self.broken = True

    def _required(self, plain: JsonObject, word: str, stated: Json, _depth: int) -> None:
        if isinstance(stated, list) and all(isinstance(name, str) for name in stated):
            plain[word] = stated
        else:
            self.broken = True

    def _pattern(self, plain: JsonObject, word: str, stated: Json, _depth: int) -> None:
        pattern = stated.replace("(?<", "(?P<") if isinstance(stated, str) else ""
        pattern = pattern.replace("(?P<=", "(?<=").replace("(?P<!", "(?<!")
        if isinstance(stated, str) and pattern_reads(pattern):
            plain[word] = pattern
        else:
            self.broken = True

    def _patterns(self, plain: JsonObject, word: str, stated: Json, depth: int) -> None:
        known = stated if isinstance(stated, dict) else {}
        readable = {name: each for name, each in known.items() if pattern_reads(str(name))}
        plain[word] = {str(name): self.of(each, depth + 1) for name, each in readable.items()}
        self.broken = self.broken or not isinstance(stated, dict) or len(readable) < len(known)

    def _reference(self, plain: JsonObject, word: str, stated: Json, _depth: int) -> None:
        if isinstance(stated, str):
            plain[word] = stated
        else:
            self.broken = True

    def _flag(self, plain: JsonObject, word: str, stated: Json, _depth: int) -> None:
        if stated is True:
            plain[word] = True

    def _dependencies(self, plain: JsonObject, _word: str, stated: Json, depth: int) -> None:
        for name, each in stated.items() if isinstance(stated, dict) else ():
            if isinstance(each, list):
                plain.setdefault("dependentRequired", {})[name] = each
            else:
                plain.setdefault("dependentSchemas", {})[name] = self.of(each, depth + 1)


def _number(stated: Json) -> bool:
    if isinstance(stated, bool) or not isinstance(stated, int | float):
        return False
    return abs(stated) < _HUGE


def _possible(word: str, stated: float) -> bool:
    if word == "multipleOf":
        return stated > 0
    return stated >= 0 or word in _NUMBERS


def _settle_bounds(plain: JsonObject) -> None:
    """Draft 4 said `exclusiveMinimum: true` beside the bound itself."""
    for word, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(plain.get(word), bool) and plain.pop(word) and bound in plain:
            plain[word] = plain.pop(bound)


def _with_null(plain: JsonObject) -> JsonObject:
    """OpenAPI's `nullable: true`, said as JSON Schema says it."""
    texts: JsonObject = {
        word: plain[word] for word in ("title", "description", "default") if word in plain
    }
    return {"anyOf": [plain, {"type": "null"}], **texts}
