"""What a server is told when it asks back: as recorded, as the scenario says, or politely."""

from collections.abc import Callable, Mapping, Sequence

from mcp_eval.model.base import Json
from mcp_eval.model.trajectory import ServerRequest
from mcp_eval.tap.polite import polite_answer


class Replies:
    """Answers server requests; each step's recorded answers go first, in order."""

    def __init__(
        self, given: Mapping[str, Json], *, root: str, real: Callable[[Json], Json]
    ) -> None:
        self._given = given
        self._root = root
        self._real = real
        self._recorded: dict[str, list[Json]] = {}

    def recorded(self, nested: Sequence[ServerRequest]) -> None:
        """From now on a step runs that was asked this when it was recorded."""
        self._recorded = {}
        for asked in nested:
            if asked.answer is not None:
                self._recorded.setdefault(asked.method, []).append(asked.answer)

    def __call__(self, method: str, params: Json) -> Json:
        """The result the client gives."""
        if waiting := self._recorded.get(method):
            return self._real(waiting.pop(0))
        if method in self._given:
            return self._real(self._given[method])
        return polite_answer(method, params, root=self._root)
