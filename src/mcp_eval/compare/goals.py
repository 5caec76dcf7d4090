"""What the agent lane knows: was the goal of a run reached, and where did the path differ."""

from collections import Counter
from collections.abc import Iterator, Sequence

from mcp_eval.compare.align import staying
from mcp_eval.compare.arguments import compare_arguments
from mcp_eval.compare.effects import hands_over
from mcp_eval.compare.matchers import matched
from mcp_eval.compare.texts import solid_words
from mcp_eval.compare.toolkey import bare_name
from mcp_eval.model.base import Json, Noun
from mcp_eval.model.comparison import (
    Call,
    CriterionResult,
    Difference,
    GoalFacts,
    Lane,
    Pair,
    Site,
    Steadiness,
)
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Message

_HALF = 0.5
_ALIKE = 0.999
_FREE = frozenset({"text", "json"})
_ANSWERED = frozenset({"ok", "empty"})


class Attempt(Noun):
    """One run with its calls: what was tried, and what came of it."""

    calls: tuple[Call, ...]
    messages: tuple[Message, ...] = ()

    @property
    def answer(self) -> str:
        """The agent's last words."""
        return next((said.text for said in reversed(self.messages) if said.role == "assistant"), "")


def goal_facts(
    baseline: Attempt,
    attempts: Sequence[Attempt],
    before: Surface,
    after: Surface,
    criteria: Sequence[CriterionResult] = (),
    by_run: Sequence[Sequence[CriterionResult]] = (),
) -> GoalFacts:
    """Run by run, whether the goal fixed by the baseline was reached."""
    typed = _typed(criteria)
    own = [_typed(one) for one in by_run] if len(by_run) == len(attempts) else []
    wanted = told(baseline)
    missed = [
        _miss(baseline, attempt, wanted, mine)
        for attempt, mine in zip(attempts, own or [typed] * len(attempts), strict=True)
    ]
    mine = _keys([baseline])
    its = _keys(attempts)
    effects = any(call.effect for attempt in (baseline, *attempts) for call in attempt.calls)
    # Another tool instead is evidence; no tool at all is only the lack of it.
    common = bool(mine & its) or not mine or not its
    by = _by(baseline, wanted, typed)
    if by == "nothing" and not common:
        missed = [lack or "it used no tool that the baseline used" for lack in missed]
    return GoalFacts(
        runs=len(attempts),
        reached=sum(not lack for lack in missed),
        by=by,
        missed=tuple(lack for lack in missed if lack),
        common_keys=common,
        tool_failed=_failed_tool(baseline, attempts, before, after),
        rerun_possible=len(attempts) > 1,
        effects=effects,
    )


def _typed(criteria: Sequence[CriterionResult]) -> list[CriterionResult]:
    return [one for one in criteria if one.kind != "prose"]


def _keys(attempts: Sequence[Attempt]) -> set[str]:
    """The tool keys of some runs, but for those that hand the conversation over."""
    return {
        call.tool
        for attempt in attempts
        for call in attempt.calls
        if not hands_over(bare_name(call.name))
    }


def _by(baseline: Attempt, wanted: frozenset[str], typed: Sequence[CriterionResult]) -> str:
    if typed:
        return "criteria"
    if any(call.effect for call in baseline.calls):
        return "effects"
    return "answer" if wanted else "nothing"


def _miss(
    baseline: Attempt,
    attempt: Attempt,
    wanted: frozenset[str],
    typed: Sequence[CriterionResult],
) -> str:
    """What a run lacked; "" where it reached the goal."""
    if typed:
        failed = [one.text for one in typed if one.result == "no" and one.baseline != "no"]
        return f"criterion not met: {failed[0]}" if failed else ""
    return _effects_lacking(baseline, attempt) or _answer_lacking(wanted, attempt)


def _effects_lacking(baseline: Attempt, attempt: Attempt) -> str:
    free = [call for call in attempt.calls if call.effect]
    for call in baseline.calls:
        if not call.effect:
            continue
        match = next((one for one in free if _same_effect(call, one)), None)
        if match is None:
            return f"no effect like {call.tool}"
        free.remove(match)
    return f"an effect the baseline did not have: {free[0].tool}" if free else ""


def _same_effect(mine: Call, other: Call) -> bool:
    """Equal in every argument of an exact kind; free text is the agent's own."""
    if mine.tool != other.tool:
        return False
    alike = compare_arguments(mine.arguments, other.arguments)
    compared = matched(alike, mine.match, mine.arguments, other.arguments)
    return all(
        argument.kind in _FREE or argument.similarity >= _ALIKE for argument in compared.arguments
    )


def told(attempt: Attempt) -> frozenset[str]:
    """Identifiers, names and numbers of the final message that came from outcomes."""
    said = {_plain(word) for word in solid_words(attempt.answer)}
    if not said:
        return frozenset()
    intent = {
        _plain(word)
        for message in attempt.messages
        if message.role == "user"
        for word in solid_words(message.text)
    }
    return frozenset(said & _carried(attempt) - intent)


def _carried(attempt: Attempt) -> set[str]:
    texts = (call.outcome for call in attempt.calls if call.outcome_class in _ANSWERED)
    return {_plain(word) for text in texts for word in solid_words(text)}


def _plain(word: str) -> str:
    return word.strip("\"'`.,:;!?()[]{}*").casefold()


def _answer_lacking(wanted: frozenset[str], attempt: Attempt) -> str:
    if not wanted:
        return ""
    lost = wanted - _carried(attempt)
    if lost:
        return f"no outcome holds {', '.join(sorted(lost)[:3])}"
    said = {_plain(word) for word in solid_words(attempt.answer)}
    if len(wanted & said) < len(wanted) * _HALF:
        return f"its answer does not say {', '.join(sorted(wanted - said)[:3])}"
    return ""


def _failed_tool(
    baseline: Attempt, attempts: Sequence[Attempt], before: Surface, after: Surface
) -> str:
    """A tool the baseline used that is gone, or that answered none of a run's calls."""
    used = {bare_name(call.name) for call in baseline.calls if call.outcome_class in _ANSWERED}
    if before.tools and after.tools:
        offered = {tool.name for tool in after.tools}
        if gone := sorted(used & {tool.name for tool in before.tools} - offered):
            return gone[0]
    for attempt in attempts:
        answered = {
            bare_name(call.name) for call in attempt.calls if call.outcome_class in _ANSWERED
        }
        failed = (
            bare_name(call.name)
            for call in attempt.calls
            if call.outcome_class in {"failed", "crashed"}
        )
        if lost := next((name for name in failed if name in used - answered), ""):
            return lost
    return ""


# --- what was missed ---


def missed_goal(stem: str, goal: GoalFacts) -> Iterator[Difference]:
    """That some run missed the goal, or that nothing can be said but that all was different."""
    missed = goal.runs - goal.reached
    if not missed:
        return
    yield Difference(
        site=Site(tool="", path="goal", scenario=stem),
        lane="agent",
        change="goal-not-reached",
        steadiness=Steadiness(seen=missed, looks=goal.runs),
        details={
            "runs": goal.runs,
            "missed": missed,
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
