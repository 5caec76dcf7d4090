"""One comparison beside google-adk, agentevals and deepeval, in one run."""

import gc
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from mcp_eval.compare.align import align
from mcp_eval.compare.compare import compare
from mcp_eval.compare.metrics import aligned, exact
from mcp_eval.formats.envelope import decode, encode
from mcp_eval.judge.verdict import judge
from mcp_eval.model.candidate import Candidate
from mcp_eval.model.comparison import Call
from mcp_eval.model.policy import Policy
from mcp_eval.model.provenance import Provenance
from mcp_eval.model.recording import Baseline, RecordedStep, Recording
from mcp_eval.model.surface import Surface, Tool
from mcp_eval.model.trajectory import Invocation, Message, Outcome, Run, Trajectory
from mcp_eval.workflows.compare import Side, compared

PEERS = ("google-adk==2.13.0", "agentevals==0.0.9", "deepeval==4.3.1", "mcp==2.3.0")
SEED = 20260102
_MOMENT = "2026-01-02T03:04:05.000Z"
_SAYINGS = (
    ("find tools for environment variables", "search tools about env vars"),
    ("list all open issues", "show every issue that is open"),
    ("read the configuration file", "open the config file"),
    ("add a server for github", "register the github server"),
    ("weather in the capital of France", "forecast for the French capital"),
    ("latest commits of the parser", "most recent parser commits"),
    ("delete the temporary folder", "remove the temp directory"),
    ("who changed the scheduler last", "last author of the scheduler"),
)


def calls(number: int, said: int, chance: random.Random) -> list[dict[str, Any]]:
    """Ten calls in one way of saying them, each answer with one leaf that always varies."""
    made = []
    for step in range(10):
        words = _SAYINGS[(number + step) % len(_SAYINGS)][said]
        arguments = {"query": f"{words} {number}-{step}", "limit": 5, "detail": step % 2 == 0}
        items = [
            {
                "name": f"item-{number}-{step}-{n}",
                "score": round(0.9 - n / 10, 2),
                "open": n % 2 == 0,
            }
            for n in range(4)
        ]
        answer = {
            "items": items,
            "total": 4,
            "request_id": str(uuid.UUID(int=chance.getrandbits(128))),
        }
        made.append({"name": f"search_{step % 4}", "arguments": arguments, "answer": answer})
    return made


def pairs(amount: int) -> list[dict[str, Any]]:
    """Distinct pairs of ten calls, said in two ways."""
    chance = random.Random(SEED)
    return [{"before": calls(n, 0, chance), "after": calls(n, 1, chance)} for n in range(amount)]


# --- ours ---


def side(made: list[dict[str, Any]], stem: str = "one") -> Side:
    """Calls as a stored recording."""
    steps = tuple(
        RecordedStep(
            name=one["name"], arguments=one["arguments"], outcome=outcome(one["answer"]),
            classes={"ok": 1},
        )
        for one in made
    )  # fmt: skip
    recording = Recording(
        name=stem,
        stem=stem,
        steps=steps,
        messages=(Message(role="user", text="go"),),
        runs=1,
        provenance=Provenance(agent="models", recorded_at=_MOMENT),
    )
    tools = tuple(Tool(name=f"search_{n}", annotations={"readOnlyHint": True}) for n in range(4))
    return Side(baseline=Baseline(surface=Surface(tools=tools), recordings={stem: recording}))


def outcome(answer: Any) -> Outcome:
    """An answer as a tool gives it."""
    body = {"content": [{"type": "text", "text": json.dumps(answer)}]}
    return Outcome(body=msgspec.Raw(msgspec.json.encode(body)))


def cold() -> None:
    """Forget whatever earlier pairs taught any module."""
    for name, module in list(sys.modules.items()):
        if name.startswith("mcp_eval."):
            for found in vars(module).values():
                if hasattr(found, "cache_clear"):
                    found.cache_clear()


