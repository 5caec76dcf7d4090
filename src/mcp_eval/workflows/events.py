"""What a workflow says while it works: front ends only listen."""

from typing import Literal

from mcp_eval.model.base import Noun
from mcp_eval.model.provenance import Build
from mcp_eval.model.recording import Recording
from mcp_eval.model.surface import Surface
from mcp_eval.model.verdict import Report
from mcp_eval.workflows.sight import Sight, Survey


class Started(Noun):
    """Work begins: what on, and how much of it."""

    doing: str  # recording, checking, comparing
    scenarios: tuple[str, ...] = ()
    build: Build = Build()
    agent: str = ""


class Progress(Noun):
    """One thing is being done now."""

    scenario: str
    doing: str  # run 1 of 3, replaying, looking again (2 of 3)
    done: int = 0  # scenarios finished
    total: int = 0


class Took(Noun):
    """How long one look took, with its target's start and end."""

    scenario: str
    seconds: float


class Line(Noun):
    """One sentence a person should read."""

    text: str
    level: Literal["note", "warning"] = "note"
    hint: str = ""


class Recorded(Noun):
    """One scenario's recording is on disk."""

    scenario: str
    path: str
    pending: bool = False  # a baseline was there already: this one waits for `accept`
    runs: int = 0
    repeats: str = "unknown"


class RecordFinished(Noun):
    """A recording is complete."""

    folder: str
    surface: Surface
    recordings: tuple[Recording, ...] = ()  # none where the surface alone was wanted
    skipped: tuple[str, ...] = ()


class Checked(Noun):
    """A verdict has been reached."""

    report: Report


class InitFinished(Noun):
    """The look is over; nothing is written yet."""

    sight: Sight
    survey: Survey
    build: Build
    resettable: bool | None


Happening = InitFinished | Started | Took | Progress | Line | Recorded | RecordFinished | Checked
