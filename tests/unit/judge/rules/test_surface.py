"""The surface rows of the catalogue, each on each side of each line."""

import pytest

from mcp_eval.judge.verdict import judge
from tests.unit.judge.constructed import (
    at_replay,
    comparison,
    hit,
    offered,
    on_surface,
    only,
    rules,
    status_of,
    story,
)

GONE = (
    "tool-renamed",
    "parameter-renamed",
    "tool-removed",
    "prompt-removed",
    "resource-removed",
    "capability-lost",
)
NARROWED = (
    "parameter-newly-required",
    "parameter-removed",
    "parameter-type-changed",
    "enum-value-removed",
    "bounds-narrowed",
)


# --- what is gone --------------------------------------------------------------------------------


@pytest.mark.parametrize("change", GONE)
def test_what_is_gone_is_broken_where_a_recorded_request_asks_for_it(change):
    found = only(offered(on_surface(change, path="q", hits=[hit()], after="find")))
    assert (found.rule, found.status, found.marks) == (change, "broken", ())
    assert found.scenarios == ("story",)


@pytest.mark.parametrize("change", GONE)
def test_what_is_gone_is_degraded_where_no_recorded_request_asks_for_it(change):
    found = only(offered(on_surface(change, path="q", witness={}, after="find")))
    assert (found.status, found.scenarios) == ("degraded", ())
    assert "no recorded request is concerned" in found.message


@pytest.mark.parametrize("change", GONE)
def test_with_no_recording_at_hand_everybody_counts_as_recorded(change):
    judged = offered(
        on_surface(change, path="q", witness={}, after="find"), scenarios=(), recorded=False
    )
    assert status_of(judged) == "broken"
    assert "nobody was recorded using this" in only(judged).message
    assert any("nobody was recorded" in remark for remark in judged.remarks)


@pytest.mark.parametrize("change", GONE)
def test_what_is_gone_without_a_witness_is_as_not_recorded_and_marked_unknown(change):
    judged = offered(
        on_surface(change, path="q", unknown=True, after="find"), scenarios=(), recorded=False
    )
    assert (only(judged).status, only(judged).marks) == ("degraded", ("unknown",))


def test_a_capability_is_named():
    found = only(offered(on_surface("capability-lost", tool="", capability="prompts")))
    assert "`prompts`" in found.message
    assert "`prompts`" in found.fix


# --- what is narrower ----------------------------------------------------------------------------


@pytest.mark.parametrize("change", NARROWED)
@pytest.mark.parametrize("outcome", ["failed", "refused", "crashed", "not-replayed"])
def test_an_invalid_request_that_was_rejected_or_not_replayed_is_broken(change, outcome):
    assert status_of(offered(on_surface(change, path="q", hits=[hit(outcome)]))) == "broken"


@pytest.mark.parametrize("change", NARROWED)
@pytest.mark.parametrize("outcome", ["ok", "empty"])
def test_an_invalid_request_that_was_answered_is_degraded(change, outcome):
    assert status_of(offered(on_surface(change, path="q", hits=[hit(outcome)]))) == "degraded"


@pytest.mark.parametrize("change", NARROWED)
def test_one_rejected_request_among_answered_ones_is_broken(change):
    hits = [hit("ok", step=0), hit("failed", step=1)]
    assert status_of(offered(on_surface(change, path="q", hits=hits))) == "broken"


@pytest.mark.parametrize("change", NARROWED)
def test_an_argument_that_is_merely_ignored_is_degraded(change):
    ignored = hit("failed", reason="")
    assert status_of(offered(on_surface(change, path="q", hits=[ignored]))) == "degraded"


@pytest.mark.parametrize("change", NARROWED)
def test_a_narrower_schema_that_hits_nobody_recorded_is_degraded(change):
    assert status_of(offered(on_surface(change, path="q", witness={"q": 1}))) == "degraded"


@pytest.mark.parametrize("change", NARROWED)
def test_a_witness_is_enough_where_nobody_was_recorded(change):
    with_one = on_surface(change, path="q", witness={"q": 1})
    assert status_of(offered(with_one, scenarios=(), recorded=False)) == "broken"