def ours(found: list[dict[str, Any]]) -> list[float]:
    """Milliseconds of each comparison and verdict, outcomes and all."""
    sides = [(side(one["before"]), side(one["after"])) for one in found]
    compared(*sides[0], policy=Policy())
    cold()
    return [
        timed(lambda mine=mine, its=its: compared(mine, its, policy=Policy()))
        for mine, its in sides
    ]


def scorers(found: list[dict[str, Any]]) -> list[float]:
    """Milliseconds of what a peer does alone: calls aligned and scored, no outcome, no verdict."""
    sides = [(made(one["before"]), made(one["after"])) for one in found]
    cold()
    return [timed(lambda mine=mine, its=its: scored(mine, its)) for mine, its in sides]


def made(calls_: list[dict[str, Any]]) -> list[Call]:
    """Calls as the scorers meet them."""
    return [
        Call(step=n, tool=one["name"], name=one["name"], arguments=one["arguments"])
        for n, one in enumerate(calls_)
    ]


def scored(mine: list[Call], its: list[Call]) -> tuple[float, bool]:
    """The mean of what is aligned, and whether all is the same to the letter."""
    return aligned(align(mine, its)), exact(mine, its)


def timed(work: Callable[[], Any]) -> float:
    """Milliseconds of this process: whoever else is busy on the machine does not count."""
    started = time.process_time_ns()
    work()
    return (time.process_time_ns() - started) / 1e6


# --- long ones ---


def long_ones() -> float:
    """Two trajectories of a thousand calls."""
    found = pairs(100)
    before = [call for one in found for call in one["before"]]
    after = [call for one in found for call in one["after"]]
    mine, its = side(before), side(after)
    cold()
    return timed(lambda: compared(mine, its, policy=Policy()))


def a_big_run() -> tuple[float, float]:
    """A run of ten megabytes: our decoding, and msgspec's of the same bytes."""
    rows = [{"id": n, "name": f"row {n}", "open": n % 2 == 0} for n in range(3200)]
    made = tuple(
        Invocation(name="list", arguments={"page": n}, outcome=outcome(rows)) for n in range(60)
    )
    run = Run(scenario="big", trajectory=Trajectory(invocations=made))
    stored = encode("run", run)
    # What earlier measurements left on the heap is nobody's decoding.
    gc.collect()
    gc.freeze()
    mine = [timed(lambda: decode("run", stored, where="bench")) for _ in range(9)]
    plain = [timed(lambda: msgspec.json.decode(stored)) for _ in range(9)]
    gc.unfreeze()
    print(f"  a run of {len(stored) / 1e6:.1f} MB")
    return statistics.median(mine), statistics.median(plain)


def a_suite() -> float:
    """Two hundred scenarios of ten looks each, compared and judged: seconds."""
    chance = random.Random(SEED)
    recordings, runs = {}, {}
    for n in range(200):
        stem = f"s{n:03}"
        made = calls(n, 0, chance)
        recordings[stem] = side(made, stem).baseline.recordings[stem]
        runs[stem] = tuple(_look(stem, made, trial, chance) for trial in range(10))
    baseline = Baseline(surface=side([], "x").baseline.surface, recordings=recordings)
    candidate = Candidate(surface=baseline.surface, runs=runs, resettable=True)
    cold()
    return timed(lambda: judge(compare(baseline, candidate), Policy())) / 1000


def _look(stem: str, made: list[dict[str, Any]], trial: int, chance: random.Random) -> Run:
    fresh = (
        {**one["answer"], "request_id": str(uuid.UUID(int=chance.getrandbits(128)))} for one in made
    )
    invocations = tuple(
        Invocation(name=one["name"], arguments=one["arguments"], outcome=outcome(answer), step=n)
        for n, (one, answer) in enumerate(zip(made, fresh, strict=True))
    )
    return Run(
        scenario=stem, trial=trial + 1, recorded_at=_MOMENT,
        trajectory=Trajectory(invocations=invocations),
    )  # fmt: skip


