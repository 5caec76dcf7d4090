"""Server-sent events, whatever the chunks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_eval.tap.sse import Event, Events


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"data: a\n\n", [Event(data=b"a")]),
        (b"data:a\n\n", [Event(data=b"a")]),
        (b"data:  a\n\n", [Event(data=b" a")]),
        (b"data: a\ndata: b\n\n", [Event(data=b"a\nb")]),
        (b"data: a\r\n\r\n", [Event(data=b"a")]),
        (b"data: a\r\rdata: b\r\n\r\n", [Event(data=b"a"), Event(data=b"b")]),
        (b"event: endpoint\ndata: /x\n\n", [Event(kind="endpoint", data=b"/x")]),
        (b"id: 7\nretry: 1500\n\n", [Event(id="7", retry=1500)]),
        (b"id: 7\ndata:\n\n", [Event(id="7", data=b"")]),
        (b"retry: soon\ndata: a\n\n", [Event(data=b"a")]),
        (b": a comment\n\n", []),
        (b": a comment\ndata: a\n\n", [Event(data=b"a")]),
        (b"\n\n\n", []),
        (b"data: unfinished\n", []),
        (b"\xef\xbb\xbfdata: a\n\n", [Event(data=b"a")]),
    ],
)
def test_events_are_read_as_the_standard_has_them(text, expected):
    assert Events().feed(text) == expected


@given(st.data())
def test_chunks_make_no_difference(data):
    text = data.draw(
        st.lists(
            st.sampled_from(
                [b"data: x\n", b"data: y\r\n", b"id: 1\r", b"\n", b"\r\n", b"\r", b": c\n"]
            )
        ).map(b"".join)
    )
    cuts = data.draw(st.lists(st.integers(0, len(text))).map(sorted))
    whole = Events().feed(text + b"\n")
    events, before, found = Events(), 0, []
    for cut in [*cuts, len(text)]:
        found += events.feed(text[before:cut])
        before = cut
    assert found + events.feed(b"\n") == whole
