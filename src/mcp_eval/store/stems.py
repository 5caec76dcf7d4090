"""Names of files from names in documents: a scenario's stem, and where its recording stands."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path, PurePath

import msgspec

from mcp_eval.errors import UsageError
from mcp_eval.formats.limits import Refusal
from mcp_eval.model.scenario import Scenario

SURFACE = "surface"
_RESERVED = {SURFACE, "comparison"}


def safe_name(name: str, *, what: str, refuse: Refusal = UsageError) -> str:
    """The name, once it is one file name and cannot lead out of its folder."""
    parts = PurePath(name.replace("\\", "/")).parts
    if len(parts) != 1 or name.startswith(".") or "/" in name or not name.isprintable():
        raise refuse(
            f"{what} '{name[:80]}' is no file name",
            hint="a document may not lead out of its folder: no '/', no leading dot",
        )
    return name


def recording_path(folder: Path, stem: str, *, refuse: Refusal = UsageError) -> Path:
    """Where the recording of a scenario stands in a folder."""
    if stem in _RESERVED:
        raise refuse(
            f"a scenario called '{stem}' would overwrite {stem}.json",
            hint="rename the scenario's file",
        )
    return folder / f"{safe_name(stem, what='the scenario', refuse=refuse)}.json"


def settled(scenarios: Sequence[Scenario], folder: Path | None = None) -> tuple[Scenario, ...]:
    """The scenarios, each with a stem of its own: namesakes get their folder's name before it.

    A scenario checked alone finds the recording that was made of it together with its namesake.
    """
    count = Counter(scenario.stem for scenario in scenarios)
    named = [_settle(scenario, folder, doubled=count[scenario.stem] > 1) for scenario in scenarios]
    stems = [scenario.stem for scenario in named]
    for scenario in named:
        if stems.count(scenario.stem) > 1:
            same = " and ".join(each.path for each in named if each.stem == scenario.stem)
            raise UsageError(
                f"several scenarios are called '{scenario.stem}': {same}",
                hint="rename one: a recording is found by its scenario's file name",
            )
    return tuple(named)


def _settle(scenario: Scenario, folder: Path | None, *, doubled: bool) -> Scenario:
    longer = f"{Path(scenario.path).absolute().parent.name}.{scenario.stem}"
    if doubled or (folder and _only_longer(folder, scenario.stem, longer)):
        return msgspec.structs.replace(scenario, stem=longer)
    return scenario


def _only_longer(folder: Path, stem: str, longer: str) -> bool:
    return not (folder / f"{stem}.json").exists() and (folder / f"{longer}.json").exists()