@pytest.mark.parametrize("change", NARROWED)
def test_without_a_witness_a_narrower_schema_is_degraded_and_marked_unknown(change):
    judged = offered(on_surface(change, path="q", unknown=True), scenarios=(), recorded=False)
    assert (only(judged).status, only(judged).marks) == ("degraded", ("unknown",))


def test_a_fix_names_tool_and_parameter_and_how_many_scenarios_are_hit():
    hits = [hit(scenario=stem) for stem in ("a", "b", "c", "d")]
    scenarios = [story(stem=f"s{number}") for number in range(16)]
    scenarios += [story(stem=stem) for stem in ("a", "b", "c", "d")]
    change = on_surface(
        "parameter-newly-required", tool="add_server", path="protocol", hits=hits
    )  # fmt: skip
    found = only(offered(change, scenarios=scenarios))
    assert found.message == "`add_server` now requires `protocol`; 4 of 20 scenarios send none"
    assert "`protocol`" in found.fix
    assert "`add_server`" in found.fix


def test_a_changed_type_is_said_as_a_person_would():
    change = on_surface(
        "parameter-type-changed", path="limit", before="integer", after="string", hits=[hit()]
    )
    found = only(offered(change))
    assert found.message.startswith("`limit` of `search` expects a string, not an integer")


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        (["additionalProperties"], "`search` no longer takes parameters that it does not name"),
        (["maximum"], "`limit` of `search` allows less than before (`maximum`)"),
    ],
)
def test_narrower_bounds_are_named(keywords, said):
    change = on_surface("bounds-narrowed", path="limit", keywords=keywords, hits=[hit()])
    assert only(offered(change)).message.startswith(said)


# --- what absorbs what ---------------------------------------------------------------------------


@pytest.mark.parametrize("change", [*GONE, *NARROWED])
@pytest.mark.parametrize("failure", ["newly-failing", "newly-refused"])
def test_a_broken_surface_change_takes_the_failures_of_its_requests_as_evidence(change, failure):
    failed = at_replay(failure, after="no such tool")
    judged = offered(
        on_surface(change, path="q", hits=[hit()], after="find"), scenarios=[story(failed)]
    )
    found = only(judged)
    assert found.rule == change
    assert set(found.lanes) == {"surface", "replay"}
    assert found.evidence["answered"] == ["no such tool"]
    assert len(judged.roots) == 1
    assert judged.lanes == {"surface": "broken", "replay": "broken"}


@pytest.mark.parametrize("change", [*GONE, *NARROWED])
def test_a_failure_of_another_request_is_not_absorbed(change):
    failed = at_replay("newly-failing", tool="other", step=1)
    judged = offered(
        on_surface(change, path="q", hits=[hit()], after="find"), scenarios=[story(failed)]
    )
    assert {one.rule for one in judged.findings} == {change, "newly-failing"}
    assert len(judged.roots) == 2


def test_an_ignored_argument_does_not_absorb_a_failure_but_shares_its_root():
    judged = offered(
        on_surface("parameter-removed", path="q", hits=[hit(reason="")]),
        scenarios=[story(at_replay("newly-failing"))],
    )
    assert rules(judged) == {("parameter-removed", "degraded"), ("newly-failing", "broken")}
    assert len(judged.roots) == 1


def test_a_changed_default_shares_the_root_of_what_it_does_and_absorbs_nothing():
    judged = offered(
        on_surface("default-changed", path="limit", hits=[hit(reason="")]),
        scenarios=[story(at_replay("newly-failing"))],
    )
    assert rules(judged) == {("default-changed", "degraded"), ("newly-failing", "broken")}
    assert len(judged.roots) == 1


# --- the rest of the surface ---------------------------------------------------------------------


def test_a_changed_default_is_degraded_where_a_recorded_request_relies_on_it():
    relied = on_surface("default-changed", path="limit", hits=[hit("ok", reason="")])
    assert status_of(offered(relied)) == "degraded"


