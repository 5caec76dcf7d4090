"""Watching, in memory: one run for each change, of what the change affects, one at a time."""

import pytest

from mcp_eval.workflows.watch import Watch, affected, watch

START = {"target": "1", "scenario a.yaml": "1", "scenario b.yaml": "1"}


class World:
    """What stands there moves on by a list; a glance past its end sees the last of it."""

    def __init__(self, *standing, statuses=()):
        self.standing = list(standing)
        self.statuses = list(statuses)
        self.checked = []
        self.told = []

    def glance(self):
        return self.standing.pop(0) if len(self.standing) > 1 else self.standing[0]

    async def check(self, scenarios):
        self.checked.append(scenarios)
        return self.statuses.pop(0) if self.statuses else 0

    async def changed(self, before, now):
        self.told.append((before, now))

    async def sleep(self, seconds):
        pass

    async def watched(self, runs):
        world = Watch(glance=self.glance, check=self.check, changed=self.changed, sleep=self.sleep)
        return await watch(world, runs=runs)


@pytest.mark.parametrize(
    ("change", "scenarios"),
    [
        ({"target": "2"}, ()),
        ({"scenario b.yaml": "2"}, ("b.yaml",)),
        ({"scenario c.yaml": "1"}, ("c.yaml",)),
        ({"scenario a.yaml": "2", "scenario b.yaml": "2"}, ("a.yaml", "b.yaml")),
        ({"scenario a.yaml": "2", "project": "2"}, ()),
    ],
)
async def test_a_change_is_one_run_of_what_it_affects(change, scenarios):
    there = World(START, START, START, {**START, **change})
    assert await there.watched(2) == 0
    assert there.checked == [(), scenarios]


async def test_what_is_still_being_written_is_waited_for():
    half, whole = {**START, "target": "half"}, {**START, "target": "whole"}
    there = World(START, START, half, half, whole, whole)
    await there.watched(2)
    assert there.checked == [(), ()]
    assert there.standing == [whole]


async def test_what_changes_while_a_check_runs_is_checked_after_it():
    there = World(START, START, START, {**START, "target": "2"})
    again = {**START, "target": "3"}

    async def check(scenarios):
        there.checked.append(scenarios)
        if len(there.checked) == 2:
            there.standing = [again]
        return 0

    there.check = check
    await there.watched(3)
    assert there.checked == [(), (), ()]


async def test_only_a_change_of_the_verdict_is_told():
    later = [{**START, "target": str(number)} for number in (2, 3, 4) for _ in range(3)]
    there = World(START, START, *later, statuses=[0, 1, 1, 3])
    assert await there.watched(4) == 3
    assert there.told == [(0, 1), (1, 3)]


def test_a_scenario_that_is_gone_leaves_nothing_to_check():
    assert affected(START, {"target": "1", "scenario a.yaml": "1"}) is None
