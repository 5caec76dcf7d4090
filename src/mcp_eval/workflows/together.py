"""Several things at once, as many as were asked for."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

_T = TypeVar("_T")


async def at_most(jobs: int, work: Sequence[Callable[[], Awaitable[_T]]]) -> list[_T]:
    """Every result, in order; the first error ends the others and is raised as it is."""
    gate = asyncio.Semaphore(max(1, jobs))

    async def one(job: Callable[[], Awaitable[_T]]) -> _T:
        async with gate:
            return await job()

    tasks = [asyncio.create_task(one(job)) for job in work]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
