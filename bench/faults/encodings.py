"""How an answer is written, changed for the worse."""

import base64
import csv
import html
import io
import json
from typing import Any

from bench.faults.base import BodyInjection, Injection, register, text_of
from bench.faults.paths import each


@register("escape-html")
class EscapeHtml(BodyInjection):
    """Text is escaped as for a web page, quotes and all."""

    def body(self, body: Any) -> Any:
        """With entities."""
        return each(body, self.path, lambda c, key: c.__setitem__(key, html.escape(str(c[key]))))


@register("base64-text")
class Base64Text(BodyInjection):
    """A text comes as base64."""

    def body(self, body: Any) -> Any:
        """The same bytes, unreadable."""

        def encode(container: Any, key: Any) -> None:
            container[key] = base64.b64encode(text_of(container[key]).encode()).decode()

        return each(body, self.path, encode)


@register("json-in-string")
class JsonInString(BodyInjection):
    """An object or a list inside the answer comes as a string of JSON."""

    def body(self, body: Any) -> Any:
        """One level deeper."""
        return each(body, self.path, lambda c, key: c.__setitem__(key, json.dumps(c[key])))


@register("join-list")
class JoinList(BodyInjection):
    """A list of texts comes as one text with commas."""

    def body(self, body: Any) -> Any:
        """No list any more."""
        return each(body, self.path, lambda c, key: c.__setitem__(key, ", ".join(c[key])))


@register("change-delimiter")
class ChangeDelimiter(BodyInjection):
    """A table of commas comes with `value` between its cells."""

    def body(self, body: Any) -> Any:
        """The same cells."""
        written = io.StringIO()
        rows = csv.reader(io.StringIO(body))
        csv.writer(written, delimiter=self.value or ";", lineterminator="\n").writerows(rows)
        return written.getvalue()


@register("drop-header")
class DropHeader(BodyInjection):
    """A table lost its first line."""

    def body(self, body: Any) -> Any:
        """Rows alone."""
        return body.partition("\n")[2]


@register("strip-marks")
class StripMarks(BodyInjection):
    """Whatever is no ASCII became a question mark."""

    def body(self, body: Any) -> Any:
        """Lost for ever."""

        def strip(container: Any, key: Any) -> None:
            container[key] = text_of(container[key]).encode("ascii", "replace").decode()

        return each(body, self.path, strip)


@register("join-lines")
class JoinLines(BodyInjection):
    """All line ends are gone."""

    def body(self, body: Any) -> Any:
        """One long line."""
        return each(body, self.path, lambda c, key: c.__setitem__(key, c[key].replace("\n", "")))


@register("prose-for-json")
class ProseForJson(Injection):
    """Where JSON stood, its members are told in a sentence, and nothing is structured."""

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        """As a model would say it."""
        body = json.loads(result["content"][0]["text"])
        told = "; ".join(f"the {name} is {text_of(held)}" for name, held in body.items())
        return {"content": [{"type": "text", "text": f"I found that {told}."}]}
