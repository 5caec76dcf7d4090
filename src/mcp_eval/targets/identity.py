"""Which build a command starts: the program's digest, and the versions it brings along."""

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

_LAUNCHERS = re.compile(
    r"^(python[\d.]*|pypy[\d.]*|node|nodejs|deno|bun|ruby|perl|java|dotnet|sh|bash|zsh|dash|env"
    r"|npx|bunx|uvx|uv|pipx|npm|pnpm|yarn|tsx|nice|timeout|setpriv|stdbuf)$"
)
_PINNED = re.compile(r"^((?:@[\w.-]+/)?[A-Za-z][\w.-]*)(?:@|==)(\d[\w.+-]*)$")
_IMPORT = re.compile(r"^\s*(?:from|import)\s+([A-Za-z_]\w*)", re.MULTILINE)
_VALUED = {"-c", "-W", "-X", "--loader", "--import", "-r", "--require", "-I"}


class Identity(NamedTuple):
    """What could be read of a build without starting it."""

    program: str = ""  # the file the digest is of
    digest: str = ""
    dependencies: dict[str, str] = {}


def identify(command: Sequence[str], path: str | None = None) -> Identity:
    """The program a command starts, and its dependencies where a file beside it names them."""
    executable = shutil.which(command[0], path=path) or command[0]
    launched = _LAUNCHERS.match(Path(executable).name) or _LAUNCHERS.match(Path(command[0]).name)
    if not launched:
        return _program(Path(executable))
    pinned = dict(_pinned(command[1:]))
    if (module := _module(command)) is not None:
        found = _distribution(Path(executable), module)
        return found._replace(dependencies=found.dependencies | pinned)
    script = next(_files(command[1:]), None)
    found = Identity() if script is None else _program(script)
    return found._replace(dependencies=found.dependencies | pinned)


def sha256(path: Path) -> str:
    """The digest of a file; "" where it cannot be read."""
    try:
        with path.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        return ""


def _program(path: Path) -> Identity:
    real = path.resolve()
    interpreter, module = _entry_point(path)
    if interpreter is not None and module:
        found = _distribution(interpreter, module)
        if found.digest:
            return found._replace(program=str(path))
    return Identity(str(path), sha256(real), _node_versions(real))


def _files(arguments: Sequence[str]) -> Iterator[Path]:
    skip = False
    for argument in arguments:
        if skip:
            skip = False
        elif argument in _VALUED:
            skip = True
        elif not argument.startswith("-") and (os.sep in argument or "." in argument):
            place = Path(argument)
            if place.is_file():
                yield place


def _pinned(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    for argument in arguments:
        if found := _PINNED.match(argument):
            yield found.group(1), found.group(2)


def _module(command: Sequence[str]) -> str | None:
    """The module of `python -m module`, wherever launchers stand before it."""
    python = any(_is_python(word) for word in command)
    if not python or "-m" not in command[1:-1]:
        return None
    return command[command.index("-m", 1) + 1].split(".")[0]


def _is_python(word: str) -> bool:
    return Path(word).name.startswith(("python", "pypy"))


def _entry_point(path: Path) -> tuple[Path | None, str]:
    """The interpreter and the module of a console script: its own bytes never change."""
    try:
        with path.open("rb") as opened:
            text = opened.read(8192).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None, ""
    first, _, rest = text.partition("\n")
    if not text.startswith("#!") or "python" not in first + rest[:200]:
        return None, ""
    beside = path.parent / "python"
    modules = [name for name in _IMPORT.findall(rest) if name not in {"re", "sys", "os"}]
    return (beside if beside.exists() else None), (modules[0] if modules else "")


def _distribution(interpreter: Path, module: str) -> Identity:
    """The installed distribution that holds a module: the digest of its list of files."""
    for folder in _site_packages(interpreter):
        versions = dict(_installed(folder))
        for record in sorted(folder.glob("*.dist-info/RECORD")):
            if _records(record, module):
                return Identity(str(record.parent), sha256(record), versions)
    return Identity()


def _site_packages(interpreter: Path) -> list[Path]:
    place = interpreter if interpreter.is_absolute() else Path(shutil.which(interpreter) or "")
    # Not resolved: a virtual environment's python is a link out of it.
    return sorted(place.parent.parent.glob("lib/python3*/site-packages"))


def _records(record: Path, module: str) -> bool:
    try:
        text = record.read_text("utf-8", "replace")
    except OSError:
        return False
    return re.search(rf"^(?:{module}/|{module}\.py,|__editable__)", text, re.MULTILINE) is not None


def _installed(folder: Path) -> Iterator[tuple[str, str]]:
    for place in sorted(folder.glob("*.dist-info")):
        name, dash, version = place.name.removesuffix(".dist-info").rpartition("-")
        if dash:
            yield name.replace("_", "-").lower(), version


def _node_versions(program: Path) -> dict[str, str]:
    """The package a Node script belongs to, and what it depends on as it is installed."""
    home = next((up for up in program.parents[:6] if (up / "package.json").is_file()), None)
    if home is None or program.suffix not in {".js", ".mjs", ".cjs", ".ts"}:
        return {}
    package = _package(home)
    versions = {package["name"]: package["version"]} if {"name", "version"} <= set(package) else {}
    for name in package.get("dependencies", {}):
        places = (up / "node_modules" / name for up in (home, *home.parents[:6]))
        installed = next((_package(place) for place in places if place.is_dir()), {})
        if installed.get("version"):
            versions[name] = installed["version"]
    return {str(name): str(version) for name, version in versions.items()}


def _package(folder: Path) -> dict[str, str | dict[str, str]] | dict[str, str]:
    try:
        read = json.loads((folder / "package.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}
