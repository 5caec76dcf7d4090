"""How long starting takes, whole processes, beside bare ones of the same run."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence

ROUNDS = 9
HELP_TIMES_CLICK = 5.0
IMPORT_MS = 60.0

PYTHON = sys.executable
COMMANDS: dict[str, Sequence[str]] = {
    "python -c pass": (PYTHON, "-c", "pass"),
    "python -c 'import click'": (PYTHON, "-c", "import click"),
    "python -c 'import mcp_eval'": (PYTHON, "-c", "import mcp_eval"),
    "mcp-eval --help": (PYTHON, "-m", "mcp_eval", "--help"),
    "demo proxy, first answer": (PYTHON, "-m", "mcp_eval.demo.servers", "--build", "1"),
}


def bench() -> None:
    """Print medians in milliseconds, and how the two promises stand."""
    with tempfile.TemporaryDirectory() as compiled:
        # Where writing bytecode is switched off, every start would compile anew.
        environ = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        environ["PYTHONPYCACHEPREFIX"] = compiled
        medians = measured(environ)
    bare = medians["python -c pass"]
    for name, spent in medians.items():
        print(f"  {name:<30} {spent:7.1f} ms {spent / bare:6.1f} × bare Python")
    times = medians["mcp-eval --help"] / medians["python -c 'import click'"]
    print(f"  --help is {times:.1f} × import click (wanted: < {HELP_TIMES_CLICK:.0f} ×)")
    importing = medians["python -c 'import mcp_eval'"] - bare
    print(
        f"  import mcp_eval adds {importing:.1f} ms to bare Python (wanted: < {IMPORT_MS:.0f} ms)"
    )


def measured(environ: dict[str, str]) -> dict[str, float]:
    """The median of each command; rounds in turn, so that a busy moment hits all alike."""
    spent: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for command in COMMANDS.values():
        once(command, environ)
    for _ in range(ROUNDS):
        for name, command in COMMANDS.items():
            spent[name].append(once(command, environ))
    return {name: statistics.median(rounds) for name, rounds in spent.items()}


def once(command: Sequence[str], environ: dict[str, str]) -> float:
    """Milliseconds from start to end of one process."""
    began = time.perf_counter()
    subprocess.run(
        command,
        env=environ,
        input=b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return (time.perf_counter() - began) * 1000
