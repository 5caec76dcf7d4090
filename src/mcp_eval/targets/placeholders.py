"""`${workdir}`, `${port}` and `${ENV}` in what a person wrote about a target."""

import os
import re
import shutil
import socket
from collections.abc import Mapping, Sequence
from pathlib import Path

from mcp_eval.errors import InconclusiveError

_ENV = re.compile(r"\$\{(?:secret:|env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")


def filled(text: str, places: Mapping[str, str]) -> str:
    """The text with `${workdir}` and `${port}` in place."""
    for name, value in places.items():
        text = text.replace(f"${{{name}}}", value)
    return text


def expanded(text: str, environ: Mapping[str, str], *, where: str) -> str:
    """The text with `${ENV}` in place; a variable nobody set is named."""

    def value(found: re.Match[str]) -> str:
        name, default = found.group(1), found.group(2)
        if (known := environ.get(name, default)) is None:
            raise InconclusiveError(
                f"{where}: the environment variable {name} is not set",
                hint=f"set it first: export {name}=…",
                rule="target-not-starting",
            )
        return known

    return _ENV.sub(value, text)


def free_port() -> int:
    """A port on the loopback address nobody listens at now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def anchored(command: Sequence[str], base: str) -> tuple[str, ...]:
    """The command with relative paths made absolute: the target runs in a folder of its own."""
    folder = Path(base or ".").resolve()
    program, *arguments = command
    found = (folder / program).is_file() and (os.sep in program or shutil.which(program) is None)
    if found and not Path(program).is_absolute():
        program = str(folder / program)
    return (program, *(_anchored(argument, folder) for argument in arguments))


def _anchored(argument: str, folder: Path) -> str:
    option, equals, path = argument.rpartition("=")
    if argument.startswith("-") and not equals:
        return argument
    if not path or Path(path).is_absolute() or len(path) > 4096 or "\0" in path:  # noqa: PLR2004
        return argument
    place = folder / path
    # A bare word that happens to be a folder may mean anything; a path with a slash does not.
    if place.is_file() or ("/" in path and place.is_dir()):
        return f"{option}{equals}{place.resolve() if '..' in path else place}"
    return argument
