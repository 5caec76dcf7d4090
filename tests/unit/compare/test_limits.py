"""What one shape lets through and another does not, word by word."""

import pytest

from mcp_eval.compare.choices import as_schema, likeness, lost_choice, parts
from mcp_eval.compare.limits import (
    apart,
    bound_changes,
    default_changes,
    in_both,
    names,
    type_changes,
    value_changes,
    wording_changes,
)
from mcp_eval.compare.schemas import read_shape


def shape(**schema):
    return read_shape(schema, schema)


def typed(*names, **schema):
    return shape(type=list(names), **schema)


def told(changes):
    return [(one.change, one.before, one.after, one.details) for one in changes]


def kinds(changes):
    return [one.change for one in changes]


# --- types ---


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, None, False),
        (None, {"string"}, False),
        ({"string"}, None, False),
        ({"string"}, {"string"}, False),
        ({"string"}, {"null"}, True),
        ({"string"}, {"string", "null"}, False),
        ({"string", "null"}, {"null"}, False),
        ({"integer"}, {"number"}, False),
        ({"number"}, {"integer"}, False),
    ],
)
def test_types_are_apart_where_no_value_is_of_both(before, after, expected):
    assert apart(before and frozenset(before), after and frozenset(after)) is expected


def test_a_word_is_about_a_type_that_may_stand_on_both_sides():
    assert in_both("string", shape(), typed("string"))
    assert not in_both("string", typed("string"), typed("number"))
    assert not in_both("string", typed("number"), typed("string"))
    assert in_both("number", typed("integer"), typed("number"))
    assert not in_both("array", typed("integer"), shape())


def test_types_are_spelt_as_a_schema_does():
    assert names(frozenset({"string"})) == "string"
    assert names(frozenset({"string", "null"})) == ["null", "string"]
    assert names(frozenset()) is None
    assert names(None) is None


def test_a_type_no_longer_stated_is_dropped():
    assert told(type_changes("p", typed("string"), shape())) == [
        ("constraint-dropped", "string", None, {"keyword": "type"})
    ]
    assert told(type_changes("p", shape(enum=["a"]), shape())) == []


def test_a_type_newly_stated_is_a_change_unless_the_values_say_it():
    (one,) = type_changes("p", shape(), typed("string", "null"))
    assert (one.path, one.change, one.before, one.after) == (
        "p",
        "parameter-type-changed",
        None,
        ["null", "string"],
    )
    assert one.demand == {"type": ["null", "string"]}
    assert one.details == {"lost": [], "gained": []}
    assert told(type_changes("p", shape(), shape(enum=["a"]))) == []


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (typed("string"), typed("string"), []),
        (typed("string"), typed("integer"), ["parameter-type-changed"]),
        (typed("string", "null"), typed("string"), ["parameter-type-changed"]),
        (typed("string"), typed("string", "null"), ["bounds-widened"]),
        (typed("number"), typed("integer"), ["bounds-narrowed"]),
        (typed("number", "null"), typed("integer"), ["parameter-type-changed"]),
        (typed("number"), typed("integer", "null"), ["parameter-type-changed"]),
        (typed("integer"), typed("number"), ["bounds-widened"]),
        (shape(enum=["a"]), typed("string", "null"), []),
        (shape(enum=["a"]), typed("integer"), ["parameter-type-changed"]),
        (typed("string", "null"), shape(enum=["a"]), []),
        (shape(enum=["a", 1]), shape(enum=["a"]), []),
        (shape(enum=["a"]), shape(enum=[1]), ["parameter-type-changed"]),
    ],
)
def test_a_type_lost_is_narrower_and_one_gained_is_wider(before, after, expected):
    assert kinds(type_changes("p", before, after)) == expected


def test_a_type_changed_tells_what_is_lost_and_gained():
    (one,) = type_changes("p", typed("string"), typed("integer", "null"))
    assert (one.before, one.after) == ("string", ["integer", "null"])
    assert one.details == {"lost": ["string"], "gained": ["integer", "null"]}
    (one,) = type_changes("p", typed("number"), typed("integer"))
    assert one.details == {"lost": ["number"], "gained": [], "keywords": ["type"]}
    (one,) = type_changes("p", typed("string"), typed("string", "null"))
    assert one.details == {"keywords": ["type"], "gained": ["null"]}


# --- values ---


def test_values_listed_come_and_go():
    assert told(value_changes("p", shape(), shape())) == []
    assert told(value_changes("p", shape(enum=["a", "b"]), shape())) == [
        ("constraint-dropped", ["a", "b"], None, {"keyword": "enum"})
    ]
    (one,) = value_changes("p", shape(), shape(enum=["a", "b"]))
    assert (one.change, one.before, one.after) == ("bounds-narrowed", {}, {"enum": ["a", "b"]})
    assert (one.demand, one.details) == ({"enum": ["a", "b"]}, {"keywords": ["enum"]})
    assert told(value_changes("p", shape(enum=["a", "b"]), shape(enum=["b", "c"]))) == [
        ("enum-value-removed", ["a", "b"], ["b", "c"], {"values": ["a"]}),
        ("enum-value-added", ["a", "b"], ["b", "c"], {"values": ["c"]}),
    ]
    assert told(value_changes("p", shape(enum=["a", "b"]), shape(enum=["b", "a"]))) == []


