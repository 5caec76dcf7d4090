"""The folder and the secrets of this machine, put in and taken out."""

import msgspec
import pytest

from mcp_eval.agents.places import Places
from mcp_eval.model.trajectory import Invocation, Outcome, ServerRequest

FOLDER = "/tmp/mcp-eval-x1/work"


def outcome(value):
    return Outcome(body=msgspec.Raw(msgspec.json.encode(value)))


def test_what_is_sent_holds_the_real_folder_and_the_real_secret():
    places = Places(FOLDER, {"TOKEN": "abc"})
    meant = {"path": "${workdir}/a", "list": ["${secret:TOKEN}", 1, None]}
    assert places.real(meant) == {"path": f"{FOLDER}/a", "list": ["abc", 1, None]}
    assert places.missing(meant) == ()
    assert places.missing(["${secret:OTHER}"]) == ("OTHER",)


def test_what_is_stored_holds_neither_folder_in_any_part():
    places = Places(FOLDER, {})
    stored = places.stored(
        Invocation(
            name=f"file://{FOLDER}/a",
            method="resources/read",
            arguments={"uri": f"file://{FOLDER}/a"},
            outcome=outcome({"text": f'"{FOLDER}/a" and {FOLDER}'}),
            nested=(ServerRequest(method="roots/list", answer={"roots": [f"file://{FOLDER}"]}),),
        )
    )
    assert FOLDER not in msgspec.json.encode(stored).decode()
    assert stored.name == "file://${workdir}/a"
    assert stored.nested[0].answer == {"roots": ["file://${workdir}"]}
    assert msgspec.json.decode(stored.outcome.body) == {"text": '"${workdir}/a" and ${workdir}'}


def test_a_longer_name_that_begins_like_the_folder_is_another_folder():
    body = outcome({"path": f"{FOLDER}-backup/a"})
    assert Places(FOLDER, {}).stored(Invocation(name="t", outcome=body)).outcome == body


@pytest.mark.parametrize("folder", ["", "/", "/tmp", "relative/folder"])
def test_a_folder_that_is_nobodys_own_is_let_be(folder):
    made = Invocation(name="t", outcome=outcome({"path": "/tmp/a relative/folder"}))
    assert Places(folder, {}).stored(made) is made


def test_a_linked_folder_is_taken_out_under_both_its_names(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    made = Invocation(name="t", outcome=outcome({"a": f"{link}/x", "b": f"{real}/x"}))
    stored = Places(str(link), {}).stored(made)
    assert msgspec.json.decode(stored.outcome.body) == {"a": "${workdir}/x", "b": "${workdir}/x"}
