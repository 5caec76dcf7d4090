"""Rules about what a build offers: a witness decides, a concrete request valid before."""

from mcp_eval.judge.facts import Fact
from mcp_eval.judge.rules.base import Rule, acceptable, broken, degraded, note
from mcp_eval.judge.rules.wording import counted, name, parameter, scenarios, tool, types, values
from mcp_eval.model.base import Json


def _used(fact: Fact) -> bool:
    return fact.recorded and not fact.unknown


_NARROWED = (
    broken(
        "a recorded request is invalid now, and was rejected or could not be replayed",
        lambda fact: fact.rejected,
    ),
    degraded(
        "a recorded request is invalid now but answered, or its argument is ignored; "
        "or nobody recorded is hit"
    ),
)
_GONE = (broken("recorded", _used), degraded("not recorded"))


def _kind(fact: Fact) -> str:
    return str(fact.details.get("kind", "tool")).replace("-", " ")


def _promised(fact: Fact) -> str:
    told = fact.details.get("promises")
    return str(told) if told in {"less", "more"} else "something else"


def _shrunk(fact: Fact) -> bool:
    return bool(fact.details.get("emptied") or fact.details.get("halved"))


def _cut(fact: Fact) -> str:
    before, after = fact.details.get("before_length", 0), fact.details.get("after_length", 0)
    if fact.details.get("emptied") and not after:
        return "is empty now"
    return f"went from {before} to {after} characters" if _shrunk(fact) else "is worded otherwise"


def _values_lost(fact: Fact) -> list[Json]:
    return list(fact.details.get("values", ()))


def _expects(fact: Fact) -> str:
    return (
        f"{parameter(fact)} of {tool(fact)} expects {types(fact.after)}, not {types(fact.before)}"
    )


def _narrower(fact: Fact) -> str:
    words = ", ".join(name(word) for word in fact.details.get("keywords", ())) or "its bounds"
    if "additionalProperties" in words:
        return f"{tool(fact)} no longer takes parameters that it does not name"
    return f"{parameter(fact)} of {tool(fact)} allows less than before ({words})"


