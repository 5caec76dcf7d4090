import json
from pathlib import Path

import pytest

from mcp_eval.errors import UsageError
from mcp_eval.formats.project import read_project
from mcp_eval.model.project import Project, TargetSpec
from mcp_eval.store import aim
from mcp_eval.store.sources import keep_answer, load_project, load_scenarios, scenario_files

SERVERS = {"one": {"command": "serve", "env": {"A": "b"}}}


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Path()


def write(name, text):
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text if isinstance(text, str) else json.dumps(text))
    return path


def servers(name="mcp_servers.json", listed=SERVERS):
    return write(name, {"mcpServers": listed})


def scenarios(text="name: x\n", path="scenarios/x.yaml"):
    write(path, text)
    return load_scenarios([Path(path)], Path("baselines"))


def project(text):
    write("mcp-eval.yaml", text)
    return load_project(Path())


def test_without_a_project_file_everything_has_its_default(root):
    assert load_project(root) == Project()


def test_a_folders_scenarios_are_all_yaml_files_below_it_but_ours(root):
    for name in ("b/x.yaml", "a.yml", "mcp-eval.yaml", ".git/x.yaml", "c.json"):
        write(name, "name: x\n")
    assert [str(path) for path in scenario_files(root)] == ["a.yml", "b/x.yaml"]
    with pytest.raises(UsageError, match="no scenario at nowhere"):
        scenario_files(Path("nowhere"))


def test_a_file_named_twice_is_one_scenario(root):
    write("s/x.yaml", "name: x\n")
    assert len(load_scenarios([Path("s"), Path("s/x.yaml")], Path("b"))) == 1


def test_a_named_target_goes_before_everything(root):
    servers()
    known = project("targets: {tiny: {command: tiny serve, resettable: true}}\n")
    assert aim.target(root, known, "tiny", ()).command == ("tiny", "serve")
    assert aim.target(root, known, "one", ()).env == {"A": "b"}
    assert aim.target(root, known, "http://127.0.0.1/mcp", ()).url == "http://127.0.0.1/mcp"
    assert aim.target(root, known, "other 'a b'", ()).command == ("other", "a b")


def test_what_was_said_of_a_target_holds_for_the_same_one_named_in_full(root):
    known = project("targets: {tiny: {command: tiny serve, resettable: true}}\n")
    assert aim.target(root, known, "tiny serve", ()).resettable is True


@pytest.mark.parametrize("text", ["tny", "", "'unclosed"])
def test_a_name_nobody_knows_is_a_usage_error(root, text):
    known = project("targets: {tiny: {command: tiny serve}}\n")
    with pytest.raises(UsageError) as caught:
        aim.target(root, known, text or " ", ())
    assert caught.value.hint


def test_the_scenarios_own_servers_file_goes_before_the_projects_target(root):
    known = project("targets: {tiny: {command: tiny serve}}\n")
    servers("scenarios/own.json")
    own = scenarios("config_file: own.json\n")
    spec = aim.target(root, known, "", own)
    assert (spec.name, spec.base, spec.config_file) == ("one", "scenarios", "scenarios/own.json")


def test_a_servers_file_is_looked_for_in_the_working_folder_too(root):
    servers()
    assert (
        aim.target(root, Project(), "", scenarios("config_file: mcp_servers.json\n")).name == "one"
    )


def test_scenarios_of_different_targets_do_not_run_together(root):
    servers("scenarios/own.json")
    both = scenarios("config_file: own.json\n") + scenarios("name: y\n", "scenarios/y.yaml")
    with pytest.raises(UsageError, match="name different targets"):
        aim.target(root, Project(), "", both)


def test_the_projects_only_target_or_its_default_needs_no_name(root):
    assert aim.target(root, project("targets: {a: serve}\n"), "", ()).name == "a"
    two = "targets: {a: serve, b: serve}\n"
    with pytest.raises(UsageError, match="names several targets: a, b"):
        aim.target(root, project(two), "", ())
    assert aim.target(root, project(two + "default_target: b\n"), "", ()).name == "b"


