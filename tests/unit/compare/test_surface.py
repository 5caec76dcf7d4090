"""Every surface rule of the catalogue, on each side of each line."""

import pytest

from mcp_eval.model.surface import Prompt, Resource, Surface
from tests.unit.compare.surfaces import (
    changes,
    found,
    offering,
    only,
    schema,
    schema_changes,
    sent,
    tool,
)

TEXT, WHOLE, NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}


# --- tools ---------------------------------------------------------------------------------------


def test_a_removed_tool_names_the_recorded_requests_that_called_it():
    requests = [sent(query="a"), sent("other", step=1), sent(step=2, answered=False)]
    one = only(offering(tool(), tool("other")), offering(tool("other")), *requests)
    assert (one.change, one.site.tool, one.before, one.after) == (
        "tool-removed", "search", "search", None,
    )  # fmt: skip
    assert [(hit.scenario, hit.step) for hit in one.hits] == [("s", 0)]
    assert one.hits[0].reason
    assert one.witness == {"query": "a"}


def test_a_removed_tool_that_nobody_called_has_a_witness_made_from_its_schema():
    gone = tool(input_schema=schema(["limit"], query=TEXT, limit={**WHOLE, "minimum": 5}))
    one = only(offering(gone, tool("other")), offering(tool("other")))
    assert one.hits == ()
    assert one.witness == {"limit": 5}
    assert not one.details.get("unknown")


def test_a_removed_tool_whose_schema_lets_nothing_through_is_unknown():
    gone = tool(input_schema=schema(["q"], q={"not": {}}))
    one = only(offering(gone), offering())
    assert (one.witness, one.details["unknown"]) == (None, True)


def test_an_added_tool_is_told():
    assert changes(offering(), offering(tool())) == {("tool-added", "")}


def test_a_clients_prefix_hides_no_request():
    one = only(offering(tool()), offering(), sent("mcp__proxy__search", query="a"))
    assert len(one.hits) == 1


def test_a_tool_that_stands_twice_is_told_once():
    twice = offering(tool(), tool(), tool("other"))
    one = only(offering(tool(), tool("other")), twice)
    assert (one.change, one.site.tool, one.after) == ("tool-doubled", "search", 2)
    assert found(twice, twice) == []
    assert changes(twice, offering(tool(), tool("other"))) == set()


def test_a_renamed_tool_is_one_difference_and_what_is_behind_it_says_so():
    old = tool("add_server", schema(["url"], url=TEXT, mode={"enum": ["a", "b"]}))
    new = tool("register-server", schema(["url"], url=TEXT, mode={"enum": ["a"]}))
    request = sent("add_server", url="u", mode="b")
    renamed, narrowed = found(old, new, request)
    assert (renamed.change, renamed.before, renamed.after) == (
        "tool-renamed", "add_server", "register-server",
    )  # fmt: skip
    assert (renamed.details["renamed_to"], len(renamed.hits)) == ("register-server", 1)
    assert (narrowed.change, narrowed.site.tool) == ("enum-value-removed", "add_server")
    assert narrowed.details["renamed_to"] == "register-server"
    assert narrowed.hits[0].reason


# --- parameters that are asked for, and those that went ------------------------------------------


def test_a_newly_required_parameter_hits_those_who_send_none():
    before, after = schema(["url"], url=TEXT), schema(["url", "protocol"], url=TEXT, protocol=TEXT)
    requests = [sent(url="u"), sent(step=1, url="u", protocol="stdio")]
    one = only(tool(input_schema=before), tool(input_schema=after), *requests)
    assert (one.change, one.site.path) == ("parameter-newly-required", "protocol")
    assert one.details["added"] is True
    assert [hit.step for hit in one.hits] == [0]
    assert "protocol" in one.hits[0].reason
    assert one.witness == {"url": "u"}


