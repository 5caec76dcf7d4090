"""One walk through a target: a conversation that outlives restarts, and what stopped it."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from mcp_eval.agents import patience, person
from mcp_eval.agents.places import Places
from mcp_eval.agents.replies import Replies
from mcp_eval.errors import InconclusiveError
from mcp_eval.model.base import Json, JsonObject, Noun
from mcp_eval.model.project import TargetSpec
from mcp_eval.model.provenance import Build
from mcp_eval.model.scenario import Step
from mcp_eval.model.trajectory import Invocation, Outcome, ServerRequest
from mcp_eval.ports import Clock, Environment
from mcp_eval.tap.redact import resolve
from mcp_eval.tap.session import Session


@dataclass(frozen=True, kw_only=True)
class Pace:
    """Clock and patience of a walk: tests bring their own."""

    clock: Clock
    sleep: patience.Sleep
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    call_timeout: float = 60.0
    start_timeout: float = 30.0
    poll_seconds: float = 10.0  # for one read whose state is still moving
    glance_seconds: float = 2.0  # for one whose state does not look as if it moved
    poll_budget: float = 30.0  # for all of them in one walk

    @classmethod
    def of(cls, spec: TargetSpec, *, clock: Clock, sleep: patience.Sleep) -> "Pace":
        """The patience a target asks for."""
        return cls(
            clock=clock,
            sleep=sleep,
            call_timeout=spec.call_timeout,
            start_timeout=spec.start_timeout,
        )


class Request(Noun):
    """What is asked, and what the server asked back when this was recorded."""

    name: str
    method: str = "tools/call"
    arguments: JsonObject = {}
    nested: tuple[ServerRequest, ...] = ()

    def not_reached(self, why: str) -> Invocation:
        """The invocation that was never sent, because."""
        return Invocation(
            name=self.name,
            method=self.method,
            arguments=self.arguments,
            outcome=Outcome(kind="not-reached", detail=why),
        )


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
    def line(self) -> Session | None:
        """The open conversation itself, for who speaks for somebody we do not trust with ours."""
        return self._session

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

    def needs(self, arguments: JsonObject, name: str) -> None:
        """InconclusiveError(auth-expired) where a secret is needed that nobody set."""
        if missing := self.places.missing(arguments):
            raise InconclusiveError(
                f"`{name}` needs ${{secret:{missing[0]}}}, and the environment does not hold it",
                hint=f"set it first: export {missing[0]}=…",
                rule="auth-expired",
            )

    async def ask(self, request: Request) -> Invocation:
        """One request, made again where the server says it was asked too often."""
        made = await self._ask(request)
        for attempt in range(patience.TRIES - 1):
            pause = patience.wanted_pause(made.outcome, attempt)
            if pause is None or self.stopped:
                break
            await self._pace.sleep(pause)
            made = await self._ask(request)
        return made

    async def settle(
        self,
        made: Invocation,
        request: Request,
        unsettled: Callable[[Outcome], bool],
        *,
        seconds: float,
        most: int | None = None,
    ) -> Invocation:
        """The same read until its state has settled or our patience ends; the last one counts."""
        deadline = min(seconds, self._pace.poll_budget - self._polled)
        began, slept, polls = self._pace.clock.monotonic(), 0.0, 1
        for pause in patience.pauses():
            spent = max(slept, self._pace.clock.monotonic() - began)
            if self.stopped or polls == most or spent + pause > deadline:
                break
            if not unsettled(made.outcome):
                break
            await self._pace.sleep(pause)
            slept += pause
            made, polls = await self.ask(request), polls + 1
        self._polled += max(slept, self._pace.clock.monotonic() - began)
        return replace(made, polls=polls)

    async def act(self, step: Step) -> None:
        """Do what a person does; InconclusiveError where that fails."""
        if step.run:
            await person.run_command(
                resolve(step.run, self._pace.environ)[0],
                workdir=self._environment.workdir,
                environ=self._pace.environ,
            )
        elif step.restart:
            await self.close()
            await self._environment.restart()
            await self.open()
        elif step.wait:
            await self._pace.sleep(step.wait)

    async def _ask(self, request: Request) -> Invocation:
        session = self._session
        if session is None:
            return request.not_reached(self.stopped or "nobody was connected")
        self.replies.recorded(request.nested)
        made = await session.ask(
            request.method,
            self.places.real(request.name),
            self.places.real(request.arguments),
            self._pace.call_timeout,
        )
        if not session.alive:
            how = "did not answer any more" if made.outcome.kind == "timeout" else "crashed"
            self.stopped = f"the target {how} at `{request.name}`"
        # Stored as it was meant, not as it was sent: no folder of this machine, no secret.
        meant = replace(made, name=request.name, arguments=request.arguments)
        return self.places.stored(meant)
