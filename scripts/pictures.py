"""Makes docs/pictures from `mcp-eval demo`: the report, light and dark, `view`, the terminal.

Needs Playwright and a Chromium of the system's; writes the same pictures again unless something
they show has changed.
"""

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

import mcp_eval.demo as demo_room
from mcp_eval.web.serve import LOOPBACK, port_of, server

SCENARIOS = Path(demo_room.__file__).parent / "scenarios"
PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SCREEN = {"width": 1280, "height": 860}
LINES = 32  # of the terminal: the first screen
COLUMNS = 104
THEME = TerminalTheme(
    (12, 14, 18),
    (230, 230, 230),
    [
        (58, 61, 66),
        (255, 107, 94),
        (134, 195, 106),
        (240, 187, 76),
        (110, 168, 254),
        (200, 174, 240),
        (110, 200, 200),
        (230, 230, 230),
    ],
)
SIGNS = {
    sign: f'<span style="color:{colour};display:inline-block;width:2ch">●</span>'
    for sign, colour in {"🔴": "#ff6b5e", "🟡": "#f0bb4c", "🟢": "#86c36a", "⚪": "#c8c8c8"}.items()
}
TERMINAL = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; background: #0c0e12 }}
pre {{ margin: 0; padding: 22px 26px; color: #e6e6e6; display: inline-block;
  font: 15px/1.42 "DejaVu Sans Mono", "Noto Sans Mono", "Noto Color Emoji", monospace }}
.prompt {{ color: #7ec699 }}
</style><pre><span class="prompt">$</span> mcp-eval demo
{code}</pre>"""


def main(arguments: list[str] | None = None) -> int:
    """Make the pictures, or say what is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=PICTURES, metavar="DIR")
    output = parser.parse_args(arguments).output
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, browser() as opened:
        said = demo(Path(folder))
        for name, scheme in (("report", "light"), ("report-dark", "dark")):
            report(opened, Path(folder) / "report.html", scheme, output / f"{name}.png")
        view(opened, Path(folder), output / "view.png")
        terminal(opened, said, output / "terminal.png")
    for path in sorted(output.glob("*.png")):
        print(f"{path.name}: {path.stat().st_size // 1024} KB")
    return 0


def demo(folder: Path) -> str:
    """What the demonstration prints on a terminal, colours and all."""
    environ = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(COLUMNS), "TERM": "xterm-256color"}
    environ.pop("NO_COLOR", None)
    done = subprocess.run(
        [sys.executable, "-m", "mcp_eval.cli", "demo", str(folder)],
        env=environ,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return done.stdout


def report(opened: Browser, page: Path, scheme: str, picture: Path) -> None:
    """The first screen of the page, as it opens."""
    context = opened.new_context(viewport=SCREEN, color_scheme=scheme, device_scale_factor=1.5)
    shown = context.new_page()
    complaints: list[str] = []
    shown.on("pageerror", lambda error: complaints.append(str(error)))
    shown.goto(page.as_uri())
    shown.wait_for_load_state("load")
    if complaints:
        raise SystemExit(f"the page complains: {complaints[0]}")
    shown.screenshot(path=picture)
    context.close()


def view(opened: Browser, folder: Path, picture: Path) -> None:
    """The first page of `mcp-eval view`, after a check of either build."""
    for number in ("1", "2"):
        command = [sys.executable, "-m", "mcp_eval.demo.servers", "--build", number]
        target = {"command": command, "resettable": True}
        (folder / "mcp-eval.yaml").write_text(json.dumps({"targets": {"proxy": target}}))
        subprocess.run(
            [sys.executable, "-m", "mcp_eval.cli", "check", str(SCENARIOS), "-q", "-j", "2"],
            cwd=folder,
            capture_output=True,
            check=False,  # the second one is broken: that is what is shown
            timeout=300,
        )
    made = server()
    serving = threading.Thread(target=made.serve_forever)
    with contextlib.chdir(folder):
        serving.start()
        context = opened.new_context(viewport=SCREEN, device_scale_factor=1.5)
        shown = context.new_page()
        shown.goto(f"http://{LOOPBACK}:{port_of(made)}/")
        shown.screenshot(path=picture)
        context.close()
        made.shutdown()
        made.server_close()
        serving.join()


def terminal(opened: Browser, said: str, picture: Path) -> None:
    """The first lines of what was printed, drawn by a browser."""
    shown_lines = said.splitlines()[:LINES]
    whole = max((at for at, text in enumerate(shown_lines) if not text.strip()), default=LINES)
    lines = Text.from_ansi("\n".join(shown_lines[:whole]))
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=COLUMNS, file=nowhere, force_terminal=True)
        console.print(lines, soft_wrap=True)
        code = console.export_html(theme=THEME, inline_styles=True, code_format="{code}")
    for sign, drawn in SIGNS.items():  # not every machine has a font for them
        code = code.replace(sign, drawn)
    context = opened.new_context(viewport=SCREEN, device_scale_factor=1.5)
    shown = context.new_page()
    shown.set_content(TERMINAL.format(code=code))
    shown.locator("pre").screenshot(path=picture)
    context.close()


@contextmanager
def browser() -> Iterator[Browser]:
    """The system's own Chromium."""
    program = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if program is None:
        raise SystemExit("no Chromium: install the package chromium")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield opened
        opened.close()


if __name__ == "__main__":
    sys.exit(main())