def test_an_optional_parameter_that_becomes_required_was_there_before():
    before, after = schema(url=TEXT), schema(["url"], url=TEXT)
    one = only(tool(input_schema=before), tool(input_schema=after), sent(url="u"))
    assert (one.change, one.details["added"]) == ("parameter-newly-required", False)
    assert (one.hits, one.witness) == ((), {})


def test_a_request_the_old_schema_did_not_quite_allow_is_hit_where_it_was_answered():
    before, after = schema(limit=WHOLE), schema(["mode"], limit=WHOLE, mode=TEXT)
    one = only(tool(input_schema=before), tool(input_schema=after), sent(limit="10"))
    assert len(one.hits) == 1


def test_what_was_required_unnamed_is_not_newly_required_once_it_is_named():
    before = {"type": "object", "properties": {}, "required": ["q"]}
    assert schema_changes(before, schema(["q"], q=TEXT)) == {("parameter-added", "q")}


def test_an_optional_parameter_added_is_told():
    assert schema_changes(schema(), schema(limit=WHOLE)) == {("parameter-added", "limit")}


def test_a_request_that_an_added_parameter_makes_invalid_is_hit():
    request = sent(limit="ten")
    told = found(tool(), tool(input_schema=schema(limit=WHOLE)), request)
    narrowed = next(one for one in told if one.change == "bounds-narrowed")
    assert (narrowed.site.path, len(narrowed.hits)) == ("limit", 1)
    assert narrowed.witness == {"limit": "ten"}


@pytest.mark.parametrize("closed", [True, False])
def test_a_removed_parameter_is_rejected_or_ignored_as_the_schema_says(closed):
    before = schema(query=TEXT, limit=WHOLE, closed=closed)
    after = schema(query=TEXT, closed=closed)
    requests = [sent(query="q"), sent(step=1, query="q", limit=3)]
    one = only(tool(input_schema=before), tool(input_schema=after), *requests)
    assert (one.change, one.site.path) == ("parameter-removed", "limit")
    assert [hit.step for hit in one.hits] == [1]
    assert bool(one.hits[0].reason) is closed
    assert one.witness == ({"query": "q", "limit": 3} if closed else None)
    assert one.details.get("ignored", False) is not closed


def test_a_removed_parameter_that_nobody_recorded_sends_still_has_its_witness():
    before, after = schema(query=TEXT, limit=WHOLE, closed=True), schema(query=TEXT, closed=True)
    one = only(tool(input_schema=before), tool(input_schema=after), sent(query="q"))
    assert (one.hits, one.witness) == ((), {"limit": 1})


def test_a_removed_parameter_is_judged_by_what_the_schema_says_of_unnamed_ones():
    before = {**schema(limit=WHOLE), "additionalProperties": TEXT}
    one = only(
        tool(input_schema=before),
        tool(input_schema={**schema(), "additionalProperties": TEXT}),
        sent(limit=3),
    )
    assert (one.change, bool(one.hits[0].reason)) == ("parameter-removed", True)
    assert one.witness == {"limit": 3}


def test_a_parameter_that_may_never_be_sent_is_removed():
    one = only(tool(input_schema=schema(a=TEXT)), tool(input_schema=schema(a=False)))
    assert (one.change, one.witness) == ("parameter-removed", {"a": "text"})


@pytest.mark.parametrize("closed", [True, False])
def test_a_renamed_parameter_hits_who_sends_the_old_name(closed):
    before = schema(serverName={**TEXT, "description": "Which server"}, closed=closed)
    after = schema(server_name={**TEXT, "description": "Which server"}, closed=closed)
    requests = [sent(serverName="s"), sent(step=1)]
    one = only(tool(input_schema=before), tool(input_schema=after), *requests)
    assert (one.change, one.site.path) == ("parameter-renamed", "serverName")
    assert (one.before, one.after) == ("serverName", "server_name")
    assert [hit.step for hit in one.hits] == [0]
    assert bool(one.hits[0].reason) is closed


