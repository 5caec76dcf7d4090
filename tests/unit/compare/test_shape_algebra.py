"""Shapes together, and one or the other: what a schema means whatever its spelling."""

import pytest

from mcp_eval.compare import schemas
from mcp_eval.compare.schemas import ANY, NOTHING, Shape, both, read_shape, settled


def shape(**schema):
    return read_shape(schema, schema)


def kinds(*names):
    return frozenset(names)


# --- what says nothing ---


@pytest.mark.parametrize(
    ("schema", "bounds"),
    [
        ({"minLength": 0}, {}),
        ({"minLength": 1}, {"minLength": 1}),
        ({"minItems": 0}, {}),
        ({"minProperties": 0}, {}),
        ({"maxLength": 0}, {"maxLength": 0}),
        ({"minimum": 0}, {"minimum": 0}),
        ({"minimum": -(2**53 - 1)}, {}),
        ({"minimum": -(2**53 - 2)}, {"minimum": -(2**53 - 2)}),
        ({"exclusiveMinimum": -(2**60)}, {}),
        ({"maximum": 2**53 - 1}, {}),
        ({"maximum": 2**53 - 2}, {"maximum": 2**53 - 2}),
        ({"exclusiveMaximum": 2**60}, {}),
        ({"format": "int32"}, {}),
        ({"format": "date"}, {"format": "date"}),
    ],
)
def test_a_bound_that_bounds_nothing_is_not_there(schema, bounds):
    assert shape(**schema).bounds == bounds


@pytest.mark.parametrize(
    ("schema", "rest"),
    [
        ({"propertyNames": {"type": "string"}}, {}),
        ({"propertyNames": True}, {}),
        ({"propertyNames": {}}, {}),
        ({"propertyNames": {"pattern": "a"}}, {"propertyNames": {"pattern": "a"}}),
        ({"contains": {}}, {}),
        ({"contains": {"const": 1}}, {"contains": {"const": 1}}),
        ({"not": {}}, {"not": {}}),
    ],
)
def test_a_word_that_asks_nothing_is_not_there(schema, rest):
    assert shape(**schema).rest == rest


def test_what_is_empty_is_anything():
    assert shape(items={}, additionalProperties={}) == ANY
    assert read_shape(True, {}) is ANY
    assert read_shape(False, {}) is NOTHING


# --- values and types ---


@pytest.mark.parametrize(
    ("schema", "types", "values"),
    [
        ({"type": []}, None, None),
        ({"type": "string"}, kinds("string"), None),
        ({"type": ["integer", "number"]}, kinds("number"), None),
        ({"const": None}, kinds("null"), None),
        ({"const": "a"}, kinds("string"), ("a",)),
        ({"enum": ["a", 1, "a"]}, kinds("string", "integer"), ("a", 1)),
        ({"enum": [1, 1.0, True]}, kinds("integer", "boolean"), (1, True)),
        ({"type": "string", "enum": ["a", 1]}, kinds("string"), ("a",)),
        ({"type": "number", "enum": [1, 1.5]}, kinds("number"), (1, 1.5)),
        ({"enum": [True, False]}, kinds("boolean"), None),
        ({"enum": [True]}, kinds("boolean"), (True,)),
        ({"enum": [True, None]}, kinds("boolean", "null"), (True, None)),
        ({"enum": [True, False, None]}, kinds("boolean", "null"), None),
        ({"enum": []}, kinds(), None),
    ],
)
def test_values_tell_types_and_types_values(schema, types, values):
    found = shape(**schema)
    assert found.types == types
    assert found.values == values


@pytest.mark.parametrize(
    ("schema", "bounds"),
    [
        ({"exclusiveMinimum": 0}, {"minimum": 1}),
        ({"exclusiveMinimum": 0.5}, {"minimum": 1}),
        ({"minimum": 0.5}, {"minimum": 1}),
        ({"minimum": 3, "exclusiveMinimum": 1}, {"minimum": 3}),
        ({"minimum": 1, "exclusiveMinimum": 3}, {"minimum": 4}),
        ({"exclusiveMaximum": 5}, {"maximum": 4}),
        ({"exclusiveMaximum": 4.5}, {"maximum": 4}),
        ({"maximum": 4.5}, {"maximum": 4}),
        ({"maximum": 3, "exclusiveMaximum": 9}, {"maximum": 3}),
        ({"maximum": 9, "exclusiveMaximum": 3}, {"maximum": 2}),
    ],
)
def test_bounds_of_whole_numbers_are_whole(schema, bounds):
    assert shape(type="integer", **schema).bounds == bounds
    assert shape(type="number", **schema).bounds == schema
    assert shape(**schema).bounds == schema


def test_nothing_unnamed_may_come_where_nothing_unevaluated_may():
    closed = shape(unevaluatedProperties=False)
    assert (closed.extra, closed.rest) == (False, {})
    assert shape(unevaluatedProperties=True).extra is True
    kept = shape(unevaluatedProperties=False, patternProperties={"a": {"type": "string"}})
    assert kept.extra is True
    assert set(kept.rest) == {"unevaluatedProperties", "patternProperties"}
    assert settled(ANY) == ANY


# --- together ---


