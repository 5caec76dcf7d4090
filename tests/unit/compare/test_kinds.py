"""Of which kind a value is, where it stands, and what is put in its place."""

import pytest

from mcp_eval.compare import bindings
from mcp_eval.compare.kinds import Hints, kind_of
from mcp_eval.compare.paths import MISSING, get, key, leaf, leaves, put, site, steps, walk
from mcp_eval.compare.tidy import resolve, tidy
from mcp_eval.model.trajectory import Binding


def kind(name, a, b, *recorded, schema=None):
    return kind_of(name, a, b, Hints.of(schema, recorded).member(name)).name


# --- kinds ---


@pytest.mark.parametrize(
    ("name", "a", "b", "expected"),
    [
        ("x", "select a from b", "select c from d", "sql"),
        ("x", "select a server", "select a tool", "text"),
        ("x", "select the from x", "select the from y", "sql"),
        ("x", "/a/b", "/c/d", "path"),
        ("x", "a/b", "c/d", "id"),
        ("x", "/a", "b", "id"),
        ("x", "https://example.com", "https://example.org/a", "url"),
        ("x", "7d5a6f0e-1c2b-4d3e-8f90-a1b2c3d4e5f1", "7d5a6f0e-1c2b-4d3e-8f90-a1b2c3d4e5f2", "id"),
        ("x", "2024-01-01", "2024-01-02", "time"),
        ("x", "one", "two", "id"),
        ("x", "one two", "two", "text"),
        ("x", "one", "two three", "text"),
        ("x", True, False, "boolean"),
        ("x", True, "a", "boolean"),
        ("x", None, None, "null"),
        ("x", None, 3, "number"),
        ("x", {}, 3, "object"),
        ("x", 3, [], "object"),
        ("x", 3, 4, "number"),
        ("user_id", 3, 4, "id"),
        ("command", "ls", "make all", "command"),
        ("sql_statement", "a", "b", "sql"),
        ("path", "a", "b", "path"),
        ("path", "a b", "c", "path"),
        ("path", "one of the files", "the other one here", "text"),
        ("path", "one of/the files", "the other/one here", "path"),
        ("id", "one two three", "x", "id"),
        ("id", "one two three four", "x", "text"),
        ("created_at", "yesterday", "today", "id"),
        ("created_at", "day 1", "day 2", "time"),
        ("created_at", "day 1", "today", "text"),
        ("query", "a", "b", "text"),
        ("", "a", "b", "id"),
    ],
)
def test_a_value_is_of_the_kind_its_form_and_name_say(name, a, b, expected):
    assert kind(name, a, b) == expected


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"const": "a"}, "const"),
        ({"enum": ["a", "b"]}, "enum"),
        ({"type": "boolean"}, "boolean"),
        ({"type": ["boolean", "null"]}, "boolean"),
        ({"type": "string"}, "id"),
        ({"type": "string", "format": "date-time"}, "time"),
        ({"type": "string", "format": "strange"}, "id"),
    ],
)
def test_a_schema_says_the_kind_first(schema, expected):
    whole = {"type": "object", "properties": {"x": schema}}
    assert kind("x", "one", "two", schema=whole) == expected


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["a", "a", "a", "b", "b"], "enum"),
        (["a", "a", "b", "b"], "id"),
        (["a", "b", "c", "d", "d"], "id"),
        (["a", "a", "b", "b", "c"], "id"),
        (["a", "a", "a", "b", "b c"], "text"),
        (["a"] * 11 + ["b", "c", "d", "e"], "id"),
        (["a"] * 11 + ["b", "c", "d"], "enum"),
    ],
)
def test_few_values_that_were_recorded_often_are_a_choice(texts, expected):
    assert kind("x", "a", "b", *({"x": text} for text in texts)) == expected


def test_hints_reach_into_members_and_items():
    schema = {
        "type": "object",
        "properties": {"tags": {"type": "array", "items": {"enum": ["a", "b"]}}},
        "additionalProperties": {"type": "boolean"},
    }
    hints = Hints.of(schema, [{"tags": ["a", "b"]}, {"tags": "c"}, {}])
    assert hints.member("tags").item().shape.values == ("a", "b")
    assert hints.member("other").shape.types == {"boolean"}
    assert hints.member("tags").seen() == [["a", "b"], "c"]
    assert hints.member("tags").item().seen() == ["a", "b"]
    assert hints.member("tags") is hints.member("tags")