def test_a_parameter_that_is_renamed_and_now_required_hits_who_sends_neither():
    before = schema(serverName=TEXT, closed=True)
    after = schema(["server_name"], server_name=TEXT, closed=True)
    told = found(tool(input_schema=before), tool(input_schema=after), sent())
    hits = {one.change: len(one.hits) for one in told}
    assert hits == {"parameter-renamed": 0, "parameter-newly-required": 1}


def test_a_parameter_inside_a_list_of_objects_is_found_at_its_site():
    item = schema(["ref"], ref=TEXT, closed=True)
    before = schema(fields={"type": "array", "items": item})
    after = schema(fields={"type": "array", "items": schema(["ref"], ref=WHOLE, closed=True)})
    one = only(tool(input_schema=before), tool(input_schema=after), sent(fields=[{"ref": "a"}]))
    assert (one.change, one.site.path) == ("parameter-type-changed", "fields[].ref")
    assert one.hits[0].reason.startswith("'a'")


# --- types, values, bounds -----------------------------------------------------------------------


def test_a_changed_type_says_what_is_lost_and_what_is_gained():
    requests = [sent(limit=3), sent(step=1)]
    one = only(
        tool(input_schema=schema(limit=WHOLE)), tool(input_schema=schema(limit=TEXT)), *requests
    )
    assert (one.change, one.before, one.after) == ("parameter-type-changed", "integer", "string")
    assert (one.details["lost"], one.details["gained"]) == (["integer"], ["string"])
    assert [hit.step for hit in one.hits] == [0]


def test_whole_numbers_for_numbers_narrow_and_are_another_type_to_who_sent_a_fraction():
    before, after = tool(input_schema=schema(x=NUMBER)), tool(input_schema=schema(x=WHOLE))
    assert only(before, after).change == "bounds-narrowed"
    assert only(before, after).witness == {"x": 1.5}
    assert only(before, after, sent(x=2)).change == "bounds-narrowed"
    assert only(before, after, sent(x=2.5)).change == "parameter-type-changed"


def test_numbers_for_whole_numbers_widen():
    assert schema_changes(schema(x=WHOLE), schema(x=NUMBER)) == {("bounds-widened", "x")}


def test_null_no_longer_allowed_is_a_lost_type():
    before = schema(x={"anyOf": [TEXT, {"type": "null"}]})
    one = only(tool(input_schema=before), tool(input_schema=schema(x=TEXT)), sent(x=None))
    assert (one.change, one.details["lost"]) == ("parameter-type-changed", ["null"])
    assert (one.witness, len(one.hits)) == ({"x": None}, 1)


def test_null_allowed_now_widens():
    after = schema(x={"type": "string", "nullable": True})
    assert schema_changes(schema(x=TEXT), after) == {("bounds-widened", "x")}


def test_a_type_stated_where_none_was_narrows():
    one = only(tool(input_schema=schema(x={})), tool(input_schema=schema(x=WHOLE)))
    assert (one.change, one.before, one.after) == ("parameter-type-changed", None, "integer")
    assert one.witness is not None


def test_an_enum_value_removed_hits_who_chose_it():
    before, after = schema(mode={"enum": ["a", "b", "c"]}), schema(mode={"enum": ["a", "d"]})
    requests = [sent(mode="a"), sent(step=1, mode="c")]
    removed, added = found(tool(input_schema=before), tool(input_schema=after), *requests)
    assert (removed.change, removed.details["values"]) == ("enum-value-removed", ["b", "c"])
    assert [hit.step for hit in removed.hits] == [1]
    assert (added.change, added.details["values"]) == ("enum-value-added", ["d"])


def test_an_enum_in_another_order_is_no_difference():
    assert schema_changes(schema(x={"enum": ["a", "b"]}), schema(x={"enum": ["b", "a"]})) == set()


