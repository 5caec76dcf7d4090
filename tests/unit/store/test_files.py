import pytest

from mcp_eval.errors import InconclusiveError, UsageError
from mcp_eval.formats.envelope import encode
from mcp_eval.model.policy import Policy
from mcp_eval.model.surface import Surface
from mcp_eval.store.files import (
    baseline_path,
    load_baseline,
    load_known,
    load_surface,
    save_recording,
    save_surface,
)
from tests.unit.store.recordings import recording, surface


def names(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_a_recording_comes_back_as_it_was(tmp_path):
    path = save_recording(tmp_path, recording(), surface())
    assert path == tmp_path / "search.json"
    baseline = load_baseline(tmp_path)
    assert baseline.recordings == {"search": recording()}
    assert baseline.surface == surface()


def test_the_same_recording_twice_changes_no_byte_and_waits_for_nobody(tmp_path):
    save_recording(tmp_path, recording(), surface())
    before = (tmp_path / "search.json").read_bytes()
    assert save_recording(tmp_path, recording(), surface()) == tmp_path / "search.json"
    assert (tmp_path / "search.json").read_bytes() == before
    assert names(tmp_path) == {"search.json", "surface.json"}


def test_another_recording_waits_and_the_approved_one_stays(tmp_path):
    save_recording(tmp_path, recording(), surface())
    before = (tmp_path / "search.json").read_bytes()
    path = save_recording(tmp_path, recording(answer="two"), surface("find", "more"))
    assert path == tmp_path / ".pending/search.json"
    assert (tmp_path / "search.json").read_bytes() == before
    assert load_surface(tmp_path) == surface()
    assert names(tmp_path / ".pending") == {"search.json", "surface.json", ".gitignore"}


def test_a_change_that_is_taken_back_waits_no_more(tmp_path):
    save_recording(tmp_path, recording(), surface())
    save_recording(tmp_path, recording(answer="two"), surface())
    save_recording(tmp_path, recording(), surface())
    assert names(tmp_path) == {"search.json", "surface.json", ".pending/.gitignore"}


def test_replace_puts_it_in_place_and_clears_what_waited(tmp_path):
    save_recording(tmp_path, recording(), surface())
    save_recording(tmp_path, recording(answer="two"), surface("other"))
    path = save_recording(tmp_path, recording(answer="three"), surface("third"), replace=True)
    assert path == tmp_path / "search.json"
    assert load_surface(tmp_path) == surface("third")
    assert names(tmp_path) == {"search.json", "surface.json", ".pending/.gitignore"}


def test_a_surface_alone_follows_the_same_rule(tmp_path):
    assert save_surface(tmp_path, surface()) == tmp_path / "surface.json"
    assert save_surface(tmp_path, surface("other")) == tmp_path / ".pending/surface.json"
    assert load_surface(tmp_path) == surface()


@pytest.mark.parametrize("stem", ["surface", "comparison", "../x", "a/b", ".hidden", "", "a\nb"])
def test_a_stem_that_is_no_file_name_is_refused_before_anything_is_written(tmp_path, stem):
    with pytest.raises(UsageError):
        save_recording(tmp_path / "out", recording(stem), surface())
    assert not (tmp_path / "out").exists()


def test_a_baseline_is_found_by_each_form_of_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save_recording(tmp_path / "base", recording(), surface())
    assert baseline_path("base").name == "base"
    assert baseline_path("base/search").name == "search.json"
    assert baseline_path("base/search.json").name == "search.json"
    assert baseline_path("base/base").name == "base"
    with pytest.raises(InconclusiveError, match="no baseline of 'x' at base/other") as caught:
        baseline_path("base/other", "x")
    assert caught.value.rule == "baseline-unusable"
    assert "mcp-eval record" in caught.value.hint


def test_one_file_is_the_baseline_of_one_scenario_whatever_its_name(tmp_path):
    save_recording(tmp_path, recording(), surface())
    baseline = load_baseline(tmp_path / "search.json", ["renamed"])
    assert baseline.recordings["renamed"].stem == "renamed"
    with pytest.raises(InconclusiveError, match="one recording, and 2 are wanted"):
        load_baseline(tmp_path / "search.json", ["a", "b"])


def test_of_several_scenarios_those_that_were_recorded_are_loaded(tmp_path):
    save_recording(tmp_path, recording(), surface())
    assert set(load_known(tmp_path, ["search", "new"]).recordings) == {"search"}
    assert set(load_known(tmp_path / "search.json", ["new", "search"]).recordings) == {"search"}
    with pytest.raises(InconclusiveError, match="no baseline of 'new'"):
        load_known(tmp_path, ["new"])


def test_reports_beside_recordings_are_no_recordings(tmp_path):
    save_recording(tmp_path, recording(), surface())
    (tmp_path / "policy.json").write_bytes(encode("policy", Policy()))
    (tmp_path / ".hidden.json").write_bytes(b"")
    assert set(load_baseline(tmp_path).recordings) == {"search"}


def test_a_folder_without_a_surface_is_no_baseline(tmp_path):
    with pytest.raises(InconclusiveError, match=r"holds no surface\.json"):
        load_baseline(tmp_path)
    with pytest.raises(InconclusiveError, match="no baseline at"):
        load_baseline(tmp_path / "nowhere")


def test_a_surface_file_alone_is_a_baseline_without_recordings(tmp_path):
    save_surface(tmp_path, surface())
    assert load_baseline(tmp_path / "surface.json").surface == surface()
    assert load_baseline(tmp_path / "surface.json").surface != Surface()
