"""Starts the proxy: `python -m mcp_eval.demo.servers --build 1`, or 2."""

import sys

from mcp_eval.demo.servers.first import FirstBuild
from mcp_eval.demo.servers.rpc import serve
from mcp_eval.demo.servers.second import SecondBuild

BUILDS = {"1": FirstBuild, "2": SecondBuild}


def main(arguments: list[str]) -> int:
    """Serve the named build until stdin closes."""
    if arguments[:1] != ["--build"] or arguments[1:2] == [] or arguments[1] not in BUILDS:
        sys.stderr.write("usage: python -m mcp_eval.demo.servers --build 1|2\n")
        return 2
    serve(BUILDS[arguments[1]](), sys.stdin.buffer, sys.stdout.buffer)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