# --- paths ---

VALUE = {"a": [{"b.c": 1}, 2], "d": {}, "e": [], 'q"': None}
LEAVES = [('a[0]["b.c"]', 1), ("a[1]", 2), ("d", {}), ("e", []), ('["q\\""]', None)]


def test_every_leaf_has_a_path_that_leads_to_it():
    assert list(leaves(VALUE)) == LEAVES
    assert list(walk(VALUE)) == LEAVES
    assert [get(VALUE, path) for path, _ in LEAVES] == [leaf for _, leaf in LEAVES]
    assert list(leaves(5)) == [("", 5)]


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("a[2]", MISSING),
        ("a[1].b", MISSING),
        ("a.b", MISSING),
        ("d.x", MISSING),
        ("x", MISSING),
        ("a[1]", 2),
        ("", VALUE),
    ],
)
def test_where_nothing_stands_nothing_is_got(path, found):
    assert get(VALUE, path) is found or get(VALUE, path) == found
    assert get(VALUE, "x", 7) == 7


def test_a_value_is_put_where_one_stands():
    assert put({"a": [1, 2, 3]}, "a[1]", 9) == {"a": [1, 9, 3]}
    assert put({"a": [1]}, "a[1]", 9) == {"a": [1]}
    assert put({"a": 1, "b": 2}, "a", 9) == {"a": 9, "b": 2}
    assert put(5, "", 9) == 9
    assert put(5, "a", 9) == 5


def test_names_are_written_and_read():
    assert key("", "a") == "a"
    assert key("a", "b") == "a.b"
    assert key("", "a b.c") == '["a b.c"]' or list(steps(key("", "a b.c"))) == ["a b.c"]
    assert list(steps('a[0][]["x.y"].b')) == ["a", 0, "", "x.y", "b"]
    assert site("a[0].b[12]") == "a[].b[]"
    assert leaf("a[].b[]") == "b"
    assert leaf("[]") == ""


# --- what goes in ---


@pytest.mark.parametrize(
    ("text", "template", "span"),
    [
        ("id itm-1 now", "id {} now", (3, 8)),
        ("itm-1", "{}", (0, 5)),
        ("{} itm-1", "{} {}", (3, 8)),
        ("short", "much longer {} than it", (0, 5)),
        ("ab", "a{}b", (1, 1)),
    ],
)
def test_a_value_stands_where_the_text_around_it_says(text, template, span):
    assert bindings._span(text, template) == span


@pytest.mark.parametrize(
    ("value", "old", "put_in"),
    [
        (42, "41", "42"),
        ("42", 41, 42),
        ("x42", 41, "x42"),
        (True, "yes", True),
        ("a", "b", "a"),
        (42, 41, 42),
        (1.5, "1", 1.5),
    ],
)
def test_a_number_goes_in_as_it_stood(value, old, put_in):
    found = bindings._coerced(value, old)
    assert found == put_in
    assert type(found) is type(put_in)


@pytest.mark.parametrize(
    ("value", "twin"),
    [(42, "42"), ("42", 42), ("042", "042"), ("0", "0"), ("4a", "4a"), ("9" * 18, int("9" * 18)), ("9" * 19, "9" * 19)],
)  # fmt: skip
def test_a_number_has_a_twin_in_writing(value, twin):
    assert bindings._twin(value) == twin


def test_what_is_written_into_json_is_quoted_as_json():
    assert bindings._written('a"b', quoted=True) == 'a\\"b'
    assert bindings._written('a"b', quoted=False) == 'a"b'
    assert bindings._written({"a": 1}, quoted=False) == '{"a": 1}'
    assert bindings._is_json('{"a": 1}')
    assert bindings._is_json(" [1]")
    assert not bindings._is_json("{a")
    assert not bindings._is_json("a")


