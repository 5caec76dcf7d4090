"""What a person sees while a workflow runs: events become lines, and the last one comes back."""

import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

import click

from mcp_eval.model.base import Noun
from mcp_eval.workflows.events import Happening, Line, Progress, Recorded, Started, Took

if TYPE_CHECKING:
    from rich.status import Status

_Last = TypeVar("_Last", bound=Noun)


class Screen:
    """Says events on stderr: a living line on a terminal, plain lines elsewhere."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._status: Status | None = None
        self.recorded: list[Recorded] = []
        self.took: dict[str, float] = {}  # seconds by scenario

    @property
    def asks(self) -> bool:
        """Whether somebody is there to be asked."""
        return not self._quiet and sys.stdin.isatty() and sys.stderr.isatty()

    def __enter__(self) -> Self:
        if not self._quiet and sys.stderr.isatty():
            from rich.console import Console

            self._status = Console(stderr=True).status("")
            self._status.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._status is not None:
            self._status.stop()

    def show(self, event: Happening) -> None:
        """Say one event."""
        if isinstance(event, Line):
            self._line(event)
        elif isinstance(event, Progress):
            self._progress(event)
        elif isinstance(event, Took):
            spent = self.took.get(event.scenario, 0.0)
            self.took[event.scenario] = spent + event.seconds
        elif isinstance(event, Started) and not self._quiet:
            click.echo(_started(event), err=True)
        elif isinstance(event, Recorded):
            self.recorded.append(event)
            if not self._quiet:
                click.echo(_recorded(event), err=True)

    def ask(self, question: str) -> bool:
        """Yes or no; the living line makes room."""
        if self._status is not None:
            self._status.stop()
        try:
            with _interruptible():
                return click.confirm(question, default=None, err=True)
        finally:
            if self._status is not None:
                self._status.start()

    def _line(self, event: Line) -> None:
        if self._quiet and event.level == "note":
            return
        click.echo(f"{event.level}: {event.text}", err=True)
        if event.hint:
            click.echo(f"hint: {event.hint}", err=True)

    def _progress(self, event: Progress) -> None:
        if self._quiet:
            return
        counted = f"[{event.done + 1}/{event.total}] " if event.total else ""
        text = f"{counted}{event.scenario}: {event.doing}"
        if self._status is not None:
            from rich.text import Text

            self._status.update(Text(text))
        else:
            click.echo(text, err=True)


@contextmanager
def _interruptible() -> Iterator[None]:
    """The event loop would only note a Ctrl-C, and go on waiting for the answer."""
    asked = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(one, signal.default_int_handler) for one in asked]
    try:
        yield
    finally:
        for one, handler in zip(asked, before, strict=True):
            signal.signal(one, handler)


async def watched(events: AsyncIterator[Happening], screen: Screen, last: type[_Last]) -> _Last:
    """Show every event; the closing one, which carries the result."""
    result: _Last | None = None
    async with aclosing(events) as stream:  # type: ignore[type-var]
        async for event in stream:
            screen.show(event)
            if isinstance(event, last):
                result = event
    if result is None:
        raise RuntimeError(f"the workflow ended without {last.__name__}")
    return result


def _started(event: Started) -> str:
    build = event.build
    named = f"{build.server_name or build.target} {build.server_version}".strip()
    amount = len(event.scenarios)
    counted = f"{amount} scenario{'' if amount == 1 else 's'}" if amount else "what is offered"
    agent = f" · agent: {event.agent}" if event.agent else ""
    if not named and event.doing == "comparing":
        return f"comparing {counted}, as stored"
    return f"{event.doing} {counted} on {named or 'a target that does not start'}{agent}"


def _recorded(event: Recorded) -> str:
    repeats = {"yes": ", repeats itself", "no": ", does not repeat itself"}
    pending = " (waits for `mcp-eval accept`)" if event.pending else ""
    runs = f"{event.runs} run{'' if event.runs == 1 else 's'}{repeats.get(event.repeats, '')}"
    return f"recorded {event.scenario}: {event.path}{pending} ({runs})"
