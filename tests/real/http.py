"""Real servers and proxies over HTTP, and what stands around them in a test."""

import asyncio
import json
import sys
from contextlib import asynccontextmanager

from mcp_eval.clock import SystemClock
from mcp_eval.model.project import TargetSpec
from mcp_eval.tap.front import Front
from mcp_eval.targets.probe import Probe
from mcp_eval.targets.registry import make_target

BEHIND = "server-everything@2025.12.18"
PORT = "${port}"
URL = "http://127.0.0.1:${port}/mcp"


def proxies(real_part, folder):
    """How each proxy is started in front of server-everything."""
    behind = real_part(BEHIND)
    servers = folder / "servers.json"
    servers.write_text(
        json.dumps({"mcpServers": {"everything": {"command": behind[0], "args": behind[1:]}}})
    )
    gateway = ["--stdio", " ".join(behind), "--outputTransport", "streamableHttp", "--port", PORT]
    return {
        "mcp-proxy@0.13.0": ["--port", PORT, "--host", "127.0.0.1", "--", *behind],
        "mcp-proxy@6.7.19": ["--port", PORT, "--server", "stream", "--", *behind],
        "supergateway@4.0.0": [*gateway, "--stateful"],
        "fastmcp@4.1.2": [
            "run",
            str(servers),
            "--transport",
            "http",
            "--port",
            PORT,
            "--no-banner",
        ],
    }


def proxied(real_part, folder, name, **more):
    """The specification of a proxy in front of server-everything."""
    command = (*real_part(name), *proxies(real_part, folder)[name])
    return TargetSpec(name=name, command=command, url=URL, resettable=True, **more)


def direct(real_part, version="2025.12.18", **more):
    """Server-everything over HTTP by itself."""
    command = (*real_part(f"server-everything@{version}"), "streamableHttp")
    env = {"PORT": PORT}
    return TargetSpec(name="direct", command=command, url=URL, env=env, resettable=True, **more)


def reference(real_part):
    """The reference server of the Python SDK, which speaks both eras."""
    command = (*real_part("mcp-everything-server@2.3.0"), "--port", PORT)
    return lambda **more: TargetSpec(
        name="reference", command=command, url=URL.replace("127.0.0.1", "localhost"), **more
    )


@asynccontextmanager
async def started(spec, folder):
    """A started environment of it."""
    clock = SystemClock()
    environment = await make_target(spec, workspace=folder / ".mcp-eval", clock=clock).start()
    try:
        yield environment
    finally:
        await environment.stop()


async def probed(spec, folder):
    """What it offers."""
    async with started(spec, folder) as environment:
        return await Probe(clock=SystemClock())(environment)


@asynccontextmanager
async def fronted(environment):
    """A front before it."""
    async with Front(environment, clock=SystemClock()) as front:
        yield front


async def ran(*command, cwd=None, seconds=50):
    """What a program printed; its exit status."""
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=cwd,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(seconds):
            said, errors = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    sys.stderr.write(errors.decode(errors="replace")[-2000:])
    return process.returncode, said.decode()
