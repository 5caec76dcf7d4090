"""What names alone tell of a JSON answer: the quick way to see that it is an ordinary one.

Most answers carry something and speak of no error, guard or policy. To see that takes one look at
their names; all others are looked into by `answers` and `substance`, which decide.
"""

from functools import lru_cache

from mcp_eval.compare import words
from mcp_eval.compare.shapes import text_shape
from mcp_eval.compare.words import words_of
from mcp_eval.model.base import Json, JsonObject

# Names under which any value may tell how it went; those under which a text may; and those whose
# value is about the answer, or varies by itself, rather than what was asked for.
_SIGN, _SPOKEN, _ABOUT = 1, 2, 4
_TOLD = words.SAID | words.STATUSES
_BESIDE = (
    words.COUNTS
    | words.LIMITS
    | words.FLAGS
    | words.STATUSES
    | words.NOTICES
    | words.DURATIONS
    | words.HASHES
)
_WORDS_OF_SIGNS = "iserror success ok error errors errormessage exception code status statuscode"
_SIGNS = frozenset([*_WORDS_OF_SIGNS.split(), "errorcode", "httpstatus"])
_VARYING = frozenset({"uuid", "hash", "duration", "blank"})
_DEEPEST = 32


def ordinary(body: Json) -> bool:
    """Whether an object surely carries something and says nothing of errors or guards."""
    if not isinstance(body, dict) or (
        len(body) == 1 and next(iter(body)).lower() in words.WRAPPERS
    ):
        return False
    return _silent(body, _DEEPEST) and carries(body)


def carries(value: Json, name: str = "", depth: int = _DEEPEST) -> bool:
    """Whether a leaf surely counts; where none does, `substance` looks closer."""
    if isinstance(value, dict):
        # Plain loops: what a generator costs is most of what a glance costs.
        for inner, member in value.items():  # noqa: SIM110
            if depth and carries(member, inner, depth - 1):
                return True
        return False
    if isinstance(value, list):
        for item in value:  # noqa: SIM110
            if depth and carries(item, name, depth - 1):
                return True
        return False
    if value is None or isinstance(value, bool) or _marks(name) & _ABOUT:
        return False
    return not isinstance(value, str) or text_shape(value) not in _VARYING


def _silent(body: JsonObject, depth: int) -> bool:
    """Whether no name outside of lists, with what stands under it, may tell how it went."""
    for name, member in body.items():
        mark = _marks(name)
        if mark & _SIGN or (mark & _SPOKEN and isinstance(member, str)):
            return False
        if isinstance(member, dict) and not (depth and _silent(member, depth - 1)):
            return False
    return True


@lru_cache(maxsize=16384)
def _marks(name: str) -> int:
    """What a name makes of the value under it."""
    if not name:  # on a path it leaves no trace: the name before it would count
        return _SIGN | _SPOKEN | _ABOUT
    parts = words_of(name)
    said = {parts[-1] if parts else "", "_".join(parts)}
    plain = name.lower().replace("_", "")
    trace = not words.TRACES.isdisjoint({"_".join(parts), "_".join(parts[-2:])})
    sign = plain in _SIGNS or not words.GUARDS.isdisjoint(said)
    spoken = name.lower() in words.VERDICTS or not _TOLD.isdisjoint(said)
    return _SIGN * sign | _SPOKEN * spoken | _ABOUT * (trace or not _BESIDE.isdisjoint(said))
