"""Recorded requests under the names a newer build knows them by."""

from collections.abc import Sequence

from msgspec.structs import replace

from mcp_eval.compare.paths import index, key, leaf, steps
from mcp_eval.compare.toolkey import bare_name
from mcp_eval.model.base import Json, JsonObject
from mcp_eval.model.comparison import Difference
from mcp_eval.model.trajectory import Binding


class Renames:
    """What was renamed between two surfaces."""

    def __init__(self, changes: Sequence[Difference] = ()) -> None:
        self._tools = {
            str(change.before): str(change.after)
            for change in changes
            if change.change == "tool-renamed" and change.before and change.after
        }
        self._parameters = [change for change in changes if change.change == "parameter-renamed"]

    def name(self, name: str) -> str:
        """The tool's name now; a client's prefix is dropped."""
        bare = bare_name(name)
        return self._tools.get(name) or self._tools.get(bare, bare)

    def arguments(
        self, name: str, arguments: JsonObject, bindings: Sequence[Binding]
    ) -> tuple[JsonObject, tuple[Binding, ...]]:
        """Arguments and bindings with the parameters' names of now."""
        for change in self._parameters:
            if change.site.tool not in {name, bare_name(name), self.name(name)}:
                continue
            way = _way(change)
            new = leaf(str(change.after))
            if way and new:
                arguments = _renamed(arguments, way, new)
                bindings = [_rebound(binding, way, new) for binding in bindings]
        return arguments, tuple(bindings)


def _way(change: Difference) -> tuple[str, ...]:
    """The old parameter's path as names; the empty name is any item of a list."""
    old = str(change.before or "")
    path = change.site.path if leaf(change.site.path) == leaf(old) else old
    return tuple(step for step in steps(path or old) if isinstance(step, str))


def _renamed(value: Json, way: tuple[str, ...], new: str) -> Json:
    step, rest = way[0], way[1:]
    if isinstance(value, list) and step == "":
        return [_renamed(item, rest, new) for item in value] if rest else value
    if not isinstance(value, dict) or step not in value:
        return value
    if rest:
        return {**value, step: _renamed(value[step], rest, new)}
    if new in value:
        return value
    return {new if name == step else name: member for name, member in value.items()}


def _rebound(binding: Binding, way: tuple[str, ...], new: str) -> Binding:
    names = [step if isinstance(step, str) else "" for step in steps(binding.argument)]
    if tuple(names[: len(way)]) != way:
        return binding
    path = ""
    for position, step in enumerate(steps(binding.argument)):
        if isinstance(step, int):
            path = index(path, step)
        else:
            path = key(path, new if position == len(way) - 1 else step)
    return replace(binding, argument=path)
