"""The git checkout a project file names: its commit, and whether the program was built from it."""

import re
import subprocess
from pathlib import Path

from mcp_eval.model.provenance import Checkout

_REVISION = re.compile(rb"vcs\.revision=([0-9a-f]{40})")


def read_checkout(folder: str, program: str) -> Checkout | None:
    """What git says of the folder; None where it is no checkout."""
    commit = _git(folder, "rev-parse", "HEAD")
    if not commit:
        return None
    return Checkout(
        path=folder,
        commit=commit,
        dirty=bool(_git(folder, "status", "--porcelain", "--untracked-files=no")),
        built_from=_built_from(folder, program, commit),
        url=_without_login(_git(folder, "remote", "get-url", "origin")),
    )


def signature(folder: str) -> dict[str, str]:
    """Who works in a folder, and at which commit; "" where git does not know."""
    return {
        "who": _git(folder, "config", "user.name"),
        "commit": _git(folder, "rev-parse", "HEAD"),
    }


def _built_from(folder: str, program: str, commit: str) -> str:
    """A script lies in its checkout; a Go binary names its commit; of the rest nobody knows."""
    if not program:
        return "unknown"
    place = Path(program).resolve()
    stated = _REVISION.search(_bytes(place))
    if stated:
        return "yes" if stated.group(1).decode() == commit else "no"
    inside = place.is_relative_to(Path(folder).resolve())
    tracked = inside and _git(folder, "ls-files", "--", str(place))
    return "yes" if tracked else "unknown"


def _bytes(place: Path) -> bytes:
    try:
        return place.read_bytes()
    except OSError:
        return b""


def _git(folder: str, *words: str) -> str:
    try:
        said = subprocess.run(
            ["git", "-C", folder, *words],  # noqa: S607 - the person's own git
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return said.stdout.strip() if said.returncode == 0 else ""


def _without_login(url: str) -> str:
    return re.sub(r"//[^/@]*@", "//", url)
