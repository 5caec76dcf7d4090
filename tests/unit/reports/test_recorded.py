import msgspec
import pytest

from mcp_eval.model.trajectory import Outcome
from mcp_eval.reports.html import render_baseline
from mcp_eval.reports.recorded import answer_text, turns
from tests.unit.reports import samples


def test_messages_and_calls_stand_as_they_happened():
    roles = [turn["role"] for turn in turns(samples.recording())]
    assert roles == ["user", "assistant", "call", "call", "assistant"]


def test_a_call_says_what_varies_what_is_bound_and_how_often_it_was_seen():
    first, second = (turn for turn in turns(samples.recording()) if turn["role"] == "call")
    assert first["tool"] == "upstream_servers[list]"
    assert [hole["path"] for hole in first["holes"]] == ["checked_at"]
    assert (first["latency"], first["looks"], first["worst"]) == (18.2, 3, "")
    assert second["worst"] == "failed"
    assert second["bindings"] == ["name ← step 1 servers[0].name"]


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (Outcome(kind="timeout"), "timeout"),
        (Outcome(kind="crashed", detail="exit status 1"), "exit status 1"),
        (Outcome(body=msgspec.Raw(b"not json")), "not json"),
        (Outcome(body=msgspec.Raw(b'{"content":[{"type":"text","text":"hello"}]}')), "hello"),
        (Outcome(body=msgspec.Raw(b'{"structuredContent":{"a":1}}')), '{\n  "a": 1\n}'),
        (Outcome(body=msgspec.Raw(b'{"content":[{"type":"text","text":"[1]"}]}')), "[\n  1\n]"),
        (Outcome(body=msgspec.Raw(b'{"content":[]}')), '{\n  "content": []\n}'),
    ],
)
def test_an_answer_is_read_as_a_person_would(outcome, said):
    assert answer_text(outcome) == said


def test_the_page_of_a_recording_is_self_contained():
    page = render_baseline(samples.recording(), samples.surface()).decode()
    assert page.startswith("<!doctype html>")
    assert "Please add the time server" in page
    assert "default-src 'none'" in page
    assert "src=" not in page.replace("default-src", "").replace("style-src", "").replace(
        "script-src", ""
    )
