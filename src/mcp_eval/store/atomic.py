"""Reading and writing whole files: all of a document or none of it, and one line where it fails."""

import contextlib
import errno
import os
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

from mcp_eval.errors import UsageError
from mcp_eval.formats.limits import Refusal, check_size

_HINTS = {
    errno.ENOSPC: "the disk is full: make room, nothing was overwritten",
    errno.EDQUOT: "the quota is used up: make room, nothing was overwritten",
    errno.EFBIG: "a limit on file sizes stands in the way, nothing was overwritten",
    errno.EROFS: "the file system is read-only: name another folder",
    errno.EACCES: "the folder may not be written: name another, or change its permissions",
    errno.EPERM: "the folder may not be written: name another, or change its permissions",
    errno.ENOTDIR: "a part of that path is a file: name another folder",
    errno.EEXIST: "a part of that path is a file: name another folder",
    errno.ENAMETOOLONG: "the name is too long: shorten the scenario's file name",
}


def write_atomic(path: Path, payload: bytes) -> None:
    """Put a file in its place, whole: temporary beside it, fsync, rename, fsync of the folder."""
    write_together({path: payload})


def write_together(payloads: Mapping[Path, bytes]) -> None:
    """Put files that belong together in their places, once there is room for all of them."""
    written: dict[Path, Path] = {}
    try:
        for path, payload in payloads.items():
            with _said(path, "written"):
                path.parent.mkdir(parents=True, exist_ok=True)
                _sweep(path)
                written[path] = _temporary(path)
                _write(written[path], payload)
        for path, temporary in written.items():
            with _said(path, "written"):
                temporary.replace(path)
                _sync_folder(path.parent)
    finally:
        for temporary in written.values():
            with contextlib.suppress(OSError, ValueError):
                temporary.unlink(missing_ok=True)


def read_file(path: Path, *, refuse: Refusal = UsageError, hint: str = "") -> bytes:
    """The bytes of a file of bearable size."""
    try:
        with path.open("rb") as file:
            check_size(os.fstat(file.fileno()).st_size, where=str(path), refuse=refuse)
            return file.read()
    except OSError as error:
        said = error.strerror or str(error)
        raise refuse(
            f"{path}: cannot be read: {said}", hint=hint or "is the name right?"
        ) from error


def remove(path: Path) -> None:
    """Take a file away; one that is gone already is fine."""
    with _said(path, "removed"):
        path.unlink(missing_ok=True)


def move(source: Path, path: Path) -> None:
    """Put a written file in another's place."""
    with _said(path, "written"):
        source.replace(path)
        _sync_folder(path.parent)


@contextlib.contextmanager
def _said(path: Path, what: str) -> Iterator[None]:
    """An OSError in one line, with what to do."""
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: a null byte in the name
        number = error.errno if isinstance(error, OSError) else None
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        hint = _HINTS.get(number or 0, "name another folder with `--output`")
        raise UsageError(f"{path}: cannot be {what}: {said}", hint=hint) from error


def _temporary(path: Path) -> Path:
    return path.with_name(f".{path.name[:80]}.{os.getpid()}-{threading.get_ident()}.tmp")


def _write(path: Path, payload: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o666)
    with os.fdopen(descriptor, "wb") as file:
        file.write(payload)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        # Some file systems do not sync folders; the file itself is safe by then.
        with contextlib.suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sweep(path: Path) -> None:
    """Clear what a killed writer of this very file left behind."""
    with os.scandir(path.parent) as entries:
        start = f".{path.name[:80]}."
        left = [entry.name for entry in entries if _left(entry.name, start)]
    for name in left:
        path.with_name(name).unlink(missing_ok=True)


def _left(name: str, start: str) -> bool:
    if not (name.startswith(start) and name.endswith(".tmp")):
        return False
    pid = name.removeprefix(start).partition("-")[0]
    return pid.isdecimal() and not _alive(int(pid))


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
