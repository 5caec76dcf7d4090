"""A witness is one request, valid before and invalid now; and which recorded ones are hit."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_eval.compare.narrowing import schema_changes
from mcp_eval.compare.requests import Requests, covers
from mcp_eval.compare.samples import from_pattern, samples
from mcp_eval.compare.tidy import pattern_reads, tidy
from mcp_eval.compare.validity import Validity, values_at
from mcp_eval.compare.witness import Contract, omits, sends, valid_request, witness
from tests.unit.compare.surfaces import SCHEMAS, found, schema, sent, tool

TEXT, WHOLE = {"type": "string"}, {"type": "integer"}


def witnessed(before, after, change):
    sides = tidy(before), tidy(after)
    (one,) = [one for one in schema_changes(*sides) if one.change == change]
    return witness(Contract.of(*sides), one)


@pytest.mark.parametrize(
    ("rest", "sent_along"),
    [
        ({"id": {"type": "string", "pattern": "^[A-Z]{2}-\\d{3}$"}}, {"id": "AA-000"}),
        ({"id": {"type": "string", "minLength": 8}}, {"id": "textxxxx"}),
        ({"id": {"type": "integer", "minimum": 10, "multipleOf": 4}}, {"id": 12}),
        ({"id": {"enum": ["b", "c"]}}, {"id": "b"}),
        ({"id": {"type": "array", "items": WHOLE, "minItems": 2}}, {"id": [1, 1]}),
        ({"id": {"$ref": "#/$defs/P"}}, {"id": {"x": "text"}}),
        ({"id": {"anyOf": [{"type": "null"}, TEXT]}}, {"id": "text"}),
    ],
)
def test_a_witness_brings_what_else_is_required(rest, sent_along):
    defs = {"$defs": {"P": schema(["x"], x=TEXT)}}
    before = {**schema(["id"], mode={"enum": ["a", "b"]}, **rest), **defs}
    after = {**schema(["id"], mode={"enum": ["a"]}, **rest), **defs}
    assert witnessed(before, after, "enum-value-removed") == {**sent_along, "mode": "b"}


def test_a_witness_reaches_into_lists_and_maps():
    before = schema(env={"type": "object", "additionalProperties": TEXT})
    after = schema(env={"type": "object", "additionalProperties": WHOLE})
    assert witnessed(before, after, "parameter-type-changed") == {"env": {"unnamed": "text"}}
    items = {"type": "array", "minItems": 2, "items": {"enum": [1, 2]}}
    fewer = {**items, "items": {"enum": [1]}}
    assert witnessed(schema(x=items), schema(x=fewer), "enum-value-removed") == {"x": [2, 2]}


def test_a_change_the_rest_of_the_schema_makes_impossible_has_no_witness():
    never = {"type": "string", "minLength": 3, "maxLength": 1}
    before, after = schema(["x"], x=never, y=TEXT), schema(["x", "y"], x=never, y=TEXT)
    assert witnessed(before, after, "parameter-newly-required") is None


def test_a_request_is_hit_by_what_it_sends_and_no_other_change():
    sides = tidy(schema(a=TEXT, b=TEXT, closed=True)), tidy(schema(closed=True))
    contract = Contract.of(*sides)
    told = {one.path: bool(contract.complaint(one, {"a": "x"})) for one in schema_changes(*sides)}
    assert told == {"a": True, "b": False}


def test_what_was_invalid_before_is_no_complaint_about_the_new_schema():
    sides = tidy(schema(a=WHOLE)), tidy(schema(a={"type": "boolean"}))
    contract = Contract.of(*sides)
    (one,) = schema_changes(*sides)
    assert contract.complaint(one, {"a": 1})
    assert not contract.complaint(one, {"a": "x"})
    assert not contract.complaint_of_recorded(one, {"a": "x"})


def test_a_schema_says_what_is_wrong_where_and_how():
    fault = Validity(tidy(schema(items={"type": "array", "items": WHOLE}))).fault(
        {"items": [1, "two"]}
    )
    assert (fault.path, fault.keyword) == ("items[]", "type")
    assert fault.reason == "items.1: 'two' is not of type 'integer'"


def test_a_long_complaint_is_cut():
    reason = Validity(tidy(schema(x=WHOLE))).reason({"x": "a" * 1000})
    assert len(reason) == 160
    assert reason.endswith("…")


def test_a_schema_that_gives_no_answer_accepts_nothing_and_rejects_nothing():
    circle = Validity(tidy({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}))
    assert circle.accepts({}) is None
    assert circle.fault({}) is None


@settings(max_examples=60, deadline=None)
@given(SCHEMAS)
def test_a_request_said_to_be_valid_is(made):
    validity = Validity(tidy(made))
    request = valid_request(validity)
    assert request is None or validity.accepts(request)


@pytest.mark.parametrize(
    ("made", "least"),
    [
        (TEXT, "text"),
        ({"type": "string", "format": "email"}, "user@example.com"),
        ({"type": "string", "maxLength": 2}, "te"),
        ({"type": "number", "exclusiveMinimum": 1}, 2),
        ({"type": "boolean"}, True),
        ({"type": "null"}, None),
        ({"default": 7, "type": "integer"}, 7),
        ({"default": 7, "type": "integer", "maximum": 5}, 1),
        ({"enum": ["a", "bcd"], "minLength": 2}, "bcd"),
        (schema(["b"], a=TEXT, b=WHOLE), {"b": 1}),
        ({**schema(a=TEXT, b=TEXT), "minProperties": 1}, {"a": "text"}),
    ],
)
def test_the_first_sample_is_the_likeliest_to_be_valid(made, least):
    assert next(samples(made, {})) == least


@pytest.mark.parametrize(
    "pattern",
    ["^[a-z]+$", "^v\\d+\\.\\d+$", "^(http|https)://.+", "^[A-Fa-f0-9]{8}$", "a|b", "^(?:x)?y*z$"],
)
def test_a_simple_pattern_gets_a_text_that_matches(pattern):
    assert re.search(pattern, from_pattern(pattern))


@given(st.text(alphabet="ab[](){}|^$.*+?\\d-,1", max_size=12))
def test_a_pattern_gets_a_matching_text_or_none(pattern):
    if pattern_reads(pattern):
        made = from_pattern(pattern)
        assert made is None or re.search(pattern, made)


@pytest.mark.parametrize(
    "bound",
    [
        {"type": "array", "minItems": 10**12},
        {"type": "array", "items": {"type": "array", "minItems": 10**12}, "minItems": 10**12},
        {"type": "array", "maxItems": 10**12},
        {"type": "string", "minLength": 10**12},
        {"type": "string", "maxLength": 10**12},
        {"type": "string", "pattern": "^(((a{999}){999}){999})$"},
        {"type": "object", "maxProperties": 10**12},
        {"type": "integer", "minimum": 10**400},
        {"type": "number", "multipleOf": 5e-324, "minimum": 1e299},
    ],
)
def test_a_bound_however_large_is_answered_in_little_space(bound):
    kind = {"type": bound["type"]}
    for before, after in ((kind, bound), (bound, kind)):
        found(
            tool(input_schema=schema(x=before)), tool(input_schema=schema(["y"], x=after, y=TEXT))
        )
    list(samples(tidy(bound).schema, {}))


def test_values_stand_at_the_sites_they_stand_at():
    arguments = {"a": [{"b": 1}, {"b": 2}, {}], "m": {"x": 3}}
    assert list(values_at(arguments, "a[].b")) == [1, 2]
    assert list(values_at(arguments, "m.*")) == [3]
    assert list(values_at(arguments, "")) == [arguments]
    assert list(values_at(arguments, "none.b")) == []


def test_to_omit_a_member_its_object_must_be_there():
    assert omits({}, "a")
    assert not omits({"a": 1}, "a")
    assert not omits({}, "o.a")
    assert omits({"o": {}}, "o.a")
    assert omits({"l": [{"a": 1}, {}]}, "l[].a")
    assert sends({"l": [{"a": 1}]}, "l[].a")
    assert not sends({"l": []}, "l[].a")


def test_only_answered_requests_of_their_method_count():
    requests = Requests([sent(), sent(step=1, answered=False), sent(step=2, method="prompts/get")])
    assert [each.step for each in requests.named("tools/call", "search")] == [0]
    assert [each.step for each in requests.all("prompts/get")] == [2]
    assert requests.named("tools/call", "other") == []


@pytest.mark.parametrize(
    ("offered", "uri", "fits"),
    [
        ("note://a", "note://a", True),
        ("note://a", "note://ab", False),
        ("note://{id}", "note://ab", True),
        ("note://{id}", "note://", False),
        ("note://{id}{?limit,page}", "note://ab", True),
        ("note://{id}{?limit,page}", "note://ab?limit=3", True),
        ("file://{+path}", "file:///a/b.txt", True),
        ("a.b://{id}", "aXb://1", False),
        ("note://{id", "note://1", False),
    ],
)
def test_a_template_covers_what_it_can_be_filled_to(offered, uri, fits):
    assert covers(offered, uri) is fits
