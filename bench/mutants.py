"""A sample of mutants of compare and judge, and how many of them the tests kill.

Drawn again are mutants that are no Python or that Python itself warns of (`is 3`), and those that
change an annotation or the size of a cache. Left out are the operators that put identity for
equality, or back: Python keeps one copy of None, of small numbers and of words in a source, so
that hardly any of them does anything. `python -m bench.mutants AMOUNT SEED` draws another sample;
stopped by Ctrl-C, it says how far it came.
"""

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


def mutants(place: Path, amount: int, seed: int) -> dict[str, Any]:
    """The sample, each with the whole source of its module."""
    script, folder = place / "bench" / "mutants_side.py", place / "src" / "mcp_eval"
    command = [str(python_of_cosmic_ray()), str(script), str(folder), str(amount), str(seed)]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(json.loads(ended.stdout))


def copied() -> Path:
    """A tree of its own: nothing of ours is ever changed."""
    place = Path(tempfile.mkdtemp(prefix="mcp-eval-mutants-"))
    for name in ("src", "tests", "bench", "scripts", "docs"):
        shutil.copytree(
            ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__", "real")
        )
    shutil.copy(ROOT / "pyproject.toml", place)
    return place


class Worker:
    """A process that has collected the tests, in a tree of its own."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.process = subprocess.Popen(
            [*_alone(), "nice", "-n", "15", *_tests(place, "serve")],
            cwd=place, env=_environ(place, PYTHONDONTWRITEBYTECODE="1"),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip

    def killed(self, mutant: dict[str, Any]) -> bool:
        """Whether a test fails with this mutant in place."""
        print(json.dumps(mutant), file=self.process.stdin, flush=True)
        return bool(json.loads(self.process.stdout.readline() if self.process.stdout else ""))

    def close(self) -> None:
        """The end of what it was asked."""
        self.process.communicate()
        shutil.rmtree(self.place)


def _alone() -> list[str]:
    # In a process namespace of its own where that is allowed: a mutant may kill what it likes.
    allowed = os.geteuid() == 0 and shutil.which("unshare")
    return ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"] if allowed else []


def _tests(place: Path, mode: str) -> list[str]:
    return [sys.executable, str(place / "bench" / "mutants_tests.py"), mode]


def _environ(place: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{place / 'src'}{os.pathsep}{place}", **more}


def mapped(place: Path) -> bool:
    """Whether the tests pass without any mutant; then it is known which reach what."""
    ended = subprocess.run(
        _tests(place, "map"), cwd=place, env=_environ(place),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if ended.returncode:
        print(f"  the tests fail without any mutant:\n{ended.stdout[-1000:]}{ended.stderr[-1000:]}")
    return not ended.returncode


def begun(place: Path) -> Queue[Worker]:
    """The workers: the first takes this tree, the others copies."""
    copies = [Path(f"{place}-{number}") for number in range(1, WORKERS)]
    workers: Queue[Worker] = Queue()
    for each in copies:
        shutil.copytree(place, each)
    for each in (place, *copies):
        workers.put(Worker(each))
    return workers


def bench(amount: int = AMOUNT, seed: int = SEED) -> None:
    """The share killed, and every survivor."""
    place = copied()
    with ThreadPoolExecutor(1) as meanwhile:
        sampling = meanwhile.submit(mutants, place, amount, seed)
        passing, found = mapped(place), sampling.result()
    print(f"  seed {seed}: {amount} of {found['places']} places", flush=True)
    if not passing:
        shutil.rmtree(place)
        return
    workers = begun(place)

    def one(mutant: dict[str, Any]) -> bool:
        worker = workers.get()
        try:
            return worker.killed(mutant)
        finally:
            workers.put(worker)

    verdicts: list[bool] = []
    pool = ThreadPoolExecutor(WORKERS)
    try:
        for mutant, dead in zip(found["mutants"], pool.map(one, found["mutants"]), strict=True):
            verdicts.append(dead)
            if not dead:
                print(f"  survived: {told(mutant)}", flush=True)
    except KeyboardInterrupt:
        print("  stopped before the end")
    finally:
        pool.shutdown(cancel_futures=True)
        while not workers.empty():
            workers.get().close()
    share = sum(verdicts) / max(1, len(verdicts))
    print(f"  killed {sum(verdicts)} of {len(verdicts)} ({share:.0%}; wanted ≥ 85 %)")


def told(mutant: dict[str, Any]) -> str:
    """Where it stands, and the line as the mutant has it."""
    line = mutant["source"].splitlines()[mutant["line"] - 1].strip()
    return f"{mutant['path']}:{mutant['line']} {mutant['operator']}: {line}"


if __name__ == "__main__":
    bench(*(int(word) for word in sys.argv[1:]))
