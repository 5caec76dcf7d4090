"""The bench that measures the gate: its cases, its bounds, and that it would see a miss."""

import json
import re

import msgspec
import pytest

from bench.detection.__main__ import main
from bench.detection.bounds import highest, lowest
from bench.detection.cases import Expected, read_cases
from bench.detection.page import write_page
from bench.detection.results import Result, Said, meets
from bench.detection.tables import misses, shares
from mcp_eval.errors import UsageError

SERVER = r"""
import json, sys
SCHEMA = {"type": "object", "properties": {"limit": {"type": "integer"}}}
TOOLS = [{"name": "list", "description": "List the houses", "inputSchema": SCHEMA,
          "annotations": {"readOnlyHint": True}}]
for line in sys.stdin:
    ask = json.loads(line)
    if "id" not in ask:
        continue
    if ask["method"] == "initialize":
        result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                  "serverInfo": {"name": "houses", "version": "1"}}
    elif ask["method"] == "tools/list":
        result = {"tools": TOOLS}
    else:
        houses = [{"name": "red", "open": True}, {"name": "blue", "open": False}]
        body = {"houses": houses, "street": open("street.txt").read().strip(), "number": 7}
        result = {"content": [{"type": "text", "text": json.dumps(body)}]}
    print(json.dumps({"jsonrpc": "2.0", "id": ask["id"], "result": result}), flush=True)
"""
SERVERS = """
servers:
  houses:
    command: [python, houses.py]
    files: {street.txt: "Elm Street"}
"""
SCENARIO = """
name: Houses
user_intent: Which houses are there?
expected_trajectory:
  - tool: list
    args: {limit: 5}
"""
CASES = """
defaults: {server: houses, scenarios: [houses-scenario.yaml]}
cases:
  - id: flipped
    sort: fault
    inject: {fault: flip-boolean, tool: list, path: "houses[1].open"}
    expect: {rule: result-value-changed, tool: list, path: "houses[].open"}
  - id: removed
    sort: fault
    inject: {fault: remove-tool, tool: list}
    expect: {rule: tool-removed, tool: list}
  - id: wrongly-expected
    sort: fault
    inject: {fault: remove-field, tool: list, path: street}
    expect: {rule: result-emptied, tool: list}
  - id: not-there
    sort: fault
    inject: {fault: add-field, tool: list}
    expect: {rule: result-field-removed, tool: list, path: garden}
  - id: same
    sort: harmless
    kind: same-build
    inject: []
    at_most: good
  - id: no-harm-meant
    sort: harmless
    inject: {fault: empty-answer, tool: list}
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "houses.py").write_text(SERVER, encoding="utf-8")
    (tmp_path / "servers.yaml").write_text(SERVERS, encoding="utf-8")
    (tmp_path / "houses-scenario.yaml").write_text(SCENARIO, encoding="utf-8")
    (tmp_path / "cases.yaml").write_text(CASES, encoding="utf-8")
    return tmp_path


def test_a_folder_of_cases_is_run_from_its_servers_to_its_misses(folder, capsys):
    written = folder.parent / "results.json"
    code = main(["--cases", str(folder), "--jobs", "2", "--json", str(written)])
    results = {one["id"]: one for one in json.loads(written.read_text())["results"]}
    seen = {
        name: (one["found"], one["right"], one["single"], one["alarm"], one["not_run"])
        for name, one in results.items()
    }
    assert seen == {
        "flipped": (True, True, True, False, ""),
        "removed": (True, True, True, False, ""),
        "wrongly-expected": (True, False, True, False, ""),
        "not-there": (False, False, False, False, ""),
        "same": (False, False, False, False, ""),
        "no-harm-meant": (False, False, False, True, ""),
    }
    assert code == 1
    printed = capsys.readouterr().out
    assert re.search(r"found +3 of 4 ", printed)
    assert re.search(r"false alarms +1 of 2 ", printed)
    assert "- not-there (add-field, houses): not found (good)" in printed
    assert "said degraded: result-field-removed@list:street" in printed
    assert "flipped (" not in printed


def test_a_server_that_cannot_be_recorded_leaves_its_cases_not_run(folder, capsys):
    (folder / "houses.py").write_text("raise SystemExit(3)", encoding="utf-8")
    assert main(["--cases", str(folder), "--only", "same-build"]) == 3
    assert "not run: not recorded:" in capsys.readouterr().out


def test_an_injection_that_changes_nothing_is_the_mistake_of_its_case(folder, capsys):
    text = CASES.replace("path: street", "path: garden")
    (folder / "cases.yaml").write_text(text, encoding="utf-8")
    assert main(["--cases", str(folder), "--only", "wrongly"]) == 3
    assert "not run: the injection changed nothing" in capsys.readouterr().out


def test_a_sample_is_the_same_for_the_same_seed(folder):
    from argparse import Namespace

    from bench.detection.__main__ import chosen

    planned = read_cases(folder)
    asked = Namespace(only="", sample=2, seed=5)
    once = [one.case.id for one in chosen(planned, asked)]
    assert once == [one.case.id for one in chosen(planned, asked)]
    assert [one.case.sort for one in chosen(planned, asked)] == ["fault"] * 2 + ["harmless"] * 2


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("cases: [{sort: fault, inject: {fault: flip-bolean}, expect: {rule: x}}]", "unknown fault 'flip-bolean'"),
        ("cases: [{sort: fault, inject: {fault: fail, tol: x}, expect: {rule: x}}]", "tol"),
        ("cases: [{sort: bad, inject: {fault: fail}}]", "Invalid enum value 'bad'"),
        ("cases: [{sort: fault, inject: {fault: fail}}]", "a fault says what is expected"),
        ("cases: [{sort: harmless, inject: [], kind: x, expect: {rule: x}}]", "has `at_most`, not `expect`"),
        ("cases: [{sort: harmless, inject: [], kind: x, srver: y}]", "unknown field `srver`"),
        ("cases: [{sort: harmless, inject: [], kind: x, server: hose}]", "unknown server 'hose'"),
        ("cases: [{sort: harmless, inject: [], kind: x, scenarios: [no.yaml]}]", "no scenario no.yaml"),
        ("cases: [{id: same, sort: harmless, inject: [], kind: x}]", "two cases are called same"),
        ("case: []", "neither cases, nor servers, nor a scenario"),
        ("cases: [7]", "expected a mapping"),
        ("servers: {houses: {comand: [x]}}", "server 'houses'.*unknown field `comand`"),
        ("cases: [{sort: harmless, inject: [], kind: x, server: {env: {A: b}}}]", "either `command` or `part`"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_case_is_named_with_its_file(folder, written, said):
    defaults = "defaults: {server: houses, scenarios: [houses-scenario.yaml]}\n"
    place = folder / "wrong.yaml"
    place.write_text(defaults * written.startswith("cases") + written, encoding="utf-8")
    with pytest.raises(UsageError, match=said) as raised:
        read_cases(folder)
    assert "wrong.yaml" in str(raised.value)


def test_a_wrong_folder_is_wrong_usage(tmp_path, capsys):
    assert main(["--cases", str(tmp_path / "nowhere")]) == 2
    assert main(["--cases", str(tmp_path)]) == 2
    assert "no such folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [(0, 100, 0.0, 0.0295), (100, 100, 0.9705, 1.0), (97, 100, 0.9243, 0.9917), (5, 10, 0.2224, 0.7776)],
)  # fmt: skip
def test_the_bounds_are_those_of_clopper_and_pearson(hits, n, low, high):
    assert lowest(hits, n) == pytest.approx(low, abs=1e-4)
    assert highest(hits, n) == pytest.approx(high, abs=1e-4)


def test_nothing_tried_bounds_nothing():
    assert (lowest(0, 0), highest(0, 0)) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("tool", "path", "wanted", "meant"),
    [
        ("list", "houses[].open", ("list", "houses[1].open"), True),
        ("list[open]", "houses", ("list", "houses[]"), True),
        ("list", "houses[].open", ("list", None), True),
        ("list", "houses[].open", (None, None), True),
        ("list", "houses[].open", ("list", "houses[].name"), False),
        ("lists", "houses[].open", ("list", None), False),
    ],
)
def test_a_site_is_met_without_its_indices(tool, path, wanted, meant):
    said = Said(rule="r", status="degraded", tool=tool, path=path)
    assert meets(said, Expected(rule="r", tool=wanted[0], path=wanted[1])) is meant
    assert not meets(said, Expected(rule="other", tool=wanted[0], path=wanted[1]))


def result(name, sort="fault", **facts):
    """A result with these facts."""
    return Result(id=name, sort=sort, kind="k", server="s", file="f", **facts)


def test_a_case_that_was_not_run_counts_nowhere_and_is_listed():
    results = [result("a", found=True, right=True, single=True), result("b", not_run="no part")]
    assert next((one.hits, one.n) for one in shares(results)) == (1, 1)
    assert misses(results) == ["- b (k, s): not run: no part"]


def test_a_page_takes_the_tables_between_its_marks(tmp_path):
    page = tmp_path / "trust.md"
    marks = [f"<!-- bench.detection: {name} -->\nold\n<!-- end -->" for name in ("found", "alarms", "roots", "misses")]  # fmt: skip
    page.write_text("\n".join(["# Trust", *marks, "by hand"]), encoding="utf-8")
    results = [result("a", found=True, right=True), result("h", "harmless", alarm=True)]
    write_page(page, results, shares(results))
    text = page.read_text(encoding="utf-8")
    assert "old" not in text
    assert "| found | 1 of 1 | 1.000 | ≥ 0.050 | ≥ 0.97 |" in text
    assert "- h (k, s): false alarm" in text
    assert text.endswith("by hand")
    write_page(page, results, shares(results))
    assert page.read_text(encoding="utf-8") == text


def test_the_cases_here_are_what_their_program_writes_and_enough():
    from pathlib import Path

    from bench.cases import faults, harmless
    from bench.cases.make import Book

    here = Path(faults.__file__).parent
    planned = read_cases(here)
    for module in (faults, harmless):
        book = Book()
        module.write(book)
        stored = msgspec.json.decode((here / f"{module.__name__.split('.')[-1]}.json").read_bytes())
        assert stored["cases"] == json.loads(msgspec.json.encode(book.cases))
    for sort, kinds in (("fault", 30), ("harmless", 20)):
        of = [one.case for one in planned if one.case.sort == sort]
        assert len(of) >= 150
        assert len({case.kind for case in of}) >= kinds
        assert len({case.server for case in of}) >= 5
