"""The one differ over two answers: facts at sites, never an opinion."""

from collections import Counter
from collections.abc import Iterator

import msgspec

from mcp_eval.compare import words
from mcp_eval.compare.facts import fact, weight
from mcp_eval.compare.items import pair_items
from mcp_eval.compare.membership import counts_in_hole, heads, membership, strangers
from mcp_eval.compare.parsing import folded
from mcp_eval.compare.paths import each, key, site
from mcp_eval.compare.shapes import json_type, same_mould, shape
from mcp_eval.compare.texts import text_change
from mcp_eval.compare.view import View
from mcp_eval.compare.words import named, words_of
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.comparison import Difference
from mcp_eval.model.recording import Hole

_SHORT = 40
_MANY = 4000  # pairs of names; past it an object is keyed by things, not by fields
_FIRM_SHAPES = frozenset(
    {"uuid", "instant", "date", "duration", "hash", "url", "path", "number", "blank"}
)
_MINTED = frozenset({"hash", "uuid"})
_LOOSE_HOLES = frozenset({"text", "choice", "optional", "items", "order", "keys"})


def differ(before: Json, after: Json, view: View, path: str = "") -> Iterator[Difference]:
    """Every fact in which one answer differs from another."""
    if _equal(before, after):
        return
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _members(before, after, view, path)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _items(before, after, view, path)
    elif json_type(before) != json_type(after):
        yield from _types(before, after, view, path)
    elif (inner := _inside(before, after)) is not None:
        yield from differ(*inner, view, path)
    else:
        yield from _leaf(before, after, view, path)


def _equal(before: Json, after: Json) -> bool:
    if before != after or type(before) is not type(after):
        return False
    # Python takes True for 1, JSON does not.
    return not isinstance(before, dict | list) or _encoded(before) == _encoded(after)


_encoded = msgspec.json.Encoder(order="deterministic").encode


def _inside(before: Json, after: Json) -> tuple[Json, Json] | None:
    """What two strings hold where both are written JSON."""
    if not isinstance(before, str) or not isinstance(after, str):
        return None
    old, new = folded(before), folded(after)
    return None if old is None or new is None else (old, new)


# --- objects -------------------------------------------------------------------------------------


def _members(before: JsonObject, after: JsonObject, view: View, path: str) -> Iterator[Difference]:
    if _keyed_by_chance(before, after, view, path):
        yield from _items(list(before.values()), list(after.values()), view, path)
        return
    gone = [name for name in before if name not in after]
    come = [name for name in after if name not in before]
    renamed = dict(_renames(before, after, gone, come, view)) if gone and come else {}
    for name in gone:
        yield from _gone(name, renamed.get(name), before, after, view, path)
    for name in come:
        if name not in renamed.values():
            yield fact("result-field-added", key(path, name), None, after[name])
    for name, member in before.items():
        if name in after and not _equal(member, after[name]):
            yield from differ(member, after[name], view, key(path, name))


def _gone(
    name: str, new: str | None, before: JsonObject, after: JsonObject, view: View, path: str
) -> Iterator[Difference]:
    place = key(path, name)
    if new is not None:
        yield fact(
            "result-field-renamed", place, name, new, renamed_to=new, leaves=weight(before[name])
        )
        yield from differ(before[name], after[new], view, place)
        return
    hole = view.hole(site(place))
    if hole is None or hole.kind != "optional":
        yield fact("result-field-removed", place, before[name], None, leaves=weight(before[name]))


def _keyed_by_chance(before: JsonObject, after: JsonObject, view: View, path: str) -> bool:
    """Whether the names themselves vary by form: uuids or hashes as keys."""
    hole = view.hole(site(path))
    if hole is not None and hole.kind in {"keys", "items"}:
        return True
    if before.keys() == after.keys():
        return False
    return all(shape(name) in {"uuid", "hash"} for name in (*before, *after))


def _renames(
    before: JsonObject, after: JsonObject, gone: list[str], come: list[str], view: View
) -> Iterator[tuple[str, str]]:
    """Members whose name alone changed: the same value, or the same shape and a kin name."""
    if len(gone) * len(come) > _MANY:
        return
    likely = sorted(
        (-_kin(name, new), not view.same(before[name], after[new]), name, new)
        for name in gone
        for new in come
        if _renamed(name, new, before[name], after[new], view)
    )
    olds, news = (Counter(one[side] for one in likely) for side in (2, 3))
    taken: set[str] = set()
    for distance, _, name, new in likely:
        # Of several flags that are alike nobody knows which became which.
        guessed = not distance and _trivial(before[name]) and (olds[name] > 1 or news[new] > 1)
        if not guessed and not taken & {f"-{name}", f"+{new}"}:
            taken |= {f"-{name}", f"+{new}"}
            yield name, new


