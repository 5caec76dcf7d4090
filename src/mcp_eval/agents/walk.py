"""One walk through a target: a conversation that outlives restarts, and what stopped it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import os

from msgspec.structs import replace

from mcp_eval.agents import patience, person
from mcp_eval.agents.places import Places
from mcp_eval.agents.replies import Replies
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.provenance import Build
from mcp_eval.model.scenario import Step
from mcp_eval.model.trajectory import Invocation, Outcome
from mcp_eval.ports import Clock, Environment
from mcp_eval.tap.session import Session


@dataclass(frozen=True, kw_only=True)
class Pace:
    """Clock and patience of a walk: tests bring their own."""

    clock: Clock
    sleep: patience.Sleep
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    call_timeout: float = 60.0
    start_timeout: float = 30.0
    poll_seconds: float = 10.0  # for one read whose state has not settled
    poll_budget: float = 30.0  # for all of them in one walk


class Walk:
    """An open conversation with an environment, and the ways to ask in it."""

    def __init__(
        self, environment: Environment, pace: Pace, *, answers: Mapping[str, Json] | None = None
    ) -> None:
        self._environment = environment
        self._pace = pace
        self._session: Session | None = None
        self._polled = 0.0
        self.places = Places(environment.workdir, pace.environ)
        self.replies = Replies(answers or {}, root=environment.workdir, real=self.places.real)
        self.stopped = ""  # why nothing more can be asked

    async def open(self) -> None:
        """Connect and say hello; InconclusiveError(target-not-starting) where nobody answers."""
        session = Session(
            await self._environment.connect(),
            clock=self._pace.clock,
            answer=self.replies,
            post_mortem=self._environment.post_mortem,
        )
        self._session = session
        await session.initialize(self._pace.start_timeout)
        self.stopped = ""

    async def close(self) -> None:
        """Hang up; idempotent."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    @property
    def build(self) -> Build:
        """The environment's build, with what the server said of itself."""
        build = self._environment.build
        said = self._session.initialized.get("serverInfo") if self._session else None
        if not isinstance(said, dict):
            return build
        return replace(
            build,
            server_name=build.server_name or str(said.get("name", "")),
            server_version=build.server_version or str(said.get("version", "")),
        )

    async def ask(self, method: str, name: str, arguments: JsonObject) -> Invocation:
        """One request, made again where the server says it was asked too often."""
        made = await self._ask(method, name, arguments)
        for attempt in range(patience.TRIES - 1):
            pause = patience.wanted_pause(made.outcome, attempt)
            if pause is None or self.stopped:
                break
            await self._pace.sleep(pause)
            made = await self._ask(method, name, arguments)
        return made

    async def settle(
        self, made: Invocation, unsettled: Callable[[Outcome], bool], again: JsonObject
    ) -> Invocation:
        """The same read until its state has settled, or our patience ends; the last answer counts."""
        deadline = min(self._pace.poll_seconds, self._pace.poll_budget - self._polled)
        began, slept, polls = self._pace.clock.monotonic(), 0.0, 1
        for pause in patience.pauses():
            spent = max(slept, self._pace.clock.monotonic() - began)
            if self.stopped or spent + pause > deadline or not unsettled(made.outcome):
                break
            await self._pace.sleep(pause)
            slept += pause
            made, polls = await self.ask(made.method, made.name, again), polls + 1
        self._polled += max(slept, self._pace.clock.monotonic() - began)
        return replace(made, polls=polls)

    async def act(self, step: Step) -> None:
        """Do what a person does; InconclusiveError where that fails."""
        if step.run:
            await person.run_command(
                step.run, workdir=self._environment.workdir, environ=self._pace.environ
            )
        elif step.restart:
            await self.close()
            await self._environment.restart()
            await self.open()
        elif step.wait:
            await self._pace.sleep(step.wait)

    async def _ask(self, method: str, name: str, arguments: JsonObject) -> Invocation:
        session = self._session
        if session is None:
            outcome = Outcome(kind="crashed", detail=self.stopped or "nobody was connected")
            return Invocation(name=name, method=method, arguments=arguments, outcome=outcome)
        sent = self.places.real(arguments)
        made = await session.ask(method, self.places.real(name), sent, self._pace.call_timeout)
        if not session.alive:
            how = "did not answer any more" if made.outcome.kind == "timeout" else "crashed"
            self.stopped = f"the target {how} at `{name}`"
        # Stored as it was meant, not as it was sent: no folder of this machine, no secret.
        return replace(made, name=name, arguments=arguments)
