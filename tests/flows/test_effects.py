"""Writes that say yes: what a later read of the same scenario shows of them."""

import pytest

from tests.flows.fakes import failure
from tests.flows.suites import call, finding, only_notes, rules, server, verdict

FIRST = {"id": "n-1", "title": "groceries", "folder": "home"}


def notebook(*, adds=1, answers_id=True, deletes=True, more=(), refuses=""):
    """Notes that are written, read one by one, listed and deleted."""

    def kept(state):
        return state.setdefault("notes", [FIRST, *more])

    def add(arguments, state):
        if refuses == "add":
            return failure("disk full")
        name = f"n-{len(kept(state)) + 1 - len(more)}"
        for copy in range(adds):
            number = name if not copy else f"n-{copy}00"
            kept(state).append({"id": number, "folder": "home", **arguments})
        return {"saved": True, "id": name} if answers_id else {"saved": True}

    def listed(_arguments, state):
        return {"notes": list(kept(state)), "count": len(kept(state))}

    def get(arguments, state):
        found = [one for one in kept(state) if one["id"] == arguments["id"]]
        return found[0] if found else failure(f"note {arguments['id']} not found")

    def delete(arguments, state):
        if refuses == "delete":
            return failure("locked")
        if deletes:
            state["notes"] = [one for one in kept(state) if one["id"] != arguments["id"]]
        return {"deleted": True}

    return server(
        add_note={"does": add},
        list_notes={"does": listed, "reads": True},
        get_note={"does": get, "reads": True},
        delete_note={"does": delete},
        reads=False,
    )


ID = "{{ steps.1.result.id }}"
STEPS = (
    call("list_notes"),
    call("add_note", title="water the plants"),
    call("get_note", id=ID),
    call("list_notes"),
    call("delete_note", id=ID),
    call("list_notes"),
)


async def of(**after):
    return await verdict(notebook(), notebook(**after), *STEPS)


async def test_writes_that_are_done_are_good():
    report = await of()
    assert (report.status, report.score, report.findings) == ("good", 1.0, ())


async def test_a_write_that_is_lost_is_one_root_however_many_reads_miss_it():
    report = await of(adds=0)
    assert (report.status, len(report.roots)) == ("broken", 1)
    lost = {one.tool for one in report.findings if one.rule == "effect-lost"}
    assert lost == {"get_note", "list_notes"}
    assert report.roots[0].cause == "target"


async def test_a_write_that_was_done_twice_is_lost_to_whoever_wanted_it_once():
    report = await of(adds=2)
    assert (report.status, len(report.roots)) == ("broken", 1)
    lost = finding(report, "effect-lost")
    assert (lost.tool, lost.evidence["mark"]) == ("list_notes", "water the plants")


async def test_a_removal_that_does_not_happen_is_lost():
    report = await of(deletes=False)
    assert (report.status, len(report.roots)) == ("broken", 1)
    lost = finding(report, "effect-lost")
    assert (lost.tool, lost.steps, lost.evidence["mark"]) == ("list_notes", (5,), "n-2")


async def test_a_removed_thing_that_can_still_be_had_is_lost():
    steps = (*STEPS[:2], call("delete_note", id=ID), call("get_note", id=ID), call("list_notes"))
    report = await verdict(notebook(), notebook(deletes=False), *steps)
    assert (report.status, len(report.roots)) == ("broken", 1)
    assert rules(report) >= {("effect-lost", "broken")}
    assert "improvement" not in {rule for rule, _ in rules(report)}


async def test_a_removal_that_fails_is_told_where_it_fails():
    report = await of(refuses="delete")
    assert (report.status, len(report.roots)) == ("broken", 1)
    assert finding(report, "newly-failing").tool == "delete_note"


async def test_a_write_that_fails_takes_what_later_steps_miss_into_its_root():
    report = await of(refuses="add")
    assert (report.status, len(report.roots)) == ("broken", 1)
    failing = finding(report, "newly-failing")
    assert (failing.tool, failing.evidence["not_reached"]) == ("add_note", [2, 4])
    assert [pair["reached"] for pair in report.scenarios[0].pairs] == [
        True, True, False, True, False, True,
    ]  # fmt: skip


async def test_an_id_nobody_is_told_is_one_root_with_all_that_needed_it():
    report = await of(answers_id=False)
    assert (report.status, len(report.roots)) == ("broken", 1)
    assert finding(report, "result-field-removed").evidence["not_reached"] == [2, 4]


@pytest.mark.parametrize(
    "note",
    [
        {"id": "n-9", "title": "call the plumber", "folder": "home"},
        {"id": "n-9", "title": "water the plants at work", "folder": "home"},
        {"id": "n-9", "title": "call", "folder": "water the plants"},
    ],
)
async def test_another_note_that_was_there_before_is_no_double(note):
    report = await of(more=(note,))
    assert only_notes(report)
    assert {rule for rule, _ in rules(report)} == {"item-added", "count-followed"}
