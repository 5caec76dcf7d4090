"""Rules about what a recorded request answers: directional, and counted over looks."""

from mcp_eval.compare.paths import leaf
from mcp_eval.judge.facts import Fact
from mcp_eval.judge.rules.base import Rule, acceptable, broken, degraded, note
from mcp_eval.judge.rules.wording import answer, blocked, field, looks, remainder, tool, word


def _crashed(fact: Fact) -> bool:
    return fact.details.get("now") == "crashed"


def _fails(fact: Fact) -> str:
    if _crashed(fact):
        how = "breaks the connection or does not answer in time"
        return how if fact.details.get("kind") != "timeout" else "does not answer in time"
    return "fails"


def _no_criterion_wants(fact: Fact) -> bool:
    criteria = fact.scenario.criteria if fact.scenario else ()
    return not any(one.result == "yes" and one.baseline == "no" for one in criteria)


def _needed(fact: Fact) -> bool:
    return bool(fact.needed)


def _steady_value(fact: Fact) -> bool:
    return fact.steady_before and fact.steadiness.alike and not fact.world_moved


def _damaged(fact: Fact) -> bool:
    if fact.details.get("truncated") or fact.details.get("mangled"):
        return True
    return bool(fact.details.get("lost")) and fact.steady_before and not fact.world_moved


def _text(fact: Fact) -> str:
    if fact.details.get("truncated"):
        return "is cut off"
    if fact.details.get("mangled"):
        return "is mis-encoded"
    lost = len(fact.details.get("lost", ()))
    return "is worded otherwise" if not lost else f"lost or changed {lost} of its hard facts"


def _value(fact: Fact) -> str:
    if isinstance(fact.before, bool) and isinstance(fact.after, bool):
        return f"went from {str(fact.before).lower()} to {str(fact.after).lower()}"
    numbers = [
        isinstance(side, int | float) and not isinstance(side, bool)
        for side in (fact.before, fact.after)
    ]
    return f"went from {fact.before} to {fact.after}" if all(numbers) else "has another value"


def _codes(fact: Fact) -> bool:
    return not fact.details.get("wording")


_READER = "An agent that reads this part of the answer"

