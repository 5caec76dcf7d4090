"""What stands there now of a target, without starting it: so that a change of it can be noticed."""

import hashlib
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from mcp_eval.model.project import TargetSpec
from mcp_eval.targets.checkout import read_checkout
from mcp_eval.targets.identity import identify
from mcp_eval.targets.placeholders import anchored

_SECONDS = 20


def standing(spec: TargetSpec) -> dict[str, str]:
    """The program's digest, the image's, the checkout's commit: what there is, by name."""
    return dict(_standing(spec))


def digest(path: Path) -> str:
    """The digest of a file; "" where there is none."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def _standing(spec: TargetSpec) -> Iterator[tuple[str, str]]:
    for server in spec.servers:
        yield from _standing(server)
    if spec.config_file:
        yield f"{spec.name}: servers", digest(Path(spec.base or ".") / spec.config_file)
    # What our own check builds is no news: its checkout says when it is.
    if spec.command and not spec.build:
        yield f"{spec.name}: program", identify(anchored(spec.command, spec.base)).digest
    if spec.image:
        yield f"{spec.name}: image", _image(spec.image)
    if spec.checkout:
        found = read_checkout(str(Path(spec.base or ".").resolve() / spec.checkout), "")
        yield f"{spec.name}: commit", found.commit if found else ""


def _image(name: str) -> str:
    """The id of a local image; "" where docker cannot say."""
    docker = shutil.which("docker")
    if docker is None:
        return ""
    words = [docker, "image", "inspect", "--format", "{{.Id}}", "--", name]
    try:
        said = subprocess.run(words, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return said.stdout.strip() if said.returncode == 0 else ""
