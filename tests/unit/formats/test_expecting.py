import pytest

from mcp_eval.formats.expecting import with_expectation
from mcp_eval.formats.project import read_project
from mcp_eval.model.policy import Expectation

SAID = Expectation(
    finding="hit-lost@search:tools[]", reason='they: "said so"', expires="2030-01-31"
)


def written(text):
    return with_expectation(text.encode(), path="mcp-eval.yaml", expectation=SAID)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# mine\nagent: script",
        "agent: script\r\n# the end\r\n",
        "expect:\n  - finding: a\n    reason: b\n# after\nagent: script\n",
        "expect:\n- {finding: a, reason: b}\n",
        "policy: seed\nexpect:\n      -   finding: a\n          reason: b\n",
    ],
)
def test_one_more_is_said_and_every_other_line_stays(text):
    after = written(text)
    before = read_project(text.encode(), path="x").policy.expect
    assert set(read_project(after, path="x").policy.expect) == {*before, SAID}
    assert [line for line in text.splitlines() if line not in after.decode().splitlines()] == []


@pytest.mark.parametrize(
    "text", ["expect: [{finding: a, reason: b}]\n", "expect: []\n", "{agent: script}\n"]
)
def test_what_is_written_in_one_line_is_left_to_a_person(text):
    assert written(text) is None
