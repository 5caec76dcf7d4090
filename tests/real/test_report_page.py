"""The report page in a real browser: opens from a disk, asks nobody, runs nothing foreign."""

import shutil

import pytest
from playwright.sync_api import sync_playwright

from mcp_eval.reports.html import HtmlReporter, render_baseline
from mcp_eval.store.files import save_recording
from tests.flows.places import Place
from tests.flows.suites import made, stored
from tests.unit.reports import samples

pytestmark = pytest.mark.xdist_group("browser")  # one browser is enough

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")
def browser():
    program = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip("real part missing: chromium is not installed on this machine")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def opened(browser, tmp_path):
    """Opens bytes as a file; what was asked for and what was complained about come with the page."""
    pages = []

    def open_(payload):
        file = tmp_path / "report.html"
        file.write_bytes(payload)
        page = browser.new_page()
        pages.append(page)
        page.asked, page.complaints = [], []
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.on(
            "console",
            lambda said: page.complaints.append(said.text) if said.type == "error" else None,
        )
        page.on("dialog", lambda dialog: (page.complaints.append(dialog.message), dialog.dismiss()))
        page.goto(file.as_uri())
        page.wait_for_load_state("load")
        return page

    yield open_
    for page in pages:
        page.close()


def foreign(page):
    """Requests for anything but the file itself and what stands in it."""
    return [url for url in page.asked if not url.startswith(("file:", "data:", "blob:"))]


@pytest.mark.parametrize(("status", "report"), samples.all_statuses().items())
def test_a_report_of_every_status_opens_without_a_request_or_a_complaint(opened, status, report):
    page = opened(HtmlReporter().render(report))
    assert status in page.inner_text("h1").lower()
    assert foreign(page) == []
    assert page.complaints == []


def test_the_first_root_is_on_the_first_screen_with_its_fix(opened):
    report = samples.broken()
    page = opened(HtmlReporter().render(report))
    first = page.locator(".roots > li").first
    words = " ".join(first.inner_text().split())
    root = next(one for one in report.roots if one.id == "R1")
    assert root.message.split("`")[1] in words
    assert root.fix.split("`")[1] in words


@pytest.mark.parametrize("payload", samples.PAYLOADS, ids=str.__len__)
def test_hostile_text_stays_text(opened, payload):
    page = opened(HtmlReporter().render(samples.hostile(payload)))
    page.evaluate("() => document.querySelectorAll('details').forEach(one => { one.open = true })")
    page.wait_for_timeout(100)
    assert foreign(page) == []
    assert page.complaints == []
    assert page.evaluate("() => window.__pwned ?? null") is None
    assert (
        page.locator(
            "iframe, object, embed, base, meta[http-equiv=refresh], link, img[onerror]"
        ).count()
        == 0
    )


def test_a_baseline_page_opens_likewise(opened):
    page = opened(render_baseline(samples.recording(), samples.surface()))
    assert samples.recording().name in page.inner_text("main")
    assert foreign(page) == []
    assert page.complaints == []


HITS = {"tools": [{"name": "printEnv", "score": 0.149}], "total": 1}
ASKED = made("retrieve_tools", HITS, query="environment variables configuration")
SEED_EXAMPLES = {
    "other words for the same": (
        made("retrieve_tools", HITS, query="env vars configuration"),
        ("0.55", "0.44", "degraded", "Partial Match 0.44", "review the changes, update docs"),
    ),
    "the same words": (
        ASKED,
        ("1.00", "1.00", "good", "Perfect Match 1.00", "deploy with confidence"),
    ),
    "another tool": (
        made("list_registries", HITS),
        ("0.20", "0.00", "broken", "Mismatch 0.00", "stop the deployment, investigate"),
    ),
}


@pytest.mark.parametrize(("now", "said"), SEED_EXAMPLES.values(), ids=SEED_EXAMPLES)
def test_the_seed_s_example_judged_again_reads_as_its_formula_says(opened, tmp_path, now, said):
    place = Place(tmp_path)
    for side, made_then in (("baseline", ASKED), ("current", now)):
        run = stored(made_then, tools=("!retrieve_tools", "!list_registries"))
        save_recording(tmp_path / side, run.recordings["story"], run.surface)
    place.run("compare", "baseline", "current", "-o", "stored.json")
    judged = place.run("show", "stored.json", "--policy", "seed", "-o", "seed.html")
    assert judged.returncode == (0 if said[2] == "good" else 1), judged.stderr
    page = opened((tmp_path / "seed.html").read_bytes())
    assert seed_words(page) == said
    assert page.complaints == []


def seed_words(page):
    """Score, trajectory score, status, the pairs' badge and action, as they stand on the page."""
    page.locator("#rows .head").click()
    badges = page.locator(".pair .label-badge")
    badges.first.wait_for()
    numbers = page.locator("#numbers dl dd:not(.aside)").all_inner_texts()
    assert numbers[2] == "seed"
    (badge,) = {" ".join(text.split()).lstrip("✓!✕ ") for text in badges.all_inner_texts()}
    status = page.locator("#verdict .word").inner_text().lstrip("✓!✕ \n").lower()
    return (*numbers[:2], status, badge, page.text_content(".hero .action"))


def test_a_page_that_asks_and_runs_would_be_noticed(opened):
    page = opened(
        b'<img src="http://127.0.0.1:9/x.png"><script>window.__pwned = 1; missing()</script>'
    )
    assert foreign(page) == ["http://127.0.0.1:9/x.png"]
    assert page.evaluate("() => window.__pwned") == 1
    assert page.complaints
