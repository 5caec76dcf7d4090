"""`show`: lists what is stored, renders it again, judges it again."""

from collections.abc import Sequence
from pathlib import Path

import click

from mcp_eval import app
from mcp_eval.cli import options
from mcp_eval.cli.ending import status_of
from mcp_eval.cli.options import Judging, Voice
from mcp_eval.cli.said import said
from mcp_eval.errors import UsageError
from mcp_eval.formats.lines import line_of
from mcp_eval.formats.schemas import schema
from mcp_eval.model.base import JsonObject, Noun
from mcp_eval.model.recording import Recording
from mcp_eval.model.surface import Surface
from mcp_eval.model.verdict import Report
from mcp_eval.reports.plain import line as plain
from mcp_eval.reports.plain import shown
from mcp_eval.reports.registry import reporter_for
from mcp_eval.store.documents import Stored, read_document


@click.command("show", epilog="Example: mcp-eval show comparison.json --policy seed -o report.html")
@click.argument("path", required=False, type=options.FILE)
@options.taking("judging", "voice")
@click.option("--schema", "kind", default="", metavar="KIND", help="the JSON Schema of a document")
@click.option("--log", "as_log", is_flag=True, help="who decided what about a baseline, and why")
@options.outputs
@options.summary
def command(
    *,
    path: Path | None,
    judging: Judging,
    voice: Voice,
    kind: str,
    as_log: bool,
    outputs: tuple[Path, ...],
    summary: bool,
) -> int:
    """List what is stored here, or show one stored document.

    A report is shown and, where --policy, --scorer, --threshold or --fail-on is given, judged
    again from the comparison it embeds; a recording or a surface is summed up.
    """
    if kind:
        click.echo(line_of(schema(kind)))
        return 0
    if as_log:
        _decisions(app.decisions(path or Path(app.project().baselines)), voice)
        return 0
    if path is None:
        _listed(app.stored(app.project()), voice)
        return 0
    for output in outputs:
        reporter_for(output)
    document = read_document(path)
    if not isinstance(document, Report):
        if outputs:
            raise UsageError(
                f"{path} is no report, so there is nothing to render",
                hint="reports are written by check, compare and record (-o, --output)",
            )
        _sum_up(document, path, voice)
        return 0
    policy = judging.over(app.project().policy)
    report = app.judged_again(document, policy) if judging != Judging() else document
    said(report, voice, outputs, summary=summary)
    return status_of(report) if judging != Judging() else 0


def _decisions(notes: Sequence[JsonObject], voice: Voice) -> None:
    if voice.as_json:
        click.echo(line_of(notes))
        return
    for note in notes:
        said = {name: plain(str(note.get(name, "")), 200) for name in ("when", "name", "why")}
        who = plain(str(note.get("who", "somebody")), 80)
        at = f" at {plain(str(note['commit']), 10)}" if note.get("commit") else ""
        why = f": {said['why']}" if said["why"] else ""
        what = plain(str(note.get("what", "accepted")), 20)
        click.echo(f"{said['when']}  {what} {said['name']} by {who}{at}{why}")
        for root in note.get("roots", ()) if voice.verbose else ():
            click.echo(f"    {plain(str(root))}")
    if not notes:
        click.echo("nothing was decided here yet")


def _listed(stored: Stored, voice: Voice) -> None:
    if voice.as_json:
        click.echo(line_of(stored))
        return
    for kept in stored.baselines:
        waits = f" (waiting: {', '.join(kept.pending)})" if kept.pending else ""
        click.echo(f"baseline {kept.folder}: {', '.join(kept.scenarios) or 'surface'}{waits}")
    for page in stored.reports:
        click.echo(f"report {page}")
    if stored.last:
        click.echo(f"last check {stored.last}")
    if stored == Stored():
        click.echo("nothing is stored here yet")


def _sum_up(document: Noun, path: Path, voice: Voice) -> None:
    if voice.as_json:
        click.echo(path.read_bytes(), nl=False)
    elif isinstance(document, Recording):
        _recording(document)
    elif isinstance(document, Surface):
        click.echo(f"{document.server_name} {document.server_version}: what it offers")
        for tool in document.tools:
            click.echo(f"  {plain(tool.name)}  {plain(tool.description or '')}")
    else:
        click.echo(plain(str(document), 4000))


def _recording(recording: Recording) -> None:
    made = recording.provenance
    click.echo(f"{recording.name} ({recording.stem}), recorded {made.recorded_at} by {made.agent}")
    click.echo(f"  runs {recording.runs}, reached {recording.reached}, repeats {recording.repeats}")
    for index, step in enumerate(recording.steps):
        looks = ", ".join(f"{count} {name}" for name, count in sorted(step.classes.items()))
        click.echo(f"  {index} {plain(step.name)} {shown(step.arguments)}: {looks}")
        for path, hole in sorted(step.holes.items()):
            click.echo(f"      varies: {path or 'the whole answer'} ({hole.kind})")
    for text, result in recording.criteria.items():
        click.echo(f"  criterion: {plain(text)}: {result}")
