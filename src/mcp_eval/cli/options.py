"""Options that several commands share: declared once, handed over as one noun each."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from mcp_eval.errors import UsageError
from mcp_eval.model.base import Noun
from mcp_eval.model.comparison import Lane
from mcp_eval.model.policy import Policy

SCORERS = ("aligned", "formula", "exact", "in-order", "any-order", "precision", "recall", "f1")
STATUSES = ("acceptable", "degraded", "broken")
FILE = click.Path(path_type=Path)

_Command = Callable[..., Any]


class Choice(Noun):
    """Which scenarios."""

    paths: tuple[Path, ...] = ()
    named: tuple[Path, ...] = ()
    keyword: str = ""
    tags: tuple[str, ...] = ()


class Reach(Noun):
    """Which target, and how long to wait for it."""

    target: str = ""
    call_timeout: float | None = None


class Judging(Noun):
    """How facts become a verdict, as far as the command line says."""

    policy_name: str = ""
    scorer: str | None = None
    threshold: float | None = None
    fail_on: str | None = None

    def over(self, base: Policy) -> Policy:
        """The project's policy, with what the command line says instead."""
        from msgspec.structs import replace

        said = {"scorer": self.scorer, "threshold": self.threshold, "fail_on": self.fail_on}
        given = {name: value for name, value in said.items() if value is not None}
        return replace(_named(base, self.policy_name), **given)


class Voice(Noun):
    """How much is said, and where."""

    as_json: bool = False
    quiet: bool = False
    verbose: int = 0


choosing = (
    click.argument("paths", nargs=-1, type=FILE),
    click.option("--scenario", "named", multiple=True, type=FILE, help="a scenario file"),
    click.option("-k", "keyword", default="", metavar="WORD", help="only names with this in"),
    click.option("-t", "--tag", "tags", multiple=True, metavar="TAG", help="only this tag"),
)
reaching = (
    click.option(
        "--target",
        default="",
        metavar="T",
        help="a name of the project file, a URL or a quoted command",
    ),
    click.option(
        "--call-timeout",
        type=click.FloatRange(min=0, min_open=True),
        metavar="S",
        help="seconds one call may take",
    ),
)
judging = (
    click.option(
        "--policy",
        "policy_name",
        default="",
        metavar="P",
        help="default, seed (the score's arithmetic alone), or a policy document",
    ),
    click.option("--scorer", type=click.Choice(SCORERS), help="of the trajectory score"),
    click.option("--threshold", type=click.FloatRange(0, 1), help="fail below this score"),
    click.option("--fail-on", type=click.Choice(STATUSES), help="fail from this status on"),
)
speaking = (
    click.option("--json", "as_json", is_flag=True, help="the document on stdout, nothing else"),
    click.option("-q", "--quiet", is_flag=True, help="the verdict, nothing else"),
    click.option("-v", "--verbose", count=True, help="all findings; -vv: tracebacks too"),
)
outputs = click.option(
    "-o",
    "outputs",
    multiple=True,
    type=FILE,
    metavar="FILE",
    help="write the report: .html .json .md .xml (JUnit) .txt .annotations .summary (repeatable)",
)
summary = click.option(
    "--summary", is_flag=True, help="under 500 tokens on stdout, for a coding agent"
)

_NOUNS: dict[str, tuple[type[Noun], tuple[Callable[[_Command], _Command], ...]]] = {
    "choice": (Choice, choosing),
    "reach": (Reach, reaching),
    "judging": (Judging, judging),
    "voice": (Voice, speaking),
}


def taking(*names: str) -> Callable[[_Command], _Command]:
    """Declare these groups of options, and hand each over as its noun."""

    def decorated(command: _Command) -> _Command:
        @functools.wraps(command)
        def gathered(**words: Any) -> Any:  # noqa: ANN401 - click's words are what they are
            for name in names:
                noun = _NOUNS[name][0]
                words[name] = noun(**{field: words.pop(field) for field in noun.__struct_fields__})
            return command(**words)

        made: _Command = gathered
        for name in reversed(names):
            for option in reversed(_NOUNS[name][1]):
                made = option(made)
        return made

    return decorated


def lanes(wanted: tuple[Lane, ...], agent: str) -> tuple[Lane, ...]:
    """The lanes to look at: the agent's too, where the agent is a model."""
    if agent == "script":
        if wanted == ("agent",):
            raise UsageError("the agent lane needs a model", hint="name one: --agent claude")
        return wanted
    return wanted if len(wanted) == 1 else (*wanted, "agent")


def _named(base: Policy, name: str) -> Policy:
    from msgspec.structs import replace

    if not name:
        return base
    if name in {"default", "seed"}:
        return replace(base, name=name)
    path = Path(name)
    if not path.is_file():
        raise UsageError(
            f"no policy '{name}'", hint="say default or seed, or name a policy document"
        )
    from mcp_eval.formats.envelope import decode

    return decode("policy", path.read_bytes(), where=name)
