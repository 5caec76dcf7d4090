"""Bytes to frames, whatever stands between them."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_eval.tap.frames import (
    Frame,
    Garbage,
    Lines,
    answer_frame,
    frames,
    notification_frame,
    request_frame,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


def only(line):
    (found,) = frames(line)
    return found


@given(st.lists(st.binary(max_size=30).map(lambda b: b.replace(b"\n", b"")), max_size=8), st.data())
def test_lines_come_out_the_same_however_they_are_cut(pieces, data):
    whole = b"".join(piece + b"\n" for piece in pieces)
    lines, found = Lines(), []
    rest = whole
    while rest:
        cut = data.draw(st.integers(1, len(rest)))
        found += lines.feed(rest[:cut])
        rest = rest[cut:]
    at_once = Lines()
    assert found + lines.end() == at_once.feed(whole) + at_once.end()


@given(VALUES, st.integers(-(2**53), 2**53) | TEXT)
def test_what_we_write_is_read_back_as_it_was_meant(value, id_):
    asked = only(request_frame(id_, "tools/call", {"v": value})[:-1])
    assert (asked.id, asked.method) == (id_, "tools/call")
    assert msgspec.json.decode(asked.params) == {"v": value}
    told = only(notification_frame("n", {"v": value})[:-1])
    assert (told.id, told.method) == (None, "n")
    answered = only(answer_frame(id_, {"v": value})[:-1])
    assert msgspec.json.decode(answered.result) == {"v": value}
    refused = only(answer_frame(id_, {"error": {"code": -1, "message": "no"}})[:-1])
    assert not bytes(refused.result)
    assert msgspec.json.decode(refused.error)["code"] == -1


@given(VALUES)
def test_the_body_of_a_result_stays_byte_for_byte(value):
    raw = json.dumps(value, ensure_ascii=False, indent=None).encode()
    assert bytes(only(b'{"jsonrpc":"2.0","id":1,"result":' + raw + b"}").result) == raw


@given(st.binary(max_size=200).filter(lambda line: b"\n" not in line))
def test_no_line_whatever_it_holds_raises(line):
    assert all(isinstance(found, Frame | Garbage) for found in frames(line))


def test_a_batch_holds_several_frames():
    ids = [found.id for found in frames(b'[{"id":1,"result":{}},{"id":"b","error":{"code":1}}]')]
    assert ids == [1, "b"]


def test_carriage_returns_blanks_and_a_byte_order_mark_are_no_part_of_a_line():
    lines = Lines()
    assert lines.feed(b'\xef\xbb\xbf{"a":1}\r\n \t \n\n  {}\n') == [(b'{"a":1}', 7), (b"{}", 2)]


def test_a_last_line_without_a_line_feed_is_a_line():
    lines = Lines()
    assert lines.feed(b"{}") == []
    assert lines.end() == [(b"{}", 2)]
    assert lines.end() == []


def test_a_line_beyond_the_limit_is_let_go_and_says_whose_answer_it_was():
    lines = Lines(limit=1000)
    line = b'{"jsonrpc":"2.0","id":7,"result":"' + b"x" * 5000
    assert lines.feed(line) == []
    ((head, size),) = lines.feed(b'"}\n')
    assert len(head) <= 1000
    assert size == len(line) + 2
    (found,) = frames(head, size)
    assert isinstance(found, Garbage)
    assert (found.id, found.size) == (7, size)
    assert lines.feed(b"{}\n") == [(b"{}", 2)]


@pytest.mark.parametrize(
    ("line", "id_"),
    [
        (b'{"jsonrpc":"2.0","id":3,"result":{"n":NaN}}', 3),
        (b'{"jsonrpc":"2.0","id":3,"result":{"n":"\\ud800"}}', 3),
        (b'{"jsonrpc":"2.0","id":"x","result":{"n":"\xff\xfe"}}', "x"),
    ],
)
def test_what_lenient_clients_still_read_is_mended_and_says_so(line, id_):
    found = only(line)
    assert isinstance(found, Frame)
    assert found.id == id_
    assert "no strict JSON" in found.note
    assert msgspec.json.decode(found.result)


@pytest.mark.parametrize(
    ("line", "id_"),
    [
        (b"Server listening on 8080", None),
        (b'{"jsonrpc":"2.0","id":4,"result":{"a":', 4),
        (b'{"result":[1,,2],"jsonrpc":"2.0","id":"k"}', "k"),
        (b'{"jsonrpc":"2.0","id":4,"method":"x","params":{', None),
        (b'{"level":"info"}', None),
        (b"[" * 20_000, None),
        (b"true", None),
    ],
)
def test_what_is_no_frame_is_garbage_that_knows_whom_it_meant_to_answer(line, id_):
    found = only(line)
    assert isinstance(found, Garbage)
    assert found.id == id_
    assert found.reason
    assert len(found.text) <= 500
