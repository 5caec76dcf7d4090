"""What passed between a client and a server, as invocations."""

import json

import msgspec
import pytest

from mcp_eval.tap.recorder import Recorder, named, params_of


class Talk:
    """Feeds a recorder, a second at a time."""

    def __init__(self, **more):
        self.recorder = Recorder(**more)
        self.at = 0.0
        self.ended = []

    def client(self, **message):
        return self._feed("to-server", message)

    def server(self, **message):
        return self._feed("to-client", message)

    def raw(self, direction, payload):
        self.at += 1
        found = self.recorder.feed(direction, payload, self.at)
        self.ended += found
        return found

    def _feed(self, direction, message):
        return self.raw(direction, json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def call(self, id_, name="add", **arguments):
        return self.client(
            id=id_, method="tools/call", params={"name": name, "arguments": arguments}
        )


def result_of(invocation):
    return msgspec.json.decode(invocation.outcome.body)


def test_parallel_calls_answered_in_any_order_are_matched_by_id():
    talk = Talk()
    ids = [1, "1", 2.5, "two", 0, -7]
    for id_ in ids:
        assert talk.call(id_, which=str(id_)) == []
    assert talk.recorder.in_flight == 6
    for id_ in reversed(ids):
        talk.server(id=id_, result={"for": str(id_)})
    made = talk.recorder.invocations
    assert [one.arguments["which"] for one in made] == [str(id_) for id_ in ids]
    assert all(result_of(one)["for"] == one.arguments["which"] for one in made)
    assert [one.latency_ms for one in made] == [11000, 9000, 7000, 5000, 3000, 1000]
    assert talk.recorder.in_flight == 0


def test_only_calls_reads_and_prompts_are_invocations():
    talk = Talk()
    for id_, method in enumerate(("tools/list", "acme/unknown", "ping", "logging/setLevel")):
        talk.client(id=id_, method=method, params={})
        talk.server(id=id_, result={})
    talk.client(id="r", method="resources/read", params={"uri": "a://b"})
    talk.server(id="r", result={"contents": []})
    talk.client(id="p", method="prompts/get", params={"name": "greet", "arguments": {"who": "x"}})
    talk.server(id="p", error={"code": -32602, "message": "no"})
    assert [(one.method, one.name, one.arguments) for one in talk.ended] == [
        ("resources/read", "a://b", {"uri": "a://b"}),
        ("prompts/get", "greet", {"who": "x"}),
    ]
    assert [one.outcome.kind for one in talk.ended] == ["result", "error"]


def test_notifications_progress_and_answers_to_nobody_end_nothing():
    talk = Talk()
    talk.call(1)
    talk.server(method="notifications/progress", params={"progressToken": 1, "progress": 0.5})
    talk.server(method="notifications/message", params={"level": "info", "data": "x"})
    talk.server(id=99, result={})
    talk.client(method="notifications/initialized")
    assert talk.ended == []
    assert talk.recorder.in_flight == 1


def test_a_cancelled_call_is_cancelled_and_a_late_answer_to_it_nobodys():
    talk = Talk()
    talk.call(1)
    talk.client(method="notifications/cancelled", params={"requestId": 1, "reason": "user"})
    talk.server(id=1, result={})
    (one,) = talk.recorder.invocations
    assert (one.outcome.kind, one.outcome.detail) == ("cancelled", "the client withdrew it: user")


def test_pages_of_a_list_are_each_a_request_of_its_own():
    talk = Talk(methods=None)
    talk.client(id=1, method="tools/list", params={})
    talk.server(id=1, result={"tools": [1], "nextCursor": "c"})
    talk.client(id=2, method="tools/list", params={"cursor": "c"})
    talk.server(id=2, result={"tools": [2]})
    assert [(one.name, one.arguments) for one in talk.ended] == [
        ("tools/list", {}),
        ("tools/list", {"cursor": "c"}),
    ]


def test_server_requests_hang_at_the_call_in_flight_with_the_answers_they_got():
    talk = Talk()
    talk.call(1)
    # Ids of the two directions are two worlds.
    talk.server(id=1, method="sampling/createMessage", params={"messages": []})
    talk.server(id="e", method="elicitation/create", params={"message": "sure?"})
    talk.client(id="e", error={"code": -1, "message": "no"})
    talk.client(id=1, result={"model": "m"})
    talk.server(id=1, result={"content": []})
    (one,) = talk.ended
    assert [(asked.method, asked.answer) for asked in one.nested] == [
        ("sampling/createMessage", {"model": "m"}),
        ("elicitation/create", {"error": {"code": -1, "message": "no"}}),
    ]
    assert one.outcome.kind == "result"


def test_who_talked_to_whom_is_kept():
    talk = Talk()
    talk.client(id=0, method="initialize", params={"clientInfo": {"name": "c"}})
    talk.server(id=0, result={"serverInfo": {"name": "s"}})
    talk.server(method="notifications/tools/list_changed")
    assert talk.recorder.client == {"clientInfo": {"name": "c"}}
    assert talk.recorder.initialize == {"serverInfo": {"name": "s"}}
    assert talk.recorder.list_changed == ["tools"]


def test_an_answer_nobody_can_read_ends_its_call_as_an_error():
    talk = Talk()
    talk.call(1)
    talk.raw("to-client", b'{"jsonrpc":"2.0","id":1,"result":{"cut":\n')
    (one,) = talk.ended
    assert one.outcome.kind == "error"
    assert "could not be read" in one.outcome.detail
    assert talk.recorder.garbage_lines == 1


def test_an_answer_with_neither_result_nor_error_is_an_error():
    talk = Talk()
    talk.call(1)
    talk.server(id=1)
    assert talk.ended[0].outcome.kind == "error"


def test_a_closed_line_crashes_what_is_open():
    talk = Talk()
    talk.call(1)
    talk.call(2, "list")
    ended = talk.recorder.end("the line was closed", 9.0)
    assert [(one.name, one.outcome.kind) for one in ended] == [
        ("add", "crashed"),
        ("list", "crashed"),
    ]
    assert talk.recorder.end("again", 10.0) == []


def test_an_id_used_twice_ends_the_first_and_keeps_both():
    talk = Talk()
    talk.call(1, n=1)
    talk.call(1, n=2)
    talk.server(id=1, result={})
    assert [one.outcome.kind for one in talk.recorder.invocations] == ["cancelled", "result"]


def test_noise_is_counted_and_only_its_beginning_kept():
    talk = Talk()
    for number in range(100):
        talk.raw("to-client", b"noise %d\n" % number)
    assert talk.recorder.garbage_lines == 100
    assert [each.text for each in talk.recorder.garbage][:2] == ["noise 0", "noise 1"]
    assert len(talk.recorder.garbage) == 20


def test_a_batch_is_several_answers():
    talk = Talk()
    talk.call(1)
    talk.call(2)
    batch = [{"jsonrpc": "2.0", "id": n, "result": {"n": n}} for n in (2, 1)]
    talk.raw("to-client", json.dumps(batch).encode() + b"\n")
    assert [result_of(one)["n"] for one in talk.recorder.invocations] == [1, 2]


def test_whoever_takes_them_as_they_end_keeps_no_second_copy():
    talk = Talk(keep=False)
    talk.call(1)
    talk.server(id=1, result={})
    assert len(talk.ended) == 1
    assert talk.recorder.invocations == ()


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", {"name": "add", "arguments": {"a": 1}}),
        ("prompts/get", {"name": "greet", "arguments": {}}),
        ("resources/read", {"uri": "file:///a"}),
        ("acme/own", {"anything": [1]}),
    ],
)
def test_the_params_of_a_request_are_put_together_as_they_were_taken_apart(method, params):
    assert params_of(method, *named(method, params)) == params


