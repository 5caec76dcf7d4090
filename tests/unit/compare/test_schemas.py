"""One meaning, one form: schemas spelled otherwise are the same, and other schemas are not."""

import pytest

from mcp_eval.compare.plain import admits, among, same_json, type_of
from mcp_eval.compare.schemas import ANY, NOTHING, read_shape
from mcp_eval.compare.tidy import pattern_reads, resolve, tidy
from tests.unit.compare.surfaces import schema, schema_changes

TEXT, NULL = {"type": "string"}, {"type": "null"}
POINT = schema(["x"], x={"type": "number"}, closed=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"anyOf": [TEXT, NULL]}, {"type": ["string", "null"]}),
        ({"anyOf": [NULL, TEXT]}, {"type": ["string", "null"]}),
        ({"oneOf": [TEXT, NULL]}, {"anyOf": [TEXT, NULL]}),
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "nullable": False}, TEXT),
        ({"anyOf": [POINT, NULL]}, {**POINT, "type": ["object", "null"]}),
        ({"const": "a"}, {"enum": ["a"]}),
        ({"const": "a"}, {"type": "string", "enum": ["a"]}),
        ({"anyOf": [{"const": "a"}, {"const": "b"}]}, {"type": "string", "enum": ["a", "b"]}),
        ({"enum": ["a", "b", "a"]}, {"enum": ["b", "a"]}),
        ({"enum": [True, False]}, {"type": "boolean"}),
        ({"enum": ["a", 1], "type": "string"}, {"const": "a"}),
        ({"allOf": [TEXT]}, TEXT),
        ({"anyOf": [TEXT]}, TEXT),
        ({"allOf": [{"type": ["string", "null"]}, {"type": ["string", "integer"]}]}, TEXT),
        ({"allOf": [{"minLength": 2}, {"minLength": 5}]}, {"minLength": 5}),
        ({"allOf": [schema(["a"], a=TEXT), schema(b=TEXT)]}, schema(["a"], a=TEXT, b=TEXT)),
        ({"type": ["string"]}, TEXT),
        ({"type": ["number", "integer"]}, {"type": "number"}),
        ({"type": "string", "minLength": 0}, TEXT),
        ({"type": "integer", "exclusiveMinimum": 0}, {"type": "integer", "minimum": 1}),
        ({"type": "integer", "minimum": 0.5}, {"type": "integer", "minimum": 1}),
        ({"type": "integer", "exclusiveMaximum": 9.5}, {"type": "integer", "maximum": 9}),
        ({"type": "integer", "maximum": 2**53 - 1}, {"type": "integer"}),
        ({"type": "integer", "format": "int64"}, {"type": "integer"}),
        ({"type": "number", "minimum": 1.0}, {"type": "number", "minimum": 1}),
        ({"type": "object", "additionalProperties": True}, {"type": "object"}),
        ({"type": "object", "additionalProperties": {}}, {"type": "object"}),
        ({"type": "object", "propertyNames": TEXT}, {"type": "object"}),
        ({"type": "object", "required": []}, {"type": "object"}),
        ({"type": "array", "items": {}}, {"type": "array"}),
        ({"type": "array", "uniqueItems": False}, {"type": "array"}),
        ({"anyOf": [{}, TEXT]}, {}),
        ({"anyOf": [TEXT, TEXT]}, TEXT),
        ({"anyOf": [TEXT, {"anyOf": [NULL]}]}, {"type": ["null", "string"]}),
        (True, {}),
        ({"type": "string", "examples": ["a"], "$comment": "b", "x-order": 3}, TEXT),
        ({"default": None, "type": "string"}, TEXT),
        (
            {"allOf": [schema(a=TEXT), schema(b=TEXT)], "unevaluatedProperties": False},
            schema(a=TEXT, b=TEXT, closed=True),
        ),
    ],
)
def test_two_spellings_of_one_meaning_are_no_difference(one, other):
    assert schema_changes(schema(x=one), schema(x=other)) == set()
    assert schema_changes(schema(x=other), schema(x=one)) == set()


