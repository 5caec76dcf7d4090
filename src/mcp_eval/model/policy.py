"""Every choice a user can make about judging."""

from mcp_eval.model.base import Noun


class Expectation(Noun):
    """One `expect:` of a project file: this finding is fine, because, until."""

    finding: str  # rule, or rule@tool, or rule@tool:path
    reason: str
    expires: str = ""  # a day, YYYY-MM-DD
    scenario: str = ""


class Policy(Noun):
    """How facts become a verdict, as far as a user may say."""

    name: str = "default"
    scorer: str = "aligned"
    threshold: float | None = None
    fail_on: str = "degraded"
    tools: tuple[str, ...] = ("mcp__*",)
    max_diff: float = 1000.0  # the seed's number similarity
    slower_ratio: float = 2.0
    slower_ms: float = 100.0
    costlier_ratio: float = 0.25
    costlier_tokens: int = 200
    rounds: int = 3
    rounds_disagreed: int = 10
    reruns: int = 4
    budget_seconds: float = 300.0  # for confirmation
    budget_usd: float = 5.0  # for the agent lane
    today: str = ""  # for expiry; the workflow says what day it is
    expect: tuple[Expectation, ...] = ()