WANTS = {
    "resultType": "input_required",
    "requestState": "s",
    "inputRequests": {"who": {"method": "roots/list"}},
}


def test_a_request_made_again_with_what_was_wanted_is_one_call():
    talk = Talk()
    talk.call(1, a=1)
    assert talk.server(id=1, result=WANTS) == []
    params = {"name": "add", "arguments": {"a": 1}, "requestState": "s"}
    told = {"inputResponses": {"who": {"roots": []}}}
    talk.client(id=2, method="tools/call", params=params | told)
    (made,) = talk.server(id=2, result={"resultType": "complete"})
    assert talk.recorder.invocations == (made,)
    assert made.arguments == {"a": 1}
    assert [(one.method, one.answer) for one in made.nested] == [("roots/list", {"roots": []})]
    assert made.latency_ms == 3000


@pytest.mark.parametrize(
    "params",
    [
        {"name": "add", "arguments": {"a": 2}, "requestState": "s"},
        {"name": "add", "arguments": {"a": 1}, "requestState": "another"},
        {"name": "add", "arguments": {"a": 1}},
    ],
)
def test_another_request_does_not_go_on_with_it(params):
    talk = Talk()
    talk.call(1, a=1)
    talk.server(id=1, result=WANTS)
    talk.client(id=2, method="tools/call", params=params)
    (made,) = talk.server(id=2, result={"resultType": "complete"})
    assert made.nested == ()
    (given_up,) = talk.recorder.end("closed", 9.0)
    assert result_of(given_up)["resultType"] == "input_required"
    assert [one.outcome.kind for one in talk.recorder.invocations] == ["result", "result"]


def test_whoever_asks_for_each_answer_gets_the_question_too():
    talk = Talk(methods=None, keep=False)
    talk.call(1)
    (made,) = talk.server(id=1, result=WANTS)
    assert result_of(made)["resultType"] == "input_required"
