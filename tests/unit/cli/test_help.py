import subprocess
import sys

import pytest

from mcp_eval.cli.__main__ import GROUPS, group

COMMANDS = [name for commands in GROUPS.values() for name in commands]
HEAVY = ("rich", "jinja2", "jsonschema", "mcp", "ruamel.yaml", "docker", "pydantic")


def told(*words):
    """The help, and what had been imported by the time it was printed."""
    program = (
        "import sys\nfrom mcp_eval.cli.__main__ import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit as end:\n    code = end.code\n"
        "sys.stderr.write(' '.join(sys.modules))\nsys.exit(code)"
    )
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_how_it_is_used_and_imports_nothing_heavy_for_it(command):
    asked = told(command, "--help")
    assert asked.returncode == 0
    assert f"Example: mcp-eval {command}" in " ".join(asked.stdout.split())
    imported = set(asked.stderr.split())
    assert not imported & set(HEAVY)


def test_the_group_imports_hardly_anything():
    asked = told("--help")
    imported = set(asked.stderr.split())
    assert asked.returncode == 0
    assert not imported & {*HEAVY, "asyncio", "msgspec", "rapidfuzz", "mcp_eval.app"}


def test_the_package_itself_imports_nothing():
    program = (
        "import mcp_eval, sys; print(sorted(m for m in sys.modules if m.startswith('mcp_eval')))"
    )
    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert said.stdout.strip() == "['mcp_eval']"


def test_help_lists_the_commands_in_the_groups_people_meet_them_in():
    said = told("--help").stdout
    places = [said.index(f"\n  {name} ") for name in COMMANDS]
    assert places == sorted(places)
    assert said.index("Every day:") < said.index("Then:")
    assert "130 interrupted" in " ".join(said.split())


def test_every_listed_command_exists_under_its_own_name():
    context = group.make_context("mcp-eval", ["--help"], resilient_parsing=True)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        assert command.name == name


@pytest.mark.parametrize(("slip", "meant"), [("recrod", "record"), ("compair", "compare")])
def test_a_slip_of_the_pen_meets_the_nearest_command(slip, meant):
    asked = told(slip)
    assert asked.returncode == 2
    assert f"no command '{slip}' (did you mean {meant}?)" in asked.stderr
    assert "hint: mcp-eval --help" in asked.stderr
