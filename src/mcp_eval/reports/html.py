"""One self-contained page: opens from a disk, asks nobody, runs nothing it was not written with."""

import base64
import hashlib
import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.comparison import Difference
from mcp_eval.model.provenance import Build
from mcp_eval.model.recording import Recording
from mcp_eval.model.surface import Surface
from mcp_eval.model.verdict import Finding, Report
from mcp_eval.reports import recorded, words
from mcp_eval.reports.cards import Deck
from mcp_eval.reports.packing import LIMITS, embedded, pack, squeezed
from mcp_eval.reports.plain import block, line, shown, visible

if TYPE_CHECKING:
    from jinja2 import Environment

_STATIC = files("mcp_eval.reports") / "static"
_REPOSITORY = re.compile(r"https://[A-Za-z0-9.-]+(?::\d+)?/[A-Za-z0-9._~/-]+")
_NAMED = re.compile(r"`([^`]+)`")
_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_GLYPHS = {
    "broken": "✕",
    "degraded": "!",
    "acceptable": "≈",
    "good": "✓",
    "inconclusive": "?",
    "note": "·",
}


class HtmlReporter:
    """Writes the page a person opens."""

    suffixes = (".html", ".htm")

    def render(self, report: Report) -> bytes:
        """The page, its data embedded once and drawn on demand."""
        deck = Deck(report)
        packed = pack(
            len(report.scenarios), lambda at, limit: deck.card(report.scenarios[at], limit)
        )
        findings, encoding = squeezed(deck.finding_cards())
        overview = {**deck.overview(), "place": packed.place}
        return page(
            "report.html",
            report=report,
            overview=_data(embedded(overview)),
            chunks=[_data(chunk) for chunk in packed.chunks],
            encoding=packed.encoding,
            findings=_data(findings),
            findings_encoding=encoding,
            shortened=packed.limit if packed.limit < LIMITS[0] else 0,
            differences=_surface_rows(report),
            builds=_builds(report),
        )


def render_baseline(recording: Recording, surface: Surface | None = None) -> bytes:
    """The page of a recorded scenario: what was said and called, what varies, what proves it."""
    build = recording.provenance.build
    return page(
        "baseline.html",
        recording=recording,
        surface=surface,
        turns=recorded.turns(recording),
        builds=[_build_rows(build)],
        commit_url=_commit_url(build),
    )


def page(template: str, **context: Json) -> bytes:
    """A template with the page's own style and script, and a policy that allows nothing else."""
    style, script = _asset("report.css"), _asset("report.js")
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )
    markup = _data
    html = (
        _environment()
        .get_template(template)
        .render(policy=markup(policy), style=markup(style), script=markup(script), **context)
    )
    return html.encode("utf-8", "replace")


def _data(text: str) -> Json:
    """Text this module vouches for: an asset, packed JSON, or a sentence escaped part by part."""
    from markupsafe import Markup

    return Markup(text)  # noqa: S704 - the one place; every caller passes our own or packed text


@lru_cache(maxsize=1)
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        autoescape=True,
        finalize=_visible,
        loader=PackageLoader("mcp_eval.reports"),
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters.update(marked=_marked, block=block, line=line, shown=shown, witness=_pretty)
    environment.globals.update(words=words, glyphs=_GLYPHS, facts=_facts)
    return environment


def _marked(text: str, limit: int = 600) -> Json:
    """A sentence of ours, the names in its backticks set as code; all of it escaped."""
    from markupsafe import escape

    parts = _NAMED.split(line(text, limit))
    # What the pattern caught stands at the odd places.
    said = (
        f"<code>{escape(one)}</code>" if at % 2 else str(escape(one))
        for at, one in enumerate(parts)
    )
    return _data("".join(said))


def _visible(value: Json) -> Json:
    """Whatever a template prints and nobody vouched for shows its controls instead of acting."""
    return visible(value, keep="\n\t") if type(value) is str else value


@lru_cache(maxsize=4)
def _asset(name: str) -> str:
    return (_STATIC / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _facts(finding: Finding) -> JsonObject:
    """A finding's evidence, taken apart as the page shows it."""
    rest = dict(finding.evidence)
    sides = None
    if "before" in rest or "after" in rest:
        sides = (_pretty(rest.pop("before", None)), _pretty(rest.pop("after", None)))
    return {"sides": sides, "rest": {line(k, 60): _pretty(v) for k, v in rest.items()}}


def _pretty(value: Json, limit: int = 700) -> str:
    """JSON over several lines where one would be too long to read."""
    import json

    if isinstance(value, str):
        return block(value, limit)
    flat = shown(value, limit)
    if len(flat) <= 60 or len(flat) >= limit:  # noqa: PLR2004 - what a narrow column holds
        return flat
    return block(json.dumps(value, ensure_ascii=False, indent=2, default=str), limit)


def _surface_rows(report: Report) -> list[JsonObject]:
    stated = report.comparison.surface if report.comparison else ()
    status = {(one.rule, one.tool, one.path): one.status for one in report.findings}
    rows = [_surface_row(one, status) for one in stated[:400]]
    return sorted(rows, key=lambda row: words.SEVERITY.index(row["status"]))


def _surface_row(difference: Difference, status: Mapping[tuple[str, str, str], str]) -> JsonObject:
    site = difference.site
    named = (difference.change, site.tool, site.path)
    return {
        "status": status.get(named, "note"),
        "rule": line(difference.change, 60),
        "tool": line(site.tool, 120),
        "path": line(site.path, 160),
        "before": None if difference.before is None else _pretty(difference.before),
        "after": None if difference.after is None else _pretty(difference.after),
        "hits": difference.hits[:20],
        "more": max(0, len(difference.hits) - 20),
        "witness": None if difference.witness is None else _pretty(difference.witness),
    }


def _builds(report: Report) -> JsonObject:
    sides = [report.builds.get(side, Build()) for side in ("baseline", "candidate")]
    rows: list[JsonObject] = []
    for (name, before), (_, after) in zip(*map(_build_rows, sides), strict=True):
        if before or after:
            rows.append({"name": name, "sides": (before, after), "same": before == after})
    return {
        "rows": rows,
        "names": [words.build_name(side) for side in sides],
        "urls": [_commit_url(side) for side in sides],
    }


def _build_rows(build: Build) -> list[tuple[str, str]]:
    checkout = build.checkout
    dirty = " (with uncommitted changes)" if checkout and checkout.dirty else ""
    dependencies = ", ".join(f"{name} {version}" for name, version in build.dependencies.items())
    preflight = ", ".join(f"{name}: {said}" for name, said in build.preflight.items())
    stated = (
        ("label", build.label),
        ("target", build.target),
        ("server", f"{build.server_name} {build.server_version}".strip()),
        ("command", " ".join(build.command)),
        ("url", build.url),
        ("commit", checkout.commit + dirty if checkout else ""),
        ("checkout", checkout.path if checkout else ""),
        ("built from it", checkout.built_from if checkout else ""),
        ("digest", build.digest),
        ("surface digest", build.surface_digest),
        ("dependencies", dependencies),
        ("preflight", preflight),
    )
    return [(name, line(text, 900)) for name, text in stated]


def _commit_url(build: Build) -> str:
    """Where the commit can be read, if its repository's address is a plain https one."""
    checkout = build.checkout
    if checkout is None or not _COMMIT.fullmatch(checkout.commit):
        return ""
    url = checkout.url.removesuffix(".git").rstrip("/")
    return f"{url}/commit/{checkout.commit}" if _REPOSITORY.fullmatch(url) else ""
