"""A person's work as written steps."""

import json

import msgspec
import pytest

from mcp_eval.agents.attached import Attached
from mcp_eval.agents.templates import read_all, written
from mcp_eval.compare.bindings import bind
from mcp_eval.model.trajectory import Binding, Invocation, Outcome, Run, Trajectory


def made(name, arguments, answer, method="tools/call"):
    body = {
        "content": [
            {"type": "text", "text": answer if isinstance(answer, str) else json.dumps(answer)}
        ]
    }
    return Invocation(
        name=name,
        method=method,
        arguments=arguments,
        outcome=Outcome(body=msgspec.Raw(msgspec.json.encode(body))),
    )


def steps(*invocations):
    run = bind(Run(scenario="s", trajectory=Trajectory(invocations=invocations)))
    said = Attached(clock=None, environ={}).steps(run)
    read = read_all(said, where="s")
    bound = [
        [(one.argument, one.step, one.path) for one in made.bindings]
        for made in run.trajectory.invocations
    ]
    return (
        said,
        [[(one.argument, one.step, one.path) for one in each.bindings] for each in read],
        bound,
    )


ID = "3f2c9a51-7f6e-4c1d-9a60-9d2f4b1c8e77"


@pytest.mark.parametrize(
    ("answer", "argument", "template"),
    [
        ({"id": ID}, ID, "{{ steps.0.result.id }}"),
        ({"items": [{"the id": ID}]}, ID, '{{ steps.0.result.items[0]["the id"] }}'),
        ({"a.b": {"0": ID}}, ID, '{{ steps.0.result["a.b"]["0"] }}'),
        ({"id": ID}, f"see {ID} twice", "see {{ steps.0.result.id }} twice"),
        ({"id": ID}, f'{{"id": "{ID}"}} and {{{{', "x"),
    ],
)
def test_a_minted_value_is_read_from_its_answer_again(answer, argument, template):
    said, read, bound = steps(made("create_it", {}, answer), made("get", {"q": argument}, "ok"))
    assert bound[1]
    assert read == bound
    if template != "x":
        assert said[1].args["q"] == template


def test_a_value_found_between_words_is_read_from_there_again():
    _, read, bound = steps(
        made("create_it", {}, f"Made it. Its id: {ID} (new)"), made("get", {"q": ID}, "ok")
    )
    assert bound[1]
    assert read == bound


def test_braces_of_an_argument_stand_for_themselves():
    said, _, _ = steps(made("echo", {"text": "{{ steps.0.result }}", "n": 3}, "ok"))
    (read,) = read_all(said, where="s")
    assert read.arguments == {"text": "{{ steps.0.result }}", "n": 3}
    assert read.bindings == ()


def test_a_resource_is_named_once():
    said, _, _ = steps(made("file:///a", {"uri": "file:///a"}, "ok", method="resources/read"))
    assert (said[0].tool, said[0].method, said[0].args) == ("file:///a", "resources/read", {})


def test_two_values_in_one_text_are_both_read_again():
    bindings = [
        Binding(argument="q", step=0, path="a", template="{}-y"),
        Binding(argument="q", step=1, path="b", template="x-{}"),
    ]
    assert written({"q": "x-y"}, bindings) == {"q": "{{ steps.0.result.a }}-{{ steps.1.result.b }}"}
