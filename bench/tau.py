"""Trials of one model on one task: alarms between two that passed, detection of one that failed."""

import gzip
import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

import msgspec

from mcp_eval.compare.steady import is_effect, key_of
from mcp_eval.model.policy import Policy
from mcp_eval.model.provenance import Provenance
from mcp_eval.model.recording import Baseline, RecordedStep, Recording
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Invocation, Outcome
from mcp_eval.workflows.compare import Side, compared

_SCORERS = ("formula", "aligned", "f1", "exact")
_PASS = 0.8


@dataclass(frozen=True)
class Trial:
    """One run of a task, and whether it reached the right end state."""

    task: int
    success: bool
    side: Side


def trials(path: Path) -> list[Trial]:
    """Every trial of a file of trajectories, one JSON object a line."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [_trial(json.loads(line)) for line in lines]


def _trial(row: dict[str, Any]) -> Trial:
    steps = tuple(
        RecordedStep(
            name=call["name"],
            arguments=call["arguments"] or {},
            outcome=_outcome(call["response"]),
            classes={"ok": 1},
        )
        for call in row["calls"]
    )
    recording = Recording(
        name=str(row["task"]),
        stem="task",
        steps=steps,
        runs=1,
        provenance=Provenance(agent="models", model=row["model"]),
    )
    baseline = Baseline(surface=Surface(), recordings={"task": recording})
    return Trial(task=row["task"], success=bool(row["success"]), side=Side(baseline=baseline))


def _outcome(response: Any) -> Outcome:
    text = response if isinstance(response, str) else json.dumps(response)
    body = {"content": [{"type": "text", "text": text}]}
    return Outcome(body=msgspec.Raw(msgspec.json.encode(body)))


def ordered_pairs(found: list[Trial]) -> Iterator[tuple[Trial, Trial]]:
    """A trial that passed, and every other trial of its task."""
    by_task: dict[int, list[Trial]] = defaultdict(list)
    for trial in found:
        by_task[trial.task].append(trial)
    for mine in by_task.values():
        yield from ((one, other) for one, other in permutations(mine, 2) if one.success)


def effects(found: list[Trial]) -> Counter[str]:
    """The tools whose calls were taken for effects, without anybody listing them."""
    return Counter(
        key_of(step, None)
        for trial in found
        for step in trial.side.baseline.recordings["task"].steps
        if is_effect(
            Invocation(name=step.name, arguments=step.arguments, outcome=step.outcome), None
        )
    )


def bench() -> None:
    """The gate's alarms and detection, and what the scorers alone would do at 0.8."""
    named = os.environ.get("MCP_EVAL_TRAJECTORIES", "")
    if not named or not Path(named).is_file():
        print("  not measured: MCP_EVAL_TRAJECTORIES names no file of trajectories")
        return
    found = trials(Path(named))
    print(f"  effects learned: {dict(effects(found).most_common())}")
    alarms: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    total: Counter[bool] = Counter()
    for before, after in ordered_pairs(found):
        report = compared(before.side, after.side, policy=Policy())
        total[after.success] += 1
        alarms[after.success]["the gate"] += report.status in {"degraded", "broken"}
        for name in _SCORERS:
            alarms[after.success][name] += report.scenarios[0].scores[name] < _PASS
    print(f"  {total[True]} pairs pass–pass, {total[False]} pairs pass–fail")
    for name in ("the gate", *_SCORERS):
        false, true = alarms[True][name] / total[True], alarms[False][name] / total[False]
        print(f"  {name:10} alarms {false:.3f}  detection {true:.3f}")


if __name__ == "__main__":
    bench()
