"""Which blocks, pages and units an answer comes in, changed for the worse."""

import datetime as dt
import re
from dataclasses import dataclass, field
from typing import Any

from bench.faults.base import BodyInjection, Call, Injection, register
from bench.faults.paths import each

_INSTANT = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)([+-]\d\d:\d\d|Z)?")


@register("drop-block")
class DropBlock(Injection):
    """The k-th content block is gone; `value` is k."""

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """One less."""
        blocks = result.get("content", [])
        kept = [held for number, held in enumerate(blocks) if number != (self.value or 0)]
        return {**result, "content": kept}


@register("double-block")
class DoubleBlock(Injection):
    """The k-th content block comes twice; `value` is k."""

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """One more, but not a new one."""
        blocks, which = result.get("content", []), self.value or 0
        return {**result, "content": [*blocks[: which + 1], *blocks[which:]]}


@register("change-block")
class ChangeBlock(Injection):
    """A member of content blocks is another: `path` in the list of blocks, `value`."""

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """With the other value."""
        blocks = each(result.get("content", []), self.path, self._set)
        return {**result, "content": blocks}

    def _set(self, container: Any, key: Any) -> None:
        container[key] = self.value


@register("drop-block-member")
class DropBlockMember(Injection):
    """A member of content blocks is gone: `path` in the list of blocks."""

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """Without it."""
        dropped = each(result.get("content", []), self.path, lambda c, key: c.pop(key))
        return {**result, "content": dropped}


@register("cap-list")
class CapList(BodyInjection):
    """A list ends after `value` items."""

    def body(self, body: Any) -> Any:
        """The first ones."""
        return each(body, self.path, lambda c, key: c.__setitem__(key, c[key][: self.value]))


@register("other-page")
@dataclass
class OtherPage(BodyInjection):
    """A list holds the items of another page: each text in them is moved on."""

    shift: int = field(default=1000, repr=False)

    def body(self, body: Any) -> Any:
        """As many, of the same shape, and none of the same."""
        return each(body, self.path, lambda c, key: c.__setitem__(key, _moved(c[key], self.shift)))


def _moved(held: Any, shift: int) -> Any:
    if isinstance(held, list):
        return [_moved(item, shift) for item in held]
    if isinstance(held, dict):
        return {key: _moved(member, shift) for key, member in held.items()}
    if isinstance(held, str):
        return f"next {held}"
    return held + shift if isinstance(held, int) and not isinstance(held, bool) else held


@register("rescale-number")
class RescaleNumber(BodyInjection):
    """A number comes in another unit: times `value`."""

    def body(self, body: Any) -> Any:
        """Seconds, say, for milliseconds."""
        factor = self.value or 1000
        return each(body, self.path, lambda c, key: c.__setitem__(key, c[key] * factor))


@register("negate-number")
class NegateNumber(BodyInjection):
    """A number has the other sign."""

    def body(self, body: Any) -> Any:
        """Minus."""
        return each(body, self.path, lambda c, key: c.__setitem__(key, -c[key]))


@register("change-case")
class ChangeCase(BodyInjection):
    """A word is written in capitals."""

    def body(self, body: Any) -> Any:
        """Another value for whoever compares."""
        return each(body, self.path, lambda c, key: c.__setitem__(key, c[key].upper()))


@register("blank-text")
class BlankText(BodyInjection):
    """A text is there and says nothing."""

    def body(self, body: Any) -> Any:
        """Empty."""
        return each(body, self.path, lambda c, key: c.__setitem__(key, ""))


@register("null-value")
class NullValue(BodyInjection):
    """null where a value stood."""

    def body(self, body: Any) -> Any:
        """Nothing."""
        return each(body, self.path, lambda c, key: c.__setitem__(key, None))


@register("swap-fields")
class SwapFields(BodyInjection):
    """Two members of an object hold each other's values: the last of `path`, and `to`."""

    def body(self, body: Any) -> Any:
        """The one for the other."""

        def swap(container: Any, key: Any) -> None:
            container[key], container[self.to] = container[self.to], container[key]

        return each(body, self.path, swap)


@register("shift-time")
class ShiftTime(BodyInjection):
    """An instant is off by `value` hours."""

    def body(self, body: Any) -> Any:
        """Another time of the same day, or of the next."""
        off = dt.timedelta(hours=self.value or 24)

        def shift(container: Any, key: Any) -> None:
            moved = dt.datetime.fromisoformat(container[key]) + off
            container[key] = moved.isoformat()

        return each(body, self.path, shift)


@register("drop-offset")
class DropOffset(BodyInjection):
    """An instant no longer says in which zone."""

    def body(self, body: Any) -> Any:
        """Local, and nobody says where."""

        def drop(container: Any, key: Any) -> None:
            container[key] = _INSTANT.sub(r"\1", container[key])

        return each(body, self.path, drop)


@register("epoch-for-instant")
class EpochForInstant(BodyInjection):
    """An instant comes as seconds since 1970."""

    def body(self, body: Any) -> Any:
        """A number."""

        def count(container: Any, key: Any) -> None:
            container[key] = int(dt.datetime.fromisoformat(container[key]).timestamp())

        return each(body, self.path, count)


@register("answer-of-other")
@dataclass
class AnswerOfOther(Injection):
    """Answers are mixed up: a call gets what the call before it got, of whatever tool."""

    last: dict[str, Any] | None = field(default=None, repr=False)
    mixed: bool = field(default=False, repr=False)

    def touches(self, call: Call) -> bool:
        """Every call is looked at; `tool` alone gets another's answer."""
        self.mixed = call.tool == self.tool
        return True

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """The one before, where there was one."""
        if self.mixed and self.last is not None:
            return self.last
        self.last = result
        return result
