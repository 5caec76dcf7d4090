"""Agents by name."""

import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest

from mcp_eval.agents import registry
from mcp_eval.clock import SystemClock
from mcp_eval.errors import UsageError
from mcp_eval.model.project import TargetSpec

SPEC = TargetSpec(name="mine", call_timeout=7)


def test_script_is_built_in():
    agent = registry.make_agent("script", spec=SPEC, clock=SystemClock())
    assert (agent.name, agent.model) == ("script", "")
    assert agent._pace.call_timeout == 7


def test_an_unknown_name_is_told_what_it_may_have_meant():
    with pytest.raises(UsageError, match="no agent 'scirpt'") as caught:
        registry.make_agent("scirpt", spec=SPEC, clock=SystemClock())
    assert caught.value.hint == "did you mean script?"
    with pytest.raises(UsageError) as caught:
        registry.make_agent("zzz", spec=SPEC, clock=SystemClock())
    assert caught.value.hint == f"there are {', '.join(sorted(registry.agents()))}"


def made_by_a_plug_in(*, spec, clock, options):
    return (spec.name, options)


def test_an_installed_agent_is_found_by_its_entry_point_and_gets_its_options(monkeypatch):
    point = EntryPoint("own", f"{__name__}:made_by_a_plug_in", registry.GROUP)
    monkeypatch.setattr(EntryPoint, "load", lambda self: made_by_a_plug_in)
    monkeypatch.setattr(registry, "entry_points", lambda group: [point])
    made = registry.make_agent("own", spec=SPEC, clock=SystemClock(), options={"model": "m"})
    assert made == ("mine", {"model": "m"})


def test_knowing_the_names_imports_no_agent():
    code = (
        "import sys; from mcp_eval.agents.registry import agents; assert 'script' in agents();"
        "heavy = {'asyncio', 'mcp_eval.agents.script'} & set(sys.modules); assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
