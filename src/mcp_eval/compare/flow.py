"""Facts that only the whole scenario shows: who needed a value, which write no longer shows."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from mcp_eval.compare.answers import answer, classify
from mcp_eval.compare.effects import writes
from mcp_eval.compare.facts import fact
from mcp_eval.compare.looks import by_step
from mcp_eval.compare.paths import get, leaf, leaves
from mcp_eval.compare.shapes import volatile
from mcp_eval.compare.toolkey import bare_name, tool_key
from mcp_eval.compare.words import IDS, UNDOING, named, words_of
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
_GAINS = frozenset({"entry-doubled", "item-added", "improvement"})
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
    if one.change not in _LOSSES | _GAINS or _writing(recording.steps[step], surface):
        return one
    if one.change == "newly-failing" and one.details.get("now") == "crashed":
        return one
    for number in range(step):
        if not _wrote(recording, made, number, step, surface):
            continue
        lost = _lost_mark(recording, made, number, step, one)
        lost = lost or _kept_mark(recording, made, number, step, one)
        if lost:
            told = {"written_by": number, "mark": lost, "was_change": one.change}
            return replace(one, change="effect-lost", details={**one.details, **told})
    return one


def _wrote(
    recording: Recording,
    made: Mapping[int, Invocation],
    writer: int,
    reader: int,
    surface: Surface,
) -> bool:
    """Whether an earlier step wrote, and said yes on both sides, and the later one was made."""
    wrote, here = recording.steps[writer], made.get(writer)
    if here is None or made.get(reader) is None or not _writing(wrote, surface):
        return False
    return classify(here.outcome) in _ANSWERED and classify(wrote.outcome) in _ANSWERED


def _lost_mark(
    recording: Recording,
    made: Mapping[int, Invocation],
    writer: int,
    reader: int,
    one: Difference,
) -> str:
    """What a write left that the reader showed on the baseline and shows no more, or twice."""
    wrote, read = recording.steps[writer], recording.steps[reader]
    value = answer(read.outcome).value
    before, after = _texts(value), _texts(answer(made[reader].outcome).value)
    own = set(_marks(read.arguments))
    earlier = _shown_before(recording, writer)
    for mark in _marks(wrote.arguments):
        if mark in own or any(_stands(mark, texts) for texts in earlier):
            continue
        if not _stands(mark, before):
            continue
        gone = not _stands(mark, after) and one.change in _LOSSES
        doubled = one.change == "entry-doubled" and mark in str(one.after)
        twice = one.change == "item-added" and _twins(mark, value, one)
        if doubled or twice or (gone and (mark in str(one.before) or one.change in _VANISHED)):
            return mark
    return ""


def _twins(mark: str, value: Json, one: Difference) -> bool:
    """Whether an added item says what the written one says, but for an id or a time."""
    items = get(value, one.site.path, None) if "[]" not in one.site.path else None
    if not isinstance(items, list) or not isinstance(one.after, list):
        return False
    told = [_said(item) for item in items]
    return any(mark in said.values() and said in told for said in map(_said, one.after))


def _said(item: Json) -> dict[str, Json]:
    """What an item says of itself, without what would differ in its double."""
    return {
        path: member
        for path, member in leaves(item)
        if not named(path, IDS) and not volatile(member, path, "")
    }


def _kept_mark(
    recording: Recording,
    made: Mapping[int, Invocation],
    writer: int,
    reader: int,
    one: Difference,
) -> str:
    """What a removal took away on the baseline, and what a later read still shows."""
    wrote, read = recording.steps[writer], recording.steps[reader]
    undoing = UNDOING & set(words_of(tool_key(wrote.name, wrote.arguments)))
    if one.change not in {"item-added", "improvement"} or not undoing:
        return ""
    before = _texts(answer(read.outcome).value)
    after = set(_texts(answer(made[reader].outcome).value))
    earlier = _shown_before(recording, writer)
    own = set(_marks(read.arguments))
    for path, old in leaves(wrote.arguments):
        mark = get(made[writer].arguments, path, None)
        if not isinstance(old, str) or not isinstance(mark, str) or len(old) < _FEWEST:
            continue
        known = any(old in texts for texts in earlier) and old not in before
        asked = one.change == "improvement" and old in own
        if known and (mark in after or asked):
            return mark
    return ""


def _shown_before(recording: Recording, step: int) -> list[tuple[str, ...]]:
    """What the answers before a step said when it was recorded."""
    return [_texts(answer(one.outcome).value) for one in recording.steps[:step]]


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
