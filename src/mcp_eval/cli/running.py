"""A command's work, run: an end asked from outside tears down what it started."""

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any


def run(work: Coroutine[Any, Any, int]) -> int:
    """Run it; SIGTERM and SIGHUP end it as Ctrl-C does."""

    async def main() -> int:
        task = asyncio.current_task()
        loop = asyncio.get_running_loop()
        for asked in (signal.SIGTERM, signal.SIGHUP):
            if task is not None:
                loop.add_signal_handler(asked, task.cancel)
        return await work

    try:
        return asyncio.run(main())
    except asyncio.CancelledError as error:
        raise KeyboardInterrupt from error