def test_true_is_not_one():
    assert schema_changes(schema(x={"enum": [1, 2]}), schema(x={"enum": [True, 2]})) != set()
    assert schema_changes(schema(x={"const": 1}), schema(x={"const": 1.0})) == set()


def test_an_enum_where_any_text_was_allowed_narrows():
    after = schema(x={"type": "string", "enum": ["a"]})
    one = only(tool(input_schema=schema(x=TEXT)), tool(input_schema=after), sent(x="b"))
    assert (one.change, one.details["keywords"], len(one.hits)) == ("bounds-narrowed", ["enum"], 1)


@pytest.mark.parametrize(
    ("before", "after", "witness"),
    [
        ({"type": "integer", "minimum": 1}, {"type": "integer", "minimum": 2}, 1),
        ({"type": "integer", "maximum": 100}, {"type": "integer", "maximum": 50}, 51),
        ({"type": "integer"}, {"type": "integer", "exclusiveMinimum": 0}, 0),
        ({"type": "number"}, {"type": "number", "multipleOf": 2}, 3),
        ({"type": "string"}, {"type": "string", "minLength": 1}, ""),
        ({"type": "string", "maxLength": 9}, {"type": "string", "maxLength": 3}, "xxxx"),
        ({"type": "array"}, {"type": "array", "minItems": 1}, []),
        ({"type": "string"}, {"type": "string", "not": {"const": "text"}}, "text"),
    ],
)
def test_a_tighter_bound_narrows(before, after, witness):
    one = only(tool(input_schema=schema(x=before)), tool(input_schema=schema(x=after)))
    assert (one.change, one.witness) == ("bounds-narrowed", {"x": witness})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"type": "string"}, {"type": "string", "pattern": "^[a-z]+$"}),
        ({"type": "array", "items": TEXT}, {"type": "array", "items": TEXT, "maxItems": 3}),
        ({"type": "array", "items": TEXT}, {"type": "array", "items": TEXT, "uniqueItems": True}),
        ({"type": "object"}, {"type": "object", "maxProperties": 2}),
        ({"type": "object"}, {"type": "object", "minProperties": 1}),
        ({"type": "object"}, {"type": "object", "propertyNames": {"pattern": "^x"}}),
    ],
)
def test_other_bounds_narrow_with_a_witness_too(before, after):
    one = only(tool(input_schema=schema(x=before)), tool(input_schema=schema(x=after)))
    assert (one.change, bool(one.witness)) == ("bounds-narrowed", True)


def test_a_format_is_asked_for_but_nobody_can_be_shown_to_be_hit():
    after = schema(x={"type": "string", "format": "uri"})
    one = only(tool(input_schema=schema(x=TEXT)), tool(input_schema=after), sent(x="no uri"))
    assert (one.change, one.hits, one.witness) == ("bounds-narrowed", (), None)
    assert one.details["unknown"] is True


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"type": "integer", "minimum": 2}, {"type": "integer", "minimum": 1}),
        ({"type": "string", "maxLength": 3}, {"type": "string", "maxLength": 9}),
        ({"type": "number", "exclusiveMinimum": 0}, {"type": "number", "minimum": 0}),
        ({"type": "integer", "multipleOf": 10}, {"type": "integer", "multipleOf": 5}),
        (TEXT, {"anyOf": [TEXT, {"type": "array", "items": TEXT, "minItems": 1}]}),
        (TEXT, {"anyOf": [TEXT, schema(["url"], url=TEXT, closed=True)]}),
    ],
)
def test_a_looser_bound_widens_and_nothing_else(before, after):
    assert schema_changes(schema(x=before), schema(x=after)) == {("bounds-widened", "x")}


