"""A folder of cases, read: which change on which server, and what a check should say of it."""

import json
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

import msgspec

from bench.faults import INJECTIONS, make
from mcp_eval.errors import UsageError
from mcp_eval.formats.yaml import read_yaml

SUFFIXES = (".yaml", ".yml", ".json")
_SCENARIO_KEYS = {"expected_trajectory", "steps", "user_intent"}
_SERVERS_KEY = "servers"


class _Strict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A mapping in which an unknown key is an error."""


class Server(_Strict):
    """How a server is started, and what stands in its folder before."""

    command: tuple[str, ...] = ()
    part: str = ""  # a real part of scripts/real_parts.py, by name
    args: tuple[str, ...] = ()
    env: dict[str, str] = {}
    files: dict[str, str] = {}  # relative path → text
    prepare: tuple[tuple[str, ...], ...] = ()  # commands, run in its folder before it starts
    resettable: bool = True


class Expected(_Strict):
    """The finding a fault should lead to; what is left out may be anything."""

    rule: str
    tool: str | None = None
    path: str | None = None


class Case(_Strict):
    """One change of one server, checked with one or more scenarios."""

    id: str
    sort: Literal["fault", "harmless"]
    kind: str
    server: str | Server
    scenarios: tuple[str, ...]
    inject: tuple[dict[str, Any], ...]  # in the build that is checked; none: the same build
    before: tuple[dict[str, Any], ...] = ()  # in the build that was recorded
    expect: tuple[Expected, ...] = ()  # of a fault: any one of them
    at_most: Literal["good", "acceptable"] = "acceptable"  # of a harmless change
    trials: int = 1
    call_timeout: float = 20.0
    why: str = ""


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """A case with everything it names found."""

    case: Case
    file: str
    server_name: str
    server: Server
    scenarios: tuple[Path, ...]


def read_cases(folder: Path) -> tuple[Planned, ...]:
    """Every case of a folder; UsageError names the file and the place of a mistake."""
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder", hint="--cases wants a folder of case files")
    read = {path: _document(path) for path in sorted(_files(folder))}
    servers: dict[str, Server] = {}
    for path, document in read.items():
        if isinstance(document, dict) and _SERVERS_KEY in document:
            servers |= _servers(document, path)
    planned = [
        _planned(case, path, servers)
        for path, document in read.items()
        for case in _cases(document, path)
    ]
    _refuse_twins(planned)
    if not planned:
        raise UsageError(f"{folder}: no cases in it", hint="see bench/cases/README.md")
    return tuple(planned)


def _files(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        if path.is_file() and path.suffix in SUFFIXES and not path.name.startswith("."):
            yield path


def _document(path: Path) -> Any:
    payload = path.read_bytes()
    if path.suffix != ".json":
        return read_yaml(payload, path=str(path)).plain()
    try:
        return json.loads(payload)
    except ValueError as error:
        raise UsageError(f"{path}: no JSON: {error}") from error


def _servers(document: dict[str, Any], path: Path) -> dict[str, Server]:
    named = document[_SERVERS_KEY] or {}
    return {
        name: _converted(said, Server, f"{path}: server '{name}'") for name, said in named.items()
    }


def _cases(document: Any, path: Path) -> Iterator[Case]:
    """The cases of a file: a list, a mapping with `cases`, or one case alone."""
    if isinstance(document, dict) and "cases" in document:
        if unknown := set(document) - {"cases", _SERVERS_KEY, "defaults", "made_by"}:
            raise UsageError(f"{path}: unknown key '{min(unknown)}' beside 'cases'")
        said, defaults = document["cases"] or [], document.get("defaults") or {}
    elif isinstance(document, list):
        said, defaults = document, {}
    elif isinstance(document, dict) and "inject" in document:
        said, defaults = [document], {}
    elif isinstance(document, dict) and {_SERVERS_KEY, *_SCENARIO_KEYS} & set(document):
        return
    else:
        hint = "a case file has 'cases' or 'inject', a server file 'servers'"
        raise UsageError(f"{path}: neither cases, nor servers, nor a scenario", hint=hint)
    for number, one in enumerate(said):
        place = f"{path}: case {number}"
        if not isinstance(one, dict):
            raise UsageError(f"{place}: expected a mapping, not {one!r}")
        yield _case({**defaults, **one}, f"{path.stem}-{number}", place)


def _case(said: dict[str, Any], name: str, place: str) -> Case:
    whole = {"id": name, **said}
    for key in ("inject", "before", "expect", "scenarios"):
        if isinstance(whole.get(key), dict | str):
            whole[key] = [whole[key]]
    injected = whole.get("inject")
    if "kind" not in whole and isinstance(injected, list) and injected:
        whole["kind"] = injected[0].get("fault", "")
    case = _converted(whole, Case, f"{place} ({whole['id']})")
    place = f"{place} ({case.id})"
    if case.sort == "fault" and not case.expect:
        raise UsageError(f"{place}: a fault says what is expected", hint="expect: {rule: …}")
    if case.sort == "harmless" and case.expect:
        raise UsageError(f"{place}: a harmless change has `at_most`, not `expect`")
    for spec in (*case.inject, *case.before):
        _try(spec, place)
    return case


def _try(spec: dict[str, Any], place: str) -> None:
    """Whether the injection can be made at all."""
    name = spec.get("fault")
    if name not in INJECTIONS:
        near = get_close_matches(str(name), INJECTIONS, n=1)
        hint = (
            f"did you mean '{near[0]}'?" if near else f"there are {', '.join(sorted(INJECTIONS))}"
        )
        raise UsageError(f"{place}: unknown fault {name!r}", hint=hint)
    try:
        make(spec)
    except TypeError as error:
        raise UsageError(f"{place}: {name}: {error}") from error


def _planned(case: Case, path: Path, servers: dict[str, Server]) -> Planned:
    place = f"{path}: {case.id}"
    name, server = "", case.server
    if isinstance(server, str):
        if server not in servers:
            near = get_close_matches(server, servers, n=1)
            hint = f"did you mean '{near[0]}'?" if near else "describe it under `servers:`"
            raise UsageError(f"{place}: unknown server '{server}'", hint=hint)
        name, server = server, servers[server]
    if bool(server.command) == bool(server.part):
        raise UsageError(f"{place}: a server has either `command` or `part`")
    scenarios = tuple((path.parent / one).resolve() for one in case.scenarios)
    for one in scenarios:
        if not one.is_file():
            raise UsageError(f"{place}: no scenario {one.name} at {one}")
    if not scenarios:
        raise UsageError(f"{place}: no scenario")
    return Planned(case=case, file=str(path), server_name=name, server=server, scenarios=scenarios)


def _refuse_twins(planned: list[Planned]) -> None:
    seen: dict[str, str] = {}
    for one in planned:
        if one.case.id in seen:
            raise UsageError(f"{one.file}: two cases are called {one.case.id}")
        seen[one.case.id] = one.file


def _converted(said: Any, kind: type[Any], place: str) -> Any:
    try:
        return msgspec.convert(said, kind)
    except msgspec.ValidationError as error:
        raise UsageError(f"{place}: {error}") from error