def _renamed(name: str, new: str, before: Json, after: Json, view: View) -> bool:
    if json_type(before) != json_type(after):
        return False
    if view.same(before, after):
        return True
    return bool(_kin(name, new)) and shape(before) == shape(after) and shape(before) != "list"


def _kin(name: str, other: str) -> int:
    return len(set(words_of(name)) & set(words_of(other)))


def _trivial(value: Json) -> bool:
    return value in (None, "", 0, 1) or isinstance(value, bool) or value in ([], {})


# --- lists ---------------------------------------------------------------------------------------


def _items(before: list[Json], after: list[Json], view: View, path: str) -> Iterator[Difference]:
    hole = view.hole(site(path))
    varies = hole.kind if hole else ""
    pairing = pair_items(before, after, view, path)
    for old, new in pairing.pairs:
        yield from differ(before[old], after[new], view, each(path))
    changed = list(membership(pairing, before, after, view, path))
    if varies == "items" and hole is not None:
        changed = [one for one in changed if counts_in_hole(one, hole, len(after))]
        yield from strangers(pairing, before, after, path)
    yield from changed
    if varies not in {"order", "items", "keys"} and pairing.reordered:
        yield fact("result-order-changed", path, heads(before), heads(after))


# --- leaves --------------------------------------------------------------------------------------


def _types(before: Json, after: Json, view: View, path: str) -> Iterator[Difference]:
    if view.same(before, after):
        return
    hole = view.hole(site(path))
    if hole and json_type(after) in set(_types_in(hole)):
        return
    if before is None:
        # Nothing became something; an object for a null may carry fields nobody had.
        yield fact("improvement", path, before, after)
        return
    yield fact("result-type-changed", path, before, after, leaves=weight(before))


def _types_in(hole: Hole) -> Iterator[str]:
    """The types that stood here in one look or another; a size is none of them."""
    sized = hole.kind in {"text", "items"}
    return (json_type(one) for one in hole.examples if not (sized and isinstance(one, int)))


def _leaf(before: Json, after: Json, view: View, path: str) -> Iterator[Difference]:
    if view.same(before, after):
        return
    hole = view.hole(site(path))
    if hole is not None:
        yield from _in_hole(before, after, view, path)
        return
    if view.both_vary(before, after, path) and not view.learning:
        return
    if (
        isinstance(before, str)
        and not _reshaped(before, after)
        and _is_text(before, after, view, path)
    ):
        yield from _text(before, after, view, path)
    elif not isinstance(before, bool) and isinstance(before, int | float):
        yield _number(before, after, path)
    else:
        yield fact("result-value-changed", path, before, after)


def _reshaped(before: str, after: Json) -> bool:
    """Whether an id, a time, a path and the like became something of another form."""
    form = shape(before)
    return form in _FIRM_SHAPES and form != "blank" and shape(after) != form


def _is_text(before: str, after: Json, view: View, path: str) -> bool:
    """Prose rather than a value: long, or with white space where prose is at home."""
    if view.blocks if path == each("") else not (path or view.structured):
        return True
    longest = max(len(before), len(str(after)))
    if longest > _SHORT:
        return True
    if not view.structured or not named(path, words.MESSAGES):
        return not view.structured and _spaced(before)
    return _spaced(before) or _spaced(str(after))


def _spaced(text: str) -> bool:
    return any(character.isspace() for character in text.strip())


def _number(before: float, after: Json, path: str) -> Difference:
    if "[]" in site(path) and named(path, words.SCORES):
        return fact("score-moved", path, before, after)
    if named(path, words.COUNTS):
        return fact("result-value-changed", path, before, after, counts=True)
    return fact("result-value-changed", path, before, after)


def _in_hole(before: Json, after: Json, view: View, path: str) -> Iterator[Difference]:
    hole = view.hole(site(path))
    if hole is None or not isinstance(before, str) or not isinstance(after, str):
        return
    if hole.kind == "text":
        yield from _text(before, after, view, path)
        return
    forms = {shape(example) for example in (before, *hole.examples)}
    if same_mould(before, after) and forms & _MINTED:
        return
    if shape(after) not in forms and ((_FIRM_SHAPES & forms) or shape(after) == "blank"):
        if hole.kind in _LOOSE_HOLES and shape(after) != "blank":
            return
        yield fact("result-value-changed", path, before, after, shape=[shape(before), shape(after)])


def _text(before: str, after: Json, view: View, path: str) -> Iterator[Difference]:
    change = text_change(before, str(after), view, view.hole(site(path)))
    if change is None:
        return
    if change.gained:
        yield fact("item-added", path, before, after, text=True)
    elif change.reordered:
        yield fact("result-order-changed", path, before, after, text=True)
    else:
        details = {
            name: getattr(change, name)
            for name in ("truncated", "mangled", "reworded")
            if getattr(change, name)
        }
        yield fact(
            "text-changed",
            path,
            before,
            after,
            lost=list(change.lost[:20]),
            similarity=change.similarity,
            **details,
        )
