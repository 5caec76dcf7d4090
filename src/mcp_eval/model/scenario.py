"""A scenario: an intent, the trajectory expected of it, and what success means."""

from typing import Literal

from mcp_eval.model.base import Json, JsonObject, Noun


class Step(Noun):
    """One written step: a call, or something a person does (run, wait)."""

    action: str = ""  # a label, nothing more
    tool: str = ""
    args: JsonObject = {}
    method: str = "tools/call"
    run: str = ""  # a user step: a command of the user's own
    wait: float = 0.0  # a user step: seconds
    restart: bool = False  # a user step: the target is started again, its state kept
    match: dict[
        str, Json
    ] = {}  # per-argument matchers: {"query": "any"}, {"n": {"tolerance": 0.1}}


class Criterion(Noun):
    """One success criterion: typed ones are evaluated, prose ones judged or shown."""

    text: str
    kind: Literal["calls", "never_calls", "result", "answer_contains", "prose"] = "prose"
    subject: str = ""  # the tool, the path, or the words
    operator: str = ""  # of `result`: exists, equals, contains, at_least, at_most, not_empty …
    value: Json = None


class Scenario(Noun):
    """A scenario file, read."""

    name: str
    stem: str
    path: str = ""
    description: str = ""
    enabled: bool = True
    user_intent: str = ""
    expected_trajectory: tuple[Step, ...] = ()
    success_criteria: tuple[Criterion, ...] = ()
    config_file: str = ""
    tags: tuple[str, ...] = ()
    setup: tuple[Step, ...] = ()
    steps: tuple[Step, ...] = ()
    answers: dict[str, Json] = {}  # method of a server request -> the result given
    fingerprint: str = ""  # of steps, setup and typed criteria: what makes a recording of it stale
