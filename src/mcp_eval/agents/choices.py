"""What a project file may say of an agent: read from the noun, so that no key is known twice."""

import os
import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import TypeVar

import msgspec

from mcp_eval.errors import UsageError
from mcp_eval.model.base import JsonObject, Noun
from mcp_eval.model.project import TargetSpec
from mcp_eval.ports import Bounds

_REFERENCE = re.compile(r"\$\{(?:secret:|env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-[^}]*)?\}")


class Choices(Noun):
    """What every agent may be told."""

    kind: str = ""  # which agent it is, where its name is one of the project's own
    model: str = ""
    timeout: float = 300.0  # seconds, of one run
    env: dict[str, str] = {}

    @property
    def bounds(self) -> Bounds:
        """What one run may take."""
        return Bounds(seconds=self.timeout)


class ModelChoices(Choices):
    """What an agent may be told whose model we talk to."""

    base_url: str = ""
    system_prompt: str = ""
    max_turns: int = 30
    budget_usd: float = 1.0  # of one run

    @property
    def bounds(self) -> Bounds:
        """What one run may take."""
        return Bounds(turns=self.max_turns, usd=self.budget_usd, seconds=self.timeout)


_C = TypeVar("_C", bound=Choices)


def read_choices(agent: str, options: JsonObject, kind: type[_C]) -> _C:
    """The choices made for an agent; UsageError where one is off."""
    known = [field.name for field in msgspec.structs.fields(kind)]
    for key in options:
        if key not in known:
            near = get_close_matches(key, known, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(known)}"
            raise UsageError(f"the agent '{agent}': unknown key '{key}'", hint=hint)
    try:
        return msgspec.convert(options, kind)
    except msgspec.ValidationError as error:
        said = str(error).replace("`$.", "`")
        raise UsageError(f"the agent '{agent}': {said}", hint="see docs/agents.md") from error


def hidden(spec: TargetSpec) -> dict[str, str]:
    """Variables that hold the target's credentials, empty: the tap needs them, no agent does."""
    texts = (*spec.env.values(), *spec.headers.values())
    return {found[1]: "" for text in texts for found in _REFERENCE.finditer(text)}


def expanded(env: Mapping[str, str], environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What an agent's client is told, with `${NAME}` put in."""
    return {
        name: _REFERENCE.sub(lambda found: environ.get(found[1], ""), text)
        for name, text in env.items()
    }
