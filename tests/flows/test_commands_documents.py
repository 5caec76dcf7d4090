"""Documents that are not what they should be: one line, one hint, the right exit code."""

import json

import pytest

from tests.flows.places import Place, one_line_and_a_hint

pytestmark = pytest.mark.timeout(180)

STORED = "baselines/search_tools.json"


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    made = Place(tmp_path_factory.mktemp("template"))
    assert made.run("record", "-q").returncode == 0
    return made


@pytest.fixture
def place(template, tmp_path):
    made = Place(tmp_path)
    for name, content in template.files().items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return made


def spoiled(place, change):
    path = place.folder / STORED
    path.write_bytes(change(path.read_bytes()))


def with_answer(body):
    """The recording, its first answer replaced by these bytes of JSON."""

    def changed(document):
        before, _, after = document.partition(b'"body": ')
        (_, end) = json.JSONDecoder().raw_decode(after.decode())
        return before + b'"body": ' + body + after.decode()[end:].encode()

    return changed


def newer(document):
    return document.replace(b'"version": 1', b'"version": 2', 1)


def called(stem):
    return lambda document: document.replace(
        b'"stem": "search_tools"', b'"stem": ' + json.dumps(stem).encode(), 1
    )


@pytest.mark.parametrize(
    ("change", "said", "hint"),
    [
        (lambda document: document[: len(document) // 2], "breaks off", "record again"),
        (lambda document: b"", "the file is empty", "record again"),
        (lambda document: b"\xff\xfe" + document, "not UTF-8", ""),
        (lambda document: b"[]", "not a mcp-eval document", "mcp-eval/<kind>"),
        (lambda document: b"{}", "names no format", "mcp-eval/<kind>"),
        (newer, "written by a newer mcp-eval", "please update mcp-eval"),
        (with_answer(b"NaN"), "NaN is no number in JSON", ""),
        (with_answer(b"Infinity"), "Infinity is no number in JSON", ""),
        (with_answer(b"1e400"), "a number too large to hold", "1.8e308"),
        (with_answer(b'"\\ud800"'), "half a surrogate pair", "emoji"),
        (with_answer(b"[" * 10_000 + b"]" * 10_000), "nested deeper than 200 levels", ""),
        (called("../../x"), "'../../x' is no file name", "lead out of its folder"),
        (called("/etc/passwd"), "'/etc/passwd' is no file name", "lead out of its folder"),
        (lambda document: document.replace(b'"baseline"', b'"report"', 1).replace(b"mcp-eval/baseline", b"mcp-eval/report", 1), "says it is a report", "mcp-eval show"),
        (lambda document: document.replace(b'"runs": 1', b'"runs": "one"'), "Expected", "--schema"),
    ],
)  # fmt: skip
def test_a_baseline_that_cannot_be_read_is_inconclusive(place, change, said, hint):
    spoiled(place, change)
    checked = place.run("check")
    assert checked.returncode == 3, checked.stdout + checked.stderr
    assert one_line_and_a_hint(checked.stderr), checked.stderr
    assert said in checked.stderr
    assert hint in checked.stderr
    assert STORED in checked.stderr
    assert not place.servers(), "nothing is started for a baseline that cannot be read"


def test_a_file_of_200_megabytes_is_refused_before_it_is_read(place):
    with (place.folder / STORED).open("r+b") as file:
        file.truncate(200 * 1024 * 1024)
    for words in (["check"], ["show", STORED]):
        asked = place.run(*words, before=("sh", "-c", 'ulimit -v 1500000; exec "$@"', "sh"))
        assert asked.returncode in {2, 3}
        assert "100 MB is the limit" in asked.stderr
        assert one_line_and_a_hint(asked.stderr)


@pytest.mark.parametrize(
    "text",
    [
        '{"tools": [{"name": "a", "inputSchema": NaN}]}',
        '{"tools": [{"name": "\\ud800"}]}',
        '{"tools": ' + "[" * 10_000 + "]" * 10_000 + "}",
        '{"tools": [{"name": "a"}], "nextCursor": "more"}',
        '{"tools": 1e400}',
        '{"tools"',
        '{"tools": [{}]}',
        "[1, 2]",
        "",
    ],
)
def test_a_dump_that_cannot_be_read_is_a_usage_error(place, text):
    place.write("dump.json", text)
    asked = place.run("compare", "dump.json", "dump.json")
    assert asked.returncode == 2, asked.stdout
    assert one_line_and_a_hint(asked.stderr), asked.stderr
    assert "dump.json" in asked.stderr


def test_a_document_of_the_wrong_kind_is_told_what_it_is(place):
    asked = place.run("explain", "x", "--report", STORED)
    assert asked.returncode == 2
    assert one_line_and_a_hint(asked.stderr)


def test_a_traceback_is_for_those_who_ask(place):
    spoiled(place, lambda document: document[:100])
    assert "Traceback" not in place.run("check", "-v").stderr
    assert "Traceback" in place.run("check", "-vv").stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name: x\nexpected_trajectroy: []\n", "search_tools.yaml:2:1: unknown key 'expected_trajectroy'"),
        ("name: x\nname: y\n", "the key 'name' stands twice"),
        ("name: [", "search_tools.yaml"),
        ("a: &a [*a]\n", "search_tools.yaml"),
        ("name: !!python/object:os.system x\n", "tags are not read"),
        ("", "a scenario is a mapping"),
        ("expected_trajectory:\n  - tool: retrieve_tools\n    args: {id: '{{ steps.7.result.id }}'}\n", "there are 1"),
    ],
)  # fmt: skip
def test_a_scenario_that_is_off_names_its_place(place, text, said):
    place.write("scenarios/search_tools.yaml", text)
    asked = place.run("record", "--replace")
    assert asked.returncode == 2, asked.stderr
    assert said in asked.stderr
    assert one_line_and_a_hint(asked.stderr) or asked.stderr.startswith("error: ")
    assert "Traceback" not in asked.stderr


@pytest.mark.parametrize(
    "words", [["check"], ["record"], ["accept"], ["show"]], ids=lambda words: words[0]
)
def test_a_project_file_that_is_off_names_its_line_and_what_may_be_meant(place, words):
    place.write("mcp-eval.yaml", "# ours\ntargets:\n  a:\n    comand: serve\n")
    asked = place.run(*words)
    assert asked.returncode == 2
    assert asked.stderr.splitlines() == [
        "error: mcp-eval.yaml:4:5: unknown key 'comand'",
        "hint: did you mean 'command'?",
    ]


def test_a_servers_file_that_is_off_is_named(place):
    place.write("mcp_servers.json", '{"mcpServers": {"a": {"args": []}}}')
    asked = place.run("check")
    assert asked.returncode == 2
    assert "mcp_servers.json:1" in asked.stderr
    assert one_line_and_a_hint(asked.stderr)
