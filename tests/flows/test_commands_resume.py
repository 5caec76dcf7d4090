"""A check that was interrupted goes on where it was, and nowhere else."""

import signal

import pytest

from tests.flows.places import SCENARIO, Place, until

pytestmark = pytest.mark.timeout(180)


@pytest.fixture
def suite(tmp_path):
    place = Place(tmp_path)
    place.project()
    for number in range(3):
        place.write(f"scenarios/also_{number}.yaml", SCENARIO)
    assert place.run("record").returncode == 0
    place.log.unlink()
    return place


def calls(place):
    return place.logged().count("tools/call")


def looked(place):
    return len(list((place.folder / ".mcp-eval/unfinished").glob("*.json")))


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGKILL])
def test_what_was_looked_at_before_the_end_is_not_looked_at_again(suite, sign):
    running = suite.begin("check")
    until(lambda: looked(suite) >= 2)
    running.send_signal(sign)
    running.communicate(timeout=60)
    before = looked(suite)
    suite.log.unlink()
    again = suite.run("check", "--resume")
    assert (again.returncode, again.stdout.splitlines()[-1]) == (0, "4 passed, 0 failed")
    assert f"{before} of 4 scenarios were looked at before" in again.stderr
    assert calls(suite) == 4 - before
    assert looked(suite) == 0


def test_another_build_or_another_baseline_starts_anew(suite):
    running = suite.begin("check")
    until(lambda: looked(suite) >= 2)
    running.kill()
    running.communicate(timeout=60)
    suite.log.unlink()
    again = suite.run("check", "--resume", TINY_VERSION="2")
    assert "it starts anew" in again.stderr
    assert calls(suite) >= 4


def test_without_the_word_nothing_is_taken_over(suite):
    running = suite.begin("check")
    until(lambda: looked(suite) >= 2)
    running.kill()
    running.communicate(timeout=60)
    suite.log.unlink()
    assert suite.run("check").returncode == 0
    assert calls(suite) == 4


def test_a_check_with_a_verdict_leaves_nothing_to_go_on_with(suite):
    assert suite.run("check").returncode == 0
    again = suite.run("check", "--resume")
    assert "no check of the same was interrupted" in again.stderr
    assert again.returncode == 0


def test_the_slowest_scenarios_are_named_where_that_is_asked(suite):
    checked = suite.run("check", "--durations", "2")
    named = [line for line in checked.stderr.splitlines() if line.strip().partition(" s  ")[2]]
    assert len(named) == 2
    assert all("search_tools" in line or "also_" in line for line in named)
