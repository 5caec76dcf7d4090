"""The agent `models`: pydantic-ai, any provider it knows or any OpenAI-compatible address.

It has no client of its own: the target's tools are given from our session, so that each call goes
through our recorder.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from decimal import Decimal
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from mcp_eval.agents import person
from mcp_eval.agents.choices import read_choices
from mcp_eval.agents.judging import Judge
from mcp_eval.agents.models_client import (
    ModelsChoices,
    agent_of,
    no_opinion,
    price_of,
    shown,
    unanswered,
)
from mcp_eval.agents.outing import begun, troubled
from mcp_eval.agents.story import plain
from mcp_eval.agents.turns import turns_of
from mcp_eval.agents.walk import Pace, Walk
from mcp_eval.agents.written import WrittenWalk, read_script
from mcp_eval.errors import InconclusiveError, UsageError
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.project import TargetSpec
from mcp_eval.model.scenario import Scenario, Step
from mcp_eval.model.surface import Surface, Tool
from mcp_eval.model.trajectory import Invocation, Message, Outcome, Run, Usage
from mcp_eval.ports import Agent, Clock, Environment, Judging

if TYPE_CHECKING:
    import pydantic_ai

_SHOWN = 200_000  # characters of one answer that a model is shown


class ModelsAgent:
    """An Agent: a model that is offered the target's tools and nothing else."""

    name = "models"

    def __init__(self, choices: ModelsChoices, *, pace: Pace) -> None:
        self._choices = choices
        self._pace = pace
        self.model = choices.model
        self.bounds = choices.bounds

    async def run(
        self, scenario: Scenario, environment: Environment, *, surface: Surface, trial: int
    ) -> Run:
        """One run through the tap; trouble is a fact in the run, not an exception."""
        now = self._pace.clock.now()
        run = begun(scenario, trial=trial, agent=self.name, model=self.model, now=now)
        walk = Walk(environment, self._pace, answers=scenario.answers)
        talk = _Talk(self._choices, walk, self._pace)
        try:
            await walk.open()
            await _set_up(scenario, walk, surface, talk)
            await talk.go(scenario, surface)
        except InconclusiveError as error:
            return talk.ended(troubled(run, error))
        else:
            return talk.ended(run)
        finally:
            await walk.close()


async def _set_up(scenario: Scenario, walk: Walk, surface: Surface, talk: "_Talk") -> None:
    """The scenario's own set-up, on the same line: it is no part of what the model does."""
    alone = replace(scenario, steps=(), expected_trajectory=())
    steps = WrittenWalk(read_script(alone), walk, surface=surface)
    try:
        await steps.go()
    finally:
        talk.made += [replace(made, foreign=True) for made in steps.made]