@pytest.mark.parametrize(
    ("before", "after", "keyword"),
    [
        ({"type": "string"}, {}, "type"),
        ({"type": "string", "enum": ["a"]}, {"type": "string"}, "enum"),
        ({"type": "integer", "minimum": 1}, {"type": "integer"}, "minimum"),
        ({"minimum": 1}, {}, "minimum"),
        ({"type": "string", "pattern": "^a"}, {"type": "string"}, "pattern"),
    ],
)
def test_a_constraint_no_longer_stated_is_dropped(before, after, keyword):
    one = only(tool(input_schema=schema(x=before)), tool(input_schema=schema(x=after)))
    assert (one.change, one.details["keyword"]) == ("constraint-dropped", keyword)


def test_a_parameter_no_longer_required_is_a_constraint_dropped():
    one = only(tool(input_schema=schema(["x"], x=TEXT)), tool(input_schema=schema(x=TEXT)))
    assert (one.change, one.details["keyword"]) == ("constraint-dropped", "required")


def test_a_closed_schema_narrows_and_an_opened_one_drops_a_constraint():
    open_, closed = (
        tool(input_schema=schema(x=TEXT)),
        tool(input_schema=schema(x=TEXT, closed=True)),
    )
    requests = [sent(x="a"), sent(step=1, x="a", y=1)]
    one = only(open_, closed, *requests)
    assert (one.change, one.details["keywords"]) == ("bounds-narrowed", ["additionalProperties"])
    assert one.details["closed"] is True
    assert [hit.step for hit in one.hits] == [1]
    assert only(closed, open_).change == "constraint-dropped"


def test_two_things_asked_at_one_site_are_one_difference_with_all_who_are_hit():
    after = schema(x={"type": "string", "enum": ["a", "abc"], "minLength": 3})
    requests = [sent(x="a"), sent(step=1, x="abd"), sent(step=2, x="abc")]
    one = only(tool(input_schema=schema(x=TEXT)), tool(input_schema=after), *requests)
    assert [hit.step for hit in one.hits] == [0, 1]
    assert set(one.details["keywords"]) == {"enum", "minLength"}


def test_unevaluated_properties_forbidden_close_a_schema_put_together_from_parts():
    parts = {"allOf": [schema(a=TEXT), schema(b=TEXT)]}
    one = only(
        tool(input_schema=parts), tool(input_schema={**parts, "unevaluatedProperties": False})
    )
    assert (one.change, one.details["keywords"]) == ("bounds-narrowed", ["additionalProperties"])
    assert one.witness == {"unnamed": "text"}


# --- choices -------------------------------------------------------------------------------------


def test_an_alternative_of_another_type_that_went_is_a_type_lost():
    before = schema(command={"anyOf": [TEXT, {"type": "array", "items": TEXT}]})
    after = schema(command={"type": "array", "items": TEXT})
    one = only(tool(input_schema=before), tool(input_schema=after), sent(command="ls"))
    assert (one.change, one.details["lost"]) == ("parameter-type-changed", ["string"])
    assert len(one.hits) == 1


def test_an_object_among_alternatives_that_went_has_its_witness():
    hook = schema(["url"], url=TEXT)
    before = schema(hook={"oneOf": [TEXT, hook]})
    one = only(tool(input_schema=before), tool(input_schema=schema(hook=TEXT)))
    assert one.change == "parameter-type-changed"
    assert one.witness == {"hook": {"url": "text"}}


def test_alternatives_told_apart_by_a_constant_are_compared_with_their_like():
    def action(kind, **more):
        return schema(["kind"], kind={"const": kind}, closed=True, **more)

    before = schema(do={"anyOf": [action("wait", ms=WHOLE), action("click", at=TEXT)]})
    after = schema(do={"anyOf": [action("click", at=WHOLE), action("wait", ms=WHOLE)]})
    one = only(
        tool(input_schema=before), tool(input_schema=after), sent(do={"kind": "wait", "ms": 1})
    )
    assert (one.change, one.site.path, one.hits) == ("parameter-type-changed", "do.at", ())