def test_two_shapes_hold_together():
    one = shape(type="object", properties={"a": {"type": "string"}}, required=["a"], title="one")
    other = shape(
        properties={"a": {"minLength": 1}, "b": True},
        required=["b"],
        description="other",
        default=1,
    )
    found = both(one, other)
    assert found.types == kinds("object")
    assert found.properties == {"a": {"allOf": [{"type": "string"}, {"minLength": 1}]}, "b": True}
    assert found.required == {"a", "b"}
    assert (found.title, found.description, found.default) == ("one", "other", 1)
    assert both(one, ANY) is one
    assert both(ANY, one) == one
    assert both(shape(default=2), shape(default=1)).default == 2
    assert both(shape(title="x"), shape(title="y")).title == "x"


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        (True, True, True),
        (True, False, False),
        (False, True, False),
        ({"a": 1}, True, {"a": 1}),
        (True, {"a": 1}, {"a": 1}),
        ({"a": 1}, {"a": 1}, {"a": 1}),
        ({"a": 1}, {"b": 1}, {"allOf": [{"a": 1}, {"b": 1}]}),
    ],
)
def test_two_schemas_hold_together(one, other, together):
    assert schemas._all_of(one, other) == together


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        (None, None, None),
        (kinds("string"), None, kinds("string")),
        (None, kinds("string"), kinds("string")),
        (kinds("string"), kinds("null"), kinds()),
        (kinds("number"), kinds("integer"), kinds("integer")),
        (kinds("integer"), kinds("number"), kinds("integer")),
        (kinds("number"), kinds("number"), kinds("number")),
        (kinds("string", "null"), kinds("string", "integer"), kinds("string")),
    ],
)
def test_types_in_common(one, other, together):
    assert schemas._common(one, other) == together


def test_the_tightest_of_two_bounds_holds():
    one = Shape(bounds={"minimum": 1, "maximum": 9, "pattern": "a", "format": "date"})
    other = Shape(bounds={"minimum": 2, "maximum": 8, "pattern": "b", "format": "date"})
    for found in (both(one, other), both(other, one)):
        assert {word: found.bounds[word] for word in ("minimum", "maximum", "format")} == {
            "minimum": 2,
            "maximum": 8,
            "format": "date",
        }
    assert both(one, other).rest == {"allOf": [{"pattern": "b"}]}
    assert both(Shape(rest={"not": 1}), Shape(rest={"not": 1})).rest == {"not": 1}
    assert both(Shape(rest={"not": 1}), Shape(rest={"not": 2})).rest == {
        "not": 1,
        "allOf": [{"not": 2}],
    }
    assert both(Shape(rest={"not": 1}), Shape(rest={"if": 2})).rest == {"not": 1, "if": 2}


def test_values_in_common():
    assert both(Shape(values=("a", "b")), Shape(values=("b", "c"))).values == ("b",)
    assert both(Shape(values=("a",)), ANY).values == ("a",)
    assert both(ANY, Shape(values=("a",))).values == ("a",)


# --- one or the other ---


def either(*branches):
    return shape(anyOf=list(branches))


TEXT, WHOLE, NULL = {"type": "string"}, {"type": "integer"}, {"type": "null"}


def test_a_choice_is_one_shape_where_one_can_say_it():
    assert either(TEXT, TEXT) == shape(**TEXT)
    assert either(TEXT, NULL).types == kinds("string", "null")
    assert either(TEXT, NULL).options == ()
    assert either(NULL, NULL) == shape(**NULL)
    assert either(TEXT, {}) == ANY
    assert either({"const": "a"}, {"const": "b"}).values == ("a", "b")
    assert either({"const": "a"}, NULL).values == ("a", None)
    joined = either({"type": "string", "minLength": 1}, {"type": "array", "minItems": 2})
    assert joined.options == ()
    assert joined.bounds == {"minLength": 1, "minItems": 2}
    assert joined.types == kinds("string", "array")


@pytest.mark.parametrize(
    "branches",
    [
        [{"type": "string", "minLength": 1}, {"type": "string", "maxLength": 5}],
        [WHOLE, {"type": "number", "minimum": 0}],
        [{"const": "a"}, {"type": "integer"}],
        [{"type": "object", "properties": {"a": True}}, {"type": "object", "required": ["b"]}],
        [{"minLength": 1}, TEXT],
        [{"type": "string", "not": {"const": "a"}}, WHOLE],
    ],
)
def test_a_choice_stays_one_where_no_shape_says_it(branches):
    found = either(*branches)
    assert len(found.options) == 2
    stated = [shape(**branch).types for branch in branches]
    if None in stated:
        assert found.types is None


def test_null_beside_a_shape_of_any_type_is_a_choice():
    found = either({"minLength": 1}, NULL)
    assert len(found.options) == 2
    assert found.types is None
    found = either({"type": "string", "not": {"const": "a"}}, NULL)
    assert len(found.options) == 2


def test_a_reference_that_leads_to_itself_ends():
    root = {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a", "type": "string"}}}
    assert read_shape(root, root).types == kinds("string")


def test_alternatives_carry_what_holds_for_all():
    found = shape(
        minLength=1, anyOf=[{"type": "string", "pattern": "a"}, {"type": "string", "pattern": "b"}]
    )
    assert [one.bounds for one in found.alternatives()] == [
        {"minLength": 1, "pattern": "a"},
        {"minLength": 1, "pattern": "b"},
    ]
    assert shape(**TEXT).alternatives() == (shape(**TEXT),)
