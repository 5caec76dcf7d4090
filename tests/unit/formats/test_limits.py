import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_eval.errors import InconclusiveError, UsageError
from mcp_eval.formats import limits
from mcp_eval.formats.limits import check_size, compact, position, read_json, too_deep
from mcp_eval.formats.lines import json_of, line_of


def depth_of(value):
    if isinstance(value, dict):
        return 1 + max(map(depth_of, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth_of, value), default=0)
    return 0


nested = st.recursive(
    st.sampled_from(["[", '"', "\\", "}{", "a", '\\\\"[']) | st.none(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["[", '"\\', "a"]), inner, max_size=3)
    ),
    max_leaves=30,
)


@given(nested, st.integers(0, 6))
@settings(max_examples=300, deadline=None)
def test_depth_is_counted_as_a_walk_would_whatever_strings_hold(value, limit):
    assert too_deep(json.dumps(value).encode(), limit) == (depth_of(value) > limit)


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'[{"a":'])
def test_ten_thousand_levels_are_refused_without_walking_them(opening):
    with pytest.raises(UsageError, match="nested deeper than 200 levels"):
        compact(opening * 10_000, where="x")


def test_a_wide_document_is_not_deep():
    assert not too_deep(b"[" + b"[],{}," * 100_000 + b"1]")


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        (b'{\n "a": NaN}', "x:2:7: NaN is no number in JSON"),
        (b'{"a": -Infinity}', "-Infinity is no number"),
        (b'{"a": "\\ud83d"}', "half a surrogate pair"),
        (b'{"a": "\\ude00"}', "half a surrogate pair"),
        (b'{"a": 1e400}', "a number too large to hold"),
        (b'{"a": -1e999}', "a number too large to hold"),
        (b'{"a": ' + b"9" * 5000 + b"}", "a number too large to hold"),
        (b"\xff{}", "byte 0 is not UTF-8"),
        (b'{"a": ', "breaks off before its end"),
        (b"{'a': 1}", "x:1:2: not JSON"),
        (b'{"a": 1,}', "not JSON"),
        (b"\n \n", "the file is empty"),
    ],
)
@pytest.mark.parametrize("refuse", [UsageError, InconclusiveError])
def test_every_way_to_be_off_has_its_own_line(payload, said, refuse):
    with pytest.raises(refuse) as caught:
        read_json(payload, object, where="x", refuse=refuse)
    assert said in caught.value.message
    assert "\n" not in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize(
    "payload", [b'"\\ud83d\\ude00"', b'"\\\\ud83d"', b'"1e400"', b"\xef\xbb\xbf{}", b"1e308"]
)
def test_what_only_looks_off_is_read(payload):
    assert read_json(payload, object, where="x") is not None


def test_the_size_is_refused_before_the_bytes_are_looked_at():
    with pytest.raises(UsageError, match="200 MB, and 100 MB is the limit"):
        check_size(200 * 1024 * 1024, where="x")
    check_size(limits.MAX_BYTES, where="x")


def test_positions_count_as_editors_do():
    assert position("äb\ncd".encode(), 5) == (2, 2)
    assert position(b"ab", 0) == (1, 1)


def test_a_line_of_json_is_one_line():
    assert line_of({"a": "b\nc"}) == '{"a":"b\\nc"}'
    assert json_of(' {"a": 1} ', where="A") == {"a": 1}
    with pytest.raises(UsageError, match="A:"):
        json_of("{", where="A")
    with pytest.raises(UsageError, match="not UTF-8"):
        json_of("\udcff", where="A")
