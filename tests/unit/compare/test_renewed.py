import pytest
from msgspec import Raw, json
from msgspec.structs import replace

from mcp_eval.compare.renewed import renewed
from mcp_eval.compare.steady import distill
from mcp_eval.model.provenance import Provenance
from mcp_eval.model.scenario import Scenario
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Invocation, Message, Outcome, Run, Trajectory, Trouble

STORY = Scenario(name="Story", stem="story")
SAID = (Message(role="user", text="add it, then read it"),)


def outcome(value):
    return Outcome(
        body=Raw(json.encode({"content": [{"type": "text", "text": json.encode(value).decode()}]}))
    )


def run(ident, *, again=False, ends=None, **more):
    made = (
        Invocation(
            name="add",
            arguments={"n": 1},
            outcome=outcome({"id": ident}),
            step=0 if again else None,
        ),
        Invocation(name="Bash", foreign=True),
        Invocation(
            name="read",
            arguments={"id": ident},
            outcome=ends or outcome({"id": ident, "n": 1}),
            step=2 if again else None,
        ),
    )
    if again:
        made = (made[0], made[2])
    trajectory = Trajectory(invocations=made, messages=() if again else SAID)
    return Run(scenario="story", trajectory=trajectory, **more)


BASELINE = distill(STORY, [run("item-0001")], provenance=Provenance(agent="claude"))


def made_of(*looks):
    return renewed(
        BASELINE,
        looks,
        STORY,
        provenance=Provenance(agent="replay"),
        surface=Surface(),
        criteria={"it is there": "yes"},
    )


def test_what_the_looks_saw_takes_the_place_of_what_was_recorded():
    now = made_of(run("item-0002", again=True), run("item-0003", again=True))
    assert [step.name for step in now.steps] == ["add", "Bash", "read"]
    assert now.steps[1].foreign
    assert now.steps[2].arguments == {"id": "item-0002"}
    assert now.steps[0].classes == {"ok": 2}
    assert now.provenance.agent == "replay"
    assert now.criteria == {"it is there": "yes"}
    assert now.messages == SAID


def test_a_value_that_an_earlier_answer_minted_is_still_followed():
    (binding,) = made_of(run("item-0002", again=True)).steps[2].bindings
    assert (binding.argument, binding.step, binding.path) == ("id", 0, "id")


@pytest.mark.parametrize("kind", ["crashed", "timeout", "not-reached", "cancelled"])
def test_a_look_without_an_answer_counts_for_nothing(kind):
    lost = run("item-0002", again=True, ends=Outcome(kind=kind))
    assert made_of(lost) is None
    assert made_of(lost, run("item-0003", again=True)).steps[0].classes == {"ok": 1}


def test_a_look_that_never_came_about_counts_for_nothing():
    made = run("item-0002", again=True)
    assert made_of(replace(made, troubles=(Trouble(rule="rate-limited", message="429"),))) is None