# --- bounds ---


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"minimum": 1}, {"minimum": 2}, "bounds-narrowed"),
        ({"minimum": 2}, {"minimum": 1}, "bounds-widened"),
        ({"maximum": 2}, {"maximum": 1}, "bounds-narrowed"),
        ({"maximum": 1}, {"maximum": 2}, "bounds-widened"),
        ({"minLength": 1}, {"minLength": 2}, "bounds-narrowed"),
        ({"maxLength": 2}, {"maxLength": 3}, "bounds-widened"),
        ({"minItems": 3}, {"minItems": 2}, "bounds-widened"),
        ({"maxProperties": 3}, {"maxProperties": 2}, "bounds-narrowed"),
        ({"multipleOf": 4}, {"multipleOf": 2}, "bounds-widened"),
        ({"multipleOf": 2}, {"multipleOf": 4}, "bounds-narrowed"),
        ({"multipleOf": 4}, {"multipleOf": 3}, "bounds-narrowed"),
        ({}, {"minimum": 1}, "bounds-narrowed"),
        ({}, {"pattern": "a"}, "bounds-narrowed"),
        ({"pattern": "a"}, {"pattern": "b"}, "bounds-narrowed"),
        ({"minimum": 1}, {}, "constraint-dropped"),
        ({"minimum": 0}, {"exclusiveMinimum": 0}, "bounds-narrowed"),
        ({"minimum": 1}, {"exclusiveMinimum": 0}, "bounds-widened"),
        ({"minimum": 0}, {"exclusiveMinimum": 1}, "bounds-narrowed"),
        ({"exclusiveMinimum": 0}, {"minimum": 0}, "bounds-widened"),
        ({"exclusiveMinimum": 0}, {"minimum": 1}, "bounds-narrowed"),
        ({"exclusiveMinimum": 1}, {"minimum": 0}, "bounds-widened"),
        ({"maximum": 0}, {"exclusiveMaximum": 0}, "bounds-narrowed"),
        ({"maximum": 0}, {"exclusiveMaximum": 1}, "bounds-widened"),
        ({"maximum": 1}, {"exclusiveMaximum": 0}, "bounds-narrowed"),
        ({"exclusiveMaximum": 0}, {"maximum": 0}, "bounds-widened"),
        ({"exclusiveMaximum": 1}, {"maximum": 0}, "bounds-narrowed"),
        ({"exclusiveMaximum": 0}, {"maximum": 1}, "bounds-widened"),
    ],
)
def test_a_bound_is_tighter_looser_or_gone(before, after, expected):
    assert set(kinds(bound_changes("p", shape(**before), shape(**after)))) == {expected}


def test_bounds_of_one_sort_are_told_together():
    before = shape(minLength=1, maxLength=9, pattern="a", minItems=1)
    after = shape(minLength=2, maxLength=10, minItems=2)
    assert told(bound_changes("p", before, after)) == [
        (
            "bounds-narrowed",
            {"minItems": 1, "minLength": 1},
            {"minItems": 2, "minLength": 2},
            {"keywords": ["minItems", "minLength"]},
        ),
        ("bounds-widened", {"maxLength": 9}, {"maxLength": 10}, {"keywords": ["maxLength"]}),
        (
            "constraint-dropped",
            {"pattern": "a"},
            {},
            {"keyword": "pattern", "keywords": ["pattern"]},
        ),
    ]
    narrowed, *_ = bound_changes("p", before, after)
    assert narrowed.demand == {"minItems": 2, "minLength": 2}


@pytest.mark.parametrize(
    ("word", "bound", "other"),
    [
        ("minLength", 1, "number"),
        ("maxLength", 1, "number"),
        ("pattern", "a", "number"),
        ("minimum", 1, "string"),
        ("maximum", 1, "string"),
        ("exclusiveMinimum", 1, "string"),
        ("exclusiveMaximum", 1, "string"),
        ("multipleOf", 2, "string"),
        ("minItems", 1, "string"),
        ("maxItems", 1, "string"),
        ("uniqueItems", True, "string"),
        ("contains", {"const": 1}, "string"),
        ("minProperties", 1, "string"),
        ("maxProperties", 1, "string"),
        ("propertyNames", {"pattern": "a"}, "string"),
    ],
)
def test_a_bound_on_a_type_that_may_not_stand_there_says_nothing(word, bound, other):
    assert kinds(bound_changes("p", typed(other), typed(other, **{word: bound}))) == []
    assert kinds(bound_changes("p", shape(), shape(**{word: bound}))) == ["bounds-narrowed"]


