"""Work that speaks while it runs: a coroutine becomes an async iterator of events."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

from mcp_eval.workflows.events import Happening

Say = Callable[[Happening], None]


async def streamed(work: Callable[[Say], Coroutine[Any, Any, None]]) -> AsyncIterator[Happening]:
    """The events of `work` as they happen; whoever stops listening ends the work and waits."""
    queue: asyncio.Queue[Happening | None] = asyncio.Queue()
    task = asyncio.create_task(_closing(work, queue))
    try:
        while (event := await queue.get()) is not None:
            yield event
        await task
    finally:
        # An interrupted front end must not leave environments running behind it.
        if not task.done():
            task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _closing(
    work: Callable[[Say], Coroutine[Any, Any, None]], queue: asyncio.Queue[Happening | None]
) -> None:
    try:
        await work(queue.put_nowait)
    finally:
        queue.put_nowait(None)