def test_a_servers_file_alone_is_enough_and_several_servers_are_all_meant(root):
    servers()
    assert aim.target(root, Project(), "", ()).name == "one"
    servers(listed={"one": {"command": "a"}, "two": {"command": "b"}})
    assert [one.name for one in aim.target(root, Project(), "", ()).servers] == ["one", "two"]
    servers(listed={"one": {"command": "a", "disabled": True}})
    with pytest.raises(UsageError, match="no server that is switched on"):
        aim.target(root, Project(), "", ())


def test_where_nobody_said_anything_the_hint_says_where_to(root):
    with pytest.raises(UsageError, match="nobody said what to start") as caught:
        aim.target(root, Project(), "", ())
    assert "--target" in caught.value.hint


def test_a_project_says_more_of_a_servers_file(root):
    servers()
    known = project(
        "targets: {mine: {config_file: mcp_servers.json, resettable: true, checkout: ., env: {C: d}}}\n"
    )
    for spec in (
        aim.target(root, known, "", ()),
        aim.target(root, known, "", scenarios("config_file: mcp_servers.json\n")),
    ):
        assert (spec.name, spec.command, spec.resettable) == ("mine", ("serve",), True)
        assert spec.env == {"A": "b", "C": "d"}
        assert spec.checkout == "."


def test_a_call_timeout_holds_for_every_server(root):
    servers(listed={"one": {"command": "a"}, "two": {"command": "b"}})
    spec = aim.within(aim.target(root, Project(), "", ()), 3.0)
    assert {spec.call_timeout, *(one.call_timeout for one in spec.servers)} == {3.0}


def test_the_old_build_differs_in_nothing_unsaid(root):
    text = "targets: {a: {command: new serve, env: {K: v}, resettable: true, previous: %s}}\n"
    known = project(text % "old serve")
    spec = aim.target(root, known, "", ())
    for named, command in [("", ("old", "serve")), ("older serve", ("older", "serve"))]:
        old = aim.old_build(root, known, spec, named)
        assert (old.command, old.env, old.resettable) == (command, {"K": "v"}, True)
    mapped = project(text % "{command: old serve, env: {K: w}}")
    old = aim.old_build(root, mapped, mapped.targets["a"], "")
    assert (old.command, old.env) == (("old", "serve"), {"K": "w"})


def test_an_old_build_that_is_a_target_of_its_own_stays_as_it_is(root):
    known = project("targets: {a: {command: new, previous: b, env: {K: v}}, b: {command: old}}\n")
    old = aim.old_build(root, known, known.targets["a"], "")
    assert (old.command, old.env, old.resettable) == (("old",), {}, None)
    assert aim.old_build(root, known, known.targets["b"], "") is None


def test_an_answer_for_a_command_nobody_had_written_down_is_found_again(root):
    spec = TargetSpec(name="serve", command=("serve", "a b"), resettable=True)
    assert keep_answer(root, Project(), spec) == Path("mcp-eval.yaml")
    known = load_project(root)
    assert aim.target(root, known, "", ()).resettable is True
    assert aim.target(root, known, "serve 'a b'", ()).resettable is True


def test_an_answer_for_a_servers_file_is_found_again(root):
    servers("deep/own.json")
    listed = aim.target(root, Project(), "", scenarios("config_file: ../deep/own.json\n"))
    known = TargetSpec(
        **{**{f: getattr(listed, f) for f in listed.__struct_fields__}, "resettable": True}
    )
    assert keep_answer(root, Project(), known) == Path("mcp-eval.yaml")
    written = read_project(Path("mcp-eval.yaml").read_bytes(), path="mcp-eval.yaml")
    assert written.targets["one"].config_file == "deep/own.json"
    again = aim.target(root, load_project(root), "", scenarios("config_file: ../deep/own.json\n"))
    assert (again.resettable, again.command) == (True, ("serve",))


def test_an_answer_that_has_no_place_is_not_kept(root):
    known = project("mcpServers: {one: {command: serve}}\n")
    before = Path("mcp-eval.yaml").read_bytes()
    spec = TargetSpec(name="one", command=("serve",), resettable=True)
    assert keep_answer(root, known, spec) is None
    assert Path("mcp-eval.yaml").read_bytes() == before
