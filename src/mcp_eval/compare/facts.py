"""One fact of an answer, before anybody knows of which step."""

from mcp_eval.compare.paths import leaves, site
from mcp_eval.model.base import Json
from mcp_eval.model.comparison import Difference, Site


def fact(
    change: str, path: str, before: Json = None, after: Json = None, **details: Json
) -> Difference:
    """One fact of an answer; whoever knows the step says where it stands."""
    place = Site(tool="", path=site(path))
    return Difference(
        site=place, lane="replay", change=change, before=before, after=after, details=details
    )


def weight(value: Json) -> int:
    """How many leaves a value has."""
    return sum(1 for _ in leaves(value))
