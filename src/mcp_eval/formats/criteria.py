"""Success criteria as people write them.

A criterion is a sentence, or one of four typed forms, as a mapping or as the same in one text:

    - calls: add_server                       # this tool was called
    - never_calls: remove_server              # this one was not
    - answer_contains: "3 servers"            # the agent's last words hold this
    - result: steps.1.result.total >= 1       # an answer holds this

`result:` reads `PATH [OPERATOR VALUE]`. PATH is `steps.N.result` (N counts from 0) and the way
into that answer: `.name`, `.0` or `[0]` for an item, `["a name"]` for a name with dots or spaces.
A path that does not begin with `steps.` is read in the last answer. Alone, it asks that something
is there. Operators: `exists`, `not exists`, `empty`, `not empty`; and with a value `==` (or `=`)
`!=` `>=` `<=` `>` `<` `contains`, `not contains`, `matches` (a regular expression). A value is
JSON (`1`, `"x"`, `true`, `null`, `[1, 2]`), or else the words as they stand.
"""

import json
import math
import re

from mcp_eval.model.base import Json
from mcp_eval.model.scenario import Criterion

KINDS = ("calls", "never_calls", "result", "answer_contains")

_OPERATORS = {
    "not exists": "absent",
    "not empty": "not_empty",
    "not contains": "not_contains",
    "exists": "exists",
    "empty": "empty",
    "contains": "contains",
    "matches": "matches",
    "==": "equals",
    "!=": "not_equals",
    ">=": "at_least",
    "<=": "at_most",
    ">": "more_than",
    "<": "less_than",
    "=": "equals",
}
_ALONE = {"exists", "absent", "empty", "not_empty"}
_ORDERED = {"at_least", "at_most", "more_than", "less_than"}
_PATH = re.compile(r"""(?:\[\s*(?:"[^"]*"|'[^']*'|-?\d+)\s*\]|[^\s\[\]"'=!<>]+)+""")
_OPERATOR = re.compile(
    "|".join(
        rf"{re.escape(word)}(?!\w)" if word[0].isalpha() else re.escape(word) for word in _OPERATORS
    )
)


def criterion(text: str) -> Criterion:
    """The criterion in one text; ValueError says what its typed form lacks."""
    kind, colon, rest = text.partition(":")
    if colon and kind.strip() in KINDS:
        return typed(kind.strip(), rest)
    return Criterion(text=text)


def typed(kind: str, rest: str) -> Criterion:
    """A typed criterion from its kind and the words after it."""
    rest = rest.strip()
    if not rest:
        raise ValueError(f"'{kind}' says nothing")
    text = f"{kind}: {rest}"
    if kind == "calls":
        return Criterion(text=text, kind="calls", subject=_unquoted(rest))
    if kind == "never_calls":
        return Criterion(text=text, kind="never_calls", subject=_unquoted(rest))
    if kind == "answer_contains":
        return Criterion(text=text, kind="answer_contains", subject=_unquoted(rest))
    path, operator, value = _result(rest)
    return Criterion(text=text, kind="result", subject=path, operator=operator, value=value)


def _result(rest: str) -> tuple[str, str, Json]:
    found = _PATH.match(rest)
    if not found:
        raise ValueError(f"'result: {rest}' begins with no path")
    after = rest[found.end() :].strip()
    if not after:
        return found[0], "exists", None
    word = _OPERATOR.match(re.sub(r"^not\s+", "not ", after))
    if not word:
        raise ValueError(f"'{after.split()[0]}' is no operator of 'result'")
    operator = _OPERATORS[word[0]]
    written = re.sub(r"^not\s+", "not ", after)[word.end() :].strip()
    return found[0], operator, _value(operator, word[0], written)


def _value(operator: str, word: str, written: str) -> Json:
    if operator in _ALONE:
        if written:
            raise ValueError(f"'{word}' takes no value, and '{written}' stands after it")
        return None
    if not written:
        raise ValueError(f"'{word}' needs a value")
    value = _json_or_words(written)
    if operator in _ORDERED and (isinstance(value, bool) or not isinstance(value, (int, float))):
        raise ValueError(f"'{word}' compares numbers, and '{written}' is none")
    if operator == "matches":
        _pattern(str(value))
    return value


def _pattern(written: str) -> None:
    try:
        re.compile(written)
    except re.error as error:
        raise ValueError(f"'{written}' is no regular expression: {error}") from error


def _json_or_words(written: str) -> Json:
    try:
        value = json.loads(written, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return _unquoted(written)
    return written if isinstance(value, float) and not math.isfinite(value) else value


def _no_number(word: str) -> Json:
    raise ValueError(word)


def _unquoted(written: str) -> str:
    """The words without the quotes around all of them."""
    if len(written) > 1 and written[0] == written[-1] and written[0] in "\"'":
        return written[1:-1]
    return written
