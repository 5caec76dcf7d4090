import json

import pytest

from mcp_eval.demo.planted import BREAKS, HARMLESS
from tests.flows.places import Place

pytestmark = pytest.mark.timeout(180)


def test_the_demo_finds_exactly_what_was_planted_and_says_where_its_files_lie(tmp_path):
    place = Place(tmp_path)
    shown = place.run("demo", "here")
    assert shown.returncode == 0, shown.stdout
    assert shown.stdout.splitlines()[0].startswith("🔴 broken:")
    found = [line for line in shown.stdout.splitlines() if line.startswith("  found: ")]
    assert len(found) == len(BREAKS) >= 6
    assert shown.stdout.splitlines()[-2:] == ["JSON: here/report.json", "HTML: here/report.html"]
    report = json.loads((tmp_path / "here/report.json").read_bytes())
    assert report["status"] == "broken"
    failing = {"broken", "degraded"}
    roots = [root for root in report["roots"] if root["status"] in failing]
    assert len(roots) == len(BREAKS)
    assert all(root["cause"] != "unknown" and root["fix"] for root in roots)
    harmless = {(one.rule, one.tool, one.path) for one in HARMLESS if one.rule}
    seen = {(one["rule"], one["tool"], one["path"]): one["status"] for one in report["findings"]}
    assert harmless <= set(seen)
    assert not {seen[one] for one in harmless} & failing
    page = (tmp_path / "here/report.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "retrieve_tools" in page


def test_the_demo_as_a_document_is_the_report_alone(tmp_path):
    shown = Place(tmp_path).run("demo", "here", "--json", "-q")
    assert json.loads(shown.stdout)["format"] == "mcp-eval/report"
