"""What the agent lane knows: was the goal of a run reached, and where did the path differ."""

from collections import Counter
from collections.abc import Iterator, Sequence

from mcp_eval.compare.align import staying
from mcp_eval.compare.answers import answer, classify
from mcp_eval.compare.arguments import compare_arguments
from mcp_eval.compare.effects import hands_over
from mcp_eval.compare.steady import is_effect, key_of, run_of
from mcp_eval.compare.texts import solid_words
from mcp_eval.compare.toolkey import bare_name
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.comparison import (
    CriterionResult,
    Difference,
    GoalFacts,
    Lane,
    Pair,
    Site,
    Steadiness,
)
from mcp_eval.model.recording import Recording
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Invocation, Run

_HALF = 0.5
_ALIKE = 0.999
_FREE = frozenset({"text", "json"})
_ANSWERED = frozenset({"ok", "empty"})


def goal_facts(
    recording: Recording,
    runs: Sequence[Run],
    before: Surface,
    after: Surface,
    criteria: Sequence[CriterionResult] = (),
) -> GoalFacts:
    """Run by run, whether the goal fixed by the baseline was reached."""
    exemplar = run_of(recording)
    typed = [one for one in criteria if one.kind != "prose"]
    missed = [_miss(exemplar, run, before, after, typed) for run in runs]
    mine = _keys([exemplar], before)
    its = _keys(runs, after)
    effects = any(
        is_effect(made, surface)
        for run, surface in ((exemplar, before), *((run, after) for run in runs))
        for made in _made(run)
    )
    return GoalFacts(
        runs=len(runs),
        reached=sum(not lack for lack in missed),
        by=_by(exemplar, before, typed),
        missed=tuple(lack for lack in missed if lack),
        # Another tool instead is evidence; no tool at all is only the lack of it.
        common_keys=bool(mine & its) or not mine or not its,
        tool_failed=_failed_tool(exemplar, runs, before, after),
        rerun_possible=False,
        effects=effects,
    )


def _made(run: Run) -> list[Invocation]:
    return [made for made in run.trajectory.invocations if not made.foreign]


def _keys(runs: Sequence[Run], surface: Surface) -> set[str]:
    """The tool keys of some runs, but for those that hand the conversation over."""
    return {
        key_of(made, surface)
        for run in runs
        for made in _made(run)
        if not hands_over(bare_name(made.name))
    }


def _by(exemplar: Run, surface: Surface, typed: Sequence[CriterionResult]) -> str:
    if typed:
        return "criteria"
    if any(is_effect(made, surface) for made in _made(exemplar)):
        return "effects"
    return "answer" if told(exemplar) else "nothing"


def _miss(
    exemplar: Run,
    run: Run,
    before: Surface,
    after: Surface,
    typed: Sequence[CriterionResult],
) -> str:
    """What a run lacked; "" where it reached the goal."""
    if typed:
        failed = [one.text for one in typed if one.result == "no" and one.baseline != "no"]
        return f"criterion not met: {failed[0]}" if failed else ""
    lacking = _effects_lacking(exemplar, run, before, after)
    return lacking or _answer_lacking(exemplar, run)


def _effects_lacking(exemplar: Run, run: Run, before: Surface, after: Surface) -> str:
    mine = [
        (key_of(made, before), made.arguments)
        for made in _made(exemplar)
        if is_effect(made, before)
    ]
    its = [(key_of(made, after), made.arguments) for made in _made(run) if is_effect(made, after)]
    free = list(its)
    for key, arguments in mine:
        match = next(
            (one for one in free if one[0] == key and same_effect(arguments, one[1])), None
        )
        if match is None:
            return f"no effect like {key}"
        free.remove(match)
    return f"an effect the baseline did not have: {free[0][0]}" if free else ""


def same_effect(mine: JsonObject, other: JsonObject) -> bool:
    """Equal in every argument of an exact kind; free text is the agent's own."""
    compared = compare_arguments(mine, other)
    return all(
        argument.kind in _FREE or argument.similarity >= _ALIKE for argument in compared.arguments
    )


def told(run: Run) -> frozenset[str]:
    """Identifiers, names and numbers of the final message that came from outcomes."""
    said = {_plain(word) for word in solid_words(run.trajectory.answer)}
    intent = {
        _plain(word)
        for message in run.trajectory.messages
        if message.role == "user"
        for word in solid_words(message.text)
    }
    return frozenset(said & _carried(run) - intent)


def _carried(run: Run) -> set[str]:
    texts = (
        answer(made.outcome).text for made in _made(run) if classify(made.outcome) in _ANSWERED
    )
    return {_plain(word) for text in texts for word in solid_words(text)}


