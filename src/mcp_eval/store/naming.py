"""Which target a word names, and what holds of it that was said elsewhere."""

import shlex
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import PurePath
from urllib.parse import urlsplit

from msgspec.structs import replace

from mcp_eval.errors import UsageError
from mcp_eval.model.project import Project, TargetSpec

# What holds of a target however its process is written: the old build of it runs likewise.
_INHERITED = ("cwd", "headers", "resettable", "home", "start_timeout", "call_timeout")

_PROJECT_SAYS = ("checkout", "build", "preflight", "sha256", "previous")


def target_named(project: Project, text: str) -> TargetSpec:
    """A target by its name in the project, a URL, or a quoted command."""
    if text in project.targets:
        return project.targets[text]
    spec = _unnamed(text)
    if not text.strip() or (len(spec.command) == 1 and _looks_like_a_name(text)):
        raise _unknown(project, text)
    # What was said of a target in the project file holds for the same one named in full.
    same = (one for one in project.targets.values() if _same(one, spec))
    return next(same, spec)


def target_started(project: Project, words: Sequence[str]) -> TargetSpec:
    """The target a command line starts, where the person is: as a client would start it."""
    spec = TargetSpec(name=PurePath(words[0]).name, command=tuple(words), cwd=".")
    if len(words) == 1 and words[0] in project.targets:
        return project.targets[words[0]]
    return next((one for one in project.targets.values() if _same(one, spec)), spec)


def only_target(project: Project, where: str) -> TargetSpec:
    """The target nobody had to name: the default, or the only one."""
    if project.default_target:
        return target_named(project, project.default_target)
    targets = tuple(project.targets.values())
    if len(targets) == 1:
        return targets[0]
    if not targets:
        raise UsageError(
            f"{where} names no target", hint="say --target: a name, a URL or a quoted command"
        )
    raise UsageError(
        f"{where} names several targets: {', '.join(project.targets)}",
        hint="say which with --target, or `default_target:` in the file",
    )


def servers_of(servers: Mapping[str, TargetSpec], where: str) -> TargetSpec:
    """What a servers file names: its one server, or all of them together."""
    if not servers:
        raise UsageError(f"{where} names no server that is switched on", hint="add one to it")
    if len(servers) == 1:
        return next(iter(servers.values()))
    return TargetSpec(name="+".join(servers), servers=tuple(servers.values()))


def over(spec: TargetSpec, said: TargetSpec) -> TargetSpec:
    """The target, with what was said elsewhere of how to run it, where it says nothing itself."""
    silent = TargetSpec(name="")
    taken = {
        field: getattr(said, field)
        for field in _INHERITED
        if getattr(spec, field) == getattr(silent, field)
    }
    servers = tuple(over(one, said) for one in spec.servers)
    env = {**said.env, **spec.env}
    return replace(spec, **taken, env=env, servers=servers)


def described(servers: TargetSpec, said: TargetSpec) -> TargetSpec:
    """What a servers file starts, under the name and with all a project file says of it."""
    own = {field: getattr(said, field) for field in ("name", "config_file", *_PROJECT_SAYS)}
    return replace(over(servers, said), **own)


def _unnamed(text: str) -> TargetSpec:
    if text.startswith(("http://", "https://")):
        return TargetSpec(name=urlsplit(text).netloc or text, url=text)
    try:
        command = tuple(shlex.split(text))
    except ValueError as error:
        raise UsageError(f"--target {text}: {error}", hint="quote it as a shell would") from error
    name = PurePath(command[0]).name if command else ""
    return TargetSpec(name=name, command=command)


def _looks_like_a_name(text: str) -> bool:
    return not any(mark in text for mark in " /\\.")


def _same(one: TargetSpec, other: TargetSpec) -> bool:
    if other.url:
        return one.url == other.url and not one.command
    return one.command == other.command and not (one.env or one.cwd)


def _unknown(project: Project, text: str) -> UsageError:
    near = get_close_matches(text, list(project.targets), n=1)
    known = ", ".join(project.targets) or "none"
    hint = f"did you mean {near[0]}?" if near else f"targets here: {known}"
    return UsageError(f"no target '{text}'", hint=f"{hint}; a URL or a quoted command works too")


def within(spec: TargetSpec, seconds: float | None) -> TargetSpec:
    """The target, each call of it bounded as the command line says."""
    if seconds is None:
        return spec
    servers = tuple(within(one, seconds) for one in spec.servers)
    return replace(spec, call_timeout=seconds, servers=servers)
