"""What is handed out: a wheel that works alone, and a source that builds the same one."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from scripts.bootstrap import environment

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 240.0  # a bound, no promise: machines are shared
PROBE = "import sys, venv; print(*sys.version_info[:2], sep='.')"
PYENV = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
UV = Path(sys.executable).with_name("uv")
RUNNING = "{}.{}".format(*sys.version_info[:2])

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.xdist_group("wheel"),  # what is built once for all
]


def candidates(version):
    """Where a Python of that version may stand: a name on the path may be a shim to nothing."""
    yield from map(str, sorted(PYENV.glob(f"{version}.*/bin/python3")))
    if found := shutil.which(f"python{version}"):
        yield found
    if UV.exists():
        yield ran_quietly([str(UV), "python", "find", "--no-project", "--no-config", version])


def ran_quietly(words):
    """What a program said that may not be there, or may not work."""
    try:
        said = subprocess.run(words, capture_output=True, text=True, timeout=30, check=False)
    except OSError:
        return ""
    return said.stdout.strip() if said.returncode == 0 else ""


def pythons():
    """The Python that runs this, and those of the other versions we support that are here."""
    found = {RUNNING: sys.executable}
    for version in ("3.11", "3.12", "3.13"):
        fitting = (
            each for each in candidates(version) if ran_quietly([each, "-c", PROBE]) == version
        )
        if version not in found and (python := next(fitting, "")):
            found[version] = python
    return found


def ended(*words, cwd):
    """A program, ended; without the paths of whoever runs this."""
    kept = {key: value for key, value in environment().items() if key != "PYTHONPATH"}
    return subprocess.run(
        [*map(str, words)],
        cwd=cwd,
        env=kept,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def run(*words, cwd):
    """A program that must end well; its output."""
    said = ended(*words, cwd=cwd)
    assert said.returncode == 0, said.stdout + said.stderr
    return said.stdout


def built(source, folder, kind):
    """The one thing hatchling makes of a source; nothing is fetched for it."""
    run(
        sys.executable,
        "-m",
        "hatchling",
        "build",
        "--target",
        kind,
        "--directory",
        folder,
        cwd=source,
    )
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return built(ROOT, tmp_path_factory.mktemp("wheel"), "wheel")


def names(wheel):
    with zipfile.ZipFile(wheel) as opened:
        return sorted(opened.namelist())


def test_pip_builds_the_same_wheel_without_fetching_anything(wheel, tmp_path):
    pip = [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index"]
    run(*pip, "--wheel-dir", tmp_path, ROOT, cwd=tmp_path)
    (made,) = tmp_path.glob("*.whl")
    assert made.name == wheel.name
    assert names(made) == names(wheel)


def test_the_wheel_holds_the_package_and_nothing_else(wheel):
    ours = [name for name in names(wheel) if ".dist-info/" not in name]
    assert {name.partition("/")[0] for name in ours} == {"mcp_eval"}
    kept = {
        str(path.relative_to(ROOT / "src"))
        for path in (ROOT / "src/mcp_eval").rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert set(ours) == kept
    assert "mcp_eval/py.typed" in ours


def test_the_source_distribution_builds_the_same_wheel(wheel, tmp_path):
    for name in ("source", "opened", "wheel"):
        (tmp_path / name).mkdir()
    with tarfile.open(built(ROOT, tmp_path / "source", "sdist")) as archive:
        archive.extractall(tmp_path / "opened", filter="data")
    (source,) = (tmp_path / "opened").iterdir()
    again = built(source, tmp_path / "wheel", "wheel")
    assert again.name == wheel.name
    assert names(again) == names(wheel)


def locked(folder):
    """The versions of the runtime lock, as constraints: what is installed, the wheel has to ask for."""
    lock = (ROOT / "requirements/runtime.txt").read_text("utf-8").splitlines()
    pins = [line.removesuffix("\\").strip() for line in lock if "==" in line.partition(";")[0]]
    file = folder / "constraints.txt"
    file.write_text("\n".join(pins), "utf-8")
    return file


def install(wheel, python, folder):
    """The wheel and what it asks for, by the uv beside us, else by our pip."""
    words = ["install", "--quiet", "--constraint", locked(folder), wheel]
    uv = [UV, "pip", *words, "--no-config", "--python", python]
    # It reads no pip.conf: pip may know an index it does not.
    if not UV.exists() or ended(*uv, cwd=folder).returncode:
        run(sys.executable, "-m", "pip", "--python", python, *words, cwd=folder)


PYTHONS = pythons()


@pytest.mark.parametrize(("version", "python"), PYTHONS.items(), ids=PYTHONS)
def test_the_demo_runs_where_the_wheel_alone_was_installed(wheel, tmp_path, version, python):
    place = tmp_path / "environment"
    run(python, "-m", "venv", "--without-pip", place, cwd=tmp_path)
    install(wheel, place / "bin/python", tmp_path)
    where = "import mcp_eval, sys; print(*sys.version_info[:2], sep='.'); print(mcp_eval.__file__)"
    running, stands = run(place / "bin/python", "-c", where, cwd=tmp_path).splitlines()
    assert running == version
    assert Path(stands).is_relative_to(place)
    said = run(place / "bin/mcp-eval", "demo", "-q", cwd=tmp_path)
    assert said.strip()
