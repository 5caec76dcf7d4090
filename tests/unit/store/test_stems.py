import pytest

from mcp_eval.errors import UsageError
from mcp_eval.model.scenario import Scenario
from mcp_eval.store.stems import safe_name, settled


def scenario(path):
    stem = path.rpartition("/")[2].removesuffix(".yaml")
    return Scenario(name=stem, stem=stem, path=path)


def test_namesakes_get_their_folders_name_before_theirs():
    both = settled(
        [scenario("web/search.yaml"), scenario("api/search.yaml"), scenario("api/add.yaml")]
    )
    assert [one.stem for one in both] == ["web.search", "api.search", "add"]


def test_a_namesake_alone_finds_what_was_recorded_of_both(tmp_path):
    (tmp_path / "web.search.json").write_text("")
    (alone,) = settled([scenario("web/search.yaml")], tmp_path)
    assert alone.stem == "web.search"
    (tmp_path / "search.json").write_text("")
    (plain,) = settled([scenario("web/search.yaml")], tmp_path)
    assert plain.stem == "search"


def test_two_that_cannot_be_told_apart_are_a_usage_error():
    with pytest.raises(UsageError, match="several scenarios are called"):
        settled([scenario("a/web/search.yaml"), scenario("b/web/search.yaml")])


@pytest.mark.parametrize("name", ["a", "a.b", "größe", "a b", "a-b_c"])
def test_a_name_that_is_one_file_name_is_safe(name):
    assert safe_name(name, what="it") == name


@pytest.mark.parametrize("name", ["", ".", "..", "../a", "a/b", "a\\b", "/a", ".a", "a\n", "a\0"])
def test_a_name_that_leads_elsewhere_is_refused(name):
    with pytest.raises(UsageError):
        safe_name(name, what="it")
