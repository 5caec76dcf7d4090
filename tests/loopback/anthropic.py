"""A model behind the Anthropic Messages API, streaming server-sent events, as a play tells it."""

import asyncio
import itertools
import json

from tests.loopback.http import Server, event, head, whole
from tests.loopback.plays import Fail, Say, offered

PIECE = 7  # characters a delta carries: words and JSON arrive in parts, as they do
USAGE = {"input_tokens": 100, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}


class AnthropicServer(Server):
    """`POST /v1/messages`, streaming or not; whoever sends no tools asks for a title or so."""

    def __init__(self, play, *, bare=False):
        super().__init__()
        self.play = play
        self.bare = bare  # whoever asks without a tool is who the play is for
        self._ids = itertools.count(1)

    @property
    def asked(self):
        """The requests a person's intent led to: those that bring tools."""
        return [one.body for one in self.requests if one.body.get("tools")]

    async def answer(self, request):
        if request.method != "POST" or not request.path.endswith("/v1/messages"):
            found = {"input_tokens": 100} if request.path.endswith("count_tokens") else {}
            yield whole(200 if found or request.method == "HEAD" else 404, found)
            return
        turn = self._turn(request.body)
        if isinstance(turn, Fail):
            async for chunk in failing(turn, request.body):
                yield chunk
        elif request.body.get("stream"):
            yield head(200, "text/event-stream")
            for each in self._events(request.body, turn):
                yield event(each, each["type"])
        else:
            yield whole(200, self._message(request.body, self._blocks(request.body, turn)))

    def _turn(self, body):
        if not body.get("tools") and not self.bare and not isinstance(self.play.turns[0], Fail):
            return [Say("A title")]
        said = sum(message["role"] == "assistant" for message in body["messages"])
        return self.play.turn(said)

    def _blocks(self, body, turn):
        names = [tool["name"] for tool in body.get("tools", ())]
        return [
            {"type": "text", "text": each.text}
            if isinstance(each, Say)
            else {
                "type": "tool_use",
                "id": f"toolu_{next(self._ids):08}",
                "name": offered(each.tool, names),
                "input": each.arguments,
            }
            for each in turn
        ]

    def _message(self, body, blocks):
        used = any(block["type"] == "tool_use" for block in blocks)
        return {
            "id": f"msg_{next(self._ids):08}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": blocks,
            "stop_reason": "tool_use" if used else "end_turn",
            "stop_sequence": None,
            "usage": {**USAGE, "output_tokens": 20},
        }

    def _events(self, body, turn):
        whole_ = self._message(body, self._blocks(body, turn))
        begun = {
            **whole_,
            "content": [],
            "stop_reason": None,
            "usage": {**USAGE, "output_tokens": 1},
        }
        yield {"type": "message_start", "message": begun}
        for index, block in enumerate(whole_["content"]):
            yield from _block(index, block)
        delta = {"stop_reason": whole_["stop_reason"], "stop_sequence": None}
        yield {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 20}}
        yield {"type": "message_stop"}


def _block(index, block):
    text = block["type"] == "text"
    empty = {**block, **({"text": ""} if text else {"input": {}})}
    yield {"type": "content_block_start", "index": index, "content_block": empty}
    said = block["text"] if text else json.dumps(block["input"])
    for at in range(0, len(said), PIECE):
        part = said[at : at + PIECE]
        delta = (
            {"type": "text_delta", "text": part}
            if text
            else {"type": "input_json_delta", "partial_json": part}
        )
        yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}


async def failing(fault, body):
    """The ways a service fails: a status, no answer at all, one that stops, a line that breaks."""
    if isinstance(fault.how, int):
        kind = {429: "rate_limit_error", 529: "overloaded_error", 401: "authentication_error"}
        error = {"type": kind.get(fault.how, "api_error"), "message": f"failing with {fault.how}"}
        yield whole(fault.how, {"type": "error", "error": error})
        return
    if fault.how == "silence":
        await asyncio.Event().wait()
    yield head(200, "text/event-stream")
    begun = {
        "id": "msg_0",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {**USAGE, "output_tokens": 1},
    }
    yield event({"type": "message_start", "message": begun}, "message_start")
    if fault.how == "stall":
        await asyncio.Event().wait()
