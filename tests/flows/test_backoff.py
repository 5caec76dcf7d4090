"""What time alone may cure is tried again after longer and longer pauses, then inconclusive."""

from mcp_eval.errors import InconclusiveError
from mcp_eval.workflows.check import CheckPlan, check
from mcp_eval.workflows.events import Checked, Took
from mcp_eval.workflows.looks import look
from tests.flows.fakes import FakeTarget
from tests.flows.suites import answering, call, recorded, scenario, server, target_of, world


class Busy(FakeTarget):
    """Refuses its first starts, for this reason."""

    def __init__(self, times, why="connection refused", **how):
        super().__init__(server(search=answering({"hits": [1]})), resettable=True, **how)
        self.times = times
        self.why = why

    async def start(self):
        if self.times > 0:
            self.times -= 1
            raise InconclusiveError(self.why, rule="target-not-starting")
        return await super().start()


async def checked(target, events=None):
    story = scenario(call("search"))
    baseline = await recorded(target_of(server(search=answering({"hits": [1]}))), story)
    there = world(target)
    async for event in check(there, CheckPlan(baseline=baseline, scenarios=(story,))):
        if events is not None:
            events.append(event)
        if isinstance(event, Checked):
            return event.report, there.sleep.slept
    raise AssertionError("no verdict")


async def test_a_refused_connection_is_waited_out():
    report, slept = await checked(Busy(3))
    assert report.status == "good"
    assert [pause for pause in slept if pause >= 1] == [1.0, 2.0, 4.0]


async def test_a_look_is_waited_for_no_longer_than_a_start():
    target = Busy(0)
    there = world(target)
    story = scenario(call("search"))
    baseline = await recorded(target_of(target.server), story)
    recording = baseline.recordings["story"]
    target.times = 1000
    made = await look(there, target, recording, surface=baseline.surface)
    assert made.troubles
    assert [pause for pause in there.sleep.slept if pause >= 1] == [1.0, 2.0, 4.0]


async def test_what_stays_busy_is_inconclusive():
    report, _ = await checked(Busy(1000, "HTTP 429: too many requests"))
    assert report.status == "inconclusive"


async def test_a_build_that_exits_at_once_is_not_waited_for():
    report, slept = await checked(Busy(1000, "exit status 1"))
    assert report.status == "inconclusive"
    assert [pause for pause in slept if pause >= 1] == []


async def test_every_look_says_how_long_it_took():
    events = []
    await checked(Busy(0), events)
    (took,) = [one for one in events if isinstance(one, Took)]
    assert (took.scenario, took.seconds > 0) == ("story", True)
