"""Older documents become today's, one function a step, on plain objects."""

from collections.abc import Callable, Mapping

from mcp_eval.formats.kinds import VERSIONS
from mcp_eval.model.base import JsonObject

Step = Callable[[JsonObject], JsonObject]

# By kind, under the version it starts from: the function that makes the next one of it.
STEPS: Mapping[str, Mapping[int, Step]] = {}


def migrate(
    kind: str,
    document: JsonObject,
    version: int,
    *,
    steps: Mapping[str, Mapping[int, Step]] = STEPS,
    versions: Mapping[str, int] = VERSIONS,
) -> JsonObject:
    """The document, brought step by step to the version of today."""
    for reached in range(version, versions[kind]):
        document = {**steps[kind][reached](document), "version": reached + 1}
    return document
