"""What one shape lets through and another does not: types, values, bounds, defaults, words."""

from collections.abc import Iterator

from mcp_eval.compare.plain import Types, admits, among, same_json
from mcp_eval.compare.schemas import Shape
from mcp_eval.compare.sites import SchemaChange
from mcp_eval.model.base import Json, JsonObject

# Of which type a value must be before a word says anything about it.
_ABOUT = {
    word: kind
    for kind, words in {
        "string": "minLength maxLength pattern",
        "number": "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
        "array": "minItems maxItems uniqueItems contains minContains maxContains prefixItems"
        " unevaluatedItems",
        "object": "minProperties maxProperties patternProperties propertyNames dependentRequired"
        " dependentSchemas unevaluatedProperties",
    }.items()
    for word in words.split()
}
_LOWER = frozenset(["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"])
_UPPER = frozenset(["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"])


def apart(before: Types | None, after: Types | None) -> bool:
    """Whether no value could be of both: then only the type has changed."""
    if before is None or after is None:
        return False
    return not any(admits(after, name) for name in before) and not any(
        admits(before, name) for name in after
    )


def in_both(kind: str, before: Shape, after: Shape) -> bool:
    """Whether a value of this type may stand here on either side: else its bounds say nothing."""
    return all(
        types is None or kind in types or (kind == "number" and "integer" in types)
        for types in (before.types, after.types)
    )


def type_changes(path: str, before: Shape, after: Shape) -> Iterator[SchemaChange]:
    """The types stated, and what became of them."""
    old, new = before.types, after.types
    if old == new or (
        before.values is not None
        and after.values is not None
        and new
        and old
        and not apart(old, new)
    ):
        return  # the values say it already
    if new is None:
        if before.values is None:
            yield SchemaChange(
                path, "constraint-dropped", names(old), None, details={"keyword": "type"}
            )
        return
    if old is None:
        if after.values is None:
            yield _type_changed(path, old, new, sorted(new))
        return
    lost = sorted(name for name in old if not admits(new, name))
    gained = sorted(name for name in new if not admits(old, name))
    if lost and not (after.values is not None and gained == []):
        yield _type_changed(path, old, new, lost, gained)
    elif gained and before.values is None:
        told = {"keywords": ["type"], "gained": gained}
        yield SchemaChange(path, "bounds-widened", names(old), names(new), details=told)


def _type_changed(
    path: str, old: Types | None, new: Types, lost: list[str], gained: list[str] | None = None
) -> SchemaChange:
    whole = lost == ["number"] and not gained and "integer" in new
    return SchemaChange(
        path,
        "bounds-narrowed" if whole else "parameter-type-changed",
        names(old),
        names(new),
        {"type": sorted(new)},
        details={
            "lost": lost if old is not None else [],
            "gained": gained or [],
            **({"keywords": ["type"]} if whole else {}),
        },
    )


def names(types: Types | None) -> Json:
    """Types as a schema spells them."""
    told = sorted(types or ())
    return told[0] if len(told) == 1 else told or None


def value_changes(path: str, before: Shape, after: Shape) -> Iterator[SchemaChange]:
    """The values listed: by `enum`, `const`, or one by one in a choice."""
    old, new = before.values, after.values
    if new is None:
        if old is None:
            return
        yield SchemaChange(path, "constraint-dropped", list(old), details={"keyword": "enum"})
        return
    demand: JsonObject = {"enum": list(new)}
    if old is None:
        yield SchemaChange(
            path, "bounds-narrowed", {}, {"enum": list(new)}, demand, details={"keywords": ["enum"]}
        )
        return
    lost = [value for value in old if not among(value, new)]
    gained = [value for value in new if not among(value, old)]
    if lost:
        yield SchemaChange(
            path, "enum-value-removed", list(old), list(new), demand, details={"values": lost}
        )
    if gained:
        yield SchemaChange(
            path, "enum-value-added", list(old), list(new), details={"values": gained}
        )


