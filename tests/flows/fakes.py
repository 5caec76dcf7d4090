"""Fakes named after what they are: a server in memory, a target that starts it, a store that keeps."""

import asyncio
import inspect
import json
from collections import Counter

from mcp_eval.errors import InconclusiveError
from mcp_eval.model.provenance import Build
from mcp_eval.workflows.needs import Saved


class ScriptedServer:
    """An MCP server in memory: tools are functions of (arguments, state).

    A tool that is a generator asks the client back: it yields requests and is sent the results.
    """

    def __init__(self, tools, *, name="fake", version="1", reads=True, instructions=""):
        self.tools = tools
        self.name = name
        self.version = version
        self.reads = reads
        self.instructions = instructions

    def answer(self, method, params, state):
        """The result of one request; None closes the line."""
        if method == "initialize":
            hello = {
                "protocolVersion": params.get("protocolVersion", "2025-06-18"),
                "capabilities": {"tools": {}},
                "serverInfo": {"name": self.name, "version": self.version},
            }
            return {**hello, "instructions": self.instructions} if self.instructions else hello
        if method == "tools/list":
            return {"tools": [self._described(name, spec) for name, spec in self.tools.items()]}
        if method == "tools/call":
            return self._called(params, state)
        return {}

    def _described(self, name, spec):
        schema = spec.get("schema", {"type": "object"})
        tool = {"name": name, "description": spec.get("about", name), "inputSchema": schema}
        if "output" in spec:
            tool["outputSchema"] = spec["output"]
        if spec.get("reads", self.reads):
            tool["annotations"] = {"readOnlyHint": True}
        return tool

    def _called(self, params, state):
        spec = self.tools.get(params["name"])
        if spec is None:
            return failure(f"Tool {params['name']} not found")
        return told(spec["does"](params.get("arguments", {}), state))


def told(answered):
    """What a tool gives back, as the result of its call; None closes the line."""
    if answered is None or isinstance(answered, RpcError) or inspect.isgenerator(answered):
        return answered
    return answered if isinstance(answered, dict) and "content" in answered else success(answered)


class RpcError:
    """An answer of the protocol itself that is an error."""

    def __init__(self, code, message):
        self.body = {"code": code, "message": message}


def text(words):
    """An ordinary answer that is no JSON."""
    return {"content": [{"type": "text", "text": words}], "isError": False}


def structured(value, *, beside=True):
    """An answer as structured content, and as text beside it."""
    return {**(success(value) if beside else {"content": []}), "structuredContent": value}


def success(value):
    """An ordinary answer."""
    return {"content": [{"type": "text", "text": json.dumps(value)}], "isError": False}


def failure(text):
    """An answer that is an error."""
    return {"content": [{"type": "text", "text": text}], "isError": True}


class MemoryChannel:
    """A line to a scripted server: no process, no socket."""

    def __init__(self, server, state, *, delay=0.0):
        self._server = server
        self._state = state
        self._delay = delay
        self._answers = asyncio.Queue()
        self._asking = {}  # calls that wait for an answer of the client, by our request's id

    async def send(self, chunk):
        for line in chunk.splitlines():
            message = json.loads(line)
            if "method" not in message:
                self._resume(message)
            elif "id" in message:
                if self._delay and message["method"] == "tools/call":
                    await asyncio.sleep(self._delay)
                params = message.get("params", {})
                answered = self._server.answer(message["method"], params, self._state)
                self._answer(message["id"], answered)

    def _answer(self, id_, answered):
        if inspect.isgenerator(answered):
            self._step(id_, answered, None)
        elif answered is None:
            self._answers.put_nowait(b"")
        elif isinstance(answered, RpcError):
            self._put({"id": id_, "error": answered.body})
        else:
            self._put({"id": id_, "result": answered})

    def _step(self, id_, call, said):
        """A call that asks the client back, on to its next question or its end."""
        try:
            asked = call.send(said)
        except StopIteration as ended:
            self._answer(id_, told(ended.value))
            return
        mine = f"asked-{id_}"
        self._asking[mine] = (id_, call)
        self._put({"id": mine, **asked})

    def _resume(self, message):
        waiting = self._asking.pop(message.get("id"), None)
        if waiting is not None:
            self._step(*waiting, message.get("result", {"error": message.get("error")}))

    def _put(self, message):
        frame = {"jsonrpc": "2.0", **message}
        self._answers.put_nowait(json.dumps(frame).encode() + b"\n")

    async def receive(self):
        return await self._answers.get()

    async def close(self):
        self._answers.put_nowait(b"")


class FakeEnvironment:
    """One start of a scripted server, with a state of its own."""

    def __init__(self, target):
        self._target = target
        self.state = {"start": target.starts}
        self.build = Build(target=target.name)
        self.workdir = "/nowhere"
        self.fresh = bool(target.resettable)
        self.stopped = False

    async def connect(self):
        return MemoryChannel(self._target.server, self.state, delay=self._target.delay)

    async def post_mortem(self):
        return ""

    async def restart(self):
        self.state["restarted"] = True

    async def stop(self):
        await asyncio.sleep(0)
        self.stopped = True


class FakeTarget:
    """Starts a scripted server as often as asked, and remembers every environment."""

    def __init__(self, server, *, name="fake", resettable=None, serial=False, delay=0.0, dead=""):
        self.server = server
        self.name = name
        self.resettable = resettable
        self.serial = serial
        self.delay = delay
        self.dead = dead
        self.environments = []

    @property
    def starts(self):
        return len(self.environments)

    @property
    def running(self):
        return [one for one in self.environments if not one.stopped]

    async def start(self):
        await asyncio.sleep(0)
        if self.dead:
            raise InconclusiveError(self.dead, rule="target-not-starting", evidence="exit status 1")
        environment = FakeEnvironment(self)
        self.environments.append(environment)
        return environment


class MemoryStore:
    """Keeps in memory what a folder would hold."""

    folder = "memory"

    def __init__(self):
        self.runs = []
        self.recordings = {}
        self.waiting = {}
        self.surfaces = []

    def run(self, run):
        self.runs.append(run)

    def recording(self, recording, surface, *, replace):
        taken = recording.stem in self.recordings and not replace
        (self.waiting if taken else self.recordings)[recording.stem] = recording
        self.surface(surface, replace=replace)
        return Saved(path=f"memory/{recording.stem}.json", pending=taken)

    def surface(self, surface, *, replace):
        self.surfaces.append(surface)
        return Saved(path="memory/surface.json")


class OpenRedactor:
    """Knows no secrets."""

    def run(self, run):
        return run

    def surface(self, surface):
        return surface


class HandClock:
    """A clock that a test moves; every look at it costs a millisecond."""

    def __init__(self):
        self.seconds = 0.0
        self.calls = Counter()

    def now(self):
        self.calls["now"] += 1
        return "2026-01-02T03:04:05.006Z"

    def monotonic(self):
        self.calls["monotonic"] += 1
        self.seconds += 0.001
        return self.seconds


class NoSleep:
    """Sleeps without waiting, and remembers for how long."""

    def __init__(self):
        self.slept = []

    async def __call__(self, seconds):
        self.slept.append(seconds)
        await asyncio.sleep(0)
