"""A channel whose other end is a function of what was sent to it."""

import asyncio
import json
import time


class FakeClock:
    def now(self):
        return "2026-01-01T00:00:00.000Z"

    def monotonic(self):
        return time.monotonic()


class FakeServer:
    """A Channel; `reply(message)` gives the messages (or raw bytes) the server writes in turn."""

    def __init__(self, reply):
        self.reply = reply
        self.heard = []
        self.queue = asyncio.Queue()
        self.closed = False

    async def send(self, chunk):
        if self.closed:
            raise ConnectionResetError("nobody there")
        for line in chunk.splitlines():
            message = json.loads(line)
            self.heard.append(message)
            for answer in self.reply(message):
                self.say(answer)

    def say(self, answer):
        self.queue.put_nowait(
            answer if isinstance(answer, bytes) else json.dumps(answer).encode() + b"\n"
        )

    async def receive(self):
        return await self.queue.get()

    async def close(self):
        self.closed = True


def result(message, body):
    return {"jsonrpc": "2.0", "id": message["id"], "result": body}


def polite(message):
    """A server that initializes, pings and echoes."""
    match message.get("method"):
        case "initialize":
            return [
                result(
                    message,
                    {
                        "protocolVersion": message["params"]["protocolVersion"],
                        "serverInfo": {"name": "fake", "version": "1"},
                        "capabilities": {"tools": {}},
                    },
                )
            ]
        case "ping":
            return [result(message, {})]
        case "tools/call":
            return [result(message, {"content": [], "echo": message["params"]})]
        case _:
            return []
