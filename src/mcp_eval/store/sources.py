"""What a person wrote: the project file, scenario files, servers files; and an answer put there."""

from collections.abc import Sequence
from pathlib import Path

from mcp_eval.errors import UsageError
from mcp_eval.formats import answers
from mcp_eval.formats.project import read_project
from mcp_eval.formats.scenario import read_scenario, write_scenario, write_suggested
from mcp_eval.formats.servers import read_servers
from mcp_eval.model.project import Project, TargetSpec
from mcp_eval.model.scenario import Scenario, Step
from mcp_eval.store.atomic import read_file, write_atomic, write_together
from mcp_eval.store.stems import settled

PROJECT_FILES = ("mcp-eval.yaml", "mcp-eval.yml")
SERVERS_FILE = "mcp_servers.json"
_SUFFIXES = {".yaml", ".yml"}
_NAMESAKES = 1000
UNTRIED = "untried_tools"


def project_file(root: Path) -> Path:
    """Where the project file stands, or would."""
    places = [root / name for name in PROJECT_FILES]
    return next((place for place in places if place.is_file()), places[0])


def load_project(root: Path) -> Project:
    """The project file of a folder; without one, what everything defaults to."""
    path = project_file(root)
    return read_project(read_file(path), path=str(path)) if path.is_file() else Project()


def load_scenarios(places: Sequence[Path], baselines: Path) -> tuple[Scenario, ...]:
    """The scenarios of files and folders, each once, each with a stem of its own."""
    found = [file for place in places for file in scenario_files(place)]
    read = [read_scenario(read_file(file), path=str(file)) for file in dict.fromkeys(found)]
    return settled(read, baselines)


def scenario_files(place: Path) -> list[Path]:
    """The scenario files of a place: itself, or all below it."""
    if place.is_dir():
        found = (file for file in sorted(place.rglob("*")) if file.suffix in _SUFFIXES)
        return [file for file in found if file.is_file() and _meant(file.relative_to(place))]
    if not place.exists():
        hint = "name a scenario file, or a folder of some"
        raise UsageError(f"no scenario at {place}", hint=hint)
    return [place]


def load_servers(path: Path) -> dict[str, TargetSpec]:
    """The servers of a plain `mcpServers` file; what they start from is its folder."""
    return read_servers(read_file(path), path=str(path), base=str(path.parent))


def config_path(root: Path, scenario: Scenario) -> Path:
    """Where a scenario's config_file is: beside it, else in the working folder."""
    beside = Path(scenario.path).parent
    places = [folder / scenario.config_file for folder in (beside, root)]
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        raise UsageError(
            f"{scenario.path}: its config_file {scenario.config_file} is not there",
            hint="it is looked for beside the scenario, then in the working folder",
        )
    return path


def free_place(place: Path, baselines: Path) -> Path:
    """A scenario file like this one that nobody has written or recorded yet."""
    for number in range(1, _NAMESAKES):
        stem = place.stem if number == 1 else f"{place.stem}-{number}"
        free = place.with_name(f"{stem}{place.suffix}")
        if not free.exists() and not (baselines / f"{stem}.json").exists():
            return free
    raise UsageError(f"too many scenarios are called {place}", hint="name another file")


def save_scenario(scenario: Scenario) -> None:
    """Write a scenario's own file."""
    write_atomic(Path(scenario.path), write_scenario(scenario))


def save_starters(
    folder: Path, starters: Sequence[Scenario], guesses: Sequence[Step], why: Sequence[str]
) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Write scenarios that are not there yet; those written, and those that were there before."""
    documents = {folder / f"{one.stem}.yaml": write_scenario(one) for one in starters}
    if guesses:
        idle = Scenario(name=UNTRIED, stem=UNTRIED, enabled=False, tags=("starter",))
        documents[folder / f"{UNTRIED}.yaml"] = write_suggested(idle, guesses, why)
    there = tuple(path for path in documents if path.exists())
    new = {path: payload for path, payload in documents.items() if path not in there}
    if new:
        write_together(new)
    return tuple(new), there


def keep_target(root: Path, project: Project, spec: TargetSpec) -> Path | None:
    """Write a target into the project file unless it stands there; None where it cannot be."""
    known = spec.name in project.targets
    if known and project.targets[spec.name].resettable == spec.resettable:
        return project_file(root)
    return keep_answer(root, project, spec)


def keep_answer(root: Path, project: Project, spec: TargetSpec) -> Path | None:
    """Write `resettable:` of a target where the next command finds it; None where it cannot be."""
    path = project_file(root)
    try:
        payload = read_file(path) if path.is_file() else b""
        if spec.name in project.targets:
            said = bool(spec.resettable)
            after = answers.with_resettable(payload, path=str(path), target=spec.name, value=said)
        else:
            after = answers.with_target(payload, path=str(path), spec=_placed(spec, root))
        if after is not None:
            write_atomic(path, after)
            return path
    except UsageError:  # an answer that cannot be kept must not end a recording
        return None
    return None


def _placed(spec: TargetSpec, root: Path) -> TargetSpec:
    """A target as a project file in `root` writes it: a servers file by its place from there."""
    if not spec.config_file:
        return spec
    path = Path(spec.config_file).resolve()
    inside = path.relative_to(root.resolve()) if path.is_relative_to(root.resolve()) else path
    return TargetSpec(name=spec.name, config_file=str(inside), resettable=spec.resettable)


def _meant(file: Path) -> bool:
    return file.name not in PROJECT_FILES and not any(part.startswith(".") for part in file.parts)
