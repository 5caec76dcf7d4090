"""Which target a command works on: named, or found where the project and its scenarios say."""

import re
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from mcp_eval.errors import UsageError
from mcp_eval.formats.targets import target_of
from mcp_eval.formats.yaml import Node
from mcp_eval.model.project import Project, TargetSpec
from mcp_eval.model.scenario import Scenario
from mcp_eval.store import naming
from mcp_eval.store.sources import PROJECT_FILES, SERVERS_FILE, config_path, load_servers

__all__ = ["beginning", "old_build", "short", "target", "within"]

within = naming.within


def target(root: Path, project: Project, named: str, scenarios: Sequence[Scenario]) -> TargetSpec:
    """The target: as named, else the scenarios' config_file, else the project's, else servers'."""
    if named:
        return _known(naming.target_named(_with_servers(root, project, scenarios), named))
    if (scenario := _configured(scenarios)) is not None:
        return _of_file(project, config_path(root, scenario))
    if project.targets:
        return _known(naming.only_target(project, project.path))
    if (root / SERVERS_FILE).is_file():
        return _of_file(project, root / SERVERS_FILE)
    raise UsageError(
        "no target: nobody said what to start",
        hint=f"say --target, or write {PROJECT_FILES[0]} or {SERVERS_FILE}",
    )


def beginning(root: Path, project: Project, text: str) -> TargetSpec:
    """What a person begins with: a servers file, a name, a URL or a command line."""
    path = Path(text)
    if path.is_file() and path.suffix == ".json":
        return _of_file(project, path)
    return _known(naming.target_named(_with_servers(root, project, ()), text))


def short(server: str) -> str:
    """A name to type, from what a server calls itself: `everything` of `mcp-servers/everything`."""
    return "-".join(re.findall(r"[A-Za-z0-9_]+", server.rpartition("/")[2])).lower()


def old_build(root: Path, project: Project, spec: TargetSpec, named: str) -> TargetSpec | None:
    """The build before: as named, else the target's `previous:`; it differs in nothing unsaid."""
    said = named or spec.previous
    if not said:
        return None
    if isinstance(said, dict):
        name = f"{spec.name} (previous)"
        return naming.over(target_of(name, Node.of(said), project.path, spec.base), spec)
    known = _with_servers(root, project, ())
    old = naming.target_named(known, said)
    if said in known.targets:
        return _known(old)
    return naming.over(old if named else replace(old, base=spec.base), spec)


def _configured(scenarios: Sequence[Scenario]) -> Scenario | None:
    """One of the scenarios that name a servers file; a command serves one target."""
    named = {one.config_file: one for one in scenarios}
    if len(named) > 1:
        first, second = list(named.values())[:2]
        raise UsageError(
            f"{first.stem} and {second.stem} name different targets (config_file)",
            hint="run them apart, or say --target",
        )
    return next((one for file, one in named.items() if file), None)


def _with_servers(root: Path, project: Project, scenarios: Sequence[Scenario]) -> Project:
    """The project, with the servers of the files beside it by name."""
    places = [config_path(root, one) for one in scenarios if one.config_file]
    if (root / SERVERS_FILE).is_file():
        places.append(root / SERVERS_FILE)
    read = [load_servers(place) for place in dict.fromkeys(reversed(places))]
    servers = {name: one for found in read for name, one in found.items()}
    return replace(project, targets={**servers, **project.targets})


def _known(spec: TargetSpec) -> TargetSpec:
    """The target, with the servers of the file it names where it names one."""
    if not spec.config_file or spec.command or spec.url or spec.servers:
        return spec
    path = Path(spec.base) / spec.config_file
    return naming.described(naming.servers_of(load_servers(path), str(path)), spec)


def _of_file(project: Project, path: Path) -> TargetSpec:
    """The servers of a file, with what the project says of that file."""
    same = (one for one in project.targets.values() if one.config_file)
    said = next((one for one in same if _is(Path(one.base) / one.config_file, path)), None)
    if said is not None:
        return _known(said)
    return replace(naming.servers_of(load_servers(path), str(path)), config_file=str(path))


def _is(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()
