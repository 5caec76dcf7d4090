"""`view`: the checks, baselines and runs of this folder in a browser, read-only."""

import click

from mcp_eval.errors import UsageError


@click.command("view", epilog="Example: mcp-eval view --port 8123")
@click.option("--port", default=0, type=click.IntRange(0, 65535), help="default: a free one")
@click.option("--open/--no-open", "opens", default=True, help="open the browser")
def command(*, port: int, opens: bool) -> int:
    """Look at what is stored here: checks by scenario and build, baselines, any two runs.

    It listens on 127.0.0.1, changes nothing, and ends with Ctrl-C.
    """
    import webbrowser

    from mcp_eval.web.serve import LOOPBACK, port_of, server

    try:
        made = server(port)
    except OSError as error:
        hint = "leave --port out for a free one"
        raise UsageError(f"port {port} cannot be used: {error.strerror}", hint=hint) from error
    address = f"http://{LOOPBACK}:{port_of(made)}/"
    click.echo(f"{address} (Ctrl-C ends it)")
    if opens:
        webbrowser.open(address)
    try:
        made.serve_forever()
    finally:
        made.server_close()
    return 0
