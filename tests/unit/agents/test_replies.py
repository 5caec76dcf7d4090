"""What a server is told when it asks back."""

from mcp_eval.agents.replies import Replies
from mcp_eval.model.trajectory import ServerRequest


def same(value):
    return value


def test_recorded_answers_go_first_in_order_then_the_scenarios_then_polite_ones():
    replies = Replies({"sampling/createMessage": {"model": "told"}}, root="/work", real=same)
    replies.recorded(
        [ServerRequest(method="sampling/createMessage", answer={"model": n}) for n in (1, 2)]
    )
    said = [replies("sampling/createMessage", {})["model"] for _ in range(3)]
    assert said == [1, 2, "told"]
    assert replies("elicitation/create", {}) == {"action": "decline"}
    assert replies("roots/list", {})["roots"][0]["uri"] == "file:///work"


def test_the_next_step_forgets_what_the_last_one_was_to_be_told():
    replies = Replies({}, root="", real=same)
    replies.recorded([ServerRequest(method="elicitation/create", answer={"action": "accept"})])
    replies.recorded([])
    assert replies("elicitation/create", {}) == {"action": "decline"}


def test_a_recorded_refusal_is_a_refusal_again():
    replies = Replies({}, root="", real=same)
    no = {"error": {"code": -1, "message": "no"}}
    replies.recorded([ServerRequest(method="elicitation/create", answer=no)])
    assert replies("elicitation/create", {}) == no
