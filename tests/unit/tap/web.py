"""A small web server on loopback whose answers a test writes, and what it heard."""

import asyncio
import contextlib
import json


class Asked:
    """One request: its method, path, headers in small letters, and body."""

    def __init__(self, method, path, headers, body):
        self.method, self.path, self.headers, self.body = method, path, headers, body

    @property
    def message(self):
        return json.loads(self.body)


class Web:
    """`answer(asked)` yields the bytes of each answer; lines stay open as long as both like."""

    def __init__(self, answer):
        self.answer = answer
        self.heard = []
        self.lines = 0
        self._open = set()

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/mcp"
        return self

    async def __aexit__(self, *_):
        self._server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _serve(self, reader, writer):
        self._open.add(asyncio.current_task())
        self.lines += 1
        try:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                while True:
                    asked = await _read(reader)
                    self.heard.append(asked)
                    async for chunk in self.answer(asked):
                        if chunk is None:
                            return
                        writer.write(chunk)
                        await writer.drain()
        except asyncio.CancelledError:
            pass
        finally:
            writer.close()


async def _read(reader):
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
    method, path, _ = first.split(" ")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Asked(method, path, headers, body)


def head(status, kind="application/json", **fields):
    """A head; fields with dashes for underscores."""
    said = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {status} Word\r\nContent-Type: {kind}\r\n{said}\r\n".encode()


def whole(value, status=200, **fields):
    """An answer in one piece; None: nothing in it."""
    body = (
        b"" if value is None else value if isinstance(value, bytes) else json.dumps(value).encode()
    )
    return head(status, Content_Length=len(body), **fields) + body


def chunk(piece):
    return b"%x\r\n%b\r\n" % (len(piece), piece)


def stream(*events, end=True, **fields):
    """A stream of events in chunks, each a message or the bytes of an event."""
    said = [each if isinstance(each, bytes) else event(each) for each in events]
    opened = head(200, "text/event-stream", Transfer_Encoding="chunked", **fields)
    return opened + b"".join(map(chunk, said)) + (b"0\r\n\r\n" if end else b"")


def event(message, id_=None, retry=None):
    named = f"id: {id_}\n" * (id_ is not None) + f"retry: {retry}\n" * (retry is not None)
    return f"{named}event: message\ndata: {json.dumps(message)}\n\n".encode()


def result(asked, body):
    return {"jsonrpc": "2.0", "id": asked.message["id"], "result": body}


HELLO = {
    "protocolVersion": "2025-06-18",
    "serverInfo": {"name": "web", "version": "1"},
    "capabilities": {"tools": {}},
}


async def polite(asked):
    """Initializes with a session, echoes calls, has no stream of its own."""
    if asked.method == "GET":
        yield whole(None, 405)
    elif asked.method == "DELETE":
        yield whole(None, 204)
    elif "id" not in asked.message or "method" not in asked.message:
        yield whole(None, 202)
    elif asked.message["method"] == "initialize":
        yield whole(result(asked, HELLO), Mcp_Session_Id="s-1")
    else:
        yield whole(result(asked, {"content": [], "echo": asked.message["params"]}))
