"""One change between two schemas, at its site."""

from dataclasses import dataclass, field

from mcp_eval.model.base import Json, JsonObject

NARROWING = frozenset(
    [
        "parameter-newly-required",
        "parameter-removed",
        "parameter-renamed",
        "parameter-type-changed",
        "enum-value-removed",
        "bounds-narrowed",
    ]
)


@dataclass(frozen=True, slots=True)
class SchemaChange:
    """One fact about two schemas; `demand` is what the new one asks of the values at `at`."""

    path: str
    change: str
    before: Json = None
    after: Json = None
    demand: JsonObject | None = None
    at: str | None = None  # where the demand is made; the path itself where nothing is said
    details: JsonObject = field(default_factory=dict)

    @property
    def asked_at(self) -> str:
        """The path of the values the demand is about."""
        return self.path if self.at is None else self.at

    @property
    def narrows(self) -> bool:
        """Whether it can make a request invalid that was valid."""
        return self.change in NARROWING
