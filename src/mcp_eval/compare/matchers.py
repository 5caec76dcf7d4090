"""What a scenario's author says of one argument, in place of how alike two values look.

`match:` of a step names arguments: `any` takes every value; `{tolerance: 0.5}` a number that near
to the recorded one; `{matches: REGEX}`, `{one_of: [...]}` and `{contains: WORDS}` say it
themselves; any other value must be that value.
"""

import re
from collections.abc import Mapping

from msgspec.structs import replace

from mcp_eval.compare.paths import MISSING, get
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.comparison import Argument, ArgumentsSimilarity

FORMS = ("tolerance", "matches", "one_of", "contains")


def complaint(matcher: Json) -> str:
    """What is wrong with a matcher; "" where it is fine."""
    if not isinstance(matcher, dict):
        return ""
    if len(matcher) != 1 or next(iter(matcher)) not in FORMS:
        return f"a matcher is `any`, a value, or one of {', '.join(FORMS)}"
    ((form, wanted),) = matcher.items()
    if form == "tolerance" and not _is_number(wanted):
        return "`tolerance` is a number"
    if form == "one_of" and not isinstance(wanted, list):
        return "`one_of` is a list"
    if form == "matches":
        try:
            re.compile(str(wanted))
        except re.error as error:
            return f"`matches` is no regular expression: {error}"
    return ""


def matched(
    found: ArgumentsSimilarity,
    matchers: Mapping[str, Json],
    before: JsonObject,
    after: JsonObject,
) -> ArgumentsSimilarity:
    """The comparison of two argument objects, with the author's word where there is one."""
    if not matchers:
        return found
    kept = [one for one in found.arguments if not any(_of(one.name, name) for name in matchers)]
    said = [_said(name, matcher, before, after) for name, matcher in matchers.items()]
    arguments = (*kept, *said)
    similarity = sum(one.similarity for one in arguments) / len(arguments)
    return replace(found, similarity=similarity, value_similarity=similarity, arguments=arguments)


def _of(argument: str, name: str) -> bool:
    return argument == name or argument.startswith((f"{name}.", f"{name}["))


def _said(name: str, matcher: Json, before: JsonObject, after: JsonObject) -> Argument:
    fits = _fits(matcher, get(before, name), get(after, name))
    how = "any" if matcher == "any" else "as the scenario asks"
    return Argument(
        name=name,
        kind="matcher",
        similarity=1.0 if fits else 0.0,
        reason=how if fits else "not what the scenario asks",
    )


def _fits(matcher: Json, before: Json, after: Json) -> bool:
    if matcher == "any":
        return True
    if after is MISSING:
        return False
    if not isinstance(matcher, dict):
        return bool(after == matcher)
    ((form, wanted),) = matcher.items()
    if form == "tolerance":
        near = _is_number(before) and _is_number(after) and abs(after - before) <= wanted
        return bool(near)
    if form == "one_of":
        return after in wanted
    if form == "contains":
        return str(wanted).casefold() in str(after).casefold()
    return re.search(str(wanted), str(after)) is not None


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
