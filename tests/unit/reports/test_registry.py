import json
from html.parser import HTMLParser
from importlib.metadata import EntryPoint

import msgspec
import pytest

from mcp_eval.errors import UsageError
from mcp_eval.formats.envelope import decode
from mcp_eval.reports import registry
from mcp_eval.reports.registry import REPORTERS, reporter_for
from tests.unit.reports import samples


@pytest.mark.parametrize("suffix", sorted(REPORTERS))
@pytest.mark.parametrize(("status", "report"), samples.all_statuses().items())
def test_every_listed_format_writes_every_report(suffix, status, report):
    written = reporter_for(f"a/report{suffix.upper()}").render(report)
    assert status.encode() in written
    assert suffix in type(reporter_for(f"x{suffix}")).suffixes


def test_a_name_without_a_format_says_which_there_are():
    with pytest.raises(UsageError, match="no report format for 'report'") as caught:
        reporter_for("report")
    assert ".html" in caught.value.hint
    assert ".json" in caught.value.hint


def test_an_installed_reporter_goes_before_a_built_in_and_the_longest_suffix_wins(monkeypatch):
    class Short:
        suffixes = (".json",)

        def render(self, report):
            return b"short"

    class Long:
        suffixes = (".short.json",)

        def render(self, report):
            return b"long"

    points = [
        EntryPoint("json", f"{__name__}:Short", registry.GROUP),
        EntryPoint("short.json", f"{__name__}:Long", registry.GROUP),
    ]
    loaded = {"json": Short, "short.json": Long}
    monkeypatch.setattr(registry, "entry_points", lambda group: points)
    monkeypatch.setattr(EntryPoint, "load", lambda self: loaded[self.name])
    monkeypatch.setattr(registry, "REPORTERS", registry._Reporters())
    report = samples.good()
    assert registry.reporter_for("x.json").render(report) == b"short"
    assert registry.reporter_for("x.short.json").render(report) == b"long"


def test_the_json_report_is_the_document_that_show_reads():
    report = samples.broken()
    document = reporter_for("x.json").render(report)
    assert document.endswith(b"\n")
    assert list(json.loads(document))[:2] == ["format", "version"]
    back = decode("report", document, where="x")
    assert msgspec.json.encode(back) == msgspec.json.encode(report)


@pytest.mark.parametrize("payload", samples.PAYLOADS)
def test_a_hostile_report_can_be_written_and_read_back(payload):
    document = reporter_for("x.json").render(samples.hostile(payload))
    assert decode("report", document, where="x").status == "broken"


class Elements(HTMLParser):
    """Which elements a page has, and what their attributes reach for."""

    def __init__(self, page):
        super().__init__()
        self.tags = set()
        self.handlers = []
        self.reached = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.handlers += [name for name, _ in attrs if name.startswith("on")]
        self.reached += [
            value for name, value in attrs if name in {"src", "href", "action", "data"}
        ]


@pytest.mark.parametrize("payload", samples.PAYLOADS)
def test_the_page_asks_nobody_and_runs_nothing_foreign(payload):
    ours = Elements(reporter_for("x.html").render(samples.broken()).decode())
    page = reporter_for("x.html").render(samples.hostile(payload)).decode()
    theirs = Elements(page)
    assert "default-src 'none'" in page
    assert theirs.tags <= ours.tags
    assert not theirs.handlers
    assert all(place.startswith("#") for place in theirs.reached), theirs.reached
