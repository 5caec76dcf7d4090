"""What a list lost and gained: hits lost, displaced, of another page, doubled, or added."""

from collections.abc import Iterator

from mcp_eval.compare import words
from mcp_eval.compare.facts import fact, weight
from mcp_eval.compare.items import Pairing, exact
from mcp_eval.compare.paths import each, key, leaves
from mcp_eval.compare.shapes import json_type, volatile
from mcp_eval.compare.view import View
from mcp_eval.compare.words import named
from mcp_eval.model.base import Json
from mcp_eval.model.comparison import Difference
from mcp_eval.model.recording import Hole

_SHOWN = 3


def counts_in_hole(one: Difference, hole: Hole, left: int) -> bool:
    """Whether a list that varies changed all the same: a steady item went, or a place."""
    if one.change not in {"hit-lost", "wrong-page"}:
        return False
    fewer = left < min((size for size in hole.examples if isinstance(size, int)), default=0)
    return fewer or bool(set(hole.steady) & set(one.details.get("identities", ())))


def membership(
    pairing: Pairing, before: list[Json], after: list[Json], view: View, path: str
) -> Iterator[Difference]:
    """The facts of which items went and came."""
    lost = [before[index] for index in pairing.lost]
    gained = [after[index] for index in pairing.gained]
    known = {
        exact(view.translated(item) if isinstance(item, str) else item)
        for item in (before if gained else ())
    }
    if gained:  # an item that varies is doubled where it stands there twice now
        come = set(pairing.gained)
        known |= {exact(item) for index, item in enumerate(after) if index not in come}
    doubled = [item for item in gained if exact(item) in known]
    if doubled:
        yield fact("entry-doubled", path, None, doubled[:_SHOWN], count=len(doubled))
        gained = [item for item in gained if exact(item) not in known]
    if lost:
        change = _loss(pairing, before, after, lost, view)
        yield fact(
            change,
            path,
            lost[:_SHOWN],
            gained[:_SHOWN],
            count=len(lost),
            of=len(before),
            leaves=weight(lost),
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
    if not pairing.pairs or not pairing.gained or len(after) < len(before):
        return False
    tail = range(len(before) - len(pairing.lost), len(before))
    if sorted(pairing.lost) != list(tail):
        return False
    limits = {
        int(member)
        for path, member in leaves(view.arguments)
        if named(path, words.LIMITS) and str(member).isdigit()
    }
    if limits:
        return len(before) in limits
    # Nobody named a limit: then only what pushed from before the end shows that there is one.
    pushed = min(pairing.gained) < max(new for _, new in pairing.pairs)
    return pushed and len(after) == len(before)


def strangers(
    pairing: Pairing, before: list[Json], after: list[Json], path: str
) -> Iterator[Difference]:
    """In a list whose members vary, what every old item had every new item must have."""
    place = each(path)
    news = [after[index] for index in pairing.gained]
    kinds = {json_type(item) for item in before}
    for item in news:
        if before and json_type(item) not in kinds:
            yield fact("result-type-changed", place, before[0], item)
            return
    if kinds == {"object"}:
        yield from _strange_members(before, news, place)


def _strange_members(olds: list[Json], news: list[Json], place: str) -> Iterator[Difference]:
    for name in sorted(set.intersection(*(set(item) for item in olds))):
        here, first = key(place, name), olds[0][name]
        inner = [item[name] for item in olds]
        kinds = {json_type(member) for member in inner}
        if any(name not in item for item in news):
            yield fact("result-field-removed", here, first, None, leaves=1)
        others = [item[name] for item in news if name in item]
        strange = [member for member in others if json_type(member) not in kinds]
        if strange:
            yield fact("result-type-changed", here, first, strange[0])
        elif kinds == {"object"}:
            yield from _strange_members(inner, others, here)


def identity_text(item: Json) -> str:
    """A word for an item: its name or id where it is no chance, or itself."""
    if isinstance(item, dict):
        for name in words.IDENTITIES:
            value = item.get(name)
            named_so = isinstance(value, str | int) and not isinstance(value, bool)
            if named_so and not volatile(value, name, ""):
                return str(value)
        return "/".join(str(member) for member in item.values() if isinstance(member, str))[:200]
    return str(item)[:200]


def heads(items: list[Json]) -> list[str]:
    """A word each for the first items."""
    return list(map(identity_text, items[:10]))
