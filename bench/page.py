"""How a large report's page opens and filters in Chromium, beside an empty page of the same run."""

import re
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from mcp_eval.reports.html import HtmlReporter
from tests.unit.reports import samples

SCENARIOS, PAIRS, ROUNDS = 1000, 10, 5
FILE_MB, PAINT_MS, FILTER_MS = 15.0, 1000.0, 100.0

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
EMPTY = """<!doctype html><meta charset="utf-8"><title>empty</title>
<button class="pill">broken</button><output id="count">all</output>
<script>
  document.querySelector(".pill").addEventListener("click", () => {
    document.getElementById("count").textContent = "one";
  });
</script>
"""
PAINTED = """() => new Promise((resolve) => {
  new PerformanceObserver((list) => {
    const first = list.getEntriesByName("first-contentful-paint")[0];
    if (first) resolve(first.startTime);
  }).observe({ type: "paint", buffered: true });
})"""
# From the moment the browser stamped the click until a frame with what it changed was drawn.
TIMED = """() => {
  const drawn = (done) => requestAnimationFrame(() => setTimeout(done));
  window.timed = new Promise((resolve) => {
    const clicked = (event) => drawn(() => resolve(performance.now() - event.timeStamp));
    addEventListener("click", clicked, { capture: true, once: true });
  });
}"""
CUT = re.compile(r"answers are cut to \d+ characters")
ROWS = "() => [...document.querySelectorAll('#rows > li')].map((row) => row.className)"


def bench() -> None:
    """Print the file's size, its first paint and a filter; the empty page's are beside them."""
    program = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if program is None:
        print("  not measured: chromium is not installed on this machine")
        return
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        large, empty = Path(folder) / "large.html", Path(folder) / "empty.html"
        large.write_bytes(built())
        empty.write_text(EMPTY, encoding="utf-8")
        size = large.stat().st_size / 1e6
        print(f"  file {size:.1f} MB (wanted: ≤ {FILE_MB:.0f} MB)", flush=True)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        told(measured(browser, {"large": large, "empty": empty}), browser.version)
        browser.close()


def built() -> bytes:
    """The page of a suite of that size, and how long it took to write."""
    report = samples.many(SCENARIOS, PAIRS)
    began = time.perf_counter()
    payload = HtmlReporter().render(report)
    spent = time.perf_counter() - began
    print(f"  {SCENARIOS:,} scenarios × {PAIRS} pairs, written in {spent:.1f} s")
    cut = CUT.search(payload.decode())
    print(f"  {cut[0] if cut else 'no answer is cut'}")
    return payload


def measured(browser: Browser, files: dict[str, Path]) -> dict[str, tuple[float, float]]:
    """Medians of first paint and filter; pages in turn, so that a busy moment hits all alike."""
    spent: dict[str, list[tuple[float, float]]] = {name: [] for name in files}
    for at in range(ROUNDS + 1):
        for name, file in files.items():
            once = in_a_page_of_its_own(browser, lambda page, file=file: looked(page, file))
            if at:  # the first round warms the disk and the browser
                spent[name].append(once)
    return {
        name: (statistics.median(paints), statistics.median(filters))
        for name, rounds in spent.items()
        for paints, filters in [zip(*rounds, strict=True)]
    }


def in_a_page_of_its_own(
    browser: Browser, look: Callable[[Page], tuple[float, float]]
) -> tuple[float, float]:
    """What a look at a fresh page measures."""
    page = browser.new_page()
    try:
        return look(page)
    finally:
        page.close()


def looked(page: Page, file: Path) -> tuple[float, float]:
    """Milliseconds until the first contentful paint, and from a click on a filter to its frame."""
    page.goto(file.as_uri())
    painted = page.evaluate(PAINTED)
    before = page.inner_text("#count")
    page.evaluate(TIMED)
    page.locator(".pill", has_text="broken").click()
    spent = page.evaluate("() => window.timed")
    after, kinds = page.inner_text("#count"), set(page.evaluate(ROWS))
    if after == before or kinds != ({"row is-broken"} if before.endswith("scenarios") else set()):
        message = f"{file.name}: the filter left {after!r} after {before!r}, rows {kinds}"
        raise RuntimeError(message)
    return painted, spent


def told(medians: dict[str, tuple[float, float]], version: str) -> None:
    """Both pages side by side, and how the promises for an idle machine stand."""
    print(f"  Chromium {version}, medians of {ROUNDS} pages each")
    wanted = {"first paint": PAINT_MS, "status filter": FILTER_MS}
    for at, (name, limit) in enumerate(wanted.items()):
        large, empty = medians["large"][at], medians["empty"][at]
        print(
            f"  {name:<15} {large:7.1f} ms, an empty page {empty:6.1f} ms "
            f"(wanted on an idle machine: ≤ {limit:,.0f} ms)"
        )
