"""Relays a live server's stdio and changes what passes: `inject.py FAULTS.json -- COMMAND …`."""

import copy
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)] * (str(ROOT) not in sys.path)

from bench.faults import Injection, make  # noqa: E402
from bench.faults.base import Call, Reply, error_result  # noqa: E402

Pending = tuple[str, list[Injection]]


def wrapped(
    command: list[str],
    faults: list[dict[str, Any]],
    folder: Path,
    *,
    files: Mapping[str, str] | None = None,
    prepare: Sequence[Sequence[str]] = (),
) -> list[str]:
    """The command of a server with these faults; their specification is written to the folder."""
    spec = folder / f"faults-{len(list(folder.glob('faults-*.json')))}.json"
    first = {"files": dict(files or {}), "prepare": [list(words) for words in prepare]}
    spec.write_text(json.dumps({"faults": faults, **first}), encoding="utf-8")
    return [sys.executable, str(Path(__file__).resolve()), str(spec), "--", *command]


class Relay:
    """Frames by id in both directions; what no fault concerns passes byte by byte."""

    def __init__(
        self,
        injections: list[Injection],
        server: BinaryIO,
        client: BinaryIO,
        marker: Path | None = None,
    ) -> None:
        self.injections = injections
        self.marker = marker  # a file that is there once anything was changed
        self.server = server
        self.client = client
        self.pending: dict[str, Pending] = {}
        self.parked: dict[str, tuple[bytes, dict[str, Any], list[Injection]]] = {}
        self.own = 0  # requests made here, on either side
        self.lock = threading.Lock()

    def from_client(self, line: bytes) -> None:
        """One line of the client, on to the server or answered here."""
        frame = _frame(line)
        if frame is not None and str(frame.get("id", "")) in self.parked:
            self._answered(frame)
            return
        if frame is None or "id" not in frame or "method" not in frame:
            self._to_server(line)
            return
        key = json.dumps(frame["id"])
        if frame["method"] == "tools/call":
            self._call(line, frame, key)
            return
        if frame["method"] in {"initialize", "tools/list"}:
            self.pending[key] = (frame["method"], self.injections)
        self._to_server(line)

    def _call(self, line: bytes, frame: dict[str, Any], key: str) -> None:
        params = frame.get("params") or {}
        asked = Call(str(params.get("name")), params.get("arguments") or {})
        touching, call = [], asked
        for injection in self.injections:
            if not injection.touches(call):
                continue
            touching.append(injection)
            if injection.silent:
                self._mark()
            answer = injection.call(call)
            if isinstance(answer, Reply):
                self._mark()
                self._reply(frame["id"], answer, touching)
                return
            call = answer
        if touching:
            self.pending[key] = ("tools/call", touching)
        if call != asked:
            self._mark()
            changed = {**params, "name": call.tool, "arguments": call.arguments}
            frame = {**frame, "params": changed}
            line = json.dumps(frame).encode() + b"\n"
        question = next((asked for one in touching if (asked := one.asks(call))), None)
        if question:
            self._ask(question, line, frame, touching)
            return
        self._to_server(line)
        for _ in range(sum(injection.copies(call) for injection in touching)):
            self._mark()
            self._to_server(json.dumps({**frame, "id": self._new()}).encode() + b"\n")

    def _new(self) -> str:
        self.own += 1
        return f"injected-{self.own}"

    def _ask(
        self,
        question: dict[str, Any],
        line: bytes,
        frame: dict[str, Any],
        touching: list[Injection],
    ) -> None:
        """Put a question to the client; the call waits for its answer."""
        self._mark()
        key = self._new()
        self.parked[key] = (line, frame, touching)
        self._to_client(json.dumps({"jsonrpc": "2.0", "id": key, **question}).encode() + b"\n", [])

    def _answered(self, frame: dict[str, Any]) -> None:
        """The client answered our question: the call goes on, or fails where it said no."""
        line, call, touching = self.parked.pop(str(frame["id"]))
        given = frame.get("result") or {}
        if "error" in frame or given.get("action", "accept") != "accept":
            self.pending.pop(json.dumps(call["id"]), None)
            why = f"{call['params']['name']} needs an answer and got none"
            self._reply(call["id"], Reply(result=error_result(why)), touching)
        else:
            self._to_server(line)

    def _reply(self, request: object, reply: Reply, touching: list[Injection]) -> None:
        frame: dict[str, Any] = {"jsonrpc": "2.0", "id": request}
        if reply.error is not None:
            self._to_client(json.dumps({**frame, "error": reply.error}).encode() + b"\n", touching)
        elif reply.result is not None:
            self._to_client(
                json.dumps({**frame, "result": reply.result}).encode() + b"\n", touching
            )

    def from_server(self, line: bytes) -> None:
        """One line of the server, on to the client, changed where a fault concerns it."""
        frame = _frame(line)
        if frame is None or "id" not in frame or "method" in frame:
            self._to_client(line, [])
            return
        if str(frame["id"]).startswith("injected-"):
            return
        method, touching = self.pending.pop(json.dumps(frame["id"]), ("", []))
        if "result" in frame and touching:
            changed = _changed(method, frame["result"], touching)
            if json.dumps(changed) != json.dumps(frame["result"]):
                self._mark()
                frame = {**frame, "result": changed}
                line = json.dumps(frame, ensure_ascii=False).encode() + b"\n"
        self._to_client(line, touching if method == "tools/call" else [])

    def _mark(self) -> None:
        if self.marker is not None:
            self.marker.touch()
            self.marker = None

    def _to_server(self, line: bytes) -> None:
        self.server.write(line)
        self.server.flush()

    def _to_client(self, line: bytes, touching: list[Injection]) -> None:
        pieces = [line]
        for injection in touching:
            *before, last = pieces
            pieces = [*before, *injection.line(last)]
            if pieces != [*before, last]:
                self._mark()
        with self.lock:
            for piece in pieces:
                self.client.write(piece)
                self.client.flush()