@pytest.mark.parametrize(
    ("reference", "definitions"),
    [
        ("#/$defs/Point", {"$defs": {"Point": POINT}}),
        ("#/definitions/Point", {"definitions": {"Point": POINT}}),
        ("#/$defs/a~1b", {"$defs": {"a/b": POINT}}),
        ("#/$defs/Alias", {"$defs": {"Alias": {"$ref": "#/$defs/Point"}, "Point": POINT}}),
        ("#point", {"$defs": {"P": {**POINT, "$anchor": "point"}}}),
    ],
)
def test_a_reference_means_what_it_leads_to(reference, definitions):
    spelled = {**schema(at={"$ref": reference}), **definitions}
    assert schema_changes(spelled, schema(at=POINT)) == set()
    assert schema_changes(schema(at=POINT), spelled) == set()
    assert schema_changes(spelled, schema(at=TEXT)) == {("parameter-type-changed", "at")}


def test_a_change_behind_a_reference_is_seen_wherever_it_is_used():
    def document(kind):
        return {**schema(a={"$ref": "#/$defs/P"}, b={"$ref": "#/$defs/P"}), "$defs": {"P": kind}}

    assert schema_changes(document(TEXT), document({"type": "integer"})) == {
        ("parameter-type-changed", "a"),
        ("parameter-type-changed", "b"),
    }


def test_a_definition_nobody_uses_changes_nothing():
    before, after = schema(a=TEXT), {**schema(a=TEXT), "$defs": {"P": POINT}}
    assert schema_changes(before, after) == set()


def test_what_stands_beside_a_reference_counts_in_new_drafts_and_not_in_old_ones():
    beside = {**schema(x={"$ref": "#/$defs/T", "minLength": 2}), "$defs": {"T": TEXT}}
    old = {**beside, "$schema": "http://json-schema.org/draft-07/schema#"}
    assert schema_changes(beside, schema(x={"type": "string", "minLength": 2})) == set()
    assert schema_changes(old, schema(x=TEXT)) == set()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            {"type": "number", "minimum": 0, "exclusiveMinimum": True},
            {"type": "number", "exclusiveMinimum": 0},
        ),
        (
            {"type": "array", "items": [TEXT], "additionalItems": False},
            {"type": "array", "prefixItems": [TEXT], "items": False},
        ),
        (
            {"type": "object", "dependencies": {"a": ["b"]}},
            {"type": "object", "dependentRequired": {"a": ["b"]}},
        ),
        ({"pattern": "(?<year>[0-9]+)"}, {"pattern": "(?P<year>[0-9]+)"}),
    ],
)
def test_old_drafts_say_the_same_in_other_words(old, new):
    assert schema_changes(schema(x=old), schema(x=new)) == set()


@pytest.mark.parametrize(
    "fault",
    [
        {"type": "text"},
        {"type": 3},
        {"required": True},
        {"enum": "a"},
        {"minLength": "3"},
        {"minimum": float("nan")},
        {"minLength": -1},
        {"multipleOf": 0},
        {"pattern": "("},
        {"anyOf": []},
        {"anyOf": {}},
        {"properties": []},
        {"items": 3},
        {"$ref": 3},
        {"$ref": "#/$defs/none"},
        {"$ref": "https://elsewhere.example/a.json"},
    ],
)
def test_what_cannot_be_understood_is_left_out_and_told(fault):
    tidied = tidy({"type": "object", "properties": {"x": fault}})
    assert tidied.broken
    assert tidied.schema["properties"]["x"] in ({}, {"items": {}})


@pytest.mark.parametrize("schema", [None, [], "x", 3, True])
def test_no_object_is_no_schema_of_a_tool(schema):
    assert tidy(schema).broken


