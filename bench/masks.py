"""Same-build answers, before and after masks; and what a mask must never hide."""

import asyncio
import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from mcp_eval import app
from mcp_eval.compare.answers import answer
from mcp_eval.compare.looks import by_step, look_facts
from mcp_eval.compare.paths import get, leaves, put, site
from mcp_eval.compare.shapes import volatile
from mcp_eval.compare.steady import distill
from mcp_eval.compare.texts import solid_words
from mcp_eval.model.project import Project, TargetSpec
from mcp_eval.model.provenance import Provenance
from mcp_eval.model.recording import RecordedStep, Recording
from mcp_eval.model.trajectory import Invocation, Outcome, Run
from mcp_eval.workflows import looks
from mcp_eval.workflows.environments import probed
from scripts.real_parts import command_of

SCENARIOS = Path(__file__).resolve().parent.parent / "tests" / "real" / "scenarios"
SERVERS = {
    "server-everything@2025.12.18": "tours/everything_2025.yaml",
    "server-memory@2026.1.26": "memory/graph.yaml",
    "server-filesystem@2025.7.29": "filesystem/notes.yaml",
    "mcp-server-git@2026.1.14": "git/history.yaml",
    "mcp-server-time@2026.1.26": "time/clock.yaml",
}
STARTS, LEARNED = 10, 3
SEED = 20260101
_LOWERING = frozenset(
    {
        "newly-failing", "newly-refused", "result-emptied", "result-field-removed",
        "result-field-renamed", "result-type-changed", "result-value-changed", "text-changed",
        "hit-lost", "wrong-page", "entry-doubled", "effect-lost", "content-type-changed",
    }
)  # fmt: skip


@dataclass
class Tally:
    """What came of one server's answers."""

    answers: int = 0
    byte_equal: int = 0
    equal: int = 0
    holes: Counter[str] = field(default_factory=Counter)
    tried: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    unequal: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)


async def looked_at(part: str, scenario: str, folder: Path) -> tuple[Recording, list[Run]]:
    """A recording whose masks were learned on the first starts, and the looks of the others."""
    project = Project(path=str(folder / "mcp-eval.yaml"), baselines=str(folder / "baselines"))
    (read,) = app.scenarios(project, (SCENARIOS / scenario,))
    command = command_of(part) + (["${workdir}"] if "filesystem" in part else [])
    env = {"MEMORY_FILE_PATH": "${workdir}/memory.jsonl"}
    spec = TargetSpec(name=part, command=tuple(command), resettable=True, env=env)
    world = app.world(project, spec, folder=project.baselines)
    surface, _ = await probed(world, world.target)
    first = await looks.run(world, read, surface=surface, trial=1)
    draft = distill(read, [first], provenance=Provenance(agent="script"), surface=surface)
    others = [
        await looks.look(world, world.target, draft, surface=surface, number=number)
        for number in range(2, STARTS + 1)
    ]
    learned = [first, *others[: LEARNED - 1]]
    recording = distill(read, learned, provenance=Provenance(agent="script"), surface=surface)
    return recording, others[LEARNED - 1 :]


def measured(recording: Recording, runs: list[Run]) -> Tally:
    """How many answers are equal as bytes, and how many after masks; and what still shows."""
    tally = Tally()
    tally.holes.update(hole.kind for step in recording.steps for hole in step.holes.values())
    for run in runs:
        facts = look_facts(recording, run)
        for number, made in by_step(run).items():
            step = recording.steps[number]
            if step.foreign:
                continue
            tally.answers += 1
            tally.byte_equal += bytes(made.outcome.body) == bytes(step.outcome.body)
            shown = [one for one in facts.get(number, ()) if one.change in _LOWERING]
            tally.equal += not shown
            tally.unequal += [f"{step.name}: {one.change} at {one.site.path}" for one in shown]
            for kind, changed in mutants(step, made):
                tally.tried[kind] += 1
                if _shows(recording, run, number, changed):
                    tally.found[kind] += 1
                else:
                    tally.hidden.append(f"{step.name}: {kind}")
    return tally


def _shows(recording: Recording, run: Run, number: int, changed: Invocation) -> bool:
    made = tuple(changed if one.step == number else one for one in run.trajectory.invocations)
    other = replace(run, trajectory=replace(run.trajectory, invocations=made))
    return any(one.change in _LOWERING for one in look_facts(recording, other).get(number, ()))


# --- changed answers ---


