import json

import pytest

from tests.flows.places import Place, one_line_and_a_hint

pytestmark = pytest.mark.timeout(180)


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


def test_the_two_lines_everybody_was_shown_work_as_written(place):
    recorded = place.run(
        *("record", "--scenario", "scenarios/search_tools.yaml"),
        *("--output", "baselines/search_baseline"),
    )
    assert recorded.returncode == 0, recorded.stderr
    assert {"search_tools.json", "surface.json"} == {
        path.name for path in (place.folder / "baselines/search_baseline").iterdir()
    }
    (page,) = (place.folder / "reports").glob("search_tools_baseline_????????-??????.html")
    assert page.read_bytes().startswith(b"<!doctype html>")
    compared = place.run(
        *("compare", "--scenario", "scenarios/search_tools.yaml"),
        *("--baseline", "baselines/search_baseline"),
        *("--output", "comparison_results/search_comparison"),
    )
    assert compared.returncode == 0, compared.stderr
    assert compared.stdout.splitlines()[-1] == "1 passed, 0 failed"
    report = json.loads(
        (place.folder / "comparison_results/search_comparison/comparison.json").read_bytes()
    )
    assert report["format"] == "mcp-eval/report"
    assert report["comparison"]["scenarios"][0]["stem"] == "search_tools"
    assert len(list((place.folder / "reports").glob("search_tools_comparison_*.html"))) == 1


@pytest.mark.parametrize(
    "baseline",
    [
        "baselines/search_baseline",
        "baselines/search_baseline/search_baseline",  # named twice, as the second form has it
        "baselines/search_baseline/search_tools",
        "baselines/search_baseline/search_tools.json",
    ],
)
def test_a_baseline_is_found_by_each_of_its_names(place, baseline):
    scenario = ("--scenario", "scenarios/search_tools.yaml")
    place.run("record", *scenario, "--output", "baselines/search_baseline")
    compared = place.run("compare", *scenario, "--baseline", baseline, TINY_SCORE="0.112")
    assert compared.returncode == 0, compared.stderr
    assert "score-moved" in compared.stdout


def test_json_puts_the_document_on_stdout_and_nothing_else(place):
    scenario = ("--scenario", "scenarios/search_tools.yaml")
    recorded = json.loads(place.run("record", *scenario, "--json").stdout)
    assert recorded["recordings"][0]["path"] == "baselines/search_tools.json"
    compared = place.run("compare", *scenario, "--output", "out", "--json")
    assert compared.stdout.encode() == (place.folder / "out/comparison.json").read_bytes()
    assert json.loads(place.run("check", "--json").stdout)["status"] == "good"
    assert json.loads(place.run("show", "--json").stdout)["baselines"][0]["scenarios"]
    assert json.loads(place.run("accept", "--json").stdout) == []
    assert json.loads(place.run("show", "--schema", "report").stdout)["$defs"]


def test_a_vanished_tool_is_broken_and_exits_1_with_both_ways_to_say_it_is_fine(place):
    place.project()
    place.run("record")
    checked = place.run("check", "-o", "report.html", "-o", "report.json", TINY_NAME="other")
    assert checked.returncode == 1
    assert "retrieve_tools" in checked.stdout.splitlines()[0] or "broken" in checked.stdout
    assert "mcp-eval accept search_tools" in checked.stdout
    assert "- {finding: " in checked.stdout
    assert checked.stdout.splitlines()[-1] == "0 passed, 1 failed"
    assert (place.folder / "report.html").is_file()
    assert json.loads((place.folder / "report.json").read_bytes())["status"] == "broken"


def test_what_failed_last_time_is_looked_at_alone(place):
    place.project()
    place.write("scenarios/again.yaml", (place.folder / "scenarios/search_tools.yaml").read_text())
    place.run("record", "-q")
    assert place.run("check", "--lf").returncode == 2
    place.write(".mcp-eval/last.json", '{"failed": ["again"]}')
    checked = place.run("check", "--lf", "--json")
    assert [one["stem"] for one in json.loads(checked.stdout)["scenarios"]] == ["again"]


def test_the_exit_code_follows_the_threshold_and_fail_on(place):
    place.run("record")
    changed = {"TINY_SCORE": "0.112"}
    assert place.run("check", "--threshold", "1", **changed).returncode == 1
    assert place.run("check", "--threshold", "0.1", **changed).returncode == 0
    last = place.run("check", "--threshold", "1", **changed).stdout.splitlines()[-1]
    assert "not passed as a whole" in last


def test_scenarios_are_chosen_by_path_word_and_tag(place):
    text = (place.folder / "scenarios/search_tools.yaml").read_text()
    place.write("scenarios/again.yaml", text + "tags: [slow]\n")
    place.write("scenarios/off.yaml", text.replace("enabled: true", "enabled: false"))
    place.run("record", "-q")

    def checked(*words):
        report = json.loads(place.run("check", "--json", *words).stdout)
        return [one["stem"] for one in report["scenarios"]], report["skipped"]

    assert checked() == (["again", "search_tools"], ["off"])
    assert checked("scenarios/again.yaml") == (["again"], [])
    assert checked("--scenario", "scenarios/again.yaml") == (["again"], [])
    assert checked("-k", "AGAIN") == (["again"], [])
    assert checked("-t", "slow") == (["again"], [])
    assert checked("-j", "2") == (["again", "search_tools"], ["off"])