@pytest.mark.parametrize(
    ("values", "bound", "meant"),
    [
        (["ab", "a"], {"minLength": 1}, True),
        (["ab", ""], {"minLength": 1}, False),
        (["ab", "a"], {"maxLength": 2}, True),
        (["abc", "a"], {"maxLength": 2}, False),
        ([1, 2], {"minimum": 1}, True),
        ([0, 2], {"minimum": 1}, False),
        ([1, 2], {"maximum": 2}, True),
        ([1, 3], {"maximum": 2}, False),
        ([1, 3], {"multipleOf": 1}, False),
        (["a", "b"], {"pattern": "a|b"}, False),
    ],
)
def test_a_bound_that_every_listed_value_keeps_is_nothing_new(values, bound, meant):
    kind = "string" if isinstance(values[0], str) else "integer"
    before = typed(kind, enum=values)
    found = [one.change for one in bound_changes("p", before, typed(kind, **bound))]
    assert (found == []) is meant


def test_a_bound_that_makes_way_for_listed_values_is_not_gone():
    assert (
        kinds(bound_changes("p", typed("string", minLength=1), typed("string", enum=["a"]))) == []
    )


# --- defaults and words ---


def test_a_default_changes_where_a_parameter_stands():
    one, two = shape(default=1), shape(default=2)
    assert told(default_changes("p", one, two)) == [("default-changed", 1, 2, {"stated": True})]
    assert told(default_changes("p", shape(), two)) == [
        ("default-changed", None, 2, {"stated": False})
    ]
    assert told(default_changes("", one, two)) == []
    assert told(default_changes("p", one, shape(default=1))) == []
    assert kinds(default_changes("p", one, shape(default=True))) == ["default-changed"]


def test_the_words_of_a_parameter_are_its_description_else_its_title():
    assert told(wording_changes("p", shape(title="a"), shape(title="b", description="c"))) == [
        ("description-changed", "a", "c", {})
    ]
    assert (
        told(wording_changes("p", shape(description="c"), shape(title="b", description="c"))) == []
    )
    assert told(wording_changes("", shape(description="a"), shape(description="c"))) == []


# --- choices ---


def test_a_choice_has_its_alternatives_by_type():
    found = parts(shape(anyOf=[{"type": "string"}, {"type": "array", "minItems": 1}]))
    assert [sorted(one.types) for one in found] == [["array"], ["string"]]
    assert [sorted(one.types) for one in parts(typed("string", "null"))] == [["null"], ["string"]]
    assert len(parts(shape())) == 1


def members(**properties):
    return shape(type="object", properties=properties)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (typed("string"), typed("integer"), 0.0),
        (typed("string"), typed("string"), 0.6),
        (typed("string"), typed("string", enum=["a"]), 0.4),
        (members(a={}), members(a={}), 0.6),
        (members(a={}), members(b={}), 0.4),
        (members(a={}, b={}), members(b={}), 0.5),
        (members(kind={"const": "x"}), members(kind={"const": "x"}), 1.0),
        (members(kind={"const": "x"}), members(kind={"enum": ["x"]}), 0.0),
        (members(kind={"const": "x"}), members(kind={"const": "y"}), 0.0),
        (members(kind={"enum": ["x", "y"]}), members(kind={"enum": ["x", "z"]}), 0.6),
    ],
)
def test_alternatives_are_alike_by_their_marks_members_and_values(one, other, expected):
    assert likeness(one, other) == pytest.approx(expected)


def test_an_alternative_that_is_gone_is_a_type_or_a_bound():
    before = shape(anyOf=[{"type": "string"}, {"type": "null"}])
    one = lost_choice("p", before, typed("string"), [typed("null")])
    assert (one.change, one.details) == (
        "parameter-type-changed",
        {"keywords": ["anyOf"], "lost": ["null"]},
    )
    assert one.demand == {"anyOf": [{"type": ["string"]}]}
    assert lost_choice("p", before, shape(), [typed("null")]).change == "bounds-narrowed"
    assert lost_choice("p", before, typed("string"), [shape()]).change == "bounds-narrowed"
    assert lost_choice("p", before, typed("string"), [typed("string")]).change == "bounds-narrowed"


def test_a_shape_is_written_as_a_schema_again():
    assert as_schema(shape()) == {}
    whole = {
        "type": ["object"],
        "properties": {"a": True},
        "required": ["a"],
        "additionalProperties": False,
        "minProperties": 1,
    }
    assert as_schema(shape(**whole)) == whole
    assert as_schema(shape(type="array", items={"type": "null"})) == {
        "type": ["array"],
        "items": {"type": "null"},
    }
    assert as_schema(typed("string", enum=["a"])) == {"type": ["string"], "enum": ["a"]}