def _plain(word: str) -> str:
    return word.strip("\"'`.,:;!?()[]{}*").casefold()


def _answer_lacking(exemplar: Run, run: Run) -> str:
    wanted = told(exemplar)
    if not wanted:
        return ""
    lost = wanted - _carried(run)
    if lost:
        return f"no outcome holds {', '.join(sorted(lost)[:3])}"
    said = {_plain(word) for word in solid_words(run.trajectory.answer)}
    if len(wanted & said) < len(wanted) * _HALF:
        return f"its answer does not say {', '.join(sorted(wanted - said)[:3])}"
    return ""


def _failed_tool(exemplar: Run, runs: Sequence[Run], before: Surface, after: Surface) -> str:
    used = {bare_name(made.name) for made in _made(exemplar) if classify(made.outcome) in _ANSWERED}
    if before.tools and after.tools:
        offered = {tool.name for tool in after.tools}
        if gone := sorted(used & {tool.name for tool in before.tools} - offered):
            return gone[0]
    for run in runs:
        for made in _made(run):
            if bare_name(made.name) in used and classify(made.outcome) in {"failed", "crashed"}:
                answered = any(
                    bare_name(other.name) == bare_name(made.name)
                    and classify(other.outcome) in _ANSWERED
                    for other in _made(run)
                )
                if not answered:
                    return bare_name(made.name)
    return ""


# --- what was missed ---


def missed_goal(stem: str, goal: GoalFacts) -> Iterator[Difference]:
    """That some run missed the goal, or that nothing can be said but that all was different."""
    missed = goal.runs - goal.reached
    strangers = not goal.common_keys and goal.by == "nothing"
    if not missed and not strangers:
        return
    yield Difference(
        site=Site(tool="", path="goal", scenario=stem),
        lane="agent",
        change="goal-not-reached",
        steadiness=Steadiness(seen=missed, looks=goal.runs),
        details={
            "runs": goal.runs,
            "missed": missed or goal.runs,
            "by": goal.by,
            "lacked": list(goal.missed[:5]),
            "tool_failed": goal.tool_failed,
            "common_keys": goal.common_keys,
            "rerun_possible": goal.rerun_possible,
        },
    )


def failed_criteria(
    stem: str, criteria: Sequence[CriterionResult], lane: Lane, looks: int
) -> Iterator[Difference]:
    """Criteria that held on the baseline and do not hold now."""
    for one in criteria:
        if one.baseline == "yes" and one.result == "no":
            yield Difference(
                site=Site(tool="", path=one.text, scenario=stem),
                lane=lane,
                change="criterion-failed",
                before=one.text,
                after=one.quote,
                steadiness=Steadiness(seen=looks, looks=looks),
                details={"judged": one.judged},
            )


# --- the path, as notes ---


def agent_differences(stem: str, pairs: Sequence[Pair]) -> Iterator[Difference]:
    """How the path differs: never more than a note where the goal is held."""
    missing = Counter(pair.baseline.tool for pair in pairs if pair.baseline and not pair.candidate)
    in_place = _in_place(pairs)
    for pair in pairs:
        old, new = pair.baseline, pair.candidate
        if old is None and new is not None:
            yield _note("call-extra", new.tool, stem, new.step, None, new.arguments)
        elif new is None and old is not None:
            replaced = sum(missing.values()) == len(pairs) - sum(p.baseline is None for p in pairs)
            change = "wrong-tool" if replaced and _has_extra(pairs) else "call-missing"
            yield _note(change, old.tool, stem, old.step, old.arguments, None)
        elif old is not None and new is not None:
            yield from _paired(pair, stem, moved=old.step not in in_place)


def _in_place(pairs: Sequence[Pair]) -> set[int]:
    """The baseline's calls that follow each other on the other side as they do on this one."""
    order = [
        (pair.baseline.step, pair.candidate.step)
        for pair in pairs
        if pair.baseline and pair.candidate
    ]
    return staying(sorted(order))


def _has_extra(pairs: Sequence[Pair]) -> bool:
    return any(pair.baseline is None for pair in pairs)


def _paired(pair: Pair, stem: str, *, moved: bool) -> Iterator[Difference]:
    old, new = pair.baseline, pair.candidate
    if old is None or new is None:
        return
    if pair.arguments.similarity < _ALIKE:
        yield _note("argument-drift", old.tool, stem, old.step, old.arguments, new.arguments)
    if moved or pair.moved:
        yield _note("call-moved", old.tool, stem, old.step, old.step, new.step)


def _note(change: str, tool: str, stem: str, step: int, before: Json, after: Json) -> Difference:
    place = Site(tool=tool, scenario=stem, step=step)
    return Difference(site=place, lane="agent", change=change, before=before, after=after)
