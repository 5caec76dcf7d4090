"""An agent's moods are no break, and a goal that is mostly missed is one."""

import pytest

from bench.moods import alarms, detected
from mcp_eval.model.policy import Policy


@pytest.mark.parametrize("trials", [1, 8])
def test_an_honest_agent_of_95_percent_rarely_fails_a_suite(trials):
    assert alarms(7, trials=trials, policy=Policy()) <= 10


def test_a_scenario_that_drops_to_30_percent_is_found_with_eight_trials():
    assert detected(8, trials=8, policy=Policy()) >= 0.9


def test_without_tries_again_an_honest_agent_fails_suites():
    assert alarms(7, trials=1, policy=Policy(reruns=0)) > 50
