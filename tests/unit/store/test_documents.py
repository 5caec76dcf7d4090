import json

import pytest

from mcp_eval.errors import UsageError
from mcp_eval.formats.envelope import encode
from mcp_eval.model.recording import Recording
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Invocation, Run, Trajectory
from mcp_eval.model.verdict import Report
from mcp_eval.store.documents import read_document, read_report, read_side, stored, stored_at
from mcp_eval.store.files import save_recording
from tests.unit.store.recordings import recording, surface


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save_recording(tmp_path / "baselines", recording(), surface())
    (tmp_path / "report.json").write_bytes(encode("report", Report(status="good")))
    (tmp_path / "dump.json").write_text(json.dumps({"tools": [{"name": "find"}]}))
    run = Run(scenario="search", trajectory=Trajectory(invocations=(Invocation(name="find"),)))
    (tmp_path / "run.json").write_bytes(encode("run", run))
    (tmp_path / "serve").write_text("#!/bin/sh\n")
    (tmp_path / "serve").chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "noun"),
    [
        ("baselines/search.json", Recording),
        ("baselines/surface.json", Surface),
        ("report.json", Report),
        ("dump.json", Surface),
        ("run.json", Run),
    ],
)
def test_any_document_is_read_as_what_it_is(folder, name, noun):
    assert type(read_document(folder / name)) is noun


@pytest.mark.parametrize(
    ("name", "stems", "tools"),
    [
        ("baselines", ["search"], ["find"]),
        ("baselines/search.json", ["search"], ["find"]),
        ("baselines/surface.json", [], ["find"]),
        ("dump.json", [], ["find"]),
        ("run.json", ["search"], []),
    ],
)
def test_a_side_is_what_can_be_compared(folder, name, stems, tools):
    side = read_side(folder / name)
    assert list(side.recordings) == stems
    assert [tool.name for tool in side.surface.tools] == tools


def test_a_raw_runs_calls_become_steps(folder):
    assert [step.name for step in read_side(folder / "run.json").recordings["search"].steps] == [
        "find"
    ]


def test_a_report_is_no_side(folder):
    with pytest.raises(UsageError, match="a report is no side of a comparison"):
        read_side(folder / "report.json")


def test_a_recording_is_no_report(folder):
    with pytest.raises(UsageError, match="is no report"):
        read_report(folder / "baselines/search.json")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("baselines", "baselines"),
        ("baselines/search", "baselines/search.json"),
        ("dump.json", "dump.json"),
        ("./serve", None),  # a program is a target
        ("npx server@1.0", None),
        ("https://example.org/mcp", None),
        ("x" * 5000, None),
        ("a\0b", None),
    ],
)
def test_a_word_names_something_stored_or_else_a_target(folder, text, found):
    path = stored_at(text)
    assert (None if path is None else str(path)) == found


def test_a_document_that_is_not_there_is_no_command(folder):
    with pytest.raises(UsageError, match=r"no document at gone\.json"):
        stored_at("gone.json")


def test_what_is_stored_is_listed_with_what_waits(folder):
    save_recording(folder / "baselines", recording(answer="two"), surface())
    save_recording(folder / "baselines/deeper", recording(), surface())
    (folder / "reports").mkdir()
    (folder / "reports/a.html").write_text("")
    listed = stored(folder / "baselines", folder / "reports", folder / "report.json")
    assert [(one.scenarios, one.pending) for one in listed.baselines] == [
        (("search",), ("search",)),
        (("search",), ()),
    ]
    assert len(listed.reports) == 1
    assert listed.last.endswith("report.json")


def test_an_empty_folder_holds_nothing(tmp_path):
    listed = stored(tmp_path / "a", tmp_path / "b", tmp_path / "c")
    assert (listed.baselines, listed.reports, listed.last) == ((), (), "")
