"""Templates in written steps."""

import pytest

from mcp_eval.agents.templates import read_all
from mcp_eval.errors import UsageError
from mcp_eval.model.scenario import Step


def read(*arguments):
    steps = [Step(tool="t", args=each) for each in arguments]
    return read_all(steps, where="steps")[-1]


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("{{ steps.0.result.id }}", "id"),
        ("{{steps[0].result.id}}", "id"),
        ("{{ steps.0.result }}", ""),
        ("{{ steps.0.result.items.2.id }}", "items[2].id"),
        ("{{ steps.0.result.items[2]['the id'] }}", "items[2].the id"),
        ('{{ steps.0.result["a.b"] }}', '["a.b"]'),
    ],
)
def test_a_template_names_a_step_and_a_path_in_its_answer(written, path):
    (binding,) = read({}, {"id": written}).bindings
    assert (binding.argument, binding.step, binding.path) == ("id", 0, path)


def test_a_template_inside_a_text_keeps_the_text_around_it():
    (binding,) = read({}, {"q": ["say {{ steps.0.result.word }} twice"]}).bindings
    assert (binding.argument, binding.template) == ("q[0]", "say {} twice")


def test_a_quoted_literal_stands_for_itself():
    written = read({}, {"q": "{{ '{{ name }}' }} and {{ \"so on\" }}"})
    assert written.bindings == ()
    assert written.arguments["q"] == "{{ name }} and so on"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("{{ steps.1.result.id }}", "it has not run yet"),
        ("{{ steps.7.result.id }}", "there are 2"),
        ("{{ step.0.id }}", "is no template"),
        ("{{ steps.0.result.id", "is never closed"),
        ("{{ steps.0.result.a..b }}", "no path in"),
    ],
)
def test_a_wrong_template_says_where_it_stands_and_what_is_wrong(written, said):
    with pytest.raises(UsageError, match=said) as caught:
        read({}, {"id": written})
    assert caught.value.message.startswith("steps[1].args.id")
    assert "{{ steps.0.result.id }}" in caught.value.hint


def test_a_persons_step_has_no_result_to_read():
    steps = [Step(wait=1.0), Step(tool="t", args={"id": "{{ steps.0.result.id }}"})]
    with pytest.raises(UsageError, match="step 0 is no call"):
        read_all(steps, where="steps")
