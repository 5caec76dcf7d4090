import asyncio
import os
import signal

import pytest

from mcp_eval.cli.running import run


def test_the_status_of_the_work_comes_back():
    async def work():
        return 3

    assert run(work()) == 3


@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_an_end_asked_from_outside_tears_down_first(asked):
    torn = []

    async def work():
        os.kill(os.getpid(), asked)
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0)
            torn.append(True)

    with pytest.raises(KeyboardInterrupt):
        run(work())
    assert torn
