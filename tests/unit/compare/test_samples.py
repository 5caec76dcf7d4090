"""Values a schema lets through, and values just outside what it asks."""

from itertools import islice

import pytest

from mcp_eval.compare.samples import _TEXTS, from_pattern, near, samples, sized
from mcp_eval.compare.samples import _within as within
from mcp_eval.compare.schemas import Shape


def made(schema, most=400):
    return list(islice(samples(schema, schema), most))


@pytest.mark.parametrize(
    ("bounds", "value", "fits"),
    [
        ({"minLength": 2}, "x", False),
        ({"minLength": 2}, "xx", True),
        ({"maxLength": 2}, "xx", True),
        ({"maxLength": 2}, "x", True),
        ({"maxLength": 2}, "xxx", False),
        ({"pattern": "^a"}, "ab", True),
        ({"pattern": "^a"}, "ba", False),
        ({"minimum": 3}, 3, True),
        ({"minimum": 3}, 4, True),
        ({"minimum": 3}, 2, False),
        ({"maximum": 3}, 3, True),
        ({"maximum": 3}, 2, True),
        ({"maximum": 3}, 4, False),
        ({"exclusiveMinimum": 3}, 3, False),
        ({"exclusiveMinimum": 3}, 2, False),
        ({"exclusiveMinimum": 3}, 4, True),
        ({"exclusiveMaximum": 3}, 3, False),
        ({"exclusiveMaximum": 3}, 4, False),
        ({"exclusiveMaximum": 3}, 2, True),
        ({"multipleOf": 3}, 6, True),
        ({"multipleOf": 3}, 7, False),
        ({"multipleOf": 3}, 2, False),
        ({}, 0, True),
        ({"minimum": 3}, True, True),
        ({"minimum": 3, "minLength": 9}, None, True),
    ],
)
def test_a_plain_value_keeps_its_bounds_or_not(bounds, value, fits):
    assert within(value, Shape(bounds=bounds)) is fits


def test_numbers_are_tried_at_and_beside_their_bounds():
    found = made({"type": "number", "minimum": 3, "maximum": 8})
    assert found[:3] == [3, 8, 7]
    assert {7.5, 3.5, 4} <= set(found)
    assert all(3 <= number <= 8 for number in found)
    assert made({"type": "integer", "minimum": 3, "maximum": 8})[:4] == [3, 8, 7, 4]
    assert made({"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 8})[:2] == [4, 7]


def test_numbers_without_a_bound_are_small_round_odd_and_negative():
    assert made({"type": "number"}) == [1, 0, 10, 100, 2, -1, 1000, 1_000_000, 1.5, 7]
    assert made({"type": "integer"}) == [1, 0, 10, 100, 2, -1, 1000, 1_000_000, 7]
    assert all(isinstance(number, int) for number in made({"type": "integer", "minimum": 2.0}))


def test_a_multiple_is_found_above_a_bound():
    found = made({"type": "integer", "minimum": 10, "multipleOf": 7})
    assert found[0] == 14
    assert all(number % 7 == 0 and number >= 10 for number in found)
    assert made({"type": "integer", "multipleOf": 7})[0] == 0
    assert {7, 14} <= set(made({"type": "integer", "multipleOf": 7}))


def test_texts_are_as_long_as_they_may_be_and_must_be():
    found = made({"type": "string", "minLength": 6, "maxLength": 9})
    assert found[:3] == ["textxx", "xxxxxx", "xxxxxxxxx"]
    assert all(6 <= len(text) <= 9 for text in found)
    assert made({"type": "string", "maxLength": 2})[0] == "te"
    assert made({"type": "string"})[:3] == ["text", "", "x" * 64]
    assert [text for text in made({"type": "string"}) if text in _TEXTS]


def test_lists_have_the_fewest_one_and_the_most():
    whole = {"type": "array", "items": {"type": "integer"}}
    assert made({**whole, "minItems": 2, "maxItems": 4}) == [[1, 1], [1, 1, 1, 1], [1, 1]]
    assert made(whole) == [[1], [], [1, 1], [1, 1]]
    assert made({**whole, "maxItems": 1}) == [[1], []]
    assert made({**whole, "maxItems": 0}) == [[]]
    assert made({**whole, "minItems": 3, "maxItems": 3, "uniqueItems": True})[0] == [1, 0, 10]
    assert made({"type": "array", "items": False}) == [[]]


def test_an_object_has_what_it_must_and_as_many_as_it_must():
    whole = {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "boolean"}, "c": {"type": "null"}},
        "required": ["b"],
    }
    assert made(whole) == [{"b": True}]
    assert made({**whole, "required": ["b", "z"]})[0].keys() == {"b", "z"}
    assert made({**whole, "minProperties": 2}) == [{"b": True, "a": 1}]
    assert made({**whole, "minProperties": 1}) == [{"b": True}]