def test_a_changed_default_that_nobody_relies_on_is_acceptable():
    assert status_of(offered(on_surface("default-changed", path="limit"))) == "acceptable"


@pytest.mark.parametrize(
    ("promises", "status"), [("less", "degraded"), ("more", "note"), ("other", "note")]
)
def test_an_output_schema_is_judged_by_what_it_promises(promises, status):
    found = only(offered(on_surface("output-schema-changed", promises=promises)))
    assert found.status == status
    assert ("something else" in found.message) is (promises == "other")


@pytest.mark.parametrize(("loosened", "status"), [(True, "degraded"), (False, "acceptable")])
def test_an_annotation_is_judged_by_whether_a_client_may_be_less_careful(loosened, status):
    change = on_surface(
        "annotation-changed", path="annotations.readOnlyHint", loosened=loosened, after=True
    )
    assert status_of(offered(change)) == status


def test_a_name_that_stands_twice_is_degraded():
    assert status_of(offered(on_surface("tool-doubled", after=2))) == "degraded"


def test_a_constraint_that_is_no_longer_stated_is_acceptable():
    dropped = on_surface("constraint-dropped", path="kind", keyword="enum")
    assert status_of(offered(dropped)) == "acceptable"


@pytest.mark.parametrize("change", ["description-changed", "instructions-changed"])
@pytest.mark.parametrize(
    ("how", "status"),
    [({"emptied": True}, "acceptable"), ({"halved": True}, "acceptable"), ({}, "note")],
)
def test_texts_are_acceptable_only_where_they_were_emptied_or_halved(change, how, status):
    lengths = {"before_length": 500, "after_length": 0 if how.get("emptied") else 159}
    assert status_of(offered(on_surface(change, path="description", **how, **lengths))) == status


@pytest.mark.parametrize(
    ("before", "after", "status"),
    [
        (800, 1000, "acceptable"),  # both lines, just
        (800, 999, None),  # 199 tokens more
        (1000, 1249, None),  # 24.9 %
        (1000, 1250, "acceptable"),
        (100, 299, None),  # 199 %, but 199 tokens
        (100, 300, "acceptable"),
        (0, 200, "acceptable"),
    ],
)
def test_a_catalogue_has_grown_from_a_quarter_and_200_tokens_on(before, after, status):
    change = on_surface("catalogue-grown", tool="", path="tools", before=before, after=after)
    assert status_of(offered(change)) == status


@pytest.mark.parametrize(
    "change", ["tool-added", "parameter-added", "enum-value-added", "bounds-widened"]
)
def test_what_is_offered_in_addition_is_a_note(change):
    judged = offered(on_surface(change, path="q"))
    assert (status_of(judged), judged.status, judged.roots) == ("note", "good", ())


# --- precedence ----------------------------------------------------------------------------------


def test_a_site_makes_one_finding_by_the_first_rule_that_holds():
    judged = offered(
        on_surface("enum-value-added", path="kind"),
        on_surface("enum-value-removed", path="kind", hits=[hit()]),
        on_surface("description-changed", path="kind"),
    )
    assert rules(judged) == {("enum-value-removed", "broken")}


def test_a_rule_that_says_nothing_at_a_site_leaves_it_to_the_next():
    judged = offered(
        on_surface("catalogue-grown", path="tools", before=100, after=101),
        on_surface("tool-added", path="tools"),
    )
    assert rules(judged) == {("tool-added", "note")}


def test_a_rename_and_what_changed_behind_it_are_one_root():
    rename = on_surface("tool-renamed", after="find", hits=[hit()], renamed_to="find")
    behind = on_surface(
        "enum-value-removed", path="kind", hits=[hit()], renamed_to="find", values=["all"]
    )
    failed = at_replay("newly-failing")
    judged = judge(comparison(story(failed), surface=[rename, behind]))
    assert {one.rule for one in judged.findings} == {"tool-renamed", "enum-value-removed"}
    assert len(judged.roots) == 1
    assert judged.roots[0].message.startswith("`search` is called `find` now")
