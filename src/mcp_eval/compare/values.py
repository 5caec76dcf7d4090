"""The one differ over two answers: facts at sites, never an opinion."""

from collections.abc import Iterator

from mcp_eval.compare import words
from mcp_eval.compare.items import Pairing, pair_items
from mcp_eval.compare.paths import each, key, leaves, site
from mcp_eval.compare.shapes import json_type, shape
from mcp_eval.compare.texts import text_change
from mcp_eval.compare.view import View
from mcp_eval.compare.words import named, words_of
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.comparison import Difference, Site

_SHORT = 40
_FIRM_SHAPES = frozenset(
    {"uuid", "instant", "date", "duration", "hash", "url", "path", "number", "blank"}
)
_LOOSE_HOLES = frozenset({"text", "choice", "optional", "items", "order", "keys"})
_SHOWN = 3


def differ(before: Json, after: Json, view: View, path: str = "") -> Iterator[Difference]:
    """Every fact in which one answer differs from another."""
    if before == after and type(before) is type(after):
        return
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _members(before, after, view, path)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _items(before, after, view, path)
    elif json_type(before) != json_type(after):
        yield from _types(before, after, view, path)
    else:
        yield from _leaf(before, after, view, path)


def fact(
    change: str, path: str, before: Json = None, after: Json = None, **details: Json
) -> Difference:
    """One fact of an answer; whoever knows the step says where it stands."""
    place = Site(tool="", path=site(path))
    return Difference(
        site=place, lane="replay", change=change, before=before, after=after, details=details
    )


# --- objects -------------------------------------------------------------------------------------


def _members(before: JsonObject, after: JsonObject, view: View, path: str) -> Iterator[Difference]:
    if _keyed_by_chance(before, after, view, path):
        yield from _items(list(before.values()), list(after.values()), view, path)
        return
    gone = [name for name in before if name not in after]
    come = [name for name in after if name not in before]
    renamed = dict(_renames(before, after, gone, come, view))
    for name in gone:
        yield from _gone(name, renamed.get(name), before, after, view, path)
    for name in come:
        if name not in renamed.values():
            yield fact("result-field-added", key(path, name), None, after[name])
    for name, member in before.items():
        if name in after:
            yield from differ(member, after[name], view, key(path, name))


def _gone(
    name: str, new: str | None, before: JsonObject, after: JsonObject, view: View, path: str
) -> Iterator[Difference]:
    place = key(path, name)
    if new is not None:
        yield fact(
            "result-field-renamed", place, name, new, renamed_to=new, leaves=_weight(before[name])
        )
        yield from differ(before[name], after[new], view, place)
        return
    hole = view.hole(site(place))
    if hole is None or hole.kind != "optional":
        yield fact("result-field-removed", place, before[name], None, leaves=_weight(before[name]))


def _keyed_by_chance(before: JsonObject, after: JsonObject, view: View, path: str) -> bool:
    """Whether the names themselves vary by form: uuids or hashes as keys."""
    hole = view.hole(site(path))
    if hole is not None and hole.kind == "keys":
        return True
    names = [*before, *after]
    return set(before) != set(after) and all(shape(name) in {"uuid", "hash"} for name in names)


def _renames(
    before: JsonObject, after: JsonObject, gone: list[str], come: list[str], view: View
) -> Iterator[tuple[str, str]]:
    """Members whose name alone changed: the same value, or the same shape and a kin name."""
    free = list(come)
    for name in gone:
        hits = [new for new in free if _renamed(name, new, before[name], after[new], view)]
        if not hits:
            continue
        best = max(hits, key=lambda new: (_kin(name, new), view.same(before[name], after[new])))
        if len(hits) > 1 and _trivial(before[name]) and not _kin(name, best):
            continue
        free.remove(best)
        yield name, best


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


def _weight(value: Json) -> int:
    return sum(1 for _ in leaves(value))


# --- lists ---------------------------------------------------------------------------------------


def _items(before: list[Json], after: list[Json], view: View, path: str) -> Iterator[Difference]:
    hole = view.hole(site(path))
    varies = hole.kind if hole else ""
    pairing = pair_items(before, after, view, path)
    for old, new in pairing.pairs:
        yield from differ(before[old], after[new], view, each(path))
    changed = list(_membership(pairing, before, after, view, path))
    if varies in {"items", "keys"} and hole is not None:
        steady = set(hole.steady)
        changed = [one for one in changed if _counts_in_hole(one, steady)]
        yield from _strangers(pairing, before, after, path)
    yield from changed
    if varies not in {"order", "items", "keys"} and pairing.reordered:
        yield fact("result-order-changed", path, _heads(before), _heads(after))


def _counts_in_hole(one: Difference, steady: set[str]) -> bool:
    return one.change == "hit-lost" and bool(steady & set(one.details.get("identities", ())))


