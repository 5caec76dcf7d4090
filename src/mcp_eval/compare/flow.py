"""Facts that only the whole scenario shows: who needed a value, which write no longer shows."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from mcp_eval.compare.answers import answer, classify
from mcp_eval.compare.effects import writes
from mcp_eval.compare.facts import fact
from mcp_eval.compare.looks import by_step
from mcp_eval.compare.paths import leaf, leaves
from mcp_eval.compare.toolkey import bare_name, tool_key
from mcp_eval.compare.words import words_of
from mcp_eval.model.base import Json
from mcp_eval.model.comparison import Difference
from mcp_eval.model.recording import RecordedStep, Recording
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Binding, Invocation, Run

Facts = Mapping[int, tuple[Difference, ...]]
_ANSWERED = frozenset({"ok", "empty"})
_FEWEST = 3
_LOSSES = frozenset(
    {
        "hit-lost",
        "result-field-removed",
        "result-emptied",
        "text-changed",
        "result-value-changed",
        "result-type-changed",
        "newly-failing",
    }
)
_VANISHED = frozenset({"result-emptied"})
_GONE = frozenset({"hit-lost", "text-changed", "wrong-page"})
_STOPS = frozenset({"newly-failing", "newly-refused", "result-emptied"})


def in_the_flow(
    recording: Recording, run: Run, facts: Facts, surface: Surface
) -> dict[int, tuple[Difference, ...]]:
    """One look's facts, read again with the rest of the scenario at hand."""
    made = by_step(run)
    read = {
        step: [
            _effect(
                recording,
                made,
                _guard(recording, made, _needed(recording, made, facts, one, step), step),
                step,
                surface,
            )
            for one in shown
        ]
        for step, shown in facts.items()
    }
    for step, binding, number in _unexplained(recording, made, read):
        read.setdefault(step, []).append(
            fact("result-field-removed", binding.path, None, None, needed_by=[number])
        )
    return {step: tuple(shown) for step, shown in read.items()}


# --- a later step needed it ---


def _needed(
    recording: Recording, made: Mapping[int, Invocation], facts: Facts, one: Difference, step: int
) -> Difference:
    needing = [
        number
        for number, later in enumerate(recording.steps)
        if number > step and _uses(later, step, one.site.path) and _stopped(number, made, facts)
    ]
    if not needing:
        return one
    # What is null, or gone with its item, is a field that nobody finds: a later step proves it.
    gone = one.change in _GONE or (one.change == "result-type-changed" and one.after is None)
    change = "result-field-removed" if gone else one.change
    return replace(one, change=change, details={**one.details, "needed_by": needing})


def _unexplained(
    recording: Recording, made: Mapping[int, Invocation], read: Mapping[int, list[Difference]]
) -> Iterator[tuple[int, Binding, int]]:
    """Steps that could not be reached though no difference says why: their value is lost."""
    for number, later in enumerate(recording.steps):
        here = made.get(number)
        if here is None or here.outcome.kind != "not-reached" or here.waits_for is None:
            continue
        source = here.waits_for
        if any(number in one.details.get("needed_by", ()) for one in read.get(source, ())):
            continue
        if any(one.change in _STOPS for one in read.get(source, ())) or _unreached(source, made):
            continue
        yield from (
            (source, binding, number) for binding in later.bindings[:1] if binding.step == source
        )


def _unreached(step: int, made: Mapping[int, Invocation]) -> bool:
    here = made.get(step)
    return here is None or here.outcome.kind == "not-reached"


def _stopped(number: int, made: Mapping[int, Invocation], facts: Facts) -> bool:
    here = made.get(number)
    if here is None or here.outcome.kind == "not-reached":
        return True
    return any(one.change in {"newly-failing", "newly-refused"} for one in facts.get(number, ()))


def _uses(later: RecordedStep, step: int, path: str) -> bool:
    return any(
        binding.step == step and (not path or _under(binding.path, path))
        for binding in later.bindings
    )


def _under(used: str, path: str) -> bool:
    """Whether a value taken from one place is lost when another one goes."""
    return set(words_of(leaf(path))) <= set(words_of(used)) if leaf(path) else True


# --- a write that no longer shows ---


def _effect(
    recording: Recording,
    made: Mapping[int, Invocation],
    one: Difference,
    step: int,
    surface: Surface,
) -> Difference:
    if one.change not in _LOSSES | {"entry-doubled"} or _writing(recording.steps[step], surface):
        return one
    if one.change == "newly-failing" and one.details.get("now") == "crashed":
        return one
    for number in range(step):
        lost = _lost_mark(recording, made, number, step, one, surface)
        if lost:
            return replace(
                one,
                change="effect-lost",
                details={
                    **one.details,
                    "written_by": number,
                    "mark": lost,
                    "was_change": one.change,
                },
            )
    return one


def _lost_mark(
    recording: Recording,
    made: Mapping[int, Invocation],
    writer: int,
    reader: int,
    one: Difference,
    surface: Surface,
) -> str:
    """What a write left that the reader showed on the baseline and shows no more, or twice."""
    wrote, read = recording.steps[writer], recording.steps[reader]
    here, there = made.get(writer), made.get(reader)
    if here is None or there is None or not _writing(wrote, surface):
        return ""
    if classify(here.outcome) not in _ANSWERED or classify(wrote.outcome) not in _ANSWERED:
        return ""
    before, after = _texts(answer(read.outcome).value), _texts(answer(there.outcome).value)
    own = set(_marks(read.arguments))
    shown_earlier = [_texts(answer(recording.steps[n].outcome).value) for n in range(writer)]
    for mark in _marks(wrote.arguments):
        if mark in own or any(_stands(mark, texts) for texts in shown_earlier):
            continue
        if not _stands(mark, before):
            continue
        gone = not _stands(mark, after)
        doubled = one.change == "entry-doubled" and mark in str(one.after)
        if doubled or (gone and (mark in str(one.before) or one.change in _VANISHED)):
            return mark
    return ""


def _writing(step: RecordedStep, surface: Surface) -> bool:
    tool = surface.tool(bare_name(step.name))
    return writes(step.name, tool, tool_key(step.name, step.arguments, tool))


def _marks(value: Json) -> Iterator[str]:
    """Strings that a person would recognise again."""
    for _, member in leaves(value):
        if isinstance(member, str) and len(member.strip()) >= _FEWEST:
            yield member.strip()


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(str(member) for _, member in leaves(value) if isinstance(member, str | int))


def _stands(mark: str, texts: Sequence[str]) -> bool:
    return any(mark == text or (len(mark) > _FEWEST and mark in text) for text in texts)


# --- a guard whose remedy the scenario itself carries out ---


def _guard(
    recording: Recording, made: Mapping[int, Invocation], one: Difference, step: int
) -> Difference:
    if one.change != "newly-refused":
        return one
    said = str(one.after).lower()
    for number in range(step + 1, len(recording.steps)):
        later, here = recording.steps[number], made.get(number)
        if here is None or classify(here.outcome) not in _ANSWERED:
            continue
        if _named_in(said, later):
            return replace(one, change="newly-guarded", details={**one.details, "remedy": number})
    return one


def _named_in(said: str, step: RecordedStep) -> bool:
    """Whether a refusal names this later request as the way out."""
    name = bare_name(step.name).lower()
    return name in said or name.replace("_", " ") in said