def _changed(method: str, result: Any, touching: list[Injection]) -> Any:
    for injection in touching:
        try:
            result = _through(injection, method, copy.deepcopy(result))
        except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
            # A fault made for lists meets a text, say: the answer passes as it is.
            sys.stderr.write(f"{injection.name} does not fit this answer: {error!r}\n")
    return result


def _through(injection: Injection, method: str, result: Any) -> Any:
    if method == "initialize":
        return injection.initialize(result)
    if method == "tools/list":
        return {**result, "tools": injection.tools(result.get("tools", []))}
    return injection.result(result)


def _frame(line: bytes) -> dict[str, Any] | None:
    try:
        frame = json.loads(line)
    except ValueError:
        return None
    return frame if isinstance(frame, dict) else None


def _pump(relay: Relay, source: BinaryIO) -> None:
    for line in source:
        try:
            relay.from_server(line)
        except (BrokenPipeError, ValueError):
            return


def main(arguments: list[str]) -> int:
    """Start the server and relay until either side is done."""
    if len(arguments) < 3 or arguments[1] != "--":
        sys.stderr.write("usage: inject.py FAULTS.json -- COMMAND …\n")
        return 2
    said = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    injections = [make(spec) for spec in said["faults"]]
    _furnish(said.get("files", {}), said.get("prepare", ()))
    with subprocess.Popen(arguments[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None  # noqa: S101
        assert server.stdout is not None  # noqa: S101
        signal.signal(signal.SIGTERM, lambda *_: (server.terminate(), os._exit(143)))
        marker = Path(arguments[0]).with_suffix(".changed")
        relay = Relay(injections, server.stdin, sys.stdout.buffer, marker)
        pump = threading.Thread(target=_pump, args=(relay, server.stdout), daemon=True)
        pump.start()
        watch = threading.Thread(target=_leave_with, args=(server, pump), daemon=True)
        watch.start()
        for line in sys.stdin.buffer:
            try:
                relay.from_client(line)
            except BrokenPipeError:
                break
        server.stdin.close()
        pump.join(timeout=5)
        if server.poll() is None:
            server.terminate()
    return server.returncode or 0


def _furnish(files: Mapping[str, str], prepare: Sequence[Sequence[str]]) -> None:
    """What the server finds in its folder when it starts."""
    for name, text in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for words in prepare:
        subprocess.run(words, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def _leave_with(server: subprocess.Popen[bytes], pump: threading.Thread) -> None:
    pump.join()
    code = server.wait()
    sys.stdout.buffer.flush()
    os._exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
