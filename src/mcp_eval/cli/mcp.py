"""`mcp`: this tool as an MCP server over stdio, for a coding agent."""

import click

from mcp_eval.cli.running import run


@click.command(
    "mcp", epilog="Example: mcp-eval mcp (a client says: claude mcp add mcp-eval -- mcp-eval mcp)"
)
@click.option("--allow-accept", is_flag=True, help="offer accepting, asked of the person each time")
def command(*, allow_accept: bool) -> int:
    """Serve this suite over MCP (stdio): list, check, explain, propose, sum up.

    It reads and checks, and never moves a baseline. With --allow-accept it may ask the person at
    the client, by elicitation, and moves one on their own yes alone.
    """
    from mcp_eval.mcp_server.serve import serve

    return run(serve(allow_accept=allow_accept))