def mutants(step: RecordedStep, made: Invocation) -> Iterator[tuple[str, Invocation]]:
    """One field removed, one value flipped, one item lost: in this very answer."""
    chance = random.Random(f"{SEED}{step.name}{bytes(made.outcome.body)!r}")
    value = answer(made.outcome).value
    ways = {
        "field removed": _without_field,
        "value flipped": _flipped,
        "item lost": _without_item,
    }
    for kind, way in ways.items():
        changed = way(value, step, chance)
        if changed is not None:
            yield kind, replace(made, outcome=_as_outcome(changed))


def _as_outcome(value: Any) -> Outcome:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    body = {"content": [{"type": "text", "text": text}]}
    return Outcome(body=msgspec.Raw(msgspec.json.encode(body)))


def _steady(value: Any, step: RecordedStep) -> list[tuple[str, Any]]:
    """The leaves that no hole covers and that do not vary by their form."""
    return [
        (path, leaf)
        for path, leaf in leaves(value)
        if path
        and not any(site(path).startswith(hole) for hole in step.holes)
        and not volatile(leaf, path, "")
    ]


def _without_field(value: Any, step: RecordedStep, chance: random.Random) -> Any:
    paths = [path for path, _ in _steady(value, step) if not path.endswith("]")]
    if not isinstance(value, dict | list) or not paths:
        return None
    path = chance.choice(paths)
    parent, _, name = path.rpartition(".")
    holder = get(value, parent) if parent else value
    if not isinstance(holder, dict) or name not in holder:
        return None
    less = {key: member for key, member in holder.items() if key != name}
    return put(value, parent, less) if parent else less


def _flipped(value: Any, step: RecordedStep, chance: random.Random) -> Any:
    if isinstance(value, str):
        return _other_word(value, step, chance)
    usable = [
        (path, leaf)
        for path, leaf in _steady(value, step)
        if isinstance(leaf, bool | int | float) or (isinstance(leaf, str) and 0 < len(leaf) <= 40)
    ]
    if not usable:
        return None
    path, leaf = chance.choice(usable)
    return put(value, path, _other(leaf))


def _other(leaf: Any) -> Any:
    if isinstance(leaf, bool):
        return not leaf
    if isinstance(leaf, int | float):
        return leaf + 7
    return "otherwise"


def _other_word(text: str, step: RecordedStep, chance: random.Random) -> str | None:
    """A number or a quoted name of the text that stood in every look, changed."""
    hole = step.holes.get("")
    words = [word for word in solid_words(text) if not volatile(word, "", "")]
    if hole is not None:
        words = [word for word in words if word in hole.steady]
    plain = [word for word in (word.strip("\"'`") for word in words) if word and word in text]
    return text.replace(chance.choice(plain), "otherwise-7") if plain else None


def _without_item(value: Any, step: RecordedStep, chance: random.Random) -> Any:
    if isinstance(value, str):
        return None
    lists = [
        path
        for path in {path[: path.rindex("[")] for path, _ in _steady(value, step) if "[" in path}
        if isinstance(get(value, path) if path else value, list)
    ]
    if not lists:
        return None
    path = chance.choice(sorted(lists))
    items = get(value, path) if path else value
    if len(items) < 2:
        return None
    less = items[:-1]
    return put(value, path, less) if path else less


def bench() -> None:
    """A table by server, and the whole."""
    print(f"{STARTS} fresh starts each, masks learned on {LEARNED}, measured on the others")
    print(f"{'server':32} {'answers':>7} {'byte-equal':>10} {'after masks':>11}  still found")
    whole = Tally()
    for part, scenario in SERVERS.items():
        with tempfile.TemporaryDirectory() as folder:
            recording, runs = asyncio.run(looked_at(part, scenario, Path(folder)))
        tally = measured(recording, runs)
        _line(part, tally)
        whole.answers += tally.answers
        whole.byte_equal += tally.byte_equal
        whole.equal += tally.equal
        whole.tried += tally.tried
        whole.found += tally.found
    _line("all", whole)


def _line(name: str, tally: Tally) -> None:
    shares = (tally.byte_equal / tally.answers, tally.equal / tally.answers)
    found = ", ".join(
        f"{kind} {tally.found[kind]} of {count}" for kind, count in tally.tried.items()
    )
    print(f"{name:32} {tally.answers:7} {shares[0]:10.2f} {shares[1]:11.3f}  {found}", flush=True)
    for text, count in Counter(tally.unequal).most_common():
        print(f"    unequal {count}x {text}")
    for text, count in Counter(tally.hidden).most_common():
        print(f"    hidden {count}x {text}")


if __name__ == "__main__":
    bench()
