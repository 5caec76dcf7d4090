"""One way to write what means the same; and where a value stands in a text."""

import pytest

from mcp_eval.compare import anchors, written
from mcp_eval.compare.masks import _at
from mcp_eval.compare.plain import admits, among, same_json, type_of


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("", ""),
        (" /a//b/./c/../d/ ", "/a/b/d"),
        ("//a", "/a"),
        ("file:///a", "/a"),
        ("C:\\Work\\a", "c:/Work/a"),
        ("c:/a", "c:/a"),
        ("a\\b", "a\\b"),
    ],
)
def test_a_path_has_one_spelling(said, plain):
    assert written.path(said) == plain


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("HTTPS://Example.com", "https://example.com?#"),
        ("https://example.com/a/", "https://example.com/a?#"),
        ("https://example.com/a/../b%20c", "https://example.com/b c?#"),
        ("https://example.com:443/", "https://example.com?#"),
        ("https://example.com:80/", "https://example.com:80?#"),
        ("http://example.com:80/", "http://example.com?#"),
        ("ws://example.com:8080/", "ws://example.com:8080?#"),
        ("ftp://me@Example.com/a", "ftp://me@example.com/a?#"),
        ("https://example.com/?b=&a=1#top", "https://example.com?a=1&b=#top"),
        (" https://example.com:no ", "https://example.com:no"),
    ],
)
def test_a_url_has_one_spelling(said, plain):
    assert written.url(said) == plain


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("ls  -l", "ls -l", True),
        ("echo 'a b'", 'echo "a b"', True),
        ("echo '$a'", 'echo "$a"', False),
        ("echo a; ls", "echo a ;ls", True),
        ("a # b", "a", False),
        ("  ls", "ls", True),
        ("if x\n  ls", "if x\nls", False),
        ("echo 'a\nb'  ", "echo 'a  \nb'", True),
        ("echo 'a\nb'", "echo 'a\n  b'", False),
    ],
)
def test_a_command_is_its_words(one, other, same):
    assert (written.command(one) == written.command(other)) is same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("SELECT a FROM b;", "select  a\nfrom b", True),
        ('select "a" from b', "select a from `b`", True),
        ('select "A"', "select a", False),
        ("select 'A'", "select 'a'", False),
        ("select a <> 1", "select a != 1", True),
        ("select a -- why\n from b /* where */", "select a from b", True),
        ("select 1.5", "select 15", False),
        ("select a;;", "select a", True),
        ("select a; select b", "select a select b", False),
    ],
)
def test_a_query_is_its_tokens(one, other, same):
    assert (written.sql(one) == written.sql(other)) is same


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("12:30", "12:30:00"),
        ("12:30:15", "12:30:15"),
        ("3 pm", "15:00:00"),
        ("12 am", "00:00:00"),
        ("12 p.m.", "12:00:00"),
        ("3:05 AM", "03:05:00"),
        ("15", "15"),
        ("soon", "soon"),
        ("2024-01-01T00:00:00Z", "at 1704067200.0"),
        ("2024-01-01T01:00:00+01:00", "at 1704067200.0"),
        ("2024-01-01", "on 1704067200.0"),
    ],
)
def test_a_moment_has_one_spelling(said, plain):
    assert written.moment(said) == plain


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        (" ABCDEF12 ", "abcdef12"),
        ("ABCDEF1", "ABCDEF1"),
        ("Me@Example.COM", "me@example.com"),
        ("Me@Example", "Me@Example"),
        ("00000000-0000-4000-8000-00000000000A", "00000000-0000-4000-8000-00000000000a"),
        ("Item-A", "Item-A"),
    ],
)
def test_case_says_nothing_where_letters_are_digits(said, plain):
    assert written.identifier(said) == plain


def test_of_a_program_only_the_white_space_around_says_nothing():
    assert written.code("\na  \n  b\t\n\n") == "a\n  b"


# --- where a value stands in a text ---


@pytest.mark.parametrize(
    ("text", "value", "place"),
    [
        ("created item 4711", "4711", "p~0~created item "),
        ("a 1 item 5 item 4711", "4711", "p~1~ item "),
        ("4711 is new", "4711", "p~0~"),
        ("10 20 4711", "4711", "p~2~"),
        ("Created:\n4711", "4711", "p~0~Created:\n"),
        ("Created\nit has: 4711", "4711", "p~0~it has: "),
        ("x" * 50 + " the name of the one that was made is 4711", "4711", "p~0~the name of the one that was made is "),
    ],
)  # fmt: skip
def test_a_value_stands_behind_the_words_before_it(text, value, place):
    assert anchors.place("p", text, text.index(value)) == place
    base, number, words = anchors.split(place)
    assert base == "p"
    assert anchors.at(text, number, words) == value


def test_a_place_that_a_text_does_not_have_is_empty():
    assert anchors.at("created item 4711", 1, "created item ") == ""
    assert anchors.at("created item", 0, "created item") == ""
    assert anchors.at("1 2", 2, "") == ""
    assert anchors.at("1 2", 1, "") == "2"


def test_a_path_without_two_marks_and_a_number_is_no_place():
    assert anchors.split("a.b") is None
    assert anchors.split("a~1") is None
    assert anchors.split("a~x~b") is None
    assert anchors.split("a~1~b~c") == ("a", 1, "b~c")


def test_tokens_are_values_without_the_mark_behind_them():
    found = list(anchors.tokens("id:4f2a, see a.b. -- end"))
    assert found == [(0, "id:4f2a"), (3, "4f2a"), (9, "see"), (13, "a.b"), (21, "end")]


@pytest.mark.parametrize(
    ("value", "place", "found"),
    [
        ({"a": 1}, "", [{"a": 1}]),
        ({"a": 1}, "a", [1]),
        ({"a": 1}, "b", []),
        ({"a": [{"n": 1}, {"n": 2}, {}]}, "a[].n", [1, 2]),
        ({"a": {"x": {"n": 1}, "y": {"n": 2}}}, "a[].n", [1, 2]),
        ([{"n": 1}], "[].n", [1]),
        ({"a": "text"}, "a[].n", []),
    ],
)
def test_all_that_stands_at_a_site_is_found(value, place, found):
    assert list(_at(value, place)) == found


# --- JSON ---


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (1, 1.0, True),
        (True, 1, False),
        (1, True, False),
        (True, True, True),
        (False, True, False),
        ({"a": 1}, {"a": 1.0}, True),
        ({"a": 1}, {"a": True}, False),
        ({"a": 1}, {"b": 1}, False),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ([1, 2], [1, 2], True),
        ([1, 2], [1], False),
        ([1, 0], [1, False], False),
        ([1], {"a": 1}, False),
        ("a", "a", True),
        ("a", None, False),
    ],
)
def test_two_values_are_one_as_json_has_it(one, other, same):
    assert same_json(one, other) is same
    assert among(one, [[], other]) is same


def test_every_value_has_a_type():
    listed = [None, True, 1, 1.0, 1.5, "a", [], {}]
    assert [type_of(value) for value in listed] == [
        "null",
        "boolean",
        "integer",
        "integer",
        "number",
        "string",
        "array",
        "object",
    ]
    assert admits(frozenset({"number"}), "integer")
    assert not admits(frozenset({"integer"}), "number")
    assert not admits(frozenset({"number"}), "string")
    assert admits(frozenset({"string"}), "string")
