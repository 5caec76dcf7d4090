"""The pages of `view`: every name in an address is looked up, none is taken for a path."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar
from urllib.parse import unquote, urlsplit

from mcp_eval import app
from mcp_eval.errors import McpEvalError
from mcp_eval.model.base import JsonObject
from mcp_eval.model.provenance import Build
from mcp_eval.model.verdict import Report
from mcp_eval.reports import words
from mcp_eval.reports.html import HtmlReporter, page, render_baseline

_T = TypeVar("_T")
_COLUMNS = 12
_ROWS = 500


class MissingError(Exception):
    """Nothing is at that address."""


def answer(address: str) -> tuple[int, bytes]:
    """The status and the page of an address."""
    parts = [unquote(part) for part in urlsplit(address).path.split("/") if part]
    try:
        draw = _PAGES.get((parts[0] if parts else "", max(0, len(parts) - 1)), _nothing)
        return 200, draw(*parts[1:])
    except MissingError:
        return 404, _said("There is nothing at this address.")
    except McpEvalError as error:
        return 500, _said(error.message)


def _nothing(*_: str) -> bytes:
    raise MissingError


def _said(text: str) -> bytes:
    return page("view.html", title="mcp-eval", said=text, view={})


def _index() -> bytes:
    checks, kept = app.checks(), app.stored(app.project()).baselines
    columns = list(checks.items())[:_COLUMNS]
    stems = dict.fromkeys(one.stem for _, report in columns for one in report.scenarios)
    view = {
        "checks": [_check(name, report) for name, report in columns],
        "rows": [_row(stem, columns) for stem in list(stems)[:_ROWS]],
        "baselines": [
            {"at": at, "folder": one.folder, "stems": one.scenarios, "waits": one.pending}
            for at, one in enumerate(kept)
        ],
        "runs": app.run_names(),
    }
    return page("view.html", title="What is here", said="", view=view)


def _check(name: str, report: Report) -> JsonObject:
    return {
        "name": name,
        "status": report.status,
        "headline": words.headline(report),
        "when": report.created_at[:16].replace("T", " "),
        "build": words.build_name(report.builds.get("candidate", Build())),
    }


def _row(stem: str, columns: Sequence[tuple[str, Report]]) -> JsonObject:
    cells = []
    for name, report in columns:
        found = next((one for one in report.scenarios if one.stem == stem), None)
        cells.append({"name": name, "status": found.status if found else ""})
    return {"stem": stem, "cells": cells}


def _one_check(name: str) -> bytes:
    return HtmlReporter().render(_known(app.checks(), name))


def _baseline(at: str, stem: str) -> bytes:
    kept = dict(enumerate(app.stored(app.project()).baselines))
    one = _known({str(number): folder for number, folder in kept.items()}, at)
    if stem not in one.scenarios:
        raise MissingError
    baseline = app.baseline(app.project(), one.folder)
    return render_baseline(_known(baseline.recordings, stem), baseline.surface)


def _runs(stem: str, left: str = "") -> bytes:
    names = _known(app.run_names(), stem)
    if left and left not in names:
        raise MissingError
    view = {"stem": stem, "left": left, "names": names}
    return page("view.html", title=f"Runs of {stem}", said="", view=view)


def _compare(stem: str, left: str, right: str) -> bytes:
    names = _known(app.run_names(), stem)
    if not {left, right} <= set(names):
        raise MissingError
    return HtmlReporter().render(app.beside(stem, left, right))


def _known(held: Mapping[str, _T], name: str) -> _T:
    if name not in held:
        raise MissingError
    return held[name]


_PAGES: dict[tuple[str, int], Callable[..., bytes]] = {
    ("", 0): _index,
    ("check", 1): _one_check,
    ("baseline", 2): _baseline,
    ("runs", 1): _runs,
    ("runs", 2): _runs,
    ("compare", 3): _compare,
}