OUTCOME = (
    Rule(
        id="newly-failing",
        kind="outcome",
        cells=(
            broken("in every look at the new build", lambda fact: fact.always),
            degraded(
                "in two looks or more, not in all, never on an old build that runs",
                lambda fact: fact.intermittent,
                mark="intermittent",
            ),
        ),
        meaning="An agent that makes this call gets an error where it got an answer.",
        says=lambda f: f"{tool(f)} {_fails(f)} where it answered before, {looks(f)}{blocked(f)}",
        fix=lambda f: (
            f"make {tool(f)} answer the recorded request again; its error stands in the evidence"
        ),
    ),
    Rule(
        id="newly-guarded",
        kind="outcome",
        cells=(
            acceptable(
                "the effect took place and the answer adds a guard beside what it carried; "
                "or it is refused and names a remedy that a later step carries out with success"
            ),
        ),
        meaning="An agent must take one more step, or tell its user to.",
        says=lambda f: f"{tool(f)} adds a guard (quarantine, approval) to what it answered before",
        fix=lambda f: (
            f"if the guard of {tool(f)} is meant, say so in its description and record again"
        ),
    ),
    Rule(
        id="newly-refused",
        kind="outcome",
        cells=(broken("a call answered before is refused"),),
        meaning="An agent is told no where it got an answer.",
        says=lambda f: f"{tool(f)} refuses what it answered before, {looks(f)}{blocked(f)}",
        fix=lambda f: (
            f"allow the recorded request of {tool(f)} again, or announce the policy that refuses it"
        ),
    ),
    Rule(
        id="guard-lost",
        kind="outcome",
        cells=(degraded("no criterion wants it", _no_criterion_wants),),
        meaning="What was refused for a reason is handed out now.",
        says=lambda f: f"{tool(f)} answers a request that it used to refuse",
        fix=lambda f: (
            f"check the guard of {tool(f)}; if it was lifted on purpose, "
            "write a criterion that wants the answer"
        ),
    ),
    Rule(
        id="improvement",
        kind="outcome",
        cells=(note(),),
        meaning="Something that failed or was empty carries an answer now.",
        says=lambda f: f"{answer(f)} carries more than before",
        fix=lambda _: "nothing to do; record again to hold on to it",
    ),
    Rule(
        id="error-swallowed",
        kind="outcome",
        cells=(degraded(),),
        meaning="An agent takes the error for an answer.",
        says=lambda f: f"{tool(f)} reports its error as ordinary content",
        fix=lambda f: f"set `isError` again where {tool(f)} fails",
    ),
    Rule(
        id="error-changed",
        kind="outcome",
        cells=(degraded("other code or class", _codes), acceptable("wording only")),
        meaning="An agent that recovers by this error may not recognise it.",
        says=lambda f: (
            f"the error of {tool(f)} "
            f"{'has another code or class' if _codes(f) else 'is worded otherwise'}"
        ),
        fix=lambda f: f"keep code and class of the errors of {tool(f)}",
    ),
    Rule(
        id="error-flagged",
        kind="outcome",
        cells=(note(),),
        meaning="An agent sees the error for what it is.",
        says=lambda f: f"{tool(f)} marks its error with `isError` now",
        fix=lambda _: "nothing to do",
    ),
    Rule(
        id="content-type-changed",
        kind="outcome",
        cells=(degraded(),),
        meaning="Whoever parses the answer finds another format.",
        says=lambda f: (
            f"{tool(f)} no longer sends structured content"
            if f.path == "structuredContent"
            else f"{answer(f)} is written in another format"
        ),
        fix=lambda f: f"send the answer of {tool(f)} in the format it had",
    ),
    Rule(
        id="result-field-renamed",
        kind="outcome",
        cells=(broken("a later step needed it and could not run", _needed), degraded("otherwise")),
        meaning=f"{_READER} looks for the old name and finds nothing.",
        says=lambda f: (
            f"{answer(f)} is called {word(f.details.get('renamed_to', f.after))} now{blocked(f)}"
        ),
        fix=lambda f: (
            f"keep {word(leaf(f.path))} in the answer of {tool(f)} "
            f"beside {word(f.details.get('renamed_to', f.after))}"
        ),
    ),
    Rule(
        id="result-emptied",
        kind="outcome",
        cells=(broken("the answer carried something, and all of it is gone"),),
        meaning="An agent is told that there is nothing where there was something.",
        says=lambda f: f"{answer(f)} is empty where it carried something, {looks(f)}{blocked(f)}",
        fix=lambda f: f"find out why {tool(f)} finds nothing for the recorded request any more",
    ),
    Rule(
        id="result-field-removed",
        kind="outcome",
        cells=(broken("a later step needed it and could not run", _needed), degraded("otherwise")),
        meaning=f"{_READER} finds nothing.",
        says=lambda f: f"{answer(f)} is gone{blocked(f)}",
        fix=lambda f: f"put {field(f)} back into the answer of {tool(f)}",
    ),
    Rule(
        id="effect-lost",
        kind="outcome",
        cells=(
            broken(
                "what a write of this scenario made shows in a later read of it on the baseline, "
                "and does not now, or twice"
            ),
        ),
        meaning="The write said yes, and nothing, or too much, came of it.",
        says=lambda f: f"what an earlier step wrote does not show in {tool(f)} as it did",
        fix=lambda f: (
            "look at the write, not at the read: "
            f"step {f.details.get('written_by', '?')} answers ok"
        ),
    ),
    Rule(
        id="hit-displaced",
        kind="outcome",
        cells=(note("items pushed past a limit by added ones"),),
        meaning="The list is full; what was added comes first.",
        says=lambda f: (
            f"{remainder(f)} items of {answer(f)} were pushed past the limit by new ones"
        ),
        fix=lambda _: "nothing to do; record again",
    ),
    Rule(
        id="wrong-page",
        kind="outcome",
        cells=(degraded(),),
        meaning="An agent that pages through a list reads one page twice and another never.",
        says=lambda f: f"{answer(f)} holds the items of another page",
        fix=lambda f: f"check offset and cursor of {tool(f)}",
    ),
    Rule(
        id="hit-lost",
        kind="outcome",
        cells=(degraded(),),
        meaning="Something an agent could find is not found.",
        says=lambda f: f"{remainder(f)} items of {answer(f)} are gone, {looks(f)}",
        fix=lambda f: f"find out why {tool(f)} leaves them out; the evidence names them",
    ),
    Rule(
        id="entry-doubled",
        kind="outcome",
        cells=(degraded(),),
        meaning="One thing is listed twice.",
        says=lambda f: f"{answer(f)} lists an entry twice",
        fix=lambda f: f"list each entry of {tool(f)} once",
    ),
    Rule(
        id="result-type-changed",
        kind="outcome",
        cells=(degraded(),),
        meaning=f"{_READER} finds another type.",
        says=lambda f: f"{answer(f)} has another type",
        fix=lambda f: f"answer {field(f)} of {tool(f)} in the type it had",
    ),
    Rule(
        id="score-moved",
        kind="outcome",
        cells=(note(),),
        meaning="The same items in the same order, weighed otherwise.",
        says=lambda f: f"{answer(f)} moved, the order stays",
        fix=lambda _: "nothing to do",
    ),
    Rule(
        id="count-followed",
        kind="outcome",
        cells=(note(),),
        meaning="A count follows its list.",
        says=lambda f: f"{answer(f)} followed its list",
        fix=lambda _: "nothing to do",
    ),
    Rule(
        id="result-value-changed",
        kind="outcome",
        cells=(
            degraded(
                "a steady boolean, enum, id, number or short string (≤ 40 characters; with white "
                "space only in structured answers and not under a message-like key)",
                _steady_value,
            ),
            acceptable("seen only once, or the world may have moved"),
        ),
        meaning=f"{_READER} decides otherwise.",
        says=lambda f: f"{answer(f)} {_value(f)}, {looks(f)}",
        fix=lambda f: (
            f"check whether {field(f)} of {tool(f)} is meant to change; "
            "if it is, accept the new baseline"
        ),
    ),
    Rule(
        id="text-changed",
        kind="outcome",
        cells=(
            degraded(
                "truncated, mis-encoded, or a steady number, identifier, path or quoted value in "
                "it changed or gone",
                _damaged,
            ),
            acceptable("other wording"),
        ),
        meaning="An agent reads something else.",
        says=lambda f: f"the text of {answer(f)} {_text(f)}",
        fix=lambda f: f"compare both texts of {tool(f)} in the evidence",
    ),
    Rule(
        id="result-order-changed",
        kind="outcome",
        cells=(acceptable("same items"),),
        meaning="An agent that takes the first item takes another one.",
        says=lambda f: f"{answer(f)} holds the same items in another order",
        fix=lambda f: f"sort the answer of {tool(f)} as before, if order carries meaning",
    ),
    Rule(
        id="item-added",
        kind="outcome",
        cells=(note(),),
        meaning="Nothing that was there is touched.",
        says=lambda f: f"{answer(f)} holds more items",
        fix=lambda _: "nothing to do",
    ),
    Rule(
        id="result-field-added",
        kind="outcome",
        cells=(note(),),
        meaning="Nothing that was there is touched.",
        says=lambda f: f"{answer(f)} is new",
        fix=lambda _: "nothing to do",
    ),
    Rule(
        id="server-request-new",
        kind="outcome",
        cells=(
            degraded("fails without an answer", lambda fact: not fact.details.get("answered")),
            acceptable("answered"),
        ),
        meaning="A client that cannot answer such a request is stuck.",
        says=lambda f: (
            f"{tool(f)} asks the client back ({word(f.after)}) as it did not before"
            + ("" if f.details.get("answered") else ", and fails without the answer it wants")
        ),
        fix=lambda f: f"let {tool(f)} work for clients that cannot answer {word(f.after)}",
    ),
)