def test_each_type_is_tried_in_its_turn():
    found = made({"type": ["null", "boolean", "integer", "string"]})
    assert found[0] == "text"
    assert found.index(1) < next(at for at, one in enumerate(found) if one is True)
    assert found[-1] is None
    assert made({"type": "boolean"}) == [True, False]
    assert made({"enum": [3, "x"]}) == [3, "x"]
    assert made({"type": "integer", "default": 42})[0] == 42


def test_a_list_of_itself_ends():
    endless = {"type": "array", "minItems": 1, "items": {"$ref": "#"}}
    value, depth = made(endless)[0], 0
    while value:
        value, depth = value[0], depth + 1
    assert 8 <= depth <= 10


# --- just outside ---


@pytest.mark.parametrize(
    ("demand", "first"),
    [
        ({"minimum": 5}, [4]),
        ({"maximum": 5}, [6]),
        ({"exclusiveMinimum": 5}, [5]),
        ({"exclusiveMaximum": 5}, [5]),
        ({"minLength": 5}, ["xxxx"]),
        ({"maxLength": 5}, ["xxxxxx"]),
        ({"minLength": 0}, [""]),
        ({"multipleOf": 4}, [6.0, 5]),
        ({"allOf": [{"minimum": 5}, {"maximum": 7}]}, [4, "text"]),
        ({}, ["text", 1, 1.5, True, None, [], {}]),
    ],
)
def test_what_stands_just_outside_a_demand_comes_first(demand, first):
    assert list(near(demand))[: len(first)] == first


def test_of_a_pattern_only_what_it_does_not_match_stands_outside():
    found = list(near({"pattern": "^no"}))
    assert "no match ☂" not in found
    assert "no match ☂" in list(near({"pattern": "^yes$"}))


@pytest.mark.parametrize(
    ("value", "demand", "expected"),
    [
        ([1, 2], {"maxItems": 2}, [[1, 2, 1]]),
        ([1], {"maxItems": 0}, [[1]]),
        ([], {"maxItems": 2}, []),
        ([1, 2, 3], {"minItems": 3}, [[1, 2]]),
        ([1, 2, 3], {"minItems": 0}, []),
        ({"a": 1}, {"maxProperties": 2}, [{"unnamed0": "text", "unnamed1": "text", "a": 1}]),
        ({"a": 1}, {"maxProperties": 0}, [{"a": 1}]),
        ("text", {"maxItems": 2, "minItems": 1, "maxProperties": 1}, []),
    ],
)
def test_a_value_is_made_longer_or_shorter_than_a_demand_allows(value, demand, expected):
    assert list(sized(value, demand)) == expected


# --- patterns ---


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("^abc$", "abc"),
        (r"^\d{4}-\d{2}$", "0000-00"),
        ("^a*b+c?d$", "bd"),
        ("^[a-c]{2,3}$", "aa"),
        ("^(ab|cd)e$", "abe"),
        ("^(?:a|[)|]x|(c))e$", "ae"),
        (r"^(a|\))e$", "ae"),
        ("^(?P<name>x)y$", "xy"),
        ("^.$", "a"),
        (r"^\.\w\s\W$", ".a -"),
        ("^[~]$", "~"),
        ("^[^a]$", "0"),
        ("a|b", "a"),
        ("", ""),
        ("^(a){3}$", "aaa"),
        (r"^(?=x)x$", None),
        (r"^\p$", None),
        ("^a", "a"),
        ("(a", None),
        ("a)", None),
        ("^(?!a)$", None),
        (r"^\1$", None),
    ],
)
def test_a_simple_pattern_is_followed_and_no_other(pattern, text):
    assert from_pattern(pattern) == text
