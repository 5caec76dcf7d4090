"""What is said of a build whose answers changed so: recorded for real, checked for real."""

import copy

import pytest

from mcp_eval.model.scenario import Criterion
from tests.flows.fakes import FakeTarget, RpcError, failure, structured, success, text
from tests.flows.suites import (
    accepting,
    answering,
    answers,
    beside,
    by_look,
    call,
    checked,
    failing_in,
    finding,
    made,
    only_notes,
    recorded,
    rules,
    scenario,
    server,
    stored,
    verdict,
)


def hit(name, score=0.5):
    return {"name": name, "score": score, "description": f"what {name} does"}


HITS = {"hits": [hit("github", 0.149), hit("gitlab", 0.13), hit("gitea", 0.12)]}
LISTED = {"servers": [{"name": "github", "enabled": True}, {"name": "time", "enabled": False}]}


# --- search results ------------------------------------------------------------------------------


async def test_a_search_score_that_moved_with_the_same_hits_is_good_with_a_note():
    after = copy.deepcopy(HITS)
    after["hits"][0]["score"] = 0.132
    report = await answers(HITS, {"hits": [hit("a", 0.112)]} if not after else after)
    assert only_notes(report)
    moved = finding(report, "score-moved")
    assert (moved.path, moved.tool) == ("hits[].score", "search")
    assert report.score == pytest.approx(0.99)


async def test_the_one_hit_of_a_search_may_score_lower():
    report = await answers({"hits": [hit("github", 0.149)]}, {"hits": [hit("github", 0.112)]})
    assert only_notes(report)
    assert rules(report) == {("score-moved", "note")}


async def test_the_same_hits_in_another_order_are_acceptable():
    report = await answers(HITS, {"hits": [HITS["hits"][1], HITS["hits"][0], HITS["hits"][2]]})
    assert report.status == "acceptable"
    assert 0.6 <= report.score < 0.8
    assert rules(report) == {("result-order-changed", "acceptable")}
    assert finding(report, "result-order-changed").path == "hits"
    assert report.passed


async def test_one_hit_lost_is_degraded():
    report = await answers(HITS, {"hits": HITS["hits"][:2]})
    assert report.status == "degraded"
    assert 0.3 <= report.score < 0.6
    assert rules(report) == {("hit-lost", "degraded")}
    assert finding(report, "hit-lost").path == "hits"
    assert finding(report, "hit-lost").evidence["identities"] == ["gitea"]
    assert not report.passed


async def test_all_hits_lost_is_broken():
    report = await answers(HITS, {"hits": []})
    assert report.status == "broken"
    assert report.score < 0.3
    assert rules(report) == {("result-emptied", "broken")}
    assert len(report.roots) == 1


@pytest.mark.parametrize("more", [2, 6])
async def test_fields_added_to_two_are_notes(more):
    after = {"id": "server1", "state": "on"} | {f"extra_{n}": n for n in range(more)}
    report = await answers({"id": "server1", "state": "on"}, after)
    assert only_notes(report)
    assert rules(report) == {("result-field-added", "note")}
    assert len(report.findings) == more


async def test_a_list_that_gains_an_item_is_a_note():
    report = await answers(HITS, {"hits": [*HITS["hits"], hit("gogs")]})
    assert only_notes(report)
    assert rules(report) == {("item-added", "note")}


async def test_renamed_fields_are_degraded_as_one_root():
    report = await answers(
        {"added": True, "id": "server1"}, {"success": True, "server_id": "server1"}
    )
    assert report.status == "degraded"
    assert 0.3 <= report.score < 0.6
    assert {"result-field-renamed"} <= {rule for rule, _ in rules(report)}
    assert len(report.roots) == 1
    renamed = [one for one in report.findings if one.rule == "result-field-renamed"]
    assert "id" in {one.path for one in renamed}
    assert "`server_id`" in " ".join(one.message for one in renamed)


# --- errors --------------------------------------------------------------------------------------

REFUSED = {"is_error": True, "message": "Connection failed"}


