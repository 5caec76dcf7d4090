"""Targets by kind."""

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from mcp_eval.clock import SystemClock
from mcp_eval.errors import UsageError
from mcp_eval.model.project import TargetSpec
from mcp_eval.targets import registry
from mcp_eval.targets.process import ProcessTarget
from mcp_eval.targets.url import FixedTarget, ServedTarget


def make(spec):
    return registry.make_target(spec, workspace=Path("nowhere"), clock=SystemClock())


@pytest.mark.parametrize(
    ("resettable", "is_resettable", "serial"),
    [(None, None, False), (True, True, False), (False, False, False), ("rm -r x", True, True)],
)
def test_a_command_is_a_process(resettable, is_resettable, serial):
    target = make(TargetSpec(name="mine", command=("server",), resettable=resettable))
    assert isinstance(target, ProcessTarget)
    assert (target.name, target.resettable, target.serial) == ("mine", is_resettable, serial)


@pytest.mark.parametrize(
    ("command", "url", "kind", "serial"),
    [
        ((), "http://x/mcp", FixedTarget, True),
        (("x",), "http://x/mcp", ServedTarget, True),
        (("x",), "http://127.0.0.1:${port}/mcp", ServedTarget, False),
    ],
)
def test_a_url_is_reached_and_its_command_started(command, url, kind, serial):
    target = make(TargetSpec(name="mine", command=command, url=url))
    assert type(target) is kind
    assert target.serial is serial


@pytest.mark.parametrize(
    ("spec", "said", "hint"),
    [
        (TargetSpec(name="a"), "target a: nothing says how to start it", "command"),
        (TargetSpec(name="a", image="x:1"), "kind 'docker'", "process"),
        (TargetSpec(name="a", compose={"file": "x"}), "kind 'compose'", "process"),
        (
            TargetSpec(name="a", kind="proces", command=("x",)),
            "kind 'proces'",
            "did you mean process?",
        ),
    ],
)
def test_what_cannot_be_started_says_so_and_what_can(spec, said, hint):
    with pytest.raises(UsageError) as caught:
        make(spec)
    assert said in caught.value.message
    assert hint in caught.value.hint


def test_several_servers_are_one_target():
    one, other = TargetSpec(name="a", command=("x",)), TargetSpec(name="b", url="http://x/mcp")
    target = make(TargetSpec(name="a+b", servers=(one, other)))
    assert (target.name, target.resettable, target.serial) == ("a+b", None, True)


def test_an_installed_kind_is_found_by_its_entry_point(monkeypatch):
    point = EntryPoint("cloud", "somewhere:Cloud", registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [point])
    monkeypatch.setattr(
        EntryPoint, "load", lambda self: lambda spec, workspace, clock: (spec.name, workspace)
    )
    assert make(TargetSpec(name="far", kind="cloud")) == ("far", Path("nowhere"))


def test_knowing_the_kinds_imports_no_target():
    code = (
        "import sys; from mcp_eval.targets.registry import kinds; assert 'process' in kinds();"
        "heavy = {'asyncio', 'mcp_eval.targets.process'} & set(sys.modules); assert not heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
