"""The server on this process's own stdin and stdout."""

import asyncio
import sys
from importlib.metadata import PackageNotFoundError, version

from mcp_eval.mcp_server.lines import LONGEST, Server
from mcp_eval.mcp_server.tools import Suite


async def serve(*, allow_accept: bool) -> int:
    """Serve one client until it closes the line."""
    out = sys.stdout.buffer
    reader = asyncio.StreamReader(limit=LONGEST)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)

    def write(payload: bytes) -> None:
        out.write(payload)
        out.flush()

    sys.stdout = sys.stderr  # whoever prints by mistake must not speak on the client's line
    await Server(Suite(allow_accept=allow_accept), write, version=_version()).serve(reader)
    return 0


def _version() -> str:
    try:
        return version("mcp-eval")
    except PackageNotFoundError:  # run from a checkout, with PYTHONPATH=src
        return "0"