async def test_an_error_body_where_servers_were_listed_is_broken_when_it_comes_every_time():
    report = await answers(LISTED, REFUSED)
    assert report.status == "broken"
    assert report.score < 0.3
    failing = finding(report, "newly-failing")
    assert (failing.tool, failing.status, failing.confidence) == ("search", "broken", "confirmed")
    assert failing.evidence["looks"].startswith("3 of 3 at the new build")
    assert (len(report.roots), report.roots[0].cause) == (1, "target")
    assert report.action == "stop the deployment, investigate"


async def test_an_error_body_that_came_once_and_never_again_is_good_with_a_note():
    story = scenario(call("search"))
    baseline = await recorded(server(search=answering(LISTED)), story)
    report = await checked(baseline, server(search=failing_in({1}, LISTED, REFUSED)), story)
    assert only_notes(report)
    passing = finding(report, "newly-failing")
    assert passing.marks == ("transient",)
    assert report.comparison.scenarios[0].looks >= 2


async def test_a_recorded_tool_that_is_not_found_is_broken():
    before = server(search=answering(HITS), other=answering(LISTED))
    report = await verdict(before, server(other=answering(LISTED)))
    assert report.status == "broken"
    assert report.score < 0.3
    gone = finding(report, "tool-removed")
    assert (gone.tool, gone.scenarios) == ("search", ("story",))
    assert set(gone.lanes) == {"surface", "replay"}
    assert gone.evidence["answered"]
    assert [root.cause for root in report.roots] == ["target"]


async def test_a_tool_that_is_still_offered_and_says_not_found_is_broken():
    report = await answers(HITS, failure("Tool 'search' not found"))
    assert (report.status, len(report.roots)) == ("broken", 1)
    assert report.score < 0.3


async def test_an_error_that_became_a_result_is_an_improvement():
    before = server(search=answering(failure("no such index")), other=answering(LISTED))
    after = server(search=answering(HITS), other=answering(LISTED))
    report = await verdict(before, after, call("search"), call("other"))
    assert only_notes(report)
    assert rules(report) == {("improvement", "note")}


async def test_an_error_that_is_worded_otherwise_is_acceptable():
    before = server(search=answering(failure("no such index: cats")), other=answering(LISTED))
    after = server(search=answering(failure("index cats is unknown")), other=answering(LISTED))
    report = await verdict(before, after, call("search"), call("other"))
    assert report.status == "acceptable"
    assert rules(report) == {("error-changed", "acceptable")}


async def test_null_that_became_an_empty_list_is_an_improvement():
    report = await answers({"name": "a", "tags": None}, {"name": "a", "tags": []})
    assert only_notes(report)
    assert finding(report, "improvement").path == "tags"


async def test_an_empty_list_that_became_null_is_degraded():
    report = await answers({"name": "a", "tags": []}, {"name": "a", "tags": None})
    assert report.status == "degraded"
    assert finding(report, "result-type-changed").path == "tags"


# --- values, few and many, seen twice and once ---------------------------------------------------


def flags(count, *, enabled):
    return {"settings": {f"option_{n}": n for n in range(count - 1)} | {"enabled": enabled}}


@pytest.mark.parametrize("leaves", [2, 200])
async def test_a_flag_that_flipped_is_degraded_where_the_baseline_was_seen_twice(leaves):
    report = await answers(flags(leaves, enabled=True), flags(leaves, enabled=False))
    assert report.status == "degraded"
    flipped = finding(report, "result-value-changed")
    assert (flipped.path, flipped.status) == ("settings.enabled", "degraded")
    assert "from true to false" in flipped.message


@pytest.mark.parametrize("leaves", [2, 200])
async def test_a_flag_that_flipped_is_acceptable_where_the_baseline_was_seen_once(leaves):
    story = scenario(call("toggle"))
    before = server(toggle=answering(flags(leaves, enabled=True)), reads=False)
    after = server(toggle=answering(flags(leaves, enabled=False)), reads=False)
    baseline = await recorded(before, story, resettable=None)
    report = await checked(baseline, after, story, resettable=True)
    assert report.status == "acceptable"
    flipped = finding(report, "result-value-changed")
    assert (flipped.status, flipped.confidence) == ("acceptable", "seen-once")
    assert any("single looks" in remark for remark in report.remarks)


