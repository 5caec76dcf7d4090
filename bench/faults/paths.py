"""Reaches into a body by a path like `servers[].enabled`, `items[2].name` or `total`."""

import re
from collections.abc import Callable
from typing import Any

_STEP = re.compile(r"([^.\[\]]+)|\[(\d*)\]")

Edit = Callable[[Any, Any], None]  # a container and the key in it


def steps(path: str) -> list[str | int | None]:
    """Names, indices, and None for every item."""
    found: list[str | int | None] = []
    for name, index in _STEP.findall(path):
        found.append(name or (int(index) if index else None))
    return found


def each(body: Any, path: str, edit: Edit) -> Any:
    """Apply an edit wherever the path leads; the body, edited in place."""
    root = {"": body}
    _walk(root, ["", *steps(path)], edit)
    return root[""]


def _walk(container: Any, wanted: list[str | int | None], edit: Edit) -> None:
    head, *rest = wanted
    for key in _keys(container, head):
        if rest:
            _walk(container[key], rest, edit)
        else:
            edit(container, key)


def _keys(container: Any, wanted: str | int | None) -> list[Any]:
    if isinstance(container, dict):
        return [wanted] if wanted in container else []
    if isinstance(container, list):
        # From the end, so that an edit may take items out.
        numbers = range(len(container)) if wanted is None else (wanted,)
        return [n for n in reversed(numbers) if isinstance(n, int) and n < len(container)]
    return []