def bound_changes(path: str, before: Shape, after: Shape) -> Iterator[SchemaChange]:
    """Bounds that are tighter, looser or gone, and whatever else is said of the value."""
    old, new = _stated(before, after), _stated(after, before)
    sorts: dict[str, list[str]] = {"bounds-narrowed": [], "bounds-widened": [], "gone": []}
    for word in sorted(old.keys() | new.keys()):
        if not same_json(old.get(word), new.get(word)) and not _meant(
            word, old, new, before, after
        ):
            sorts[_moved(word, old, new)].append(word)
    narrowed, widened, gone = sorts.values()
    if narrowed:
        told: JsonObject = {"keywords": narrowed}
        yield SchemaChange(
            path,
            "bounds-narrowed",
            _of(old, narrowed),
            _of(new, narrowed),
            _of(new, narrowed),
            details=told,
        )
    if widened:
        told = {"keywords": widened}
        yield SchemaChange(
            path, "bounds-widened", _of(old, widened), _of(new, widened), details=told
        )
    if gone:
        yield SchemaChange(
            path,
            "constraint-dropped",
            _of(old, gone),
            {},
            details={"keyword": gone[0], "keywords": gone},
        )


def _stated(shape: Shape, other: Shape) -> JsonObject:
    stated = {**shape.bounds, **shape.rest}
    return {
        word: bound
        for word, bound in stated.items()
        if word not in _ABOUT or in_both(_ABOUT[word], shape, other)
    }


def _of(stated: JsonObject, words: list[str]) -> JsonObject:
    return {word: stated[word] for word in words if word in stated}


def _meant(word: str, old: JsonObject, new: JsonObject, before: Shape, after: Shape) -> bool:
    """Whether another word says it already: every listed value fits the bound."""
    if word in new and before.values is not None:
        return all(_fits(word, new[word], value) for value in before.values)
    return word in old and word not in new and after.values is not None


def _fits(word: str, bound: Json, value: Json) -> bool:
    if word == "minLength":
        return not isinstance(value, str) or len(value) >= bound
    if word == "maxLength":
        return not isinstance(value, str) or len(value) <= bound
    if isinstance(value, bool) or not isinstance(value, int | float):
        return word in _LOWER | _UPPER
    if word in {"minimum", "maximum"}:
        return bool(value >= bound if word == "minimum" else value <= bound)
    return False


_INCLUSIVE = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}
_EXCLUSIVE = {bound: word for word, bound in _INCLUSIVE.items()}


def _moved(word: str, old: JsonObject, new: JsonObject) -> str:
    twin = _INCLUSIVE.get(word) or _EXCLUSIVE.get(word, "")
    if word not in new:
        took_over = twin in new and twin not in old
        return _against_twin(twin, old[word], new[twin]) if took_over else "gone"
    if word not in old:
        return _against_twin(word, old[twin], new[word]) if twin in old else "bounds-narrowed"
    if word in _LOWER:
        return "bounds-narrowed" if new[word] > old[word] else "bounds-widened"
    if word in _UPPER:
        return "bounds-narrowed" if new[word] < old[word] else "bounds-widened"
    if word == "multipleOf" and old[word] % new[word] == 0:
        return "bounds-widened"
    return "bounds-narrowed"


def _against_twin(word: str, old: float, new: float) -> str:
    """`exclusiveMinimum: 0` after `minimum: 0` is tighter, `minimum: 1` after it looser or not."""
    if word in _LOWER:
        tighter = new >= old if word in _INCLUSIVE else new > old
    else:
        tighter = new <= old if word in _INCLUSIVE else new < old
    return "bounds-narrowed" if tighter else "bounds-widened"


def default_changes(path: str, before: Shape, after: Shape) -> Iterator[SchemaChange]:
    """What an omitted value stands for. `default: null` is how generators write "none"."""
    if path and not same_json(before.default, after.default):
        told = {"stated": before.default is not None}
        yield SchemaChange(path, "default-changed", before.default, after.default, details=told)


def wording_changes(path: str, before: Shape, after: Shape) -> Iterator[SchemaChange]:
    """What the schema tells a reader, beside what it demands."""
    old, new = before.description or before.title, after.description or after.title
    if old != new and path:
        yield SchemaChange(path, "description-changed", old, new)
