"""`mcp-eval`, and `python -m mcp_eval.cli`: a group that imports a command when it is asked for."""

import sys
from collections.abc import Sequence
from importlib import import_module

import click

_INTERRUPTED = 130
GROUPS = {
    "Every day": {
        "demo": "see a break found: a small proxy in two builds",
        "init": "begin: look at a target, write starter scenarios",
        "record": "record scenarios against a target, as the baseline",
        "check": "my suite against its baselines: what broke, why, what to do",
        "accept": "review baseline changes that wait",
        "view": "checks, baselines and runs in a browser, read-only",
    },
    "Then": {
        "compare": "any two things: recordings, surfaces, targets",
        "show": "list, re-render or re-judge anything stored",
        "explain": "why a finding is one, or how two argument objects compare",
        "doctor": "what is installed, found and startable, and what mends it",
        "mcp": "this suite as an MCP server, for a coding agent",
    },
}


class LazyGroup(click.Group):
    """Lists its commands without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's
        """Every command, in the order people meet them."""
        return [name for commands in GROUPS.values() for name in commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = import_module(f"mcp_eval.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was named; a slip of the pen is met with the nearest name."""
        name = click.utils.make_str(args[0])
        if name not in self.list_commands(ctx) and not name.startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(name, self.list_commands(ctx), n=1)
            meant = f" (did you mean {near[0]}?)" if near else ""
            raise click.UsageError(f"no command '{name}'{meant}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002 - click's
        formatter: click.HelpFormatter,
    ) -> None:
        """The commands as people use them: every day, then the rest."""
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(list(commands.items()))


@click.group(
    cls=LazyGroup,
    name="mcp-eval",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit: 0 good or acceptable, 1 degraded or broken, 2 usage, 3 inconclusive, "
    "130 interrupted.",
)
@click.version_option(package_name="mcp-eval", prog_name="mcp-eval")
def group() -> None:
    """Which tools still work for an agent after an update, which broke, why, and what to do."""
    from mcp_eval.cli.ending import swept

    swept()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and leave with its status."""
    words = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    try:
        from mcp_eval.cli.ending import ended

        sys.exit(ended(group, words))
    except KeyboardInterrupt:  # before or after the work itself
        sys.exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