SURFACE = (
    Rule(
        id="tool-renamed",
        kind="surface",
        cells=_GONE,
        absorbs=True,
        meaning="An agent that learned the old name calls it and gets an error.",
        says=lambda f: f"{tool(f)} is called {name(f.after)} now; {scenarios(f, 'call{s} it')}",
        fix=lambda f: (
            f"keep {tool(f)} as an alias of {name(f.after)} for a release, "
            "or announce the new name and record again"
        ),
    ),
    Rule(
        id="parameter-renamed",
        kind="surface",
        cells=_GONE,
        absorbs=True,
        meaning="An agent sends the old name; it is rejected, or silently ignored.",
        says=lambda f: (
            f"{parameter(f)} of {tool(f)} is called {name(f.after)} now; "
            f"{scenarios(f, 'send{s} it')}"
        ),
        fix=lambda f: (
            f"accept {parameter(f)} beside {name(f.after)} in {tool(f)}, or announce the new name"
        ),
    ),
    Rule(
        id="tool-removed",
        kind="surface",
        cells=_GONE,
        absorbs=True,
        meaning="An agent that learned this tool calls it and gets an error.",
        says=lambda f: f"{tool(f)} is gone; {scenarios(f, 'call{s} it')}",
        fix=lambda f: f"bring {tool(f)} back, or say what replaces it and record again",
    ),
    Rule(
        id="prompt-removed",
        kind="surface",
        cells=_GONE,
        absorbs=True,
        meaning="A client that offers this prompt to its user gets an error.",
        says=lambda f: f"the prompt {tool(f)} is gone; {scenarios(f, 'ask{s} for it')}",
        fix=lambda f: f"bring the prompt {tool(f)} back, or say what replaces it",
    ),
    Rule(
        id="resource-removed",
        kind="surface",
        cells=_GONE,
        absorbs=True,
        meaning="A client that reads this resource gets an error.",
        says=lambda f: f"the {_kind(f)} {tool(f)} is gone; {scenarios(f, 'read{s} it')}",
        fix=lambda f: f"offer {tool(f)} again, or say where its content is now",
    ),
    Rule(
        id="capability-lost",
        kind="surface",
        cells=_GONE,
        absorbs=True,
        meaning="A client that relies on this part of the protocol must do without.",
        says=lambda f: (
            f"the capability {name(f.details.get('capability', f.path))} is gone; "
            f"{scenarios(f, 'use{s} it')}"
        ),
        fix=lambda f: (
            f"declare {name(f.details.get('capability', f.path))} again, or announce that it went"
        ),
    ),
    Rule(
        id="parameter-newly-required",
        kind="surface",
        cells=_NARROWED,
        absorbs=True,
        meaning="A request that was complete before is rejected for want of this parameter.",
        says=lambda f: (
            f"{tool(f)} now requires {parameter(f)}; {scenarios(f, 'send{s} none', f.invalid)}"
        ),
        fix=lambda f: f"make {parameter(f)} of {tool(f)} optional again, or give it a default",
    ),
    Rule(
        id="parameter-removed",
        kind="surface",
        cells=_NARROWED,
        absorbs=True,
        meaning="An argument that used to matter is rejected, or silently ignored.",
        says=lambda f: f"{tool(f)} no longer takes {parameter(f)}; {scenarios(f, 'send{s} it')}",
        fix=lambda f: (
            f"take {parameter(f)} of {tool(f)} back, "
            "or reject it with a message that says what replaces it"
        ),
    ),
    Rule(
        id="parameter-type-changed",
        kind="surface",
        cells=_NARROWED,
        absorbs=True,
        meaning="A value of the old type is rejected, or read as something else.",
        says=lambda f: f"{_expects(f)}; {scenarios(f, 'send{s} the old type', f.invalid)}",
        fix=lambda f: (
            f"accept {types(f.before)} for {parameter(f)} of {tool(f)} as well, "
            "or announce the new type"
        ),
    ),
    Rule(
        id="enum-value-removed",
        kind="surface",
        cells=_NARROWED,
        absorbs=True,
        meaning="A value that agents choose is no longer allowed.",
        says=lambda f: (
            f"{parameter(f)} of {tool(f)} no longer allows {values(_values_lost(f))}; "
            f"{scenarios(f, 'send{s} one of them', f.invalid)}"
        ),
        fix=lambda f: (
            f"allow {values(_values_lost(f))} for {parameter(f)} of {tool(f)} again, "
            "or map the old values to new ones"
        ),
    ),
    Rule(
        id="bounds-narrowed",
        kind="surface",
        cells=_NARROWED,
        absorbs=True,
        meaning="A value that was allowed is rejected now.",
        says=lambda f: f"{_narrower(f)}; {scenarios(f, 'send{s} what it forbids', f.invalid)}",
        fix=lambda f: f"allow what {parameter(f)} of {tool(f)} allowed before, or announce it",
    ),
    Rule(
        id="default-changed",
        kind="surface",
        cells=(
            degraded("a recorded request relies on it", lambda fact: bool(fact.hits)),
            acceptable("none does"),
        ),
        meaning="A request that leaves the parameter out means something else now.",
        says=lambda f: (
            f"the default of {parameter(f)} of {tool(f)} changed; {scenarios(f, 'rel{ies} on it')}"
        ),
        fix=lambda f: (
            f"restore the default of {parameter(f)} of {tool(f)}, or announce the new one"
        ),
    ),
    Rule(
        id="output-schema-changed",
        kind="surface",
        cells=(
            degraded("promises less", lambda fact: fact.details.get("promises") == "less"),
            note("promises more"),
        ),
        meaning="A client that reads answers by their schema may not find what it reads.",
        says=lambda f: f"{tool(f)} promises {_promised(f)} about its answers",
        fix=lambda f: f"promise again what the output schema of {tool(f)} promised before",
    ),
    Rule(
        id="annotation-changed",
        kind="surface",
        cells=(
            degraded("safety loosened", lambda fact: bool(fact.details.get("loosened"))),
            acceptable("otherwise"),
        ),
        meaning="A client decides by these hints whether to ask its user first.",
        says=lambda f: f"{parameter(f)} of {tool(f)} went from {name(f.before)} to {name(f.after)}",
        fix=lambda f: (
            f"check that {parameter(f)} of {tool(f)} is true; "
            "a hint that is too mild lets clients skip a question"
        ),
    ),
    Rule(
        id="tool-doubled",
        kind="surface",
        cells=(degraded(),),
        meaning="Which of the two answers is chance; many clients refuse the catalogue.",
        says=lambda f: f"{tool(f)} stands {f.after} times in the catalogue",
        fix=lambda f: f"list {tool(f)} once",
    ),
    Rule(
        id="constraint-dropped",
        kind="surface",
        cells=(acceptable(),),
        meaning="The schema tells an agent less about what to send.",
        says=lambda f: (
            f"{parameter(f)} of {tool(f)} no longer states "
            f"{name(f.details.get('keyword', 'a constraint'))}"
        ),
        fix=lambda f: (
            f"state {name(f.details.get('keyword', 'it'))} for {parameter(f)} again, "
            "if it still holds"
        ),
    ),
    Rule(
        id="description-changed",
        kind="surface",
        cells=(acceptable("emptied, or cut to under half", _shrunk), note("otherwise")),
        meaning="Agents choose and call tools by these words.",
        says=lambda f: f"the description of {tool(f)} {_cut(f)}",
        fix=lambda f: f"check that the description of {tool(f)} still says what an agent must know",
    ),
    Rule(
        id="instructions-changed",
        kind="surface",
        cells=(acceptable("emptied, or cut to under half", _shrunk), note("otherwise")),
        meaning="Clients put these words before every conversation.",
        says=lambda f: f"the server's instructions: the text {_cut(f)}",
        fix=lambda _: "check that the instructions still say what an agent must know",
    ),
    Rule(
        id="catalogue-grown",
        kind="surface",
        cells=(
            acceptable(
                "≥ 25 % and ≥ 200 tokens more (characters ÷ 4)",
                lambda f: (
                    f.after - f.before >= f.policy.costlier_tokens
                    and f.after >= f.before * (1 + f.policy.costlier_ratio)
                ),
            ),
        ),
        meaning="Every conversation pays for the catalogue before its first word.",
        says=lambda f: f"the catalogue costs {f.after} tokens where it cost {f.before}",
        fix=lambda _: "shorten descriptions and schemas, or offer fewer tools at once",
    ),
    *(
        Rule(
            id=f"{what}-added",
            kind="surface",
            cells=(note(),),
            meaning="Nothing that worked is touched.",
            says=says,
            fix=lambda _: "nothing to do; record it if agents should use it",
        )
        for what, says in (
            ("tool", lambda f: f"{tool(f)} is new ({_kind(f)})"),
            ("parameter", lambda f: f"{tool(f)} takes {parameter(f)} now"),
            (
                "enum-value",
                lambda f: (
                    f"{parameter(f)} of {tool(f)} allows "
                    f"{counted(len(_values_lost(f)), 'value')} more"
                ),
            ),
        )
    ),
    Rule(
        id="bounds-widened",
        kind="surface",
        cells=(note(),),
        meaning="Nothing that worked is touched.",
        says=lambda f: f"{parameter(f)} of {tool(f)} allows more than before",
        fix=lambda _: "nothing to do",
    ),
)