def test_a_well_formed_schema_is_whole():
    tidied = tidy(POINT)
    assert (tidied.schema, tidied.broken, tidied.cut) == (POINT, False, False)


def test_tidying_leaves_the_schema_it_was_given_alone():
    given = {"type": "object", "properties": {"x": {"$ref": "#/none", "nullable": True}}}
    tidy(given)
    assert given == {"type": "object", "properties": {"x": {"$ref": "#/none", "nullable": True}}}


def test_true_and_false_are_schemas():
    assert read_shape(True, {}) == ANY
    assert read_shape(False, {}) == NOTHING


def test_references_that_lead_in_a_circle_end():
    root = {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}
    assert read_shape({"$ref": "#/$defs/a"}, root).types is None


def test_a_reference_finds_members_and_items_and_nothing_else():
    root = {"anyOf": [TEXT, True], "$defs": {"x": POINT}}
    assert resolve("#", root) == root
    assert resolve("#/anyOf/0", root) == TEXT
    assert resolve("#/anyOf/1", root) is True
    assert resolve("#/anyOf/2", root) is None
    assert resolve("#/$defs/x/required", root) is None
    assert resolve("other.json#/a", root) is None


def test_a_pattern_reads_or_does_not():
    assert pattern_reads("^[a-z]+$")
    assert not pattern_reads("[")
    assert not pattern_reads("[[a]")  # in Python it may come to mean a set in a set


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (None, "null"),
        (True, "boolean"),
        (1, "integer"),
        (1.0, "integer"),
        (1.5, "number"),
        ("", "string"),
        ([], "array"),
        ({}, "object"),
    ],
)
def test_every_value_has_a_type_by_its_json_schema_name(value, name):
    assert type_of(value) == name


def test_values_are_one_as_json_says_at_any_depth():
    assert same_json({"a": [1, {"b": 2}]}, {"a": [1.0, {"b": 2.0}]})
    assert not same_json({"a": [1]}, {"a": [True]})
    assert not same_json([1], [1, 1])
    assert not same_json({"a": 1}, {"b": 1})
    assert among(0, [False, 0.0])
    assert not among(0, [False, None, ""])


def test_a_number_may_be_whole_and_a_whole_number_is_a_number():
    assert admits(frozenset({"number"}), "integer")
    assert not admits(frozenset({"integer"}), "number")


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ({"type": "number", "minimum": 1}, {"type": "number", "exclusiveMinimum": 1}, "narrowed"),
        ({"type": "number", "exclusiveMinimum": 1}, {"type": "number", "minimum": 1}, "widened"),
        ({"type": "number", "exclusiveMinimum": 1}, {"type": "number", "minimum": 2}, "narrowed"),
        ({"type": "number", "maximum": 1}, {"type": "number", "exclusiveMaximum": 1}, "narrowed"),
        ({"type": "number", "exclusiveMaximum": 1}, {"type": "number", "maximum": 1}, "widened"),
        ({"type": "number", "exclusiveMaximum": 2}, {"type": "number", "maximum": 1}, "narrowed"),
    ],
)
def test_an_inclusive_bound_and_an_exclusive_one_are_weighed(before, after, change):
    assert schema_changes(schema(x=before), schema(x=after)) == {(f"bounds-{change}", "x")}


def test_a_bound_of_a_type_that_cannot_stand_there_says_nothing():
    after = {"type": "string", "minimum": 3, "minItems": 1, "required": ["a"]}
    assert schema_changes(schema(x=TEXT), schema(x=after)) == set()
    assert schema_changes(schema(x=after), schema(x=TEXT)) == set()


def test_a_bound_that_every_listed_value_keeps_says_nothing():
    listed = {"type": "string", "enum": ["ab", "abc"]}
    assert schema_changes(schema(x=listed), schema(x={**listed, "minLength": 2})) == set()
    assert schema_changes(schema(x=listed), schema(x={**listed, "minLength": 3})) == {
        ("bounds-narrowed", "x")
    }
