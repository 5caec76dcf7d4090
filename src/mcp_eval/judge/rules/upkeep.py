"""Rules that come first: why no opinion could be formed; and last: expectations gone stale."""

from mcp_eval.judge.facts import Fact
from mcp_eval.judge.rules.base import Cell, Condition, Rule, Sentence, acceptable, always, broken
from mcp_eval.judge.rules.wording import name


def _no_opinion(when: str, holds: Condition = always) -> Cell:
    return Cell("inconclusive", when, holds)


def _old_starts(fact: Fact) -> bool:
    return fact.comparison.old_starts is True


def _only_the_old_one_answers(fact: Fact) -> bool:
    # Where the old build was looked at and fails likewise, the environment is to blame.
    return _old_starts(fact) and not any(one.old_looks for one in fact.comparison.scenarios)


def _scenario(fact: Fact) -> str:
    return name(fact.difference.site.scenario) if fact.difference.site.scenario else "the suite"


def _in(fact: Fact) -> str:
    return f" ({_scenario(fact)})" if fact.difference.site.scenario else ""


def _saying(words: str) -> Sentence:
    return lambda _fact: words


# id, when, what it says, what mends it
_TROUBLES = (
    (
        "rate-limited",
        "429 after retries",
        lambda f: f"the target, or what it calls, limits our rate{_in(f)}",
        "wait, or run fewer scenarios at once (-j 1), and check again",
    ),
    (
        "auth-expired",
        "a login is refused that was accepted",
        lambda f: f"the target no longer accepts our credentials{_in(f)}",
        "renew them (headers or env of the target) and check again",
    ),
    (
        "not-reset",
        "“already exists”, or a delete’s “not found”, where no reset was made",
        lambda f: f"{_scenario(f)} met what an earlier run left behind",
        "reset the target, or say `resettable:` so that mcp-eval may, and check again",
    ),
    (
        "build-mismatch",
        "the running binary is not from the named checkout",
        lambda _: "the running binary was not built from the named checkout",
        "build the checkout, or name the one the binary comes from",
    ),
    (
        "baseline-unusable",
        "there is none, or it holds nothing that could be compared",
        lambda f: f"there is no baseline to compare {_scenario(f)} with",
        "record it: mcp-eval record",
    ),
    (
        "scenario-edited",
        "its steps, setup or typed criteria differ from the recording’s",
        lambda f: f"{_scenario(f)} was edited after it was recorded",
        "record it again: mcp-eval record",
    ),
    (
        "agent-failed",
        "model unreachable, budget spent",
        lambda f: f"the agent could not do its work{_in(f)}",
        "see the evidence, mend the agent’s set-up and check again",
    ),
)

INCONCLUSIVE = (
    Rule(
        id="target-not-starting",
        kind="inconclusive",
        cells=(
            broken("the old build starts in the same environment", _old_starts),
            _no_opinion("otherwise"),
        ),
        meaning="Nobody can use this build here.",
        says=lambda f: (
            "the new build does not start where the old one does"
            if _old_starts(f)
            else "the target does not start"
        ),
        fix=lambda f: (
            "see its last log lines in the evidence"
            if _old_starts(f)
            else "see its last log lines; name the old build (--old, `previous:`) to learn whether "
            "this build or this machine is at fault"
        ),
    ),
    Rule(
        id="target-lost",
        kind="inconclusive",
        cells=(
            broken("the old build starts in the same environment", _only_the_old_one_answers),
            _no_opinion("otherwise"),
        ),
        meaning="The target answers, but cannot reach what it needs.",
        says=lambda _: "several tools fail with one network or authorisation message",
        fix=lambda _: "check the target's network and credentials, then check again",
    ),
    *(
        Rule(
            id=what,
            kind="inconclusive",
            cells=(_no_opinion(when),),
            meaning="Nothing was learned about the build.",
            says=says,
            fix=_saying(mend),
        )
        for what, when, says, mend in _TROUBLES
    ),
)

UPKEEP = (
    Rule(
        id="stale-expect",
        kind="upkeep",
        cells=(acceptable("an `expect:` that matched nothing, or expired"),),
        meaning="Nothing to an agent: the project file says something that is no longer so.",
        says=lambda f: f"the expectation {name(f.before)} {f.details.get('why', '')}".rstrip(),
        fix=lambda f: f"remove {name(f.before)} from `expect:` in the project file",
    ),
)
