"""What the documents name exists: modules, commands, options, make targets, pages."""

import re
import shlex
from itertools import pairwise

import click
import pytest

from mcp_eval.cli.__main__ import group
from mcp_eval.reports.registry import reporter_for
from tests.docs.documents import DOCUMENTS, ROOT, blocks, links, named, spans

PACKAGE = ROOT / "src" / "mcp_eval"
GENERATED = {"docs/rules.md", "docs/cli.md"}
SIX = ("scenario", "baseline", "check", "break", "cause", "fix")
FIRST_SCREEN = 40


def test_architecture_names_only_what_exists():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    places = re.findall(r"`([\w/.<>-]*(?:/|\.py))`", text)
    assert places
    missing = [place for place in places if not exists(place)]
    assert missing == []


def test_architecture_names_every_room():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rooms = {
        f"`{folder.name}/`" for folder in PACKAGE.iterdir() if (folder / "__init__.py").exists()
    }
    assert {room for room in rooms if room not in text} == set()


def exists(place):
    """A path of the repository, or of the package; `<room>` and `<module>` stand for any."""
    pattern = re.sub(r"<\w+>", "*", place).rstrip("/")
    return any(base.glob(pattern) for base in (ROOT, PACKAGE) if list(base.glob(pattern)))


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_every_command_that_is_named_exists_with_its_options(document):
    if named(document) in GENERATED:
        return
    for words in commands(document):
        command = group.get_command(click.Context(group), words[1])
        assert command is not None, f"no command: {shlex.join(words)}"
        known = {"--help", "-h"} | {name for one in command.params for name in one.opts}
        for word in words[2:]:
            option = word.partition("=")[0]
            assert not re.fullmatch(r"--?[a-z][\w-]*", option) or option in known, shlex.join(words)


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_every_format_that_is_named_can_be_written(document):
    for words in commands(document):
        files = [word for before, word in pairwise(words) if before == "-o"]
        assert all(reporter_for(file) is not None for file in files), shlex.join(words)


def commands(document):
    """`mcp-eval …` as it stands in spans and in blocks."""
    lines = [
        line
        for block in blocks(document)
        if block.language == "bash"
        for line in block.text.splitlines()
    ]
    for text in (*spans(document), *lines):
        words = shlex.split(text, comments=True) if text.startswith("mcp-eval ") else []
        if len(words) > 1 and not words[1].startswith("-"):
            yield words


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_every_make_target_that_is_named_exists(document):
    text = document.read_text(encoding="utf-8")
    targets = set(re.findall(r"(?:`|^)make ([a-z]+)", text, re.MULTILINE))
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert {
        name for name in targets if not re.search(rf"^{name}:", makefile, re.MULTILINE)
    } == set()


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_every_page_and_heading_that_is_linked_exists(document):
    for link in links(document):
        page, _, heading = link.partition("#")
        if page.startswith("http"):
            continue
        place = (document.parent / page) if page else document
        assert place.exists(), f"{named(document)}: {link}"
        if heading:
            assert heading in headings(place), f"{named(document)}: {link}"


def headings(document):
    """The anchors of a page, as its renderer makes them."""
    titles = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_first_screen_of_the_readme_needs_six_words():
    screen = "\n".join(
        (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:FIRST_SCREEN]
    ).lower()
    assert [word for word in SIX if word not in screen] == []
    others = (
        "trajectory",
        "candidate",
        "comparison",
        "verdict",
        "finding",
        "invocation",
        "outcome",
        "recording",
    )
    assert [word for word in others if word in screen] == []


def test_decisions_are_numbered_without_a_gap():
    numbers = sorted(int(path.name[:4]) for path in (ROOT / "docs" / "adr").glob("*.md"))
    assert numbers == list(range(1, len(numbers) + 1))


def test_the_changelog_stands_and_names_this_version():
    version = re.search(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)[
        1
    ]
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
