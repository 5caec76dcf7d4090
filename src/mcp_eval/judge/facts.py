"""A difference with all around it that a rule may ask about."""

import msgspec

from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.comparison import (
    Comparison,
    Difference,
    Hit,
    ScenarioComparison,
    Steadiness,
)
from mcp_eval.model.policy import Policy

_REJECTED = frozenset({"failed", "refused", "crashed", "not-replayed"})
_STEADY = 2  # looks that agree


class Fact(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One difference, in its scenario, in its comparison, under a policy."""

    difference: Difference
    comparison: Comparison
    policy: Policy
    scenario: ScenarioComparison | None = None

    @property
    def change(self) -> str:
        """The id of the rule that speaks of it."""
        return self.difference.change

    @property
    def tool(self) -> str:
        """The tool key it stands at."""
        return self.difference.site.tool

    @property
    def path(self) -> str:
        """Where in the schema or the answer."""
        return self.difference.site.path

    @property
    def before(self) -> Json:
        """What stood there."""
        return self.difference.before

    @property
    def after(self) -> Json:
        """What stands there now."""
        return self.difference.after

    @property
    def details(self) -> JsonObject:
        """What only this change has to tell."""
        return self.difference.details

    @property
    def steadiness(self) -> Steadiness:
        """How often each build showed it."""
        return self.difference.steadiness

    # --- the surface: who is hit -----------------------------------------------------------------

    @property
    def hits(self) -> tuple[Hit, ...]:
        """Recorded requests that the change concerns."""
        return self.difference.hits

    @property
    def recorded(self) -> bool:
        """Whether a recorded request is concerned; where nobody was recorded, everybody is."""
        return bool(self.hits) or not self.comparison.recorded

    @property
    def unknown(self) -> bool:
        """Whether no witness could be built, so that nobody can say who is hit."""
        return bool(self.details.get("unknown"))

    @property
    def invalid(self) -> tuple[Hit, ...]:
        """Recorded requests that the new schema rejects."""
        return tuple(hit for hit in self.hits if hit.reason)

    @property
    def rejected(self) -> bool:
        """Whether a recorded request is invalid now, and was rejected or could not be replayed."""
        if any(hit.outcome in _REJECTED for hit in self.invalid):
            return True
        # What nobody named nobody sends: that an object was merely closed hits no one in a guess.
        guessed = not self.comparison.recorded and not self.details.get("closed")
        return guessed and self.difference.witness is not None

    # --- outcomes: how often -----------------------------------------------------------------

    @property
    def always(self) -> bool:
        """Whether every look at the new build shows it."""
        return self.steadiness.seen == self.steadiness.looks

    @property
    def transient(self) -> bool:
        """Whether it is a passing thing: one look of several, or now and then on both builds."""
        steady = self.steadiness
        if steady.looks >= _STEADY and steady.seen == 1:
            return True
        return not self.always and steady.old_seen > 0

    @property
    def intermittent(self) -> bool:
        """Whether it comes and goes on the new build alone."""
        return not self.always and not self.transient

    @property
    def steady_before(self) -> bool:
        """Whether at least two looks at the baseline agreed here."""
        return self.steadiness.baseline >= _STEADY

    @property
    def old_build_too(self) -> bool:
        """Whether the old build shows the same in this environment now."""
        steady = self.steadiness
        return steady.old_looks > 0 and steady.old_seen == steady.old_looks

    @property
    def world_moved(self) -> bool:
        """Whether the world, not the build, may have changed a value."""
        moved = self.scenario is not None and self.scenario.world_may_have_moved
        return moved or self.steadiness.old_seen > 0

    @property
    def needed(self) -> tuple[int, ...]:
        """Later steps that needed it and could not run."""
        return tuple(self.details.get("needed_by", ()))
