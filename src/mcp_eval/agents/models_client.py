"""Models as pydantic-ai speaks to them: how one is named, what it is shown, what it costs."""

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_eval.agents.choices import ModelChoices
from mcp_eval.agents.outing import AGENT_FAILED
from mcp_eval.agents.walk import Pace
from mcp_eval.errors import InconclusiveError
from mcp_eval.model.trajectory import Invocation
from mcp_eval.ports import Bounds
from mcp_eval.tap.session import body

if TYPE_CHECKING:
    import pydantic_ai

_MENDS = 3  # times a model may mend arguments that are no JSON, or a tool's wrong name


class ModelsChoices(ModelChoices):
    """What a project file may say of it."""

    answer_timeout: float = 50.0  # seconds a model may take for one answer, retries and all
    api_key: str = "OPENAI_API_KEY"  # the variable that holds it, with `base_url`

    @property
    def bounds(self) -> Bounds:
        """What one run may take; behind an address of one's own nobody knows the price."""
        usd = None if self.base_url else self.budget_usd
        return Bounds(turns=self.max_turns, usd=usd, seconds=self.timeout)


def agent_of(
    choices: ModelsChoices, tools: "list[pydantic_ai.Tool[Any]]", pace: Pace
) -> "pydantic_ai.Agent[Any, str]":
    """The model with these tools; pydantic-ai's UserError or ImportError where it is not known."""
    from pydantic_ai import Agent as Models

    return Models(
        _model(choices, pace),
        instructions=choices.system_prompt or None,
        tools=tools,
        retries=_MENDS,
    )


def _model(choices: ModelsChoices, pace: Pace) -> Any:  # noqa: ANN401 - the SDK's Model, or its name
    if not choices.base_url:
        return choices.model
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    key = pace.environ.get(choices.api_key) or "none"  # of a local service nobody asks for one
    provider = OpenAIProvider(base_url=choices.base_url, api_key=key)
    return OpenAIChatModel(choices.model.removeprefix("openai:"), provider=provider)


def shown(made: Invocation) -> str:
    """What a model is shown of an outcome: its texts, as any client would."""
    result = body(made)
    if made.outcome.kind != "result" or not isinstance(result, dict):
        said = result.get("message") if isinstance(result, dict) else made.outcome.detail
        return f"Error: {said}"
    content = result.get("content")
    texts = [
        str(each["text"]) if "text" in each else f"[{each.get('type', 'content')}]"
        for each in (content if isinstance(content, list) else ())
        if isinstance(each, dict)
    ]
    if not texts and "structuredContent" in result:
        texts = [msgspec.json.encode(result["structuredContent"]).decode()]
    return ("Error: " if result.get("isError") else "") + "\n".join(texts)


def price_of(response: Any) -> Decimal | None:  # noqa: ANN401 - the SDK's ModelResponse
    """What an answer cost; None of a model nobody knows the price of."""
    try:
        return Decimal(response.cost().total_price)
    except (LookupError, AssertionError):
        return None


def unanswered(error: Exception) -> InconclusiveError:
    """That the model did not answer, and its library's reason."""
    text = str(error).strip() or type(error).__name__
    first = text.splitlines()[0][:300]
    return no_opinion(f"the model did not answer: {first}", text)


def no_opinion(message: str, evidence: str = "") -> InconclusiveError:
    """That nothing can be said of the target."""
    return InconclusiveError(message, rule=AGENT_FAILED, evidence=evidence)
