"""Makes .venv and fills it from a lock file; run by make with any Python it finds."""

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
REQUIREMENTS = ROOT / "requirements"
CACHE = Path(os.environ.get("MCP_EVAL_CACHE") or Path.home() / ".cache" / "mcp-eval").absolute()


def main(arguments: list[str]) -> int:
    """Bring .venv in line with the named lock (runtime or dev), or rewrite the locks."""
    wanted = arguments[0] if arguments else "runtime"
    if wanted == "lock":
        fill("dev")
        return lock()
    return fill(wanted)


def fill(wanted: str) -> int:
    """Install what the lock names, unless the stamp says it is there."""
    stamp = VENV / f".{wanted}"
    fingerprint = fingerprint_of(wanted)
    if any(held(name, fingerprint_of(name)) for name in {wanted, "dev"}):
        compile_bytecode(ROOT / "src")
        return 0
    if not (VENV / "bin" / "python").exists():
        print(f"creating {VENV.name} with Python {sys.version.split()[0]}", flush=True)
        venv.create(VENV, with_pip=True, clear=VENV.exists())
    installer = uv_or_pip()
    requirements = REQUIREMENTS / f"{wanted}.txt"
    print(f"installing {requirements.relative_to(ROOT)} with {installer.name}", flush=True)
    installer.install("--require-hashes", "-r", str(requirements))
    installer.install("--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    compile_bytecode(VENV / "lib", ROOT / "src")
    stamp.write_text(fingerprint)
    return 0


def held(name: str, fingerprint: str) -> bool:
    """Whether this lock was installed already, as it stands now."""
    stamp = VENV / f".{name}"
    return stamp.exists() and stamp.read_text() == fingerprint


def fingerprint_of(wanted: str) -> str:
    """What an installation depends on: the lock and the project file."""
    files = (REQUIREMENTS / f"{wanted}.txt", ROOT / "pyproject.toml")
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


class Uv:
    """uv, inside .venv."""

    name = "uv"

    def install(self, *arguments: str) -> None:
        """As `uv pip install`, into .venv, from the index pip is configured with."""
        environ = {**environment(), **index_of_pip()}
        uv, python = str(VENV / "bin" / "uv"), str(VENV / "bin" / "python")
        quiet = ("--quiet", "--no-config")
        run([uv, "pip", "install", *quiet, "--python", python, *arguments], environ)


class Pip:
    """pip, where uv cannot be had."""

    name = "pip"

    def install(self, *arguments: str) -> None:
        """As `pip install`, into .venv."""
        run(
            [str(VENV / "bin" / "python"), "-m", "pip", "install", "--quiet", *arguments],
            environment(),
        )


def uv_or_pip() -> Uv | Pip:
    """Prefer uv, which is ten times as fast; pip does the same work."""
    pip = Pip()
    if os.environ.get("MCP_EVAL_INSTALLER") == "pip":
        return pip
    try:
        pip.install("--require-hashes", "-r", str(REQUIREMENTS / "uv.txt"))
        run([str(VENV / "bin" / "uv"), "--version"], environment(), quiet=True)
    except subprocess.CalledProcessError:
        print("uv is not to be had here, pip does its work", flush=True)
        return pip
    return Uv()


def environment() -> dict[str, str]:
    """Ours, with caches outside the clone and no word from other virtual environments."""
    kept = {
        key: value for key, value in os.environ.items() if key not in {"VIRTUAL_ENV", "MAKEFLAGS"}
    }
    kept.setdefault("UV_CACHE_DIR", str(CACHE / "uv"))
    kept.setdefault("PIP_CACHE_DIR", str(CACHE / "pip"))
    kept["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    return kept


def index_of_pip() -> dict[str, str]:
    """The index pip is configured with, for uv, which does not read pip's files."""
    found = {}
    for theirs, ours in (("index-url", "UV_DEFAULT_INDEX"), ("extra-index-url", "UV_INDEX")):
        if ours in os.environ:
            continue
        answer = subprocess.run(
            [str(VENV / "bin" / "python"), "-m", "pip", "config", "list"],
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        for line in answer.splitlines():
            name, _, value = line.partition("=")
            if name.strip().endswith(f".{theirs}"):
                found[ours] = value.strip().strip("'\"")
    return found


def compile_bytecode(*folders: Path) -> None:
    """Compile what changed, so that starting stays quick where writing bytecode is switched off."""
    environ = {
        key: value for key, value in environment().items() if key != "PYTHONDONTWRITEBYTECODE"
    }
    python = str(VENV / "bin" / "python")
    several = ["-j", "0"] if VENV / "lib" in folders else []
    command = [python, "-m", "compileall", "-qq", *several, *map(str, folders)]
    subprocess.run(command, env=environ, stdin=subprocess.DEVNULL, check=False)


def lock() -> int:
    """Rewrite the locks, with hashes, for every Python we support."""
    uv = str(VENV / "bin" / "uv")
    common = [uv, "pip", "compile", "--quiet", "--universal", "--generate-hashes", "--no-config"]
    common += [
        "--python-version",
        "3.11",
        "--custom-compile-command",
        "make lock",
        "--no-emit-index-url",
    ]
    common += ["--no-emit-find-links", "--upgrade"]
    environ = {**environment(), **index_of_pip()}
    # Relative paths: what is written into a lock names its sources.
    run([*common, "pyproject.toml", "--group", "build", "-o", "requirements/runtime.txt"], environ)
    run([*common, "pyproject.toml", "--group", "dev", "-o", "requirements/dev.txt"], environ)
    run([*common, "requirements/uv.in", "-o", "requirements/uv.txt"], environ)
    return 0


def run(command: list[str], environ: dict[str, str], *, quiet: bool = False) -> None:
    """Run it or raise; its own words are the error message."""
    subprocess.run(
        command,
        env=environ,
        cwd=ROOT,
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL if quiet else None,
    )


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except subprocess.CalledProcessError as error:
        sys.exit(
            f"could not prepare .venv: {' '.join(error.cmd[:5])} … ended with {error.returncode}"
        )
