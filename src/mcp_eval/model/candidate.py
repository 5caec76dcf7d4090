"""The runs under judgement, with all that must be known about how they came about."""

from mcp_eval.model.base import Noun
from mcp_eval.model.comparison import CriterionResult, Lane
from mcp_eval.model.provenance import Build
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Run, Trouble


class Candidate(Noun):
    """Looks at the new build, and at the old one beside it where it could be run."""

    surface: Surface | None = None
    runs: dict[str, tuple[Run, ...]] = {}  # by stem: the first check, then confirmation rounds
    old_surface: Surface | None = None
    old_runs: dict[str, tuple[Run, ...]] = {}  # fresh looks at the old build, by stem
    build: Build = Build()
    old_starts: bool | None = None  # None: no old build was named
    resettable: bool = False  # a new start is a clean environment
    fingerprints: dict[str, str] = {}  # of the scenario files as they stand now, by stem
    troubles: tuple[Trouble, ...] = ()  # of the whole target
    old_troubles: tuple[Trouble, ...] = ()
    criteria: dict[str, tuple[CriterionResult, ...]] = {}  # evaluated on the candidate, by stem
    # The same of each of an agent's runs that came about, in order, by stem.
    criteria_by_run: dict[str, tuple[tuple[CriterionResult, ...], ...]] = {}
    lanes: tuple[Lane, ...] = ("surface", "replay")
    required: tuple[Lane, ...] = ("surface", "replay")
