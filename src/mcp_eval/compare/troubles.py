"""Facts that forbid an opinion: rate limits, a lost target, an environment nobody reset."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mcp_eval.compare import words
from mcp_eval.compare.answers import answer, classify
from mcp_eval.compare.looks import by_step
from mcp_eval.compare.outcomes import said
from mcp_eval.compare.toolkey import bare_name
from mcp_eval.model.recording import RecordedStep, Recording
from mcp_eval.model.trajectory import Invocation, Run, Trouble

_ANSWERED = frozenset({"ok", "empty"})
_TWO = 2


def newly_failed(recording: Recording, run: Run) -> Iterator[tuple[int, RecordedStep, Invocation]]:
    """The steps answered before that ended in an error in this look."""
    for number, made in by_step(run).items():
        step = recording.steps[number]
        if made.outcome == step.outcome or made.outcome.kind == "not-reached":
            continue
        if classify(step.outcome) not in _ANSWERED:
            continue
        if classify(made.outcome) not in _ANSWERED:
            yield number, step, made


def of_scenario(
    recording: Recording, runs: Sequence[Run], *, fingerprint: str, resettable: bool
) -> tuple[Trouble, ...]:
    """Why no opinion on this scenario can be formed."""
    found: list[Trouble] = []
    if fingerprint and recording.fingerprint and fingerprint != recording.fingerprint:
        found.append(
            Trouble(
                rule="scenario-edited",
                message=f"{recording.stem}: its steps, setup or typed criteria were edited",
                evidence=f"recorded as {recording.fingerprint}, now {fingerprint}",
            )
        )
    if runs and all(run.troubles for run in runs):
        found += runs[0].troubles
    if runs:
        found += _limited(recording, runs)
        found += _not_reset(recording, runs, resettable=resettable)
    return tuple(dict.fromkeys(found))


def _limited(recording: Recording, runs: Sequence[Run]) -> Iterator[Trouble]:
    for run in runs:
        for number, step, made in newly_failed(recording, run):
            text = answer(made.outcome).text
            if words.RATE.search(text):
                yield Trouble(
                    rule="rate-limited",
                    message=f"{bare_name(step.name)} is rate limited",
                    evidence=said(answer(made.outcome)),
                    scenario=recording.stem,
                    step=number,
                )
                return


def _not_reset(recording: Recording, runs: Sequence[Run], *, resettable: bool) -> Iterator[Trouble]:
    """What an earlier run left: "already exists", or a delete that finds nothing any more."""
    if resettable or recording.fresh or all(run.fresh for run in runs):
        return
    for number, step, made in newly_failed(recording, runs[0]):
        text = answer(made.outcome).text
        undoing = any(part in words.UNDOING for part in _operation_words(step))
        if words.ALREADY.search(text) or (undoing and words.MISSING.search(text)):
            yield Trouble(
                rule="not-reset",
                message=f"{bare_name(step.name)} met what an earlier run left behind",
                evidence=said(answer(made.outcome)),
                scenario=recording.stem,
                step=number,
            )
            return


def _operation_words(step: RecordedStep) -> Iterable[str]:
    yield from words.words_of(bare_name(step.name))
    for name in words.DISCRIMINATORS:
        if isinstance(step.arguments.get(name), str):
            yield from words.words_of(step.arguments[name])


def of_target(
    recordings: Iterable[Recording],
    runs: Mapping[str, tuple[Run, ...]],
    old_runs: Mapping[str, tuple[Run, ...]],
) -> tuple[Trouble, ...]:
    """Two different tools or more that fail with one network or authorisation message."""
    known = tuple(recordings)
    for message, failed in _by_message(known, runs).items():
        tools = {bare_name(step.name) for _, _, step, _ in failed}
        # Where the old build is fine in this environment now, the environment is not to blame.
        if len(tools) < _TWO or (any(old_runs.values()) and not _by_message(known, old_runs)):
            continue
        evidence = {
            f"{bare_name(step.name)}: {said(answer(made.outcome))}" for _, _, step, made in failed
        }
        first: dict[str, int] = {}
        for stem, number, _, _ in failed:
            first.setdefault(stem, number)
        return tuple(
            Trouble(
                rule="target-lost",
                message=f"{len(tools)} tools fail alike: “{message}”",
                evidence="; ".join(sorted(evidence)),
                scenario=stem,
                step=number,
            )
            for stem, number in first.items()
        )
    return ()


def _by_message(
    recordings: Sequence[Recording], runs: Mapping[str, tuple[Run, ...]]
) -> dict[str, list[tuple[str, int, RecordedStep, Invocation]]]:
    """The newly failed steps by what they say of the network or of our credentials."""
    found: dict[str, list[tuple[str, int, RecordedStep, Invocation]]] = defaultdict(list)
    for recording in recordings:
        for run in runs.get(recording.stem, ())[:1]:
            for number, step, made in newly_failed(recording, run):
                read = answer(made.outcome)
                word = words.NETWORK.search(read.text) if read.kind != "crashed" else None
                if word:
                    found[word[0].lower()].append((recording.stem, number, step, made))
    return found
