import pytest

from mcp_eval.formats.answers import with_resettable, with_target
from mcp_eval.formats.project import read_project
from mcp_eval.model.project import TargetSpec

BLOCK = """\
# our servers
targets:
  # the old one, too
  search:
    command: npx search@1   # pinned
    env:
      TOKEN: "${TOKEN}"
  other:
    url: http://127.0.0.1:8080/mcp
policy:
  threshold: 0.5
"""


def test_the_answer_is_one_line_more_and_every_other_byte_stays():
    after = with_resettable(BLOCK.encode(), path="mcp-eval.yaml", target="search", value=True)
    added = [line for line in after.decode().splitlines() if line not in BLOCK.splitlines()]
    assert added == ["    resettable: true"]
    assert after.decode().replace("    resettable: true\n", "") == BLOCK
    assert read_project(after, path="x").targets["search"].resettable is True


def test_a_no_is_written_too():
    after = with_resettable(BLOCK.encode(), path="mcp-eval.yaml", target="other", value=False)
    assert read_project(after, path="x").targets["other"].resettable is False


@pytest.mark.parametrize(
    "text",
    [
        "targets: {search: {command: npx search}}\n",
        "targets:\n  search: {command: npx search}\n",
        "targets:\r\n  search:\r\n    command: npx search\r\n",
        "\ufefftargets:\n    search:\n        command: npx search",
        "targets:\n  search:\n    command: [npx, search]\n",
    ],
)
def test_every_way_to_write_a_mapping_keeps_its_own_look(text):
    before = text.encode("utf-8")
    after = with_resettable(before, path="p", target="search", value=True)
    assert read_project(after, path="p").targets["search"].resettable is True
    without = after.decode().replace("resettable: true", "").replace("{, ", "{")
    assert without.split() == text.split()
    assert (b"\r\n" in after) == (b"\r\n" in before)
    assert after.startswith(b"\xef\xbb\xbf") == before.startswith(b"\xef\xbb\xbf")


@pytest.mark.parametrize(
    "text",
    [
        "targets:\n  search: npx search\n",  # no mapping to write into
        "mcpServers:\n  search:\n    command: npx\n",  # a client's words, not ours
        "targets:\n  search:\n    command: npx search\n    resettable: null\n",  # would stand twice
        "",
    ],
)
def test_where_the_answer_has_no_place_nothing_is_written(text):
    assert with_resettable(text.encode(), path="p", target="search", value=True) is None


def test_an_empty_project_begins_with_the_target():
    spec = TargetSpec(name="search", command=("npx", "search server"), resettable=True)
    after = with_target(b"", path="mcp-eval.yaml", spec=spec)
    assert after.decode() == (
        "targets:\n  search:\n    command: npx 'search server'\n    resettable: true\n"
    )


def test_a_servers_file_is_named_not_copied():
    spec = TargetSpec(name="a+b", config_file="mcp_servers.json", resettable=False)
    after = with_target(b"", path="mcp-eval.yaml", spec=spec)
    assert (
        read_project(after, path="mcp-eval.yaml").targets["a+b"].config_file == "mcp_servers.json"
    )


def test_one_target_more_leaves_the_default_where_it_was():
    before = b"targets:\n  old:\n    command: old\n"
    spec = TargetSpec(name="new", command=("new",), resettable=True)
    after = read_project(with_target(before, path="p", spec=spec), path="p")
    assert set(after.targets) == {"old", "new"}
    assert after.default_target == "old"


def test_a_name_that_is_taken_is_not_taken_again():
    spec = TargetSpec(name="search", command=("new",), resettable=True)
    assert with_target(BLOCK.encode(), path="p", spec=spec) is None
