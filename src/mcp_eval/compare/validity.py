"""Whether arguments satisfy a schema, and what the schema says where they do not."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mcp_eval.compare.paths import each, key, steps
from mcp_eval.compare.tidy import Tidy
from mcp_eval.model.base import Json, JsonObject

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

_LONGEST_REASON = 160


@dataclass(frozen=True, slots=True)
class Fault:
    """What a schema says against arguments, and where."""

    path: str
    keyword: str
    reason: str


class Validity:
    """One schema, ready to be asked; it never retrieves anything from elsewhere."""

    def __init__(self, tidied: Tidy) -> None:
        self.root = tidied.schema

    @cached_property
    def _validator(self) -> "Validator":
        from jsonschema import Draft202012Validator
        from referencing import Registry

        registry: Any = Registry()
        return Draft202012Validator(self.root, registry=registry)

    def accepts(self, arguments: Json) -> bool | None:
        """Whether the arguments are valid; None where the schema gives no answer."""
        reason = self.reason(arguments)
        return None if reason is None else not reason

    def reason(self, arguments: Json) -> str | None:
        """What the schema says against the arguments; "" where they are valid, None: no answer."""
        fault = self._fault(self._validator, arguments)
        return fault if fault is None else fault.reason

    def fault(self, arguments: Json) -> Fault | None:
        """The same with its place; None where they are valid, or nobody can say."""
        fault = self._fault(self._validator, arguments)
        return fault if fault is not None and fault.reason else None

    def complaint(self, demand: JsonObject, value: Json) -> str:
        """What one demand, read within this schema, says against one value."""
        fault = self._fault(self._validator.evolve(schema=demand), value)
        return "" if fault is None else fault.reason

    def _fault(self, validator: "Validator", value: Json) -> Fault | None:
        from jsonschema.exceptions import ValidationError, best_match
        from referencing.exceptions import Unresolvable

        try:
            error: ValidationError | None = best_match(validator.iter_errors(value))
        except (ArithmeticError, LookupError, RecursionError, TypeError, Unresolvable, ValueError):
            return None  # e.g. a reference that leads back to itself, 0.1-steps of a huge number
        return _VALID if error is None else _read(error)


_VALID = Fault(path="", keyword="", reason="")


def _read(error: Any) -> Fault:  # noqa: ANN401 -- jsonschema's error has no type of its own here
    path = ""
    for part in error.absolute_path:
        path = each(path) if isinstance(part, int) else key(path, str(part))
    where = ".".join(str(part) for part in error.absolute_path)
    said = f"{where}: {error.message}" if where else str(error.message)
    if len(said) > _LONGEST_REASON:
        said = said[: _LONGEST_REASON - 1] + "…"
    return Fault(path=path, keyword=str(error.validator), reason=said)


def values_at(arguments: Json, path: str) -> Iterator[Json]:
    """Every value that stands at a site path: `items[].kind`, `headers.*`."""
    found = [arguments]
    for step in steps(path):
        found = [inner for value in found for inner in _into(value, str(step))]
    yield from found


def _into(value: Json, step: str) -> Iterator[Json]:
    if step == "" and isinstance(value, list):
        yield from value
    elif isinstance(value, dict) and step in value:
        yield value[step]
    elif isinstance(value, dict) and step == "*":
        yield from value.values()
