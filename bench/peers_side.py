"""The peers' half of bench/peers.py, run by the environment that holds them: JSON in, JSON out."""

import asyncio
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENAI_API_KEY", "unused")
os.environ.setdefault("DEEPEVAL_TELEMETRY_OPT_OUT", "YES")
os.environ.setdefault("LANGSMITH_TRACING", "false")


def messages(calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A trajectory as OpenAI messages."""
    said = []
    for number, call in enumerate(calls):
        function = {"name": call["name"], "arguments": json.dumps(call["arguments"])}
        asked = {"id": f"c{number}", "type": "function", "function": function}
        said.append({"role": "assistant", "content": "", "tool_calls": [asked]})
        said.append(
            {"role": "tool", "tool_call_id": f"c{number}", "content": json.dumps(call["answer"])}
        )
    return said


def agentevals(pairs: list[dict[str, Any]]) -> list[float]:
    """Milliseconds of each strict comparison."""
    from agentevals.trajectory.match import create_trajectory_match_evaluator

    evaluate = create_trajectory_match_evaluator(trajectory_match_mode="strict")
    sides = [(messages(one["before"]), messages(one["after"])) for one in pairs]
    evaluate(outputs=sides[0][1], reference_outputs=sides[0][0])
    return [
        timed(lambda mine=mine, its=its: evaluate(outputs=its, reference_outputs=mine))
        for mine, its in sides
    ]


def adk(pairs: list[dict[str, Any]]) -> list[float]:
    """Milliseconds of each EXACT comparison."""
    from google.adk.evaluation.eval_case import IntermediateData, Invocation
    from google.adk.evaluation.eval_metrics import EvalMetric, ToolTrajectoryCriterion
    from google.adk.evaluation.trajectory_evaluator import TrajectoryEvaluator
    from google.genai import types

    def invocation(calls: list[dict[str, Any]]) -> Any:
        content = types.Content(parts=[types.Part(text="go")], role="user")
        uses = [types.FunctionCall(name=c["name"], args=c["arguments"]) for c in calls]
        data = IntermediateData(tool_uses=uses)
        return [Invocation(user_content=content, intermediate_data=data)]

    exact = ToolTrajectoryCriterion.MatchType.EXACT
    metric = EvalMetric(
        metric_name="tool_trajectory_avg_score",
        threshold=0.8,
        criterion=ToolTrajectoryCriterion(threshold=0.8, match_type=exact),
    )
    evaluator = TrajectoryEvaluator(eval_metric=metric)
    sides = [(invocation(one["before"]), invocation(one["after"])) for one in pairs]

    def evaluate(mine: Any, its: Any) -> Any:
        found = evaluator.evaluate_invocations(its, mine)
        return asyncio.run(found) if asyncio.iscoroutine(found) else found

    evaluate(*sides[0])
    return [timed(lambda mine=mine, its=its: evaluate(mine, its)) for mine, its in sides]


def deepeval(pairs: list[dict[str, Any]]) -> list[float]:
    """Milliseconds of each ToolCorrectness measurement."""
    from deepeval.metrics import ToolCorrectnessMetric
    from deepeval.test_case import LLMTestCase, ToolCall, ToolCallParams

    def calls(side: list[dict[str, Any]]) -> Any:
        return [ToolCall(name=c["name"], input_parameters=c["arguments"]) for c in side]

    metric = ToolCorrectnessMetric(
        evaluation_params=[ToolCallParams.INPUT_PARAMETERS],
        async_mode=False,
        include_reason=False,
    )
    cases = [
        LLMTestCase(
            input="go",
            actual_output="done",
            tools_called=calls(one["after"]),
            expected_tools=calls(one["before"]),
        )
        for one in pairs
    ]
    quiet = {"_show_indicator": False}
    metric.measure(cases[0], **quiet)
    return [timed(lambda case=case: metric.measure(case, **quiet)) for case in cases]


def timed(work: Callable[[], Any]) -> float:
    """Milliseconds of this process: whoever else is busy on the machine does not count."""
    started = time.process_time_ns()
    work()
    return (time.process_time_ns() - started) / 1e6


def main() -> None:
    """Time every peer on the pairs of a file; a peer that fails says why."""
    data = json.loads(Path(sys.argv[1]).read_text())
    found = {}
    for name, peer in (("agentevals", agentevals), ("adk", adk), ("deepeval", deepeval)):
        for sort in ("paraphrased", "identical"):
            try:
                found[f"{name} {sort}"] = statistics.median(peer(data[sort]))
            except Exception as error:  # noqa: BLE001 - a peer that cannot run is a line in the table
                found[f"{name} {sort}"] = f"{type(error).__name__}: {error}"
    print(json.dumps(found))


if __name__ == "__main__":
    main()
