import pytest

from mcp_eval.errors import UsageError
from mcp_eval.model.trajectory import Run
from mcp_eval.model.verdict import Report
from mcp_eval.store import runs
from mcp_eval.store.documents import read_report
from mcp_eval.store.folder import Folder
from tests.unit.store.recordings import recording, surface


def test_raw_runs_are_kept_out_of_git_and_come_back(tmp_path):
    folder = runs.runs_folder(tmp_path)
    first, second = Run(scenario="search", trial=1), Run(scenario="search", trial=2, id="x")
    assert runs.save_run(folder, first).name == "001.json"
    assert runs.save_run(folder, second).name == "002-x.json"
    runs.save_run(folder, Run(scenario="add"))
    assert runs.load_runs(folder, "search") == (first, second)
    assert len(runs.load_runs(folder)) == 3
    assert (tmp_path / ".mcp-eval/.gitignore").read_text() == "*\n"


@pytest.mark.parametrize("run", [Run(scenario="../x"), Run(scenario="a", id="../../x")])
def test_a_run_may_not_lead_out_of_the_folder(tmp_path, run):
    with pytest.raises(UsageError, match="is no file name"):
        runs.save_run(tmp_path / "runs", run)
    assert not list(tmp_path.rglob("*.json"))


def test_what_failed_is_remembered(tmp_path):
    assert runs.load_failed(tmp_path) == ()
    runs.save_failed(tmp_path, ["a", "b"])
    assert runs.load_failed(tmp_path) == ("a", "b")
    (tmp_path / ".mcp-eval/last.json").write_text('{"failed": [')
    with pytest.raises(UsageError) as caught:
        runs.load_failed(tmp_path)
    assert "delete" in caught.value.hint


def test_the_report_of_the_last_check_is_remembered(tmp_path):
    with pytest.raises(UsageError, match="no check was made here yet"):
        read_report(runs.report_path(tmp_path), last=True)
    runs.save_report(tmp_path, Report(status="broken", score=0.1))
    assert read_report(runs.report_path(tmp_path), last=True).status == "broken"


def test_two_builds_looks_of_one_number_are_both_kept(tmp_path):
    store = Folder(str(tmp_path / "baselines"), tmp_path)
    store.run(Run(scenario="search", trial=2, agent="replay"))
    store.run(Run(scenario="search", trial=2, agent="replay"))
    kept = sorted(path.name for path in (tmp_path / ".mcp-eval/runs/search").iterdir())
    assert kept == ["002-2.json", "002.json"]


def test_a_raw_run_that_cannot_be_kept_ends_nothing(tmp_path):
    (tmp_path / ".mcp-eval").write_text("a file stands where the folder should")
    Folder(str(tmp_path / "baselines"), tmp_path).run(Run(scenario="search"))


def test_the_store_says_what_waits(tmp_path):
    store = Folder(str(tmp_path / "baselines"), tmp_path)
    assert not store.recording(recording(), surface(), replace=False).pending
    assert store.recording(recording(answer="two"), surface(), replace=False).pending
    assert not store.recording(recording(answer="two"), surface(), replace=True).pending
    assert store.surface(surface("other"), replace=False).pending
