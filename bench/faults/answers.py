"""What an answer carries, changed for the worse."""

import json
from typing import Any

from bench.faults.base import BodyInjection, Injection, register, text_of
from bench.faults.paths import each


@register("remove-field")
class RemoveField(BodyInjection):
    """A field is gone."""

    def body(self, body: Any) -> Any:
        """Without it."""
        return each(body, self.path, lambda container, key: container.pop(key))


@register("rename-field")
class RenameField(BodyInjection):
    """A field has another name."""

    def body(self, body: Any) -> Any:
        """Under the new name, in its old place."""

        def rename(container: Any, key: Any) -> None:
            renamed = {self.to if k == key else k: v for k, v in container.items()}
            container.clear()
            container.update(renamed)

        return each(body, self.path, rename)


@register("flip-boolean")
class FlipBoolean(BodyInjection):
    """Yes is no."""

    def body(self, body: Any) -> Any:
        """The other way round."""
        return each(body, self.path, lambda c, key: c.__setitem__(key, not c[key]))


@register("change-value")
class ChangeValue(BodyInjection):
    """Another value stands there: `value`."""

    def body(self, body: Any) -> Any:
        """With the other value."""
        return each(body, self.path, lambda c, key: c.__setitem__(key, self.value))


@register("change-number")
class ChangeNumber(BodyInjection):
    """A number is off by `value`."""

    def body(self, body: Any) -> Any:
        """With the other number."""
        return each(body, self.path, lambda c, key: c.__setitem__(key, c[key] + (self.value or 1)))


@register("retype-field")
class RetypeField(BodyInjection):
    """A number became its text, a text a list of itself, anything else its text."""

    def body(self, body: Any) -> Any:
        """With the other type."""

        def retype(container: Any, key: Any) -> None:
            held = container[key]
            container[key] = [held] if isinstance(held, str) else str(held)

        return each(body, self.path, retype)


@register("empty-list")
class EmptyList(BodyInjection):
    """A list is empty."""

    def body(self, body: Any) -> Any:
        """Nothing in it."""
        return each(body, self.path, lambda c, key: c.__setitem__(key, []))


@register("null-for-list")
class NullForList(BodyInjection):
    """null where a list stood."""

    def body(self, body: Any) -> Any:
        """No list at all."""
        return each(body, self.path, lambda c, key: c.__setitem__(key, None))


@register("drop-item")
class DropItem(BodyInjection):
    """The k-th item of a list is gone; `value` is k."""

    def body(self, body: Any) -> Any:
        """One less."""
        which = self.value or 0

        def drop(container: Any, key: Any) -> None:
            container[key] = [held for n, held in enumerate(container[key]) if n != which]

        return each(body, self.path, drop)


@register("double-item")
class DoubleItem(BodyInjection):
    """The k-th item of a list stands there twice."""

    def body(self, body: Any) -> Any:
        """One more, but not a new one."""

        def double(container: Any, key: Any) -> None:
            held = container[key]
            container[key] = [*held[: (self.value or 0) + 1], *held[self.value or 0 :]]

        return each(body, self.path, double)


@register("reverse-list")
class ReverseList(BodyInjection):
    """The same items in another order."""

    def body(self, body: Any) -> Any:
        """Back to front."""
        return each(body, self.path, lambda c, key: c.__setitem__(key, c[key][::-1]))


@register("empty-answer")
class EmptyAnswer(Injection):
    """Nothing is left of the answer."""

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """No content."""
        emptied = {**result, "content": []}
        if "structuredContent" in result:
            emptied["structuredContent"] = {}
        return emptied


@register("truncate-text")
class TruncateText(BodyInjection):
    """A text ends after `value` characters."""

    def body(self, body: Any) -> Any:
        """Cut."""
        length = self.value or 10
        return each(body, self.path, lambda c, key: c.__setitem__(key, text_of(c[key])[:length]))


@register("garble-text")
class GarbleText(BodyInjection):
    """Text was decoded with the wrong table."""

    def body(self, body: Any) -> Any:
        """UTF-8 read as Latin-1."""

        def garble(container: Any, key: Any) -> None:
            container[key] = (text_of(container[key]) + " é").encode().decode("latin-1")

        return each(body, self.path, garble)


@register("replace-text")
class ReplaceText(BodyInjection):
    """Words of a text are others: `value` is [old, new]."""

    def body(self, body: Any) -> Any:
        """With the other words."""
        old, new = self.value
        return each(body, self.path, lambda c, key: c.__setitem__(key, c[key].replace(old, new)))


@register("wrap-twice")
class WrapTwice(BodyInjection):
    """The JSON stands in a string of JSON."""

    def body(self, body: Any) -> Any:
        """One level deeper."""
        return json.dumps(json.dumps(body))


@register("nest-answer")
class NestAnswer(BodyInjection):
    """The whole answer moved under one new key."""

    def body(self, body: Any) -> Any:
        """One level deeper, with a name."""
        return {self.to or "data": body}


@register("drop-structured")
class DropStructured(Injection):
    """No structured content any more."""

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """Text alone."""
        return {key: held for key, held in result.items() if key != "structuredContent"}


@register("change-content-type")
class ChangeContentType(Injection):
    """Text comes as an embedded resource."""

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """Another kind of block."""
        blocks = [
            {"type": "resource", "resource": {"uri": "text://answer", "text": block["text"]}}
            if block.get("type") == "text"
            else block
            for block in result.get("content", [])
        ]
        return {**result, "content": blocks}
