"""Everybody can read the pages: axe-core finds nothing serious, light or dark."""

import json
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from mcp_eval.reports.html import HtmlReporter, page, render_baseline
from tests.unit.reports import samples

pytestmark = pytest.mark.xdist_group("browser")

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
VIEW = {
    "checks": [
        {
            "name": "1",
            "status": "broken",
            "headline": "broken: x",
            "when": "now",
            "build": "proxy 2",
        }
    ],
    "rows": [{"stem": "add", "cells": [{"name": "1", "status": "broken"}]}],
    "baselines": [{"at": 0, "folder": "baselines", "stems": ["add"], "waits": ["add"]}],
    "runs": {"add": ("001",)},
}
PAGES = {
    **{status: HtmlReporter().render(report) for status, report in samples.all_statuses().items()},
    "baseline": render_baseline(samples.recording(), samples.surface()),
    "view": page("view.html", title="What is here", said="", view=VIEW),
}
SERIOUS = """async () => {
  const found = await axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa"] });
  return JSON.stringify(found.violations
    .filter((one) => ["serious", "critical"].includes(one.impact))
    .map((one) => [one.id, one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160))]));
}"""


@pytest.fixture(scope="module")
def browser():
    program = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip("real part missing: chromium is not installed on this machine")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious(name, scheme, browser, real_part, tmp_path):
    assert serious(PAGES[name], scheme, browser, real_part, tmp_path) == []


def test_what_nobody_can_read_is_noticed(browser, real_part, tmp_path):
    bad = b"<!doctype html><html lang=en><title>x</title><button></button>"
    (found,) = serious(bad, "light", browser, real_part, tmp_path)
    assert found[0] == "button-name"


def serious(payload, scheme, browser, real_part, tmp_path):
    """What axe calls serious or critical, with the first scenarios open."""
    (script,) = real_part("axe-core@4.10.3")
    file = tmp_path / "page.html"
    file.write_bytes(payload)
    context = browser.new_context(color_scheme=scheme, bypass_csp=True)
    shown = context.new_page()
    shown.goto(file.as_uri())
    shown.wait_for_load_state("load")
    for row in shown.locator(".row .head").all()[:3]:
        row.click()
    shown.evaluate(Path(script).read_text(encoding="utf-8"))
    found = json.loads(shown.evaluate(SERIOUS))
    context.close()
    return found
