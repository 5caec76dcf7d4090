"""Differences and numbers of a baseline and a candidate, without an opinion."""

from typing import Literal

from mcp_eval.model.base import Json, JsonObject, Noun, Stated
from mcp_eval.model.provenance import Build
from mcp_eval.model.trajectory import Trouble

Lane = Literal["surface", "replay", "agent"]


class Site(Noun):
    """Where a fact stands, the same in every look."""

    tool: str  # the tool key; "" for the whole target
    path: str = ""  # in its schema, arguments or answer, without list indices
    scenario: str = ""  # the stem; "" on the surface
    step: int = -1


class Steadiness(Noun):
    """How often each build showed what a difference claims."""

    baseline: int = 0  # looks at the baseline that agreed here
    seen: int = 1  # looks at the candidate that show the difference
    looks: int = 1  # looks at the candidate
    alike: bool = True  # the candidate's looks agree with each other here
    old_seen: int = 0  # fresh looks at the old build that show it too
    old_looks: int = 0


class Hit(Noun):
    """A recorded request that a surface change hits."""

    scenario: str
    step: int
    arguments: JsonObject = {}
    reason: str = ""  # what the new schema says against it; "" where it is still valid
    outcome: str = "not-replayed"  # the class of its replay


class Difference(Noun):
    """One fact: what changed where, and how steadily."""

    site: Site
    lane: Lane
    change: str
    before: Json = None
    after: Json = None
    steadiness: Steadiness = Steadiness()
    details: JsonObject = {}  # facts only this change has: old name, limit, renamed from …
    hits: tuple[Hit, ...] = ()
    witness: JsonObject | None = None  # a request valid before and invalid now


class Argument(Stated):
    """How one argument compares."""

    name: str
    kind: str
    similarity: float
    reason: str = ""


class ArgumentsSimilarity(Noun):
    """How two argument objects compare."""

    similarity: float
    key_similarity: float = 1.0
    value_similarity: float = 1.0
    arguments: tuple[Argument, ...] = ()


class Call(Noun):
    """One side of a pair, small enough for a report: its outcome is capped text."""

    step: int
    tool: str  # the tool key
    name: str
    arguments: JsonObject = {}
    outcome_class: str = "ok"
    outcome: str = ""
    latency_ms: float = 0.0
    size: int = 0
    effect: bool = False
    waits_for: int | None = None
    match: dict[str, Json] = {}  # the scenario's own word on how an argument compares


class Pair(Noun):
    """An aligned baseline and candidate invocation; either side may be absent."""

    baseline: Call | None = None
    candidate: Call | None = None
    arguments: ArgumentsSimilarity = ArgumentsSimilarity(similarity=1.0)
    outcome_similarity: float = 1.0
    moved: bool = False
    needs: tuple[int, ...] = ()  # earlier steps whose values this one uses
    needs_paths: tuple[str, ...] = ()  # "step:path" of each, as sites write paths
    followed: str = ""  # the new name the call was replayed under

    @property
    def similarity(self) -> float:
        """Arguments times outcome; an absent side is 0."""
        if self.baseline is None or self.candidate is None:
            return 0.0
        return self.arguments.similarity * self.outcome_similarity


class CriterionResult(Stated):
    """What became of one criterion on either side."""

    text: str
    kind: str = "prose"
    result: str = "not evaluated"  # yes | no | unknown | not evaluated
    baseline: str = "not evaluated"
    quote: str = ""
    judged: bool = False


class GoalFacts(Noun):
    """What the agent lane knows of a goal, run by run."""

    runs: int = 0
    reached: int = 0
    by: str = "effects"  # criteria | effects | answer | nothing
    missed: tuple[str, ...] = ()  # what the missing runs lacked, one line each
    common_keys: bool = True
    tool_failed: str = ""  # a tool the baseline used that failed or vanished
    effects: bool = False  # some run, on either side, changed something
    rerun_possible: bool = True


class ScenarioComparison(Noun):
    """One scenario, compared."""

    name: str
    stem: str
    lane: Literal["replay", "agent"] = "replay"
    pairs: tuple[Pair, ...] = ()
    differences: tuple[Difference, ...] = ()
    scores: dict[str, float] = {}  # by scorer
    similarity: float = 1.0
    criteria: tuple[CriterionResult, ...] = ()
    goal: GoalFacts | None = None
    troubles: tuple[Trouble, ...] = ()
    baseline_looks: int = 0
    looks: int = 1
    old_looks: int = 0
    world_may_have_moved: bool = False
    resettable: bool = True  # both sides ran in fresh environments


class Comparison(Noun):
    """All differences and numbers of a baseline and a candidate."""

    surface: tuple[Difference, ...] = ()
    scenarios: tuple[ScenarioComparison, ...] = ()
    troubles: tuple[Trouble, ...] = ()  # of the whole target
    lanes: tuple[Lane, ...] = ("surface", "replay")  # what was looked at
    required: tuple[Lane, ...] = ("surface", "replay")
    recorded: bool = True  # false: nobody was recorded using this
    old_starts: bool | None = None  # the old build in this environment; None: none was named
    calls: dict[str, int] = {}  # recorded calls by tool key
    baseline: Build = Build()
    candidate: Build = Build()
