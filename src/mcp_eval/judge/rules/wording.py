"""How rules speak of names, values and numbers; nothing a server answered reaches a sentence."""

import re
from collections.abc import Iterable

from mcp_eval.compare.paths import each, key, leaf, steps
from mcp_eval.judge.facts import Fact
from mcp_eval.model.base import Json

_STRANGE = re.compile(r"[^\w .:/\[\]{}()<>=!→*@#+,~$…-]")
_LONGEST = 80
_LONGEST_KEY = 40
_KEY = re.compile(r"[^\s<>`\"]+(?: [^\s<>`\"]+){0,2}")
_SHOWN_VALUES = 4
_ARTICLES = {"array": "an array", "integer": "an integer", "object": "an object"}


def name(text: object) -> str:
    """A name from a server, so cut and cleaned that it stays a name."""
    plain = " ".join(_STRANGE.sub("?", str(text)).split())
    return f"`{plain[:_LONGEST]}{'…' if len(plain) > _LONGEST else ''}`"


def tool(fact: Fact) -> str:
    """The tool a fact is about."""
    return name(fact.tool) if fact.tool else "the server"


def parameter(fact: Fact) -> str:
    """The parameter a fact is about."""
    return name(leaf(fact.path) or fact.path or "the arguments")


def field(fact: Fact) -> str:
    """The field of an answer a fact is about."""
    return place(fact.path) if fact.path else "the answer"


def answer(fact: Fact) -> str:
    """`field` of the answer of a tool, or its whole answer."""
    return (
        f"{place(fact.path)} in the answer of {tool(fact)}"
        if fact.path
        else f"the answer of {tool(fact)}"
    )


def place(path: str) -> str:
    """A place in an answer; a key that is no name but a sentence stays in the evidence."""
    known = ""
    for step in steps(path):
        if not isinstance(step, str) or not step:
            known = each(known)
        else:
            known = key(known, step if _short(step) else "…")
    return name(known)


def word(key: Json) -> str:
    """One key of an answer; a sentence stays in the evidence."""
    return name(key if _short(str(key)) else "…")


def _short(key: str) -> bool:
    return len(key) <= _LONGEST_KEY and _KEY.fullmatch(key) is not None


def types(value: Json) -> str:
    """Types as a person says them: a string, an integer or null."""
    kinds = value if isinstance(value, list) else [value]
    said = [_ARTICLES.get(str(kind), f"a {kind}") if kind != "null" else "null" for kind in kinds]
    return " or ".join(said) if said else "anything"


def values(listed: Iterable[Json]) -> str:
    """A few values of an enum."""
    shown = [name(value) for value in listed]
    more = f" and {len(shown) - _SHOWN_VALUES} more" if len(shown) > _SHOWN_VALUES else ""
    return ", ".join(shown[:_SHOWN_VALUES]) + more


def counted(amount: int, noun: str) -> str:
    """A number with its noun."""
    return f"{amount} {noun}" if amount == 1 else f"{amount} {noun}s"


def scenarios(fact: Fact, verb: str, hits: Iterable[object] | None = None) -> str:
    """How much of what was recorded is concerned: "4 of 20 scenarios send none"."""
    concerned = fact.hits if hits is None else tuple(hits)
    stems = {getattr(hit, "scenario", "") for hit in concerned}
    if not fact.comparison.recorded:
        return "nobody was recorded using this"
    if not stems:
        return "no recorded request is concerned"
    total = max(len(fact.comparison.scenarios), len(stems))
    one = len(stems) == 1
    ending = {"s": "s" if one else "", "ies": "ies" if one else "y"}
    return f"{len(stems)} of {counted(total, 'scenario')} {verb.format(**ending)}"


def looks(fact: Fact) -> str:
    """In how many looks it was seen."""
    steady = fact.steadiness
    if steady.looks == 1:
        return "in the one look at the new build"
    often = "every one" if fact.always else str(steady.seen)
    said = f"in {often} of {steady.looks} looks"
    if steady.old_looks:
        said += f", in {steady.old_seen} of {steady.old_looks} at the old build"
    return said


def blocked(fact: Fact) -> str:
    """Which later steps could not run for want of it."""
    if not fact.needed:
        return ""
    return f"; {counted(len(fact.needed), 'later step')} needed it and could not run"


def remainder(fact: Fact) -> str:
    """How many of a list's items: "2 of 5"."""
    count, of = fact.details.get("count"), fact.details.get("of")
    return f"{count} of {of}" if count and of else str(count or "some")