def _membership(
    pairing: Pairing, before: list[Json], after: list[Json], view: View, path: str
) -> Iterator[Difference]:
    lost = [before[index] for index in pairing.lost]
    gained = [after[index] for index in pairing.gained]
    doubled = [item for item in gained if any(view.same(item, other) for other in before)]
    if doubled:
        yield fact("entry-doubled", path, None, doubled[:_SHOWN], count=len(doubled))
        gained = [item for item in gained if item not in doubled]
    if lost:
        change = _loss(pairing, before, after, lost, view)
        yield fact(
            change,
            path,
            lost[:_SHOWN],
            gained[:_SHOWN],
            count=len(lost),
            of=len(before),
            leaves=_weight(lost),
            identities=[identity_text(item) for item in lost],
        )
    if gained:
        yield fact("item-added", path, None, gained[:_SHOWN], count=len(gained))


def _loss(
    pairing: Pairing, before: list[Json], after: list[Json], lost: list[Json], view: View
) -> str:
    if _displaced(pairing, before, after, view):
        return "hit-displaced"
    page = [item for other in view.pages for item in (other if isinstance(other, list) else ())]
    gained = [after[index] for index in pairing.gained]
    if gained and len(lost) * 2 > len(before) and all(item in page for item in gained):
        return "wrong-page"
    return "hit-lost"


def _displaced(pairing: Pairing, before: list[Json], after: list[Json], view: View) -> bool:
    """The limit was full, something came, and what went stood at the tail."""
    limits = {
        int(member)
        for path, member in leaves(view.arguments)
        if named(path, words.LIMITS) and str(member).isdigit()
    }
    full = len(before) in limits or (len(after) == len(before) and not limits)
    if not full or len(after) < len(before) or not pairing.gained:
        return False
    kept = [old for old, _ in pairing.pairs]
    tail = range(len(before) - len(pairing.lost), len(before))
    return bool(kept) and sorted(pairing.lost) == list(tail)


def _strangers(
    pairing: Pairing, before: list[Json], after: list[Json], path: str
) -> Iterator[Difference]:
    """In a list whose members vary, what every old item had every new item must have."""
    olds = [item for item in before if isinstance(item, dict)]
    news = [after[index] for index in pairing.gained if isinstance(after[index], dict)]
    if not olds or len(olds) != len(before):
        return
    always = set.intersection(*(set(item) for item in olds))
    for name in sorted(always):
        lacking = [item for item in news if name not in item]
        if lacking:
            yield fact("result-field-removed", key(each(path), name), olds[0][name], None, leaves=1)
        kinds = {json_type(item[name]) for item in olds} | {"null"}
        for item in news:
            if name in item and json_type(item[name]) not in kinds:
                yield fact("result-type-changed", key(each(path), name), olds[0][name], item[name])
                break


def identity_text(item: Json) -> str:
    """A word for an item: its name or id, or itself."""
    if isinstance(item, dict):
        for name in words.IDENTITIES:
            if isinstance(item.get(name), str | int) and not isinstance(item.get(name), bool):
                return str(item[name])
        return "/".join(str(member) for member in item.values() if isinstance(member, str))[:200]
    return str(item)[:200]


def _heads(items: list[Json]) -> list[str]:
    return list(map(identity_text, items[:10]))


# --- leaves --------------------------------------------------------------------------------------


def _types(before: Json, after: Json, view: View, path: str) -> Iterator[Difference]:
    if view.same(before, after):
        return
    hole = view.hole(site(path))
    if hole and json_type(after) in {json_type(example) for example in hole.examples}:
        return
    if before is None:
        # Nothing became something; an object for a null may carry fields nobody had.
        yield fact("improvement", path, before, after)
        return
    yield fact("result-type-changed", path, before, after, leaves=_weight(before))


def _leaf(before: Json, after: Json, view: View, path: str) -> Iterator[Difference]:
    if view.same(before, after):
        return
    hole = view.hole(site(path))
    if hole is not None:
        yield from _in_hole(before, after, view, path)
        return
    if view.both_vary(before, after, path):
        return
    if isinstance(before, str) and _is_text(before, after, view, path):
        yield from _text(before, after, view, path)
    elif not isinstance(before, bool) and isinstance(before, int | float):
        yield _number(before, after, path)
    else:
        yield fact("result-value-changed", path, before, after)


def _is_text(before: str, after: Json, view: View, path: str) -> bool:
    """Prose rather than a value: long, or with white space where prose is at home."""
    if not path and not view.structured:
        return True
    longest = max(len(before), len(str(after)))
    if longest > _SHORT:
        return True
    spaced = any(character.isspace() for character in before.strip())
    return spaced and (not view.structured or named(path, words.MESSAGES))


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
