"""The protocols between the rooms, on one page."""

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from mcp_eval.model.base import Noun
from mcp_eval.model.comparison import CriterionResult, Difference
from mcp_eval.model.provenance import Build
from mcp_eval.model.recording import Recording
from mcp_eval.model.scenario import Scenario
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Run, Trajectory
from mcp_eval.model.verdict import Report


class Channel(Protocol):
    """One open line to an MCP server: newline-delimited JSON-RPC, bytes as they come."""

    async def send(self, chunk: bytes) -> None:
        """Pass bytes on to the server; ConnectionError where nobody is there any more."""

    async def receive(self) -> bytes:
        """The next bytes the server wrote; b"" when it closed the line."""

    async def close(self) -> None:
        """Close our end; idempotent."""


class Environment(Protocol):
    """One started instance of a target, isolated as far as its kind can."""

    build: Build
    workdir: str
    fresh: bool  # nothing of an earlier run is in it

    async def connect(self) -> Channel:
        """A line to the running target; InconclusiveError(target-not-starting) where it is dead."""

    async def post_mortem(self) -> str:
        """Exit status and last log lines, redacted and capped; "" while it runs."""

    async def restart(self) -> None:
        """Start the target again, its state kept (a user step)."""

    async def stop(self) -> None:
        """End it and all it started; idempotent, never raises."""


class Target(Protocol):
    """The system under test."""

    name: str
    resettable: bool | None  # a start gives a clean environment; None: nobody said
    serial: bool  # serves one run at a time whatever -j says

    async def start(self) -> Environment:
        """A fresh environment, ready to connect; InconclusiveError where it does not come up."""


class Bounds(Noun):
    """What one run of an agent may take; nothing where it costs nothing."""

    turns: int = 0
    usd: float | None = None  # None: no price is known
    seconds: float = 0.0


class Agent(Protocol):
    """Whatever turns an intent into invocations."""

    name: str
    model: str
    bounds: Bounds

    async def run(
        self, scenario: Scenario, environment: Environment, *, surface: Surface, trial: int
    ) -> Run:
        """One run through the tap; trouble is a fact in the run, not an exception."""


class Judging(Protocol):
    """A judge of prose criteria: a model that was asked for its opinion, never one by default."""

    name: str

    async def opinion(self, criterion: str, trajectory: Trajectory) -> CriterionResult:
        """Yes, no or unknown with a quote; *not evaluated* where no opinion could be had."""


class Prober(Protocol):
    """Takes the surface of a started target, itself, once its catalogue is quiet."""

    async def __call__(self, environment: Environment) -> Surface:
        """All it offers; InconclusiveError(target-not-starting) where it cannot say."""


class Replayer(Protocol):
    """The walker that re-issues a recording without any model."""

    async def replay(
        self,
        recording: Recording,
        environment: Environment,
        *,
        surface: Surface,
        changes: Sequence[Difference] = (),
        look: int = 1,
    ) -> Run:
        """One look; renames among `changes` are followed, polls repeated, lost ids not chased."""


class Redactor(Protocol):
    """Puts `${secret:NAME}` where secrets stood, before anything reaches a disk."""

    def run(self, run: Run) -> Run:
        """The run without its secrets."""

    def surface(self, surface: Surface) -> Surface:
        """The surface without secrets."""


class Saved(Noun):
    """Where something went, and whether it waits there for `accept`."""

    path: str
    pending: bool = False


class Reporter(Protocol):
    """A format a report can be written in."""

    suffixes: Sequence[str]

    def render(self, report: Report) -> bytes:
        """The report, in this format."""


class Clock(Protocol):
    """Instants and durations, so that the pure rooms need none."""

    def now(self) -> str:
        """This instant: ISO 8601, UTC, milliseconds."""

    def monotonic(self) -> float:
        """Seconds, for durations."""


class Event(Protocol):
    """Something a workflow says while it works; front ends only listen."""


Events = AsyncIterator[Event]
