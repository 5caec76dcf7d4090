"""What happened: invocations with their outcomes, in order, in one conversation, in one run."""

from typing import Literal

import msgspec

from mcp_eval.model.base import Json, JsonObject, Noun
from mcp_eval.model.provenance import Build

OutcomeKind = Literal["result", "error", "crashed", "timeout", "not-reached", "cancelled"]
OutcomeClass = Literal["ok", "empty", "refused", "failed", "crashed"]
OWN_TOOL = "agent/tool"  # the method of what an agent did with a tool of its own


class Outcome(Noun):
    """How one invocation ended, as the frames said it; the body stays raw until somebody looks."""

    # result: the server answered; error: a JSON-RPC error; crashed: the process died or the line
    # broke; timeout: no answer in time; not-reached: never sent; cancelled: the agent withdrew it.
    kind: OutcomeKind = "result"
    body: msgspec.Raw = msgspec.Raw()
    detail: str = ""  # what the transport knows: exit status, last log lines, why never sent


class ServerRequest(Noun):
    """A request the server made while it worked: sampling, elicitation, roots; and its answer."""

    method: str
    params: Json = None
    answer: Json = None  # the result the client gave, or {"error": …}


class Binding(Noun):
    """A later argument that holds a value an earlier outcome minted."""

    argument: str  # path in the arguments, with indices
    step: int  # whose outcome minted it
    path: str  # where in that outcome's answer, with indices
    template: str = "{}"  # the argument's text around the value, where it is embedded


class Invocation(Noun):
    """One request the agent made, with its outcome."""

    name: str
    method: str = "tools/call"
    arguments: JsonObject = {}
    outcome: Outcome = Outcome()
    latency_ms: float = 0.0
    size: int = 0
    nested: tuple[ServerRequest, ...] = ()
    step: int | None = None  # at replay: the recorded step it re-issues
    bindings: tuple[Binding, ...] = ()  # written by hand as {{ steps.N.result… }}
    polls: int = 1  # how many identical reads in a row it stands for
    waits_for: int | None = None  # not-reached: the step whose value is lost
    foreign: bool = False  # not an MCP invocation: Bash, WebSearch … recorded, never scored


class Message(Noun):
    """One thing said by the person or the agent."""

    role: Literal["user", "assistant", "system"]
    text: str
    before: int = 0  # how many invocations had been made by then


class Usage(Noun):
    """What a model run cost."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    turns: int = 0
    seconds: float = 0.0


class Trajectory(Noun):
    """One conversation."""

    invocations: tuple[Invocation, ...] = ()
    messages: tuple[Message, ...] = ()
    usage: Usage = Usage()
    # done: it came to its end; gave-up: turns or budget spent; broke: no more answers
    ended: Literal["done", "gave-up", "broke"] = "done"

    @property
    def answer(self) -> str:
        """The agent's last words."""
        return next((said.text for said in reversed(self.messages) if said.role == "assistant"), "")


class Trouble(Noun):
    """Why no opinion could be formed: the name of an inconclusive rule, with evidence."""

    rule: str
    message: str
    evidence: str = ""
    scenario: str = ""  # the stem; "" where it concerns the whole target
    step: int = -1  # where it showed first


class Run(Noun):
    """A scenario executed once against a build."""

    scenario: str  # the stem
    trial: int = 1
    id: str = ""
    agent: str = "script"
    model: str = ""
    trajectory: Trajectory = Trajectory()
    build: Build = Build()
    recorded_at: str = ""
    fresh: bool = True  # in an environment no earlier run had touched
    troubles: tuple[Trouble, ...] = ()
