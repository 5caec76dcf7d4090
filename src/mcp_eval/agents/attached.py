"""A person at work with an agent of their own: what passes is relayed, and becomes a run."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

from mcp_eval.agents.places import Places
from mcp_eval.agents.templates import read_all, written
from mcp_eval.errors import UsageError
from mcp_eval.model.base import JsonObject
from mcp_eval.model.scenario import Step
from mcp_eval.model.trajectory import Binding, Invocation, Run, Trajectory
from mcp_eval.ports import Clock, Environment
from mcp_eval.tap.recorder import Recorder
from mcp_eval.tap.relay import attach

NAME = "person"
_QUIET = 0.5  # seconds without a call, after which what was done so far is told


class Attached:
    """The tap as the stdio server that a client's configuration names."""

    def __init__(self, *, clock: Clock, environ: Mapping[str, str]) -> None:
        self._clock = clock
        self._environ = environ

    async def work(self, environment: Environment, *, heard: Callable[[Run], None]) -> None:
        """Until the client hangs up; `heard` is told the run so far at each pause, and at last."""
        recorder, began = Recorder(), self._clock.now()
        pause: asyncio.TimerHandle | None = None

        def tell(left: str = "") -> None:
            heard(self._run(recorder, environment, began, left))

        def later(_: Invocation) -> None:
            nonlocal pause
            if pause is not None:
                pause.cancel()
            pause = asyncio.get_running_loop().call_later(_QUIET, tell)

        left = ""
        try:
            relay = await attach(environment, recorder=recorder, clock=self._clock, ended=later)
            left = relay.left
        finally:  # clients end their servers by a signal, too
            if pause is not None:
                pause.cancel()
            tell(left)

    def steps(self, run: Run) -> tuple[Step, ...]:
        """The run as written steps; a value an earlier answer gave is read from there again."""
        said: list[Step] = []
        for made in run.trajectory.invocations:
            kept = [one for one in made.bindings if _reads_back(one, made, said)]
            said.append(_step(made, kept))
        return tuple(said)

    def _run(self, recorder: Recorder, environment: Environment, began: str, left: str) -> Run:
        places = Places(environment.workdir, self._environ)
        made = tuple(
            places.stored(one) for one in recorder.invocations if not _withdrawn(one, left)
        )
        return Run(
            scenario="",
            agent=NAME,
            model=_client(recorder.client),
            trajectory=Trajectory(invocations=made),
            build=environment.build,
            recorded_at=began,
            fresh=environment.fresh,
        )


def _withdrawn(made: Invocation, left: str) -> bool:
    """What the client no longer wanted, or did not wait for: no answer says nothing there."""
    kind = made.outcome.kind
    return kind == "cancelled" or (kind == "crashed" and left != "server")


def _client(said: JsonObject) -> str:
    named = said.get("clientInfo")
    return str(named.get("name", "")) if isinstance(named, dict) else ""


def _step(made: Invocation, bindings: Sequence[Binding]) -> Step:
    plain = made.method == "resources/read" and not bindings
    args = {} if plain else written(made.arguments, bindings)
    return Step(action=made.name, tool=made.name, method=made.method, args=args)


def _reads_back(binding: Binding, made: Invocation, said: Sequence[Step]) -> bool:
    """Whether the next reader of the file finds the same value: some places have no template."""
    try:
        *_, last = read_all([*said, _step(made, [binding])], where="")
    except UsageError:
        return False
    wanted = (binding.argument, binding.step, binding.path)
    return wanted in [(one.argument, one.step, one.path) for one in last.bindings]
