"""`explain`: why a finding is one, or how two argument objects compare."""

import sys
from pathlib import Path

import click

from mcp_eval import app
from mcp_eval.cli import options
from mcp_eval.errors import UsageError
from mcp_eval.formats.lines import json_of, line_of
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.comparison import ArgumentsSimilarity
from mcp_eval.model.verdict import Finding, Report
from mcp_eval.reports.plain import line as plain
from mcp_eval.reports.plain import shown


@click.command(
    "explain",
    epilog="""Example: mcp-eval explain '{"query": "env vars"}' '{"query": "environment"}'""",
)
@click.argument("words", nargs=-1, metavar="[FINDING | A B]")
@click.option("--report", type=options.FILE, help="whose finding; default: the last check's")
@click.option("--schema", default="", metavar="JSON|FILE", help="the arguments' JSON Schema")
@click.option("--scorer", type=click.Choice(["aligned", "formula"]), default="aligned")
@click.option("--json", "as_json", is_flag=True, help="the document on stdout, nothing else")
def command(
    *, words: tuple[str, ...], report: Path | None, schema: str, scorer: str, as_json: bool
) -> int:
    """Explain a finding of a stored report (its id, or rule@tool), or how A and B compare.

    A and B are two argument objects. With neither, JSON lines {"a", "b", "schema"?} are read from
    stdin, and each is answered by a line {"similarity", "arguments"}.
    """
    if len(words) == 2:  # noqa: PLR2004 - A and B
        a, b = (_object(text, side) for text, side in zip(words, "AB", strict=True))
        found = app.similarity(a, b, schema=_schema(schema), scorer=scorer)
        click.echo(line_of(found) if as_json else _arguments(found))
    elif len(words) == 1:
        _findings(app.stored_report(report), words[0], as_json=as_json)
    elif words:
        raise UsageError(
            "explain takes one finding, or two argument objects", hint="mcp-eval explain --help"
        )
    elif report is not None or sys.stdin.isatty() or not _lines(_schema(schema), scorer):
        _all(app.stored_report(report), as_json=as_json)
    return 0


def _lines(schema: JsonObject | None, scorer: str) -> int:
    """Answer every line of stdin; how many there were."""
    answered = 0
    for number, line in enumerate(sys.stdin, start=1):
        if not line.strip():
            continue
        asked = _object(line, f"line {number}")
        if not {"a", "b"} <= asked.keys():
            raise UsageError(
                f'line {number}: needs "a" and "b"', hint='as in {"a": {"n": 1}, "b": {"n": 2}}'
            )
        a, b = (_is_object(asked[side], f"line {number}: {side}") for side in ("a", "b"))
        own = asked.get("schema", schema)
        click.echo(line_of(app.similarity(a, b, schema=own, scorer=scorer)))
        answered += 1
    return answered


def _object(text: str, where: str) -> JsonObject:
    return _is_object(json_of(text, where=where), where)


def _is_object(value: Json, where: str) -> JsonObject:
    if not isinstance(value, dict):
        raise UsageError(f"{where}: an argument object is wanted", hint='as in {"query": "words"}')
    return value


def _schema(text: str) -> JsonObject | None:
    if not text:
        return None
    if not text.lstrip().startswith("{"):
        text = Path(text).read_text(encoding="utf-8")
    return _object(text, "--schema")


def _arguments(found: ArgumentsSimilarity) -> str:
    head = (
        f"similarity {found.similarity:.2f} "
        f"(keys {found.key_similarity:.2f}, values {found.value_similarity:.2f})"
    )
    lines = [
        f"  {plain(one.name)}  {one.kind}  {one.similarity:.2f}  {plain(one.reason)}"
        for one in found.arguments
    ]
    return "\n".join([head, *lines])


def _all(report: Report, *, as_json: bool) -> None:
    if as_json:
        click.echo(line_of(report.findings))
        return
    for finding in report.findings:
        click.echo(f"{finding.id}  {finding.status}  {plain(finding.message)}")
    if not report.findings:
        click.echo("this report holds no finding")


def _findings(report: Report, named: str, *, as_json: bool) -> None:
    found = [one for one in report.findings if named in _names(one)]
    if not found:
        known = ", ".join(one.id for one in report.findings[:12])
        raise UsageError(
            f"no finding '{named}' in that report",
            hint=f"it holds {known}" if known else "it holds none at all",
        )
    for finding in found:
        click.echo(line_of(finding) if as_json else _explained(report, finding))


def _names(finding: Finding) -> set[str]:
    tool = f"{finding.rule}@{finding.tool}"
    return {finding.id, finding.rule, tool, f"{tool}:{finding.path}"}


def _explained(report: Report, finding: Finding) -> str:
    roots = [root for root in report.roots if finding.id in root.findings]
    facts = [
        f"{finding.id}: {finding.rule} is {finding.status}",
        f"  {plain(finding.message)}",
        f"  means: {plain(finding.meaning)}" if finding.meaning else "",
        f"  fix: {plain(finding.fix)}" if finding.fix else "",
        f"  where: {plain(finding.tool)} {plain(finding.path)}".rstrip(),
        f"  scenarios: {', '.join(finding.scenarios)}" if finding.scenarios else "",
        f"  sure: {', '.join((finding.confidence, *finding.marks))}",
        *(f"  {plain(name)}: {shown(value)}" for name, value in finding.evidence.items()),
        *(f"  root {root.id} ({root.cause}): {plain(root.message)}" for root in roots),
    ]
    return "\n".join(fact for fact in facts if fact)
