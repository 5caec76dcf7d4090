"""A sample of mutants of compare and judge, and how many of them the tests kill."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
COSMIC_RAY = "cosmic-ray==8.7.0"
AMOUNT, SEED, WORKERS = 150, 20260103, 2
SECONDS = 240
_ALL = ("tests/unit/compare", "tests/unit/judge", "tests/flows/test_verdicts.py")


def python_of_cosmic_ray() -> Path:
    """The Python of an environment that holds cosmic-ray, made where it is not there yet."""
    base = Path(os.environ.get("MCP_EVAL_CACHE") or Path.home() / ".cache" / "mcp-eval")
    folder = base / "mutants" / f"py{sys.version_info.major}.{sys.version_info.minor}"
    python, ready = folder / "bin" / "python", folder / ".ready"
    if not ready.exists() or ready.read_text() != COSMIC_RAY:
        venv.create(folder, with_pip=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", COSMIC_RAY], check=True)
        ready.write_text(COSMIC_RAY)
    return python


def mutants(amount: int, seed: int) -> dict[str, Any]:
    """The sample, each with the whole source of its module."""
    script = Path(__file__).with_name("mutants_side.py")
    folder = ROOT / "src" / "mcp_eval"
    command = [str(python_of_cosmic_ray()), str(script), str(folder), str(amount), str(seed)]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(json.loads(ended.stdout))


def copied() -> Path:
    """A tree of its own for one worker: nothing of ours is ever changed."""
    place = Path(tempfile.mkdtemp(prefix="mcp-eval-mutants-"))
    for name in ("src", "tests", "bench", "scripts"):
        shutil.copytree(
            ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__", "real")
        )
    shutil.copy(ROOT / "pyproject.toml", place)
    return place


def killed(mutant: dict[str, Any], place: Path) -> bool:
    """Whether a test fails with this mutant in place: its own module's first, then all."""
    path = place / "src" / "mcp_eval" / mutant["path"]
    original = path.read_text(encoding="utf-8")
    path.write_text(mutant["source"], encoding="utf-8")
    try:
        return any(fails(tests, place) for tests in _rounds(mutant, place))
    finally:
        path.write_text(original, encoding="utf-8")


def _rounds(mutant: dict[str, Any], place: Path) -> list[list[str]]:
    own = place / "tests" / "unit" / Path(mutant["path"]).parts[0]
    near = sorted(str(found) for found in own.glob(f"test_{Path(mutant['path']).stem}*.py"))
    return [*([near] if near else []), [str(place / name) for name in _ALL]]


def fails(tests: list[str], place: Path) -> bool:
    """Whether these tests fail; one that never ends fails too."""
    # In a process namespace of its own where that is allowed: a mutant may kill what it likes.
    alone = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]
    pytest = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--timeout=30"]
    environ = {**os.environ, "PYTHONPATH": str(place / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    prefix = alone if os.geteuid() == 0 and shutil.which("unshare") else []
    try:
        ended = subprocess.run(
            [*prefix, *pytest, *tests],
            cwd=place, env=environ, capture_output=True, check=False, timeout=SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return True
    return ended.returncode not in {0, 5}


def bench(amount: int = AMOUNT, seed: int = SEED) -> None:
    """The share killed, and every survivor."""
    found = mutants(amount, seed)
    print(f"  seed {seed}: {amount} of {found['places']} places", flush=True)
    places: Queue[Path] = Queue()
    for _ in range(WORKERS):
        places.put(copied())

    def one(mutant: dict[str, Any]) -> bool:
        place = places.get()
        try:
            return killed(mutant, place)
        finally:
            places.put(place)

    if fails([*_ALL], places.queue[0]):
        print("  the tests fail without any mutant: nothing can be learned")
        return
    with ThreadPoolExecutor(WORKERS) as workers:
        dead = list(workers.map(one, found["mutants"]))
    for mutant, is_dead in zip(found["mutants"], dead, strict=True):
        if not is_dead:
            print(f"  survived: {mutant['path']}:{mutant['line']} {mutant['operator']}")
    while not places.empty():
        shutil.rmtree(places.get())
    print(f"  killed {sum(dead)} of {len(dead)} ({sum(dead) / len(dead):.0%}; wanted ≥ 85 %)")


if __name__ == "__main__":
    bench(*(int(word) for word in sys.argv[1:]))
