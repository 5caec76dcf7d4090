"""One change between two schemas, at its site."""

from dataclasses import dataclass, field, replace

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

    def with_more(self, other: "SchemaChange") -> "SchemaChange":
        """This change and another of its sort at its site, as one."""
        return replace(
            self,
            before=_together(self.before, other.before),
            after=_together(self.after, other.after),
            demand=_all_of(self.demand, other.demand),
            details={
                word: _together(told, other.details.get(word))
                for word, told in {**other.details, **self.details}.items()
            },
        )


def _together(one: Json, other: Json) -> Json:
    """Objects and lists of both; of anything else the first."""
    if isinstance(one, dict) and isinstance(other, dict):
        return {**other, **one}
    if isinstance(one, list) and isinstance(other, list):
        return [*one, *(each for each in other if each not in one)]
    return one


def _all_of(one: JsonObject | None, other: JsonObject | None) -> JsonObject | None:
    if not one or not other or one == other:
        return one or other
    return {"allOf": [one, other]}