def test_the_first_failure_may_end_it(place):
    place.project()
    text = (place.folder / "scenarios/search_tools.yaml").read_text()
    place.write("scenarios/again.yaml", text)
    place.run("record", "-q")
    report = json.loads(place.run("check", "-x", "--json", TINY_NAME="other").stdout)
    assert [one["stem"] for one in report["scenarios"]] == ["again"]
    assert report["skipped"] == ["search_tools"]


def test_expectations_stand_in_where_nothing_was_recorded(place):
    missing = place.run("check")
    assert missing.returncode == 3
    assert one_line_and_a_hint(missing.stderr)
    assert "mcp-eval record" in missing.stderr
    assert place.run("check", "--no-baseline").returncode == 0
    assert place.run("check", "--no-baseline", TINY_NAME="other").returncode == 1


def test_a_scenario_nobody_recorded_is_inconclusive_beside_those_that_were(place):
    place.run("record", "-q")
    place.write("scenarios/new.yaml", (place.folder / "scenarios/search_tools.yaml").read_text())
    checked = place.run("check")
    assert checked.returncode == 3
    assert checked.stdout.splitlines()[-1] == "1 passed, 0 failed, 1 inconclusive"


def test_a_recording_of_nothing_but_failures_is_refused(place):
    text = (place.folder / "scenarios/search_tools.yaml").read_text()
    place.write("scenarios/search_tools.yaml", text.replace("retrieve_tools", "no_such_tool"))
    refused = place.run("record")
    assert refused.returncode == 3
    assert one_line_and_a_hint(refused.stderr)
    assert "refused as a baseline" in refused.stderr
    assert not place.files()


def test_an_edited_scenario_must_be_recorded_again(place):
    place.run("record", "-q")
    text = (place.folder / "scenarios/search_tools.yaml").read_text()
    place.write("scenarios/search_tools.yaml", text.replace("Find tools", "Please find tools"))
    assert place.run("check", "-q").returncode == 0
    place.write("scenarios/search_tools.yaml", text.replace('"environment"', '"weather"'))
    edited = place.run("check", "--json")
    assert edited.returncode == 3
    assert "scenario-edited" in {one["rule"] for one in json.loads(edited.stdout)["findings"]}


def test_nobody_answering_is_inconclusive_and_exits_3(place):
    place.run("record")
    checked = place.run("check", "--target", "python3 -c 'raise SystemExit(4)'")
    assert checked.returncode == 3
    assert "inconclusive" in checked.stdout
    assert "score    –" in checked.stdout


def test_the_old_build_tells_a_dead_build_from_a_broken_machine(place):
    place.run("record")
    dead = "python3 -c 'raise SystemExit(4)'"
    checked = place.run("check", "--target", dead, "--old", "mcpproxy")
    assert checked.returncode == 1, checked.stdout
    assert "broken" in checked.stdout


def test_a_recording_over_another_waits_until_it_is_accepted(place):
    place.run("record")
    before = place.files()
    again = place.run("record", TINY_SCORE="0.5")
    assert "waits as baselines/.pending/search_tools.json" in again.stderr
    assert {name: place.files()[name] for name in before} == before
    listed = place.run("accept")
    assert "score-moved" in listed.stdout
    assert place.files()["baselines/search_tools.json"] == before["baselines/search_tools.json"]
    accepted = place.run("accept", "search_tools", "-m", "weights moved")
    assert accepted.returncode == 0, accepted.stderr
    assert b"0.5" in place.files()["baselines/search_tools.json"]
    note = json.loads(place.files()["baselines/accepted.jsonl"])
    assert (note["name"], note["why"]) == ("search_tools", "weights moved")
    assert place.run("accept").stdout.startswith("nothing waits")


def test_a_change_that_is_turned_down_leaves_the_approved_one(place):
    place.run("record")
    before = place.files()["baselines/search_tools.json"]
    place.run("record", TINY_SCORE="0.5")
    assert place.run("accept", "--drop", "search_tools").returncode == 0
    assert place.files()["baselines/search_tools.json"] == before
    gone = place.run("accept", "search_tools")
    assert gone.returncode == 2
    assert one_line_and_a_hint(gone.stderr)


def test_replace_needs_no_accepting(place):
    place.run("record")
    place.run("record", "--replace", TINY_SCORE="0.5")
    assert b"0.5" in place.files()["baselines/search_tools.json"]
    assert place.run("accept").stdout.startswith("nothing waits")


