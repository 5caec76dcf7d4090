"""The shape of a leaf, and which shapes vary by themselves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_eval.compare.shapes import instant, json_type, masked, near, shape, text_shape, volatile
from tests.unit.compare.spoken import RECORDED_AT

SHAPES = {
    "uuid": ["7d5a6f0e-1c2b-4d3e-8f90-a1b2c3d4e5f6", "7D5A6F0E-1C2B-4D3E-8F90-A1B2C3D4E5F6"],
    "hash": [
        "9fceb02",
        "9fceb02d0ae598e95dc970b74767f19372d61af8",
        "sha256:9fceb02d0ae598e95dc970b74767f19372d61af89fceb02d0ae598e95dc970b7",
        "0x9fceb02d",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "tok_4fQ9zL0aX7bR2nK8wT1",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
    ],
    "instant": [
        "2026-03-01T12:00:01Z",
        "2026-03-01 12:00:01.123456+02:00",
        "2026-03-01T12:00",
        "Sun Mar  1 12:00:01 2026",
        "Sun Mar 01 2026 12:00:01 GMT+0000 (Coordinated Universal Time)",
        "Sun, 01 Mar 2026 12:00:01 GMT",
    ],
    "date": ["2026-03-01", "2026/03/01"],
    "duration": ["12ms", "1.5 seconds", "3h 2m", "5 minutes ago"],
    "number": ["12", "-3.5", "1,234.5", "1e9", "99%"],
    "url": ["https://a.example/b?c=d", "file:///a/b"],
    "path": ["/a/b.txt", "./a", "~/a/b", "C:\\a\\b"],
    "identifier": ["active", "get_weather", "server-1", "listAllRepositoriesForUser", "1234567x"],
    "words": ["two words", "A sentence, said."],
    "blank": ["", "  "],
}


@pytest.mark.parametrize(("wanted", "text"), [(s, t) for s, texts in SHAPES.items() for t in texts])
def test_a_text_has_the_shape_of_its_form(wanted, text):
    assert text_shape(text) == wanted


@pytest.mark.parametrize(
    "text", ["deadbeef", "1234567", "facade", "search_code_2024-01-02", "server1-tool2-v3-2024q1"]
)
def test_a_word_or_a_number_is_no_hash(text):
    assert text_shape(text) != "hash"


def test_types_are_those_of_json():
    values = [True, 1, 1.5, "a", None, [], {}]
    types = ["boolean", "number", "number", "string", "null", "array", "object"]
    assert [json_type(value) for value in values] == types
    assert shape(None) == "null"
    assert shape([]) == "list"


class TestTimes:
    @pytest.mark.parametrize(
        "text",
        [
            *SHAPES["instant"],
            *SHAPES["date"],
            "2026-03-01T12:00:01 UTC",
            "2026-03-01 12:00:01 +0000",
        ],
    )
    def test_what_looks_like_a_time_names_a_moment(self, text):
        assert instant(text).year == 2026

    @pytest.mark.parametrize("text", ["2026-13-41", "2026-02-30T25:00:00Z", "noon", ""])
    def test_what_is_no_time_names_none(self, text):
        assert instant(text) is None

    @pytest.mark.parametrize(
        "value",
        [
            "2026-03-01T23:59:59Z",
            "2026-03-02",
            1772366400,
            1772366400.5,
            1772366400123,
            "1772366400",
        ],
    )
    def test_within_a_day_is_near(self, value):
        assert near(value, RECORDED_AT)

    @pytest.mark.parametrize(
        "value", ["2026-03-05T12:00:00Z", "2016-03-01", 1472366400, 17, "17", True, None, "soon"]
    )
    def test_the_rest_is_not(self, value):
        assert not near(value, RECORDED_AT)
        assert not near(value, "")


class TestVolatile:
    @pytest.mark.parametrize(
        ("path", "value", "kind"),
        [
            ("id", SHAPES["uuid"][0], "uuid"),
            ("a[].sha", "9fceb02", "hash"),
            ("a[].sha", "1234567", "hash"),
            ("name", "1234567", ""),
            ("took_ms", 12, "duration"),
            ("stats.elapsed", 0.3, "duration"),
            ("elapsed", "12", "duration"),
            ("request_id", "r-17", "key"),
            ("x_request_id", 17, "key"),
            ("requestId", "two words", ""),
            ("when", "2026-03-01T12:00:00Z", "time"),
            ("when", "2020-03-01T12:00:00Z", ""),
            ("size", 12, ""),
            ("items", 3, ""),
            ("ok", True, ""),
        ],
    )
    def test_by_form_or_by_name(self, path, value, kind):
        assert volatile(value, path, RECORDED_AT) == kind


class TestMasked:
    def test_everything_that_varies_by_form_gives_way_to_its_kind(self):
        text = (
            "2026-03-01T12:00:01Z 7d5a6f0e-1c2b-4d3e-8f90-a1b2c3d4e5f6 at 9fceb02d took 12 ms"
            " since 1772366400"
        )
        assert masked(text, RECORDED_AT) == "<time> <uuid> at <hash> took <duration> since <time>"

    @pytest.mark.parametrize(
        "text",
        [
            "on 2020-03-01 there were 12 of them",
            "see /srv/9fceb02d/x",
            "the word deadbeef",
            "v1.2.3",
        ],
    )
    def test_the_rest_stays(self, text):
        assert masked(text, RECORDED_AT) == text

    @given(st.text())
    def test_any_text_can_be_masked_and_shaped(self, text):
        masked(text, RECORDED_AT)
        assert text_shape(text)
        volatile(text, "id", RECORDED_AT)


@pytest.mark.parametrize(
    ("text", "varies"),
    [
        ("created at 12:17:05 AM", True),
        ("created at 00:17:59.120", True),
        ("created at 05:47:05", True),
        ("starts at 09:25:00", False),
        ("score 12:17", False),
        ("address 12:17:05:99", False),
    ],
)
def test_a_time_of_day_is_a_time_where_it_is_the_moments_own(text, varies):
    moment = "2026-01-02T00:17:05.000Z"
    assert ("<time>" in masked(text, moment)) is varies
    assert "<time>" not in masked(text, "")


def test_a_time_of_day_alone_varies_like_any_instant():
    assert volatile("12:17:05 AM", "at", "2026-01-02T00:17:05.000Z") == "time"
    assert volatile("09:25:00", "at", "2026-01-02T00:17:05.000Z") == ""
