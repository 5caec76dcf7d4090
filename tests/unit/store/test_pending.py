import json
import os

import pytest

from mcp_eval.errors import InconclusiveError, UsageError
from mcp_eval.store import pending
from mcp_eval.store.files import load_baseline, load_surface, save_recording
from tests.unit.store.recordings import recording, surface


@pytest.fixture
def folder(tmp_path):
    for stem in ("search", "add"):
        save_recording(tmp_path, recording(stem), surface())
        save_recording(tmp_path, recording(stem, "two"), surface("find", "more"))
    return tmp_path


def test_what_waits_is_listed_the_surface_first(folder):
    assert pending.pending(folder) == ("surface", "add", "search")


def test_both_versions_of_a_change_can_be_compared(folder):
    before, after = pending.versions(folder, "search")
    assert before.recordings["search"] == recording("search")
    assert after.recordings["search"] == recording("search", "two")
    assert (before.surface, after.surface) == (surface(), surface("find", "more"))
    before, after = pending.versions(folder, "surface")
    assert (before.surface, after.surface) == (surface(), surface("find", "more"))


def test_an_approved_change_takes_its_place_and_leaves_a_line(folder):
    assert pending.promote(folder, "search", {"who": "me", "why": "new"}) == folder / "search.json"
    pending.promote(folder, "surface", {"who": "me"})
    assert load_baseline(folder).recordings["search"] == recording("search", "two")
    assert load_surface(folder) == surface("find", "more")
    assert pending.pending(folder) == ("add",)
    lines = (folder / "accepted.jsonl").read_text().splitlines()
    assert [json.loads(line)["name"] for line in lines] == ["search", "surface"]


def test_a_change_turned_down_leaves_the_approved_one(folder):
    pending.drop(folder, "search")
    assert pending.pending(folder) == ("surface", "add")
    assert load_baseline(folder).recordings["search"] == recording("search")


def test_what_cannot_be_read_never_takes_a_place(folder):
    (folder / ".pending/search.json").write_bytes(b'{"format": "mcp-eval/baseline", "ver')
    with pytest.raises(InconclusiveError):
        pending.promote(folder, "search", {"who": "me"})
    assert load_baseline(folder).recordings["search"] == recording("search")
    assert not (folder / "accepted.jsonl").exists()


@pytest.mark.parametrize("act", [pending.promote, pending.drop, pending.versions])
def test_a_change_nobody_made_is_a_usage_error_that_says_what_waits(folder, act):
    with pytest.raises(UsageError, match="no change of 'nosuch' waits") as caught:
        act(folder, "nosuch")
    assert "add" in caught.value.hint


def test_where_nothing_waits_the_hint_says_how_a_change_comes_about(tmp_path):
    save_recording(tmp_path, recording(), surface())
    with pytest.raises(UsageError) as caught:
        pending.promote(tmp_path, "search")
    assert "record it again" in caught.value.hint


@pytest.mark.parametrize("name", ["../search", "/etc/passwd", ".hidden"])
def test_a_name_may_not_lead_out_of_the_folder(folder, name):
    with pytest.raises(UsageError, match="is no file name"):
        pending.promote(folder, name)


def test_recordings_of_scenarios_that_are_no_more_are_found_and_trimmed(folder):
    assert pending.unused(folder, ["add"]) == ("search",)
    pending.trim(folder, "search")
    assert pending.unused(folder, ["add"]) == ()
    assert pending.pending(folder) == ("surface", "add")


def test_a_change_is_outdated_once_its_scenario_ran_again(folder, tmp_path):
    runs = tmp_path / "runs"
    assert not pending.outdated(folder, "search", runs)
    later = runs / "search" / "001.json"
    later.parent.mkdir(parents=True)
    later.write_bytes(b"{}")
    made = (folder / ".pending/search.json").stat().st_mtime_ns
    os.utime(later, ns=(made, made))
    assert not pending.outdated(folder, "search", runs)
    os.utime(later, ns=(made + 1, made + 1))
    assert pending.outdated(folder, "search", runs)
    assert not pending.outdated(folder, "add", runs)


def test_a_log_is_read_back_but_for_what_is_no_decision(folder):
    assert pending.log(folder) == ()
    pending.keep_note(folder, {"name": "search", "what": "rejected"})
    with (folder / pending.ACCEPTED).open("ab") as file:
        file.write(b"not json\n[1]\n\xff\n")
    pending.keep_note(folder, {"name": "add", "what": "accepted"})
    assert [note["name"] for note in pending.log(folder)] == ["search", "add"]
