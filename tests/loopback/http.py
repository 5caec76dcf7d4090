"""A small HTTP server on loopback: what a test's model speaks through."""

import asyncio
import contextlib
import json


class Request:
    """What was asked: method, path, headers, and the body, decoded."""

    def __init__(self, method, path, headers, body):
        self.method, self.path, self.headers = method, path.partition("?")[0], headers
        self.body = json.loads(body) if body else {}


class Server:
    """Answers each request by `answer`, an async generator of byte chunks, one connection each."""

    def __init__(self):
        self.requests = []
        self._server = None
        self._open = set()

    @property
    def url(self):
        host, port = self._server.sockets[0].getsockname()
        return f"http://{host}:{port}"

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_):
        self._server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    def answer(self, request):
        raise NotImplementedError

    async def _serve(self, reader, writer):
        task = asyncio.current_task()
        self._open.add(task)
        try:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
                request = await _read(reader)
                self.requests.append(request)
                async for chunk in self.answer(request):
                    writer.write(chunk)
                    await writer.drain()
        finally:
            self._open.discard(task)
            writer.close()


async def _read(reader):
    head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    method, path, _ = head[0].split(" ")
    headers = {
        name.lower(): value.strip()
        for name, _, value in (line.partition(":") for line in head[1:] if line)
    }
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Request(method, path, headers, body)


def head(status, kind, size=None):
    """The first lines of an answer; without a size it ends with its connection."""
    length = "" if size is None else f"Content-Length: {size}\r\n"
    return (
        f"HTTP/1.1 {status} -\r\nContent-Type: {kind}\r\n{length}Connection: close\r\n\r\n"
    ).encode()


def whole(status, value):
    """An answer in one piece."""
    body = json.dumps(value).encode()
    return head(status, "application/json", len(body)) + body


def event(value, name=None):
    """One server-sent event."""
    named = f"event: {name}\n" if name else ""
    return f"{named}data: {value if isinstance(value, str) else json.dumps(value)}\n\n".encode()