async def test_what_differs_every_time_is_no_change():
    before = {
        "name": "build",
        "at": "2026-01-02T03:04:05Z",
        "duration_ms": 12,
        "request_id": "req-0001",
        "run": "0b9f8a52-8f0e-4a5e-9b66-0d9a2f4f1c11",
    }
    after = {
        "name": "build",
        "at": "2026-01-02T05:06:07Z",
        "duration_ms": 340,
        "request_id": "req-0917",
        "run": "7c2d1e90-1234-4a5e-8b66-abcdefabcdef",
    }
    report = await answers(before, after)
    assert (report.status, report.score, report.findings) == ("good", 1.0, ())


# --- environments --------------------------------------------------------------------------------


def registry(names):
    """A server that remembers what was added, beyond its own life."""

    def add(arguments, _state):
        if arguments["name"] in names:
            return failure(f"server '{arguments['name']}' already exists")
        names.add(arguments["name"])
        return {"added": True, "name": arguments["name"]}

    return server(add_server={"does": add}, reads=False)


async def test_already_exists_is_inconclusive_where_nothing_was_reset():
    story = scenario(call("add_server", name="github"))
    baseline = await recorded(registry(left := set()), story, resettable=None)
    report = await checked(baseline, registry(left), story, resettable=None)
    assert (report.status, report.score, report.passed) == ("inconclusive", None, False)
    assert finding(report, "not-reset").cause == "environment"
    assert report.action == "the check did not happen: fix the set-up"


async def test_already_exists_is_broken_from_a_fresh_environment():
    story = scenario(call("add_server", name="github"))
    fresh = server(add_server=answering({"added": True, "name": "github"}), reads=False)
    baseline = await recorded(fresh, story)
    report = await checked(baseline, registry({"github"}), story)
    assert report.status == "broken"
    assert finding(report, "newly-failing").tool == "add_server"


class Polled:
    """A job that is ready after some looks at it."""

    def __init__(self, after):
        self.after = after

    def __call__(self, _arguments, state):
        state["polls"] = state.get("polls", 0) + 1
        ready = state["polls"] > self.after
        return {"id": "job-1", "status": "ready" if ready else "pending", "result": 42 * ready}


@pytest.mark.parametrize(("before", "after"), [(3, 0), (0, 3), (3, 3)])
async def test_polls_until_ready_are_no_difference(before, after):
    steps = [call("job_status", id="job-1")] * (before + 1)
    report = await verdict(
        server(job_status={"does": Polled(before)}),
        server(job_status={"does": Polled(after)}),
        *steps,
    )
    assert (report.status, report.findings) == ("good", ())


# --- what later steps need -----------------------------------------------------------------------


def tickets(created, *, named="id"):
    def same(arguments, _state):
        if arguments[named] != "T-4711":
            return failure(f"no ticket {arguments[named]}")
        return {"ticket": arguments[named], "state": "open", "title": "printer on fire"}

    return server(
        create_ticket=answering(created),
        get_ticket={"does": same, "reads": True},
        comment_ticket={"does": same},
        close_ticket={"does": same},
        reads=False,
    )


LATER = tuple(
    call(name, id="{{ steps.0.result.id }}")
    for name in ("get_ticket", "comment_ticket", "close_ticket")
)


async def test_a_lost_id_that_three_later_steps_needed_is_one_root_and_three_not_reached():
    report = await verdict(
        tickets({"id": "T-4711", "title": "printer on fire"}),
        tickets({"title": "printer on fire"}),
        call("create_ticket", title="printer on fire"),
        *LATER,
    )
    assert report.status == "broken"
    assert report.score < 0.3
    assert len(report.roots) == 1
    lost = finding(report, "result-field-removed")
    assert (lost.status, lost.path, lost.tool) == ("broken", "id", "create_ticket")
    assert lost.marks == ("not-reached",)
    assert lost.evidence["not_reached"] == [1, 2, 3]
    assert "3 later steps" in lost.message
    assert [pair["reached"] for pair in report.scenarios[0].pairs] == [True, False, False, False]
    assert rules(report) == {("result-field-removed", "broken")}


