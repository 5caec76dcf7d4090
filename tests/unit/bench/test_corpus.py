"""The bench over a folder of releases: what it finds, what it writes, what it says without one."""

import json

import pytest

from bench.corpus import bench, compare_folder, document, main


@pytest.fixture
def corpus(tmp_path):
    def release(version, *names, **properties):
        folder = tmp_path / "acme__notes"
        folder.mkdir(exist_ok=True)
        schema = {"type": "object", "properties": properties}
        tools = [{"name": name, "description": "A | b", "inputSchema": schema} for name in names]
        stored = {"initialize": {"protocolVersion": "2025-06-18"}, "tools": tools}
        (folder / f"{version}.json").write_text(json.dumps(stored))

    release("1.9.0", "add_note", mode={"enum": ["a", "b"]})
    release("1.10.0", "addNote", mode={"enum": ["a"]})
    release("2.0.0", "addNote", mode={"enum": ["a"]})
    return tmp_path


def test_releases_are_compared_in_the_order_of_their_versions(corpus):
    pairs = compare_folder(corpus)
    assert [pair.releases for pair in pairs] == ["1.9.0 → 1.10.0", "1.10.0 → 2.0.0"]
    assert {one.change for one in pairs[0].differences} == {"tool-renamed", "enum-value-removed"}
    assert pairs[1].differences == ()


def test_the_page_tells_renames_and_witnesses_and_no_descriptions(corpus, tmp_path, capsys):
    page = tmp_path / "docs" / "corpus.md"
    main([str(corpus), "--write", str(page)])
    written = page.read_text(encoding="utf-8")
    assert "2 consecutive pairs of releases; 1 of them change nothing." in written
    assert "| acme/notes | 1.9.0 → 1.10.0 | `add_note` | `addNote` |" in written
    assert '`{"mode": "b"}`' in written
    assert "A | b" not in written
    assert str(corpus) not in written
    assert "2 pairs" in capsys.readouterr().out


def test_an_empty_corpus_is_said_to_be_empty(tmp_path):
    assert "None." in document(compare_folder(tmp_path))


@pytest.mark.parametrize("named", [None, "", "nowhere"])
def test_without_a_corpus_the_bench_says_so(monkeypatch, tmp_path, capsys, named):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MCP_EVAL_CORPUS", raising=False)
    if named is not None:
        monkeypatch.setenv("MCP_EVAL_CORPUS", named)
    bench()
    assert "no corpus" in capsys.readouterr().out


def test_with_a_corpus_the_bench_counts_what_changed(monkeypatch, corpus, capsys):
    monkeypatch.setenv("MCP_EVAL_CORPUS", str(corpus))
    bench()
    said = capsys.readouterr().out
    assert "tool-renamed" in said
    assert "2 pairs" in said
