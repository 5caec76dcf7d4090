"""Placeholders and relative paths in what a person wrote about a target."""

import socket

import pytest

from mcp_eval.errors import InconclusiveError
from mcp_eval.targets.placeholders import anchored, expanded, filled, free_port


def test_the_places_of_an_environment_are_put_in_and_nothing_else():
    places = {"workdir": "/w", "port": "81"}
    assert filled("${workdir}/a:${port} ${HOME}", places) == "/w/a:81 ${HOME}"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Bearer ${TOKEN}", "Bearer t"),
        ("${env:TOKEN}${secret:TOKEN}", "tt"),
        ("${MISSING:-plan b}", "plan b"),
        ("${TOKEN:-unused}", "t"),
        ("${EMPTY}", ""),
        ("$TOKEN {TOKEN}", "$TOKEN {TOKEN}"),
    ],
)
def test_variables_are_put_in(written, read):
    assert expanded(written, {"TOKEN": "t", "EMPTY": ""}, where="x") == read


def test_a_variable_nobody_set_is_named_with_where_it_was_wanted():
    with pytest.raises(
        InconclusiveError, match="shop: env: the environment variable NONE is not set"
    ):
        expanded("${NONE}", {}, where="shop: env")


def test_a_free_port_can_be_listened_at():
    with socket.socket() as server:
        server.bind(("127.0.0.1", free_port()))


def test_paths_beside_the_file_are_made_absolute_and_words_are_not(tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "srv").write_text("")
    (tmp_path / "config.json").write_text("")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "deep").mkdir()
    command = (
        "./bin/srv",
        "config.json",
        "--config=config.json",
        "docs",
        "docs/deep",
        "-v",
        "missing.json",
        "/etc",
    )
    assert anchored(command, str(tmp_path)) == (
        f"{tmp_path}/bin/srv",
        f"{tmp_path}/config.json",
        f"--config={tmp_path}/config.json",
        "docs",
        f"{tmp_path}/docs/deep",
        "-v",
        "missing.json",
        "/etc",
    )


def test_a_program_on_the_path_is_not_taken_for_a_file_of_its_name(tmp_path):
    (tmp_path / "sh").write_text("")
    assert anchored(("sh", "-c", "true"), str(tmp_path))[0] == "sh"
