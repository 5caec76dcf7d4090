import pytest

from mcp_eval.cli.screen import Screen, watched
from mcp_eval.model.provenance import Build
from mcp_eval.model.verdict import Report
from mcp_eval.workflows.events import Checked, Line, Progress, Recorded, Started

EVENTS = (
    Started(
        doing="checking", scenarios=("a", "b"), build=Build(server_name="tiny"), agent="script"
    ),
    Progress(scenario="a", doing="replaying", done=0, total=2),
    Recorded(scenario="a", path="baselines/a.json", runs=2, repeats="yes"),
    Recorded(scenario="b", path="baselines/.pending/b.json", pending=True, runs=1),
    Line(text="a note", hint="do this"),
    Line(text="beware", level="warning"),
)


async def stream(*events):
    for event in events:
        yield event


async def test_off_a_terminal_every_event_is_a_plain_line_on_stderr(capsys):
    report = Report(status="good")
    with Screen() as screen:
        last = await watched(stream(*EVENTS, Checked(report=report)), screen, Checked)
    said = capsys.readouterr()
    assert last.report is report
    assert said.out == ""
    assert said.err.splitlines() == [
        "checking 2 scenarios on tiny · agent: script",
        "[1/2] a: replaying",
        "recorded a: baselines/a.json (2 runs, repeats itself)",
        "recorded b: baselines/.pending/b.json (waits for `mcp-eval accept`) (1 run)",
        "note: a note",
        "hint: do this",
        "warning: beware",
    ]


async def test_quiet_leaves_warnings_alone(capsys):
    with Screen(quiet=True) as screen:
        await watched(stream(*EVENTS, Checked(report=Report(status="good"))), screen, Checked)
    assert capsys.readouterr().err == "warning: beware\n"
    assert len(screen.recorded) == 2


async def test_a_workflow_that_ends_without_its_result_is_our_own_bug():
    with pytest.raises(RuntimeError, match="without Checked"):
        await watched(stream(*EVENTS), Screen(quiet=True), Checked)


async def test_whoever_stops_listening_ends_the_work():
    ended = []

    async def work():
        try:
            yield EVENTS[1]
            yield EVENTS[1]
        finally:
            ended.append(True)

    class Broken(Screen):
        def show(self, event):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await watched(work(), Broken(), Checked)
    assert ended


def test_nobody_is_asked_where_nobody_sits():
    assert not Screen().asks