def test_an_alternative_added_widens():
    before = schema(x={"anyOf": [schema(a=TEXT, closed=True), schema(b=TEXT, closed=True)]})
    after = schema(
        x={"anyOf": [schema(a=TEXT, closed=True), schema(b=TEXT, closed=True), {"type": "null"}]}
    )
    assert schema_changes(before, after) == {("bounds-widened", "x")}


# --- schemas that cannot be taken at their word --------------------------------------------------


def test_a_schema_that_said_nothing_promised_nothing():
    before = {"$schema": "http://json-schema.org/draft-07/schema#"}
    one = only(tool(input_schema=before), tool(input_schema=schema(["path"], path=TEXT)))
    assert (one.change, one.witness) == ("parameter-newly-required", None)
    assert one.details["unknown"] is True


def test_a_recorded_request_is_hit_even_where_the_old_schema_said_nothing():
    one = only(tool(input_schema={}), tool(input_schema=schema(["path"], path=TEXT)), sent(x=1))
    assert (len(one.hits), one.witness) == (1, {"x": 1})


def test_a_schema_that_cannot_be_read_is_unknown_not_clean():
    before = schema(x={"$ref": "https://elsewhere.example/x.json"}, y=TEXT)
    one = only(tool(input_schema=before), tool(input_schema=schema(["y"], x={}, y=TEXT)))
    assert (one.change, one.witness, one.details["unknown"]) == (
        "parameter-newly-required", None, True,
    )  # fmt: skip


# --- defaults, words, size -----------------------------------------------------------------------


def test_a_changed_default_hits_who_relies_on_it():
    before, after = schema(limit={**WHOLE, "default": 10}), schema(limit={**WHOLE, "default": 20})
    requests = [sent(), sent(step=1, limit=5)]
    one = only(tool(input_schema=before), tool(input_schema=after), *requests)
    assert (one.change, one.before, one.after) == ("default-changed", 10, 20)
    assert [(hit.step, hit.reason) for hit in one.hits] == [(0, "")]


def test_a_default_stated_for_the_first_time_hits_nobody():
    one = only(
        tool(input_schema=schema(limit=WHOLE)),
        tool(input_schema=schema(limit={**WHOLE, "default": 20})),
        sent(),
    )
    assert (one.change, one.details["stated"], one.hits) == ("default-changed", False, ())


def test_false_for_zero_is_another_default():
    assert schema_changes(schema(x={"default": 0}), schema(x={"default": False})) == {
        ("default-changed", "x")
    }


def test_a_default_inside_an_object_that_was_not_sent_is_relied_on_by_nobody():
    def inner(default):
        return schema(opts=schema(depth={**WHOLE, "default": default}))

    requests = [sent(), sent(step=1, opts={})]
    one = only(tool(input_schema=inner(1)), tool(input_schema=inner(2)), *requests)
    assert [hit.step for hit in one.hits] == [1]


def test_all_that_is_worded_otherwise_in_a_tool_is_one_difference():
    before = tool(
        description="Find things.", input_schema=schema(q={**TEXT, "description": "What"})
    )
    after = tool(
        description="Finds things.", input_schema=schema(q={**TEXT, "description": "Which"})
    )
    one = only(before, after)
    assert (one.change, one.site.path) == ("description-changed", "description")
    assert one.details["parameters"] == ["q"]
    assert (one.details["emptied"], one.details["halved"]) == (False, False)


@pytest.mark.parametrize(
    ("before", "after", "emptied", "halved"),
    [
        ("x" * 500, "", True, True),
        ("x" * 500, "x" * 159, False, True),
        ("x" * 500, "x" * 249, False, True),
        ("x" * 500, "x" * 250, False, False),
        ("", "x" * 500, False, False),
    ],
)
def test_a_text_is_emptied_or_cut_to_under_half(before, after, emptied, halved):
    for sides in (
        (tool(description=before), tool(description=after)),
        (offering(instructions=before), offering(instructions=after)),
    ):
        one = only(*sides)
        assert one.change in {"description-changed", "instructions-changed"}
        assert (one.details["emptied"], one.details["halved"]) == (emptied, halved)
        assert (one.details["before_length"], one.details["after_length"]) == (
            len(before), len(after),
        )  # fmt: skip