def test_several_values_go_into_one_text_and_can_again():
    bound = [
        Binding(argument="t", step=0, path="a", template="x {} y itm-2"),
        Binding(argument="t", step=1, path="b", template="x itm-1 y {}"),
    ]
    text, now = bindings._filled("x itm-1 y itm-2", bound, ["longer-1", "z"])
    assert text == "x longer-1 y z"
    assert [one.template for one in now] == ["x {} y z", "x longer-1 y {}"]


# --- schemas as they come ---

ROOT = {
    "$defs": {"a b": {"type": "string"}, "x/y": True, "list": [{"type": "null"}], "n": 3},
    "properties": {"p": {"$anchor": "here", "type": "integer"}},
}


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        ("#", ROOT),
        ("#/$defs/a b", {"type": "string"}),
        ("#/$defs/x~1y", True),
        ("#/%24defs/a b", {"type": "string"}),
        ("#/$defs/list/0", {"type": "null"}),
        ("#/$defs/list/1", None),
        ("#/$defs/list/x", None),
        ("#/$defs/n", None),
        ("#/$defs/none", None),
        ("#here", {"$anchor": "here", "type": "integer"}),
        ("#there", None),
        ("other.json#/a", None),
    ],
)
def test_a_reference_names_what_stands_here(reference, found):
    assert resolve(reference, ROOT) == found


@pytest.mark.parametrize(
    ("schema", "plain", "broken"),
    [
        ({"type": "string"}, {"type": "string"}, False),
        ({"type": ["null", "string"]}, {"type": ["null", "string"]}, False),
        ({"type": ["string", "odd"]}, {"type": "string"}, True),
        ({"type": "odd"}, {}, True),
        ({"minLength": -1}, {}, True),
        ({"minimum": -1}, {"minimum": -1}, False),
        ({"minimum": True}, {}, True),
        ({"multipleOf": 0}, {}, True),
        ({"multipleOf": 0.5}, {"multipleOf": 0.5}, False),
        ({"minLength": 0}, {"minLength": 0}, False),
        ({"maximum": 1e301}, {}, True),
        ({"minimum": 3, "exclusiveMinimum": True}, {"exclusiveMinimum": 3}, False),
        ({"minimum": 3, "exclusiveMinimum": False}, {"minimum": 3}, False),
        ({"exclusiveMaximum": True}, {}, False),
        ({"enum": "a"}, {}, True),
        ({"required": ["a", 1]}, {}, True),
        ({"required": ["a"]}, {"required": ["a"]}, False),
        ({"pattern": "["}, {}, True),
        ({"pattern": "(?<n>a)"}, {"pattern": "(?P<n>a)"}, False),
        ({"pattern": "(?<=a)b"}, {"pattern": "(?<=a)b"}, False),
        ({"uniqueItems": True}, {"uniqueItems": True}, False),
        ({"uniqueItems": False}, {}, False),
        ({"anyOf": []}, {}, True),
        ({"items": [{"type": "null"}]}, {"prefixItems": [{"type": "null"}]}, False),
        ({"additionalItems": False}, {"items": False}, False),
        ({"dependencies": {"a": ["b"]}}, {"dependentRequired": {"a": ["b"]}}, False),
        ({"dependencies": {"a": {}}}, {"dependentSchemas": {"a": {}}}, False),
        ({"properties": 3}, {}, True),
        ({"properties": {"a": 3}}, {"properties": {"a": {}}}, True),
        ({"patternProperties": {"[": {}, "a": {}}}, {"patternProperties": {"a": {}}}, True),
        ({"patternProperties": {"a": {}}}, {"patternProperties": {"a": {}}}, False),
        ({"title": 3}, {}, False),
        ({"strange": 3}, {}, False),
        ({"$ref": "#/$defs/none"}, {}, True),
        ({"$ref": 3}, {}, True),
        ({"examples": 3}, {}, True),
        ("odd", {}, True),
    ],
)
def test_a_schema_is_made_well_formed(schema, plain, broken):
    found = tidy(schema)
    assert (found.schema, found.broken, found.cut) == (plain, broken, False)


def test_what_stands_beside_a_reference_means_nothing_up_to_draft_7():
    old = {"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#", "minLength": 1}
    assert tidy(old).schema == {"$ref": "#"}
    assert tidy({"$ref": "#", "minLength": 1}).schema == {"$ref": "#", "minLength": 1}
