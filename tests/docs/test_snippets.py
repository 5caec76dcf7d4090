"""Every block of the documents does what it says: commands run, files are read, lines are printed."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mcp_eval.formats.project import read_project
from mcp_eval.formats.scenario import read_scenario
from tests.docs.documents import DOCUMENTS, Block, blocks, named

SHOWN = "shown, not run"
MOST_SHOWN = 4
READERS = {"project": read_project, "scenario": read_scenario}
SECONDS = 50


@pytest.mark.timeout(300)
@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_every_block_of_a_document_does_what_it_says(document, tmp_path):
    for block in blocks(document):
        if block.note != SHOWN:
            DOES[block.language](block, tmp_path)


def test_few_blocks_are_only_shown_and_each_says_why():
    shown = [block for document in DOCUMENTS for block in blocks(document) if block.note == SHOWN]
    assert len(shown) <= MOST_SHOWN, [str(block) for block in shown]
    assert all(len(block.said.split()) > 3 for block in shown)


def test_a_command_that_fails_is_noticed(tmp_path):
    with pytest.raises(AssertionError, match=r"made-up\.md:1"):
        run(Block(document="made-up.md", line=1, language="bash", text="false; true"), tmp_path)


def test_a_passage_that_is_not_printed_is_noticed(tmp_path):
    block = Block(
        document="made-up.md",
        line=1,
        language="text",
        text="no such line\n",
        note="printed by",
        said="echo x",
    )
    with pytest.raises(AssertionError, match="no such line"):
        show(block, tmp_path)


def run(block, folder):
    """A command, in the document's own folder; it exits as the comment before it says, else 0."""
    done = shell(block.text, folder)
    wanted = int(block.said) if block.note == "exits" else 0
    assert done.returncode == wanted, f"{block}: exit {done.returncode}\n{done.stdout}{done.stderr}"


def show(block, folder):
    """What a command prints: every shown passage, but for what differs from one run to the next."""
    if block.note != "printed by":
        return
    done = shell(block.said, folder)
    printed = steady(done.stdout + done.stderr)
    for passage in re.split(r"\n\s*(?:…\s*)?\n|^\s*…\s*$", block.text, flags=re.MULTILINE):
        assert steady(passage) in printed, (
            f"{block}: not printed: {passage}\n{done.stdout}{done.stderr}"
        )


def shell(command, folder):
    environ = {key: value for key, value in os.environ.items() if key not in {"CI", "COLUMNS"}}
    environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), environ["PATH"]])
    environ["NO_COLOR"] = "1"
    return subprocess.run(
        ["bash", "-eu", "-o", "pipefail", "-c", command],
        cwd=folder,
        env=environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def steady(text):
    """A printed text without its line breaks, paths of this run, instants and durations."""
    text = re.sub(r"\S*/(?=[\w.-]+\.(?:json|html|xml|md)\b)", "…/", text)
    text = re.sub(r"\b\d+(?:\.\d+)? ?m?s\b", "N s", text)
    text = re.sub(r"\d{8}-\d{6}", "TIME", text)
    return " ".join(text.split())


def keep(block, folder):
    """A file the reader saves; True where the block is one."""
    if block.note != "file":
        return False
    place = folder / block.said
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(block.text, encoding="utf-8")
    return True


def read(block, folder):
    """YAML that our own reader takes: as the comment says, or as the file's place says."""
    kind = block.said if block.note == "read as" else ""
    if keep(block, folder):
        kind = "scenario" if block.said.startswith("scenarios/") else "project"
    assert kind in READERS, f"{block}: say `<!-- read as: project -->` or `scenario`"
    READERS[kind](block.text.encode(), path=block.said if block.note == "file" else str(block))


def execute(block, folder):
    if not keep(block, folder):
        done = subprocess.run(
            [sys.executable, "-c", block.text],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"{block}: {done.stderr}"


def parse(block, folder):
    json.loads(block.text)
    keep(block, folder)


DOES = {"bash": run, "text": show, "yaml": read, "python": execute, "json": parse}