# --- theirs ---


def peers_python() -> Path | None:
    """The Python of an environment that holds the peers; None where it cannot be had."""
    base = Path(os.environ.get("MCP_EVAL_CACHE") or Path.home() / ".cache" / "mcp-eval")
    folder = base / "peers" / f"py{sys.version_info.major}.{sys.version_info.minor}"
    python, ready = folder / "bin" / "python", folder / ".ready"
    if ready.exists() and ready.read_text() == repr(PEERS):
        return python
    print("  installing the peers in an environment of their own", flush=True)
    venv.create(folder, with_pip=True)
    uv = Path(sys.executable).with_name("uv")
    install = [str(uv), "pip", "install", "--quiet", "--no-config", "--python", str(python)]
    command = install if uv.exists() else [str(python), "-m", "pip", "install", "--quiet"]
    ended = subprocess.run([*command, *PEERS], check=False, timeout=900)
    if ended.returncode:
        return None
    ready.write_text(repr(PEERS))
    return python


def theirs(data: dict[str, Any]) -> dict[str, Any]:
    """The peers' milliseconds on the same pairs."""
    python = peers_python()
    if python is None:
        return {}
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(data, file)
        file.flush()
        script = Path(__file__).with_name("peers_side.py")
        ended = subprocess.run(
            [str(python), "-P", str(script), file.name],  # no module of ours before theirs
            capture_output=True, text=True, check=False, timeout=600,
        )  # fmt: skip
    if ended.returncode:
        print(f"  the peers failed: {ended.stderr.strip().splitlines()[-1:]}")
        return {}
    return dict(json.loads(ended.stdout.strip().splitlines()[-1]))


def bench() -> None:
    """Milliseconds a comparison (median), and the ratios that were asked for."""
    found = pairs(100)
    same = [{"before": one["before"], "after": one["before"]} for one in found]
    mine = {
        "paraphrased": statistics.median(ours(found)),
        "identical": statistics.median(ours(same)),
    }
    alone = statistics.median(scorers(same))
    others = theirs({"paraphrased": found, "identical": same})
    for sort, value in mine.items():
        print(f"  mcp-eval, outcomes and verdict, {sort}: {value:.2f} ms")
    print(f"  mcp-eval, align and scores alone, identical: {alone:.4f} ms")
    for name, value in others.items():
        shown = f"{value:.4f} ms" if isinstance(value, float) else value
        print(f"  {name}: {shown}")
    _ratio(
        "agentevals strict / mcp-eval, paraphrased (wanted: ≥ 2)",
        others.get("agentevals paraphrased"),
        mine["paraphrased"],
    )
    _ratio(
        "mcp-eval's scorers / ADK EXACT's, ten identical calls (wanted: ≤ 5)",
        alone,
        others.get("adk identical"),
    )
    _ratio(
        "mcp-eval's whole verdict, outcomes read / ADK EXACT's scorer, the same calls",
        mine["identical"],
        others.get("adk identical"),
    )
    long = long_ones()
    print(f"  two trajectories of 1,000 calls: {long:.0f} ms")
    _ratio(
        "1,000 calls / one agentevals comparison (wanted: < 1000)",
        long,
        others.get("agentevals paraphrased"),
    )
    decoding, plain = a_big_run()
    print(f"  decoded in {decoding:.1f} ms, msgspec.json.decode {plain:.1f} ms")
    _ratio("ratio (wanted: ≤ 2)", decoding, plain)
    print(f"  200 scenarios × 10 looks compared and judged: {a_suite():.2f} s (wanted: < 5)")


def _ratio(name: str, value: Any, beside: Any) -> None:
    if isinstance(value, float) and isinstance(beside, float):
        print(f"  {name}: {value / beside:.2f}")
    else:
        print(f"  {name}: not measured")


if __name__ == "__main__":
    bench()
