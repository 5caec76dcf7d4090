"""Recorded requests under today's names."""

from mcp_eval.agents.renames import Renames
from mcp_eval.model.comparison import Difference, Site
from mcp_eval.model.trajectory import Binding


def tool(before, after):
    site = Site(tool=before)
    return Difference(site=site, lane="surface", change="tool-renamed", before=before, after=after)


def parameter(on, path, after):
    return Difference(
        site=Site(tool=on, path=path),
        lane="surface",
        change="parameter-renamed",
        before=path,
        after=after,
    )


def test_a_tool_is_known_by_its_new_name_with_or_without_a_clients_prefix():
    renames = Renames([tool("add", "add_server")])
    assert renames.name("add") == "add_server"
    assert renames.name("mcp__proxy__add") == "add_server"
    assert renames.name("mcp__proxy__list") == "list"


def test_a_parameter_deep_in_lists_is_renamed_with_the_bindings_into_it():
    renames = Renames([parameter("add", "servers[].id", "key")])
    bindings = [Binding(argument="servers[1].id", step=0, path="id")]
    arguments, bound = renames.arguments("add", {"servers": [{"id": 1}, {"id": 2}]}, bindings)
    assert arguments == {"servers": [{"key": 1}, {"key": 2}]}
    assert bound[0].argument == "servers[1].key"


def test_parameters_of_other_tools_and_taken_names_stay():
    renames = Renames([parameter("add", "id", "key")])
    assert renames.arguments("remove", {"id": 1}, [])[0] == {"id": 1}
    assert renames.arguments("add", {"id": 1, "key": 2}, [])[0] == {"id": 1, "key": 2}


def test_a_parameter_of_a_renamed_tool_is_found_under_either_name():
    renames = Renames([tool("add", "add_server"), parameter("add_server", "id", "key")])
    assert renames.arguments("add", {"id": 1}, [])[0] == {"key": 1}