class _Talk:
    """A conversation with the model, as far as it came."""

    def __init__(self, choices: ModelsChoices, walk: Walk, pace: Pace) -> None:
        self._choices = choices
        self._walk = walk
        self._pace = pace
        self._began = pace.clock.monotonic()
        self._usage = Usage()
        self._spent: Decimal | None = Decimal(0)
        self._gave_up = False
        self._said: list[Message] = []
        self.made: list[Invocation] = []

    async def go(self, scenario: Scenario, surface: Surface) -> None:
        """From the intent to the model's last words; InconclusiveError where it cannot go on."""
        from pydantic_ai.exceptions import AgentRunError, UserError

        try:
            agent = agent_of(
                self._choices, [self._tool(tool) for tool in surface.tools], self._pace
            )
            async with asyncio.timeout(self._choices.timeout):
                await self._turns(agent, scenario)
        except TimeoutError:
            raise no_opinion(f"the agent was not done after {self._choices.timeout:g} s") from None
        except (AgentRunError, UserError, ImportError) as error:
            raise unanswered(error) from error

    def ended(self, run: Run) -> Run:
        """The run with all that was said and done."""
        seconds = round(self._pace.clock.monotonic() - self._began, 3)
        cost = None if self._spent is None else float(self._spent)
        ended = "broke" if run.troubles else "gave-up" if self._gave_up else "done"
        trajectory = replace(
            run.trajectory,
            invocations=tuple(map(self._walk.places.stored, self.made)),
            messages=(*run.trajectory.messages, *self._said),
            usage=replace(self._usage, cost_usd=cost, seconds=seconds),
            ended=ended,
        )
        return replace(run, trajectory=trajectory, build=self._walk.build)

    async def _turns(self, agent: "pydantic_ai.Agent[Any, str]", scenario: Scenario) -> None:
        turns, after = turns_of(scenario)
        history: list[Any] = []
        for number, turn in enumerate(turns):
            await self._act(turn.deeds)
            if number:
                said = Message(role="user", text=turn.words, before=len(self.made))
                self._said.append(said)
            words = self._walk.places.placed(turn.words)
            history = await self._turn(agent, words, history)
            if self._gave_up:
                return
        await self._act(after)

    async def _act(self, deeds: Sequence[Step]) -> None:
        for step in deeds:
            await self._walk.act(step)
            self.made.append(person.marker(step))

    async def _turn(
        self, agent: "pydantic_ai.Agent[Any, str]", words: str, history: list[Any]
    ) -> list[Any]:
        from pydantic_ai import Agent as Models
        from pydantic_ai.usage import UsageLimits

        limits = UsageLimits(request_limit=None)
        async with agent.iter(words, message_history=history, usage_limits=limits) as run:
            node = run.next_node
            while not Models.is_end_node(node):
                if Models.is_model_request_node(node):
                    if self._usage.turns >= self._choices.max_turns:
                        self._gave_up = True
                        return history
                    node = await self._answered(run.next(node))
                    continue
                if Models.is_call_tools_node(node):
                    self._hear(node.model_response)
                node = await run.next(node)
            return [*run.all_messages()]

    async def _answered(self, request: Awaitable[Any]) -> Any:  # noqa: ANN401 - the SDK's next node
        seconds, answered = self._choices.answer_timeout, None
        limit = asyncio.timeout(seconds)
        try:
            async with limit:
                answered = await request
        except TimeoutError:
            if limit.expired():
                raise no_opinion(f"the model said nothing for {seconds:g} s") from None
            raise
        return answered

    def _hear(self, response: Any) -> None:  # noqa: ANN401 - the SDK's ModelResponse
        text = (response.text or "").strip()
        if text:
            text = self._walk.places.text(text)
            self._said.append(Message(role="assistant", text=text, before=len(self.made)))
        used = response.usage
        self._usage = replace(
            self._usage,
            input_tokens=self._usage.input_tokens + used.input_tokens,
            output_tokens=self._usage.output_tokens + used.output_tokens,
            turns=self._usage.turns + 1,
        )
        self._pay(response)

    def _pay(self, response: Any) -> None:  # noqa: ANN401 - the SDK's ModelResponse
        price = price_of(response)
        self._spent = None if price is None or self._spent is None else self._spent + price
        if self._spent is not None and self._spent > self._choices.budget_usd:
            raise no_opinion("the agent's budget was spent before it was done", f"${self._spent}")

    def _tool(self, tool: Tool) -> "pydantic_ai.Tool[Any]":
        from pydantic_ai import Tool as Offered

        return Offered.from_schema(
            self._calling(tool.name),
            name=plain(tool.name),
            description=tool.description,
            json_schema={"type": "object", "properties": {}, **tool.input_schema},
        )

    def _calling(self, name: str) -> Callable[..., Awaitable[str]]:
        """A tool of the target's, called: where it stands is decided when it is asked."""

        async def call(**arguments: Json) -> str:
            place = len(self.made)
            self.made.append(Invocation(name=name, arguments=arguments, outcome=_CANCELLED))
            line = self._walk.line
            if line is not None:
                seconds = self._pace.call_timeout
                self.made[place] = await line.call(name, arguments, seconds)
            return shown(self.made[place])[:_SHOWN]

        return call


def models(*, spec: TargetSpec, clock: Clock, options: JsonObject) -> Agent:
    """The entry point of the agent; UsageError where pydantic-ai is missing, or a model's name."""
    return ModelsAgent(_choices(options), pace=Pace.of(spec, clock=clock, sleep=asyncio.sleep))


def _choices(options: JsonObject) -> ModelsChoices:
    if find_spec("pydantic_ai") is None:
        raise UsageError(
            "models need pydantic-ai, which is not installed",
            hint="pip install 'mcp-eval[models]'",
        )
    choices = read_choices("models", options, ModelsChoices)
    if not choices.model:
        raise UsageError(
            "the agent 'models' names no model",
            hint="say `agents: {models: {model: provider:name}}`, or `base_url:` and `model:`",
        )
    return choices


def judge(*, clock: Clock, options: JsonObject) -> Judging:
    """The entry point of the judge: the same model without any tool, for one reply."""
    choices, pace = _choices(options), Pace(clock=clock, sleep=asyncio.sleep)

    async def reply(prompt: str) -> str:
        from pydantic_ai.exceptions import AgentRunError, UserError

        try:
            async with asyncio.timeout(choices.answer_timeout):
                answered = await agent_of(choices, [], pace).run(prompt)
        except TimeoutError:
            raise no_opinion(f"the model said nothing for {choices.answer_timeout:g} s") from None
        except (AgentRunError, UserError, ImportError) as error:
            raise unanswered(error) from error
        return str(answered.output)

    return Judge("models", reply)


_CANCELLED = Outcome(kind="cancelled", detail="the run ended before the target answered")
