"""The distilled memory of a scenario's runs: what a baseline file holds."""

from mcp_eval.model.base import Json, JsonObject, Noun
from mcp_eval.model.provenance import Provenance
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Binding, Message, Outcome, ServerRequest, Usage


class Hole(Noun):
    """What one build varies by itself at a path: its kind is a type, never a licence to vanish."""

    kind: str  # uuid time duration hash counter number text optional items order keys choice
    examples: tuple[Json, ...] = ()
    steady: tuple[str, ...] = ()  # of a text: the words that stood in every look


class RecordedStep(Noun):
    """One step of the exemplar: the request, the outcome, and what its looks agreed on."""

    name: str
    method: str = "tools/call"
    arguments: JsonObject = {}
    bindings: tuple[Binding, ...] = ()
    outcome: Outcome = Outcome()
    classes: dict[str, int] = {}  # looks by outcome class; their sum is the number of looks
    others: tuple[Outcome, ...] = ()  # one outcome of each class the exemplar is not
    holes: dict[str, Hole] = {}  # by site path
    agreed: dict[str, int] = {}  # where fewer looks than all could see a leaf
    nested: tuple[ServerRequest, ...] = ()
    latencies_ms: tuple[float, ...] = ()
    sizes: tuple[int, ...] = ()
    polls: int = 1
    foreign: bool = False
    match: dict[str, Json] = {}

    @property
    def looks(self) -> int:
        """How often this step was looked at."""
        return sum(self.classes.values())


class RecordedRequest(Noun):
    """A request that was made in a recording, and answered: what a surface change may hit."""

    scenario: str  # the stem
    step: int
    name: str
    method: str = "tools/call"
    arguments: JsonObject = {}
    answered: bool = True  # ok or empty then; a step that already failed cannot become invalid


class Recording(Noun):
    """A scenario, recorded: the exemplar trajectory, distilled from its runs."""

    name: str
    stem: str
    fingerprint: str = ""
    user_intent: str = ""
    tags: tuple[str, ...] = ()
    steps: tuple[RecordedStep, ...] = ()
    messages: tuple[Message, ...] = ()
    usages: tuple[Usage, ...] = ()
    runs: int = 0
    reached: int = 0
    fresh: bool = False  # two looks at least were made in fresh environments
    repeats: str = "unknown"  # "yes", "no", or "unknown" where repeating is not permitted
    paths: dict[str, int] = {}  # tool keys joined by " → ", and how many runs went that way
    criteria: dict[str, str] = {}  # criterion text -> yes | no | unknown | not evaluated
    effects: tuple[JsonObject, ...] = ()
    provenance: Provenance = Provenance()


class Baseline(Noun):
    """A recording folder: the surface, and the scenarios by stem."""

    surface: Surface
    recordings: dict[str, Recording] = {}
