"""The looks of a check that is under way."""

from mcp_eval.model.trajectory import Run
from mcp_eval.store.progress import Progress

ONE, TWO = Run(scenario="a", agent="replay"), Run(scenario="a", agent="claude", trial=2)


def test_only_a_check_of_the_same_that_asks_for_it_gets_them_back(tmp_path):
    progress = Progress(tmp_path)
    assert progress.begin("same", resume=True) == ()
    progress.keep(ONE)
    progress.keep(TWO)
    found = Progress(tmp_path).begin("same", resume=True)
    assert sorted(found, key=lambda run: run.trial) == [ONE, TWO]
    assert Progress(tmp_path).begin("other", resume=True) == ()
    assert Progress(tmp_path).begin("same", resume=True) == ()


def test_a_new_check_and_a_finished_one_leave_none(tmp_path):
    progress = Progress(tmp_path)
    progress.begin("same", resume=False)
    progress.keep(ONE)
    progress.end()
    assert progress.begin("same", resume=True) == ()
    progress.keep(ONE)
    assert progress.begin("same", resume=False) == ()


def test_one_that_cannot_be_read_makes_all_of_them_be_made_again(tmp_path):
    progress = Progress(tmp_path)
    progress.begin("same", resume=False)
    progress.keep(ONE)
    (path,) = (tmp_path / ".mcp-eval/unfinished").glob("*.json")
    path.write_bytes(b"{")
    assert progress.begin("same", resume=True) == ()