def test_a_title_said_in_the_annotations_or_beside_them_is_one_title():
    assert found(tool(annotations={"title": "Search"}), tool(title="Search")) == []
    one = only(tool(title="Search"), tool(title="Look up"))
    assert (one.change, one.site.path) == ("description-changed", "title")


def test_a_title_that_is_no_text_is_no_title():
    assert found(tool(annotations={"title": 1.5}), tool(annotations={"title": None})) == []


# --- prompts and resources -----------------------------------------------------------------------


def prompting(*arguments, name="brief", **facts):
    return Surface(prompts=(Prompt(name=name, arguments=tuple(arguments), **facts),))


def test_a_removed_prompt_hits_who_asked_for_it():
    request = sent("brief", method="prompts/get", topic="x")
    one = only(prompting({"name": "topic", "required": True}), Surface(), request)
    assert (one.change, one.details["kind"], len(one.hits)) == ("prompt-removed", "prompt", 1)
    assert only(prompting({"name": "topic", "required": True}), Surface()).witness == {
        "topic": "text"
    }


def test_a_tools_request_does_not_hit_a_prompt_of_its_name():
    assert only(prompting(name="search"), Surface(), sent("search")).hits == ()


def test_a_prompt_that_asks_for_more_hits_who_sends_less():
    before, after = (
        prompting({"name": "a"}),
        prompting({"name": "a"}, {"name": "b", "required": True}),
    )
    one = only(before, after, sent("brief", method="prompts/get", a="x"))
    assert (one.change, one.site.path, len(one.hits)) == ("parameter-newly-required", "b", 1)
    assert one.details["kind"] == "prompt"


def test_a_prompt_worded_otherwise_or_new_is_told():
    assert changes(prompting(description="A"), prompting(description="B")) == {
        ("description-changed", "description")
    }
    assert only(Surface(), prompting()).details["kind"] == "prompt"


def resources(*uris, templates=()):
    return Surface(
        resources=tuple(Resource(uri=uri) for uri in uris),
        resource_templates=tuple(Resource(uri=uri) for uri in templates),
    )


def reading(uri, step=0):
    return sent(uri, method="resources/read", step=step, uri=uri)


def test_a_removed_resource_hits_who_read_it():
    one = only(resources("note://a", "note://b"), resources("note://b"), reading("note://a"))
    assert (one.change, one.site.tool, one.details["kind"]) == (
        "resource-removed", "note://a", "resource",
    )  # fmt: skip
    assert len(one.hits) == 1
    assert only(resources("note://a"), resources()).witness == {"uri": "note://a"}


def test_a_resource_that_a_template_still_covers_is_not_removed():
    assert (
        changes(
            resources("note://a", templates=["note://{id}"]), resources(templates=["note://{id}"])
        )
        == set()
    )


def test_a_removed_template_hits_the_reads_it_covered_and_nothing_else_does():
    before = resources(templates=["note://{id}", "log://{day}{?limit}"])
    after = resources("note://a", templates=["log://{day}{?limit}"])
    requests = [reading("note://a"), reading("note://b", 1), reading("log://today", 2)]
    removed = next(one for one in found(before, after, *requests) if one.change != "tool-added")
    assert (removed.change, removed.details["kind"]) == ("resource-removed", "resource-template")
    assert [hit.step for hit in removed.hits] == [1]


def test_a_resource_described_otherwise_or_new_is_told():
    before = Surface(resources=(Resource(uri="a://b", description="One"),))
    after = Surface(resources=(Resource(uri="a://b", description="Two"),))
    assert changes(before, after) == {("description-changed", "description")}
    assert only(Surface(), before).change == "tool-added"
