"""A model behind an OpenAI-compatible chat completions API, as a play tells it."""

import asyncio
import itertools
import json

from tests.loopback.http import Server, head, whole
from tests.loopback.plays import Fail, Say, offered


class OpenAIServer(Server):
    """`POST /v1/chat/completions`, in one piece."""

    def __init__(self, play):
        super().__init__()
        self.play = play
        self._ids = itertools.count(1)

    @property
    def asked(self):
        return [one.body for one in self.requests]

    async def answer(self, request):
        if request.method != "POST" or not request.path.endswith("/chat/completions"):
            yield whole(404, {"error": {"message": "not found"}})
            return
        said = sum(message["role"] == "assistant" for message in request.body["messages"])
        turn = self.play.turn(said)
        if not isinstance(turn, Fail):
            yield whole(200, self._completion(request.body, turn))
        elif isinstance(turn.how, int):
            yield whole(turn.how, {"error": {"message": f"failing with {turn.how}", "code": None}})
        elif turn.how == "silence":
            await asyncio.Event().wait()
        elif turn.how == "stall":
            yield head(200, "application/json", 1000) + b'{"id": '
            await asyncio.Event().wait()
        else:
            yield head(200, "application/json", 1000) + b'{"id": '

    def _completion(self, body, turn):
        names = [tool["function"]["name"] for tool in body.get("tools", ())]
        words = [each.text for each in turn if isinstance(each, Say)]
        calls = [
            {
                "id": f"call_{next(self._ids):08}",
                "type": "function",
                "function": {
                    "name": offered(each.tool, names),
                    "arguments": json.dumps(each.arguments),
                },
            }
            for each in turn
            if not isinstance(each, Say)
        ]
        message = {"role": "assistant", "content": "\n".join(words) or None}
        if calls:
            message["tool_calls"] = calls
        reason = "tool_calls" if calls else "stop"
        return {
            "id": f"chatcmpl-{next(self._ids):08}",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
        }
