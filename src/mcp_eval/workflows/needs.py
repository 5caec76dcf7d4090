"""What the workflows need of the world beside the ports every room shares."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from mcp_eval.model.recording import Recording
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Run
from mcp_eval.ports import Agent, Clock, Judging, Prober, Redactor, Replayer, Saved, Target

__all__ = ["CleanStart", "Saved", "Sleeper", "Store", "World"]


class Store(Protocol):
    """Keeps recordings in the folder a command named, and raw runs in the ignored one."""

    folder: str

    def run(self, run: Run) -> None:
        """Keep a raw run."""

    def recording(self, recording: Recording, surface: Surface, *, replace: bool) -> Saved:
        """Keep a recording: as the baseline, or as a pending change to the one that is there."""

    def surface(self, surface: Surface, *, replace: bool) -> Saved:
        """Keep a surface alone."""


class Unfinished(Protocol):
    """Remembers the looks of a check until it has its verdict."""

    def begin(self, key: str, *, resume: bool) -> tuple[Run, ...]:
        """The looks of an interrupted check of the same; a new check forgets them."""

    def keep(self, run: Run) -> None:
        """One look more."""

    def end(self) -> None:
        """The check has its verdict."""


class Sleeper(Protocol):
    """Waits; a test's does not."""

    def __call__(self, seconds: float, /) -> Awaitable[None]:
        """Come back after so many seconds."""


# Asks a person anything that is yes or no.
Ask = Callable[[str], bool]

# Asks a person once whether a new process starts clean; the target it gives knows the answer.
CleanStart = Callable[[], Awaitable[Target]]


@dataclass(frozen=True, kw_only=True)
class World:
    """All that a workflow touches outside itself."""

    target: Target
    probe: Prober
    agent: Agent
    replayer: Replayer
    redactor: Redactor
    store: Store
    clock: Clock
    sleep: Sleeper
    old: Target | None = None  # the build before this one, where somebody named it
    clean_start: CleanStart | None = None  # None: nobody to ask
    ask: Ask | None = None  # likewise
    judge: Judging | None = None  # None: prose criteria are shown, not evaluated
    progress: Unfinished | None = None  # None: an interrupted check starts anew
    version: str = ""  # of mcp-eval