# --- builds that do not start, or only now and then fail -----------------------------------------


def dead(name="new"):
    return FakeTarget(server(), name=name, resettable=True, dead="exits with status 1")


async def test_a_build_that_never_starts_is_broken_where_the_old_one_does():
    story, old = scenario(call("search")), server(search=answering(HITS))
    baseline = await recorded(old, story)
    report = await checked(baseline, dead(), story, old=old)
    assert (report.status, report.roots[0].cause) == ("broken", "target")
    assert finding(report, "target-not-starting").status == "broken"


async def test_a_build_that_never_starts_is_inconclusive_where_nobody_named_an_old_one():
    story = scenario(call("search"))
    baseline = await recorded(server(search=answering(HITS)), story)
    report = await checked(baseline, dead(), story)
    assert (report.status, report.score, report.passed) == ("inconclusive", None, False)
    assert finding(report, "target-not-starting").status == "inconclusive"


async def test_neither_build_starts_is_inconclusive():
    story = scenario(call("search"))
    baseline = await recorded(server(search=answering(HITS)), story)
    report = await checked(baseline, dead(), story, old=dead("old"))
    assert report.status == "inconclusive"


async def test_failing_in_three_of_ten_rounds_and_never_on_the_old_build_is_intermittent():
    story, old = scenario(call("search")), server(search=answering(HITS))
    baseline = await recorded(old, story)
    shaky = server(search=failing_in({1, 4, 8}, HITS, failure("out of workers")))
    report = await checked(baseline, shaky, story, old=old)
    assert report.status == "degraded"
    failing = finding(report, "newly-failing")
    assert (failing.status, failing.marks) == ("degraded", ("intermittent",))
    compared = report.comparison.scenarios[0]
    assert (compared.looks, compared.old_looks) == (10, 9)
    steady = compared.differences[0].steadiness
    assert (steady.seen, steady.looks, steady.old_seen) == (3, 10, 0)


async def test_failing_now_and_then_on_both_builds_is_no_regression():
    story = scenario(call("search"))
    baseline = await recorded(server(search=answering(HITS)), story)
    error = failure("out of workers")
    report = await checked(
        baseline,
        server(search=failing_in({1, 4, 8}, HITS, error)),
        story,
        old=server(search=failing_in({2, 5}, HITS, error)),
    )
    assert only_notes(report)
    assert finding(report, "newly-failing").marks[0] == "transient"


# --- the surface ---------------------------------------------------------------------------------


async def test_an_optional_parameter_that_recordings_send_and_that_went_is_degraded():
    text_of = {"type": "string"}
    before = accepting("query", query=text_of, limit={"type": "integer"})
    after = accepting("query", query=text_of)
    report = await verdict(
        server(search=answering(HITS, schema=before)),
        server(search=answering(HITS, schema=after)),
        call("search", query="git", limit=3),
    )
    assert report.status == "degraded"
    gone = finding(report, "parameter-removed")
    assert (gone.tool, gone.status, gone.scenarios) == ("search", "degraded", ("story",))
    assert gone.path.endswith("limit")
    assert (report.lanes["surface"], report.lanes["replay"]) == ("degraded", "good")


# --- two stored trajectories ---------------------------------------------------------------------


def test_another_tool_altogether_is_broken_between_two_stored_trajectories():
    offered = ("retrieve_tools", "list_registries")
    report = beside(
        stored(made("retrieve_tools", HITS, query="git"), tools=offered),
        stored(made("list_registries", LISTED), tools=offered),
    )
    assert report.status == "broken"
    assert report.score < 0.3
    assert finding(report, "goal-not-reached").status == "broken"
    assert report.lanes["agent"] == "broken"