def test_the_surface_alone_needs_no_scenario(place):
    assert place.run("record", "--lane", "surface", "--output", "offered").returncode == 0
    assert list(place.files("offered")) == ["offered/surface.json"]
    same = place.run("check", "--lane", "surface", "--baseline", "offered")
    assert same.returncode == 0, same.stderr
    other = place.run("check", "--lane", "surface", "--baseline", "offered", TINY_NAME="other")
    assert "retrieve_tools" in other.stdout


def test_any_two_things_compare(place):
    place.run("record", "--output", "one")
    place.run("record", "--output", "two", TINY_SCORE="0.5")
    place.write("dump.json", json.dumps({"tools": [{"name": "other", "inputSchema": {}}]}))
    recordings = place.run("compare", "one", "two", "--json")
    assert [one["rule"] for one in json.loads(recordings.stdout)["findings"]] == ["score-moved"]
    dumps = place.run("compare", "one/surface.json", "dump.json", "--json")
    assert {one["tool"] for one in json.loads(dumps.stdout)["findings"]} >= {"retrieve_tools"}
    live = place.run("compare", "python3 server.py", "mcpproxy", "--json")
    assert json.loads(live.stdout)["status"] == "good", live.stderr
    runs = sorted((place.folder / ".mcp-eval/runs/search_tools").iterdir())
    assert json.loads(place.run("compare", "one", runs[0], "--json").stdout)["status"] == "good"


def test_a_stored_report_is_shown_again_judged_again_and_explained(place):
    place.project()
    place.run("record")
    place.run("check", "-o", "kept.json", TINY_NAME="other")
    shown = place.run("show", "kept.json", "-o", "again.html")
    assert shown.returncode == 0
    assert "retrieve_tools" in shown.stdout
    assert (place.folder / "again.html").is_file()
    judged = place.run("show", "kept.json", "--policy", "seed")
    assert judged.returncode == 1
    assert "policy seed" in judged.stdout
    first = json.loads((place.folder / "kept.json").read_bytes())["findings"][0]
    explained = place.run("explain", first["id"])
    assert first["message"] in explained.stdout
    assert f"{first['rule']} is {first['status']}" in explained.stdout


def test_arguments_are_explained_one_by_one_and_line_by_line(place):
    two = ('{"query": "a b"}', '{"query": "a c"}')
    said = place.run("explain", *two, "--scorer", "formula")
    assert said.stdout.startswith("similarity ")
    document = json.loads(place.run("explain", *two, "--scorer", "formula", "--json").stdout)
    assert document["similarity"] == pytest.approx(0.3 + 0.7 / 3)
    lines = "\n".join(json.dumps({"a": {"x": 1}, "b": {"x": x}}) for x in (1, 1, 2))
    answers = place.run("explain", "--scorer", "formula", stdin=lines).stdout.splitlines()
    assert [json.loads(line)["similarity"] for line in answers][:2] == [1.0, 1.0]
    assert len(answers) == 3
    off = place.run("explain", stdin='{"a": 1}')
    assert off.returncode == 2
    assert one_line_and_a_hint(off.stderr)


def test_without_a_word_the_help_is_shown(place):
    shown = place.run()
    assert shown.returncode == 0
    assert "Every day:" in shown.stdout


def test_the_doctor_names_the_command_that_mends(place):
    healthy = place.run("doctor")
    assert healthy.returncode == 0, healthy.stdout
    assert "target mcpproxy: tiny 1, 1 tools" in healthy.stdout
    assert "→ mcp-eval record scenarios/search_tools.yaml" in healthy.stdout
    place.write("mcp-eval.yaml", "targets:\n  tiny: {command: no-such-program}\n")
    sick = place.run("doctor", "--json")
    assert sick.returncode == 3
    found = {one["name"]: one for one in json.loads(sick.stdout)}
    assert found["target tiny"]["status"] == "missing"
    assert found["target tiny"]["mend"]
    place.write("mcp-eval.yaml", "target: {}\n")
    wrong = {one["name"]: one for one in json.loads(place.run("doctor", "--json").stdout)}
    assert "unknown key 'target'" in wrong["project file"]["found"]


def test_several_servers_are_told_apart_by_name(place):
    listed = json.loads((place.folder / "mcp_servers.json").read_bytes())["mcpServers"]
    two = {"one": listed["mcpproxy"], "two": listed["mcpproxy"]}
    place.write("mcp_servers.json", json.dumps({"mcpServers": two}))
    assert one_line_and_a_hint(place.run("record").stderr)
    assert place.run("record", "--target", "two").returncode == 0


def test_a_scenario_names_its_own_servers_file_beside_it_first(place):
    (place.folder / "mcp_servers.json").rename(place.folder / "scenarios/own.json")
    (place.folder / "server.py").rename(place.folder / "scenarios/server.py")
    text = (place.folder / "scenarios/search_tools.yaml").read_text()
    place.write("scenarios/search_tools.yaml", text + "config_file: own.json\n")
    recorded = place.run("record")
    assert recorded.returncode == 0, recorded.stderr
    place.write("scenarios/search_tools.yaml", text + "config_file: nowhere.json\n")
    missing = place.run("record")
    assert missing.returncode == 2
    assert one_line_and_a_hint(missing.stderr)
