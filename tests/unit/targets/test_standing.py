import subprocess
import sys

import pytest

from mcp_eval.model.project import TargetSpec
from mcp_eval.targets.standing import digest, standing


def git(folder, *words):
    who = ["-c", "user.name=A Tester", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def test_a_program_that_was_swapped_stands_differently(tmp_path):
    script = tmp_path / "server.py"
    script.write_text("1")
    spec = TargetSpec(name="a", command=(sys.executable, str(script)))
    before = standing(spec)
    assert standing(spec) == before
    script.write_text("2")
    assert standing(spec) != before


def test_a_commit_is_news_and_what_we_build_ourselves_is_none(tmp_path):
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "one")
    program = tmp_path / "server.py"
    program.write_text("1")
    command = (sys.executable, str(program))
    spec = TargetSpec(name="a", command=command, build="make", checkout=".", base=str(tmp_path))
    before = standing(spec)
    program.write_text("2")
    assert standing(spec) == before
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "two")
    assert standing(spec) != before


@pytest.fixture
def docker(tmp_path, monkeypatch):
    """A docker that says what a file holds."""
    said = tmp_path / "said"
    program = tmp_path / "docker"
    program.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/asked\ncat {said}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return said


def test_another_image_behind_the_same_name_is_news(docker, tmp_path):
    spec = TargetSpec(name="a", image="proxy:latest")
    docker.write_text("sha256:1\n")
    before = standing(spec)
    assert before == {"a: image": "sha256:1"}
    assert (
        tmp_path / "asked"
    ).read_text().strip() == "image inspect --format {{.Id}} -- proxy:latest"
    docker.write_text("sha256:2\n")
    assert standing(spec) != before


def test_a_machine_without_docker_says_nothing_of_images(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert standing(TargetSpec(name="a", image="x")) == {"a: image": ""}


def test_every_server_of_a_file_counts_and_the_file_itself(tmp_path):
    for name in ("one.py", "two.py", "servers.json"):
        (tmp_path / name).write_text(name)
    servers = tuple(
        TargetSpec(name=name, command=(sys.executable, str(tmp_path / f"{name}.py")))
        for name in ("one", "two")
    )
    spec = TargetSpec(name="both", config_file="servers.json", base=str(tmp_path), servers=servers)
    seen = standing(spec)
    assert set(seen) == {"one: program", "two: program", "both: servers"}
    for name in ("two.py", "servers.json"):
        (tmp_path / name).write_text("other")
        assert standing(spec) != seen
        seen = standing(spec)


def test_a_file_that_is_not_there_has_no_digest(tmp_path):
    assert digest(tmp_path / "nosuch") == ""
