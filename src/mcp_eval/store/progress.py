"""What a check has looked at so far: an interrupted one goes on from there."""

import shutil
from contextlib import suppress
from pathlib import Path

from mcp_eval.errors import McpEvalError
from mcp_eval.formats.envelope import encode
from mcp_eval.model.trajectory import Run
from mcp_eval.store.atomic import write_atomic
from mcp_eval.store.runs import load_run, state_folder
from mcp_eval.store.stems import safe_name

_KEY = "check"  # names what was checked: the same build against the same baseline


class Progress:
    """The looks of the check that is under way, each on disk as soon as it was made."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def begin(self, key: str, *, resume: bool) -> tuple[Run, ...]:
        """The looks of an interrupted check of the same; a new check forgets them."""
        folder = self._folder
        found = self._found(key) if resume else ()
        if not found:
            shutil.rmtree(folder, ignore_errors=True)
            with suppress(McpEvalError, OSError):  # see `keep`
                write_atomic(folder / _KEY, key.encode())
        return found

    def keep(self, run: Run) -> None:
        """One look more; where there is no room for it the check goes on, it cannot be resumed."""
        name = safe_name(f"{run.scenario}.{run.agent}.{run.trial}", what="the run")
        with suppress(McpEvalError, OSError):
            write_atomic(self._folder / f"{name}.json", encode("run", run))

    def end(self) -> None:
        """The check has its verdict: nothing is left to go on with."""
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def _folder(self) -> Path:
        return state_folder(self._root) / "unfinished"

    def _found(self, key: str) -> tuple[Run, ...]:
        path = self._folder / _KEY
        if not path.is_file() or path.read_text("utf-8") != key:
            return ()
        try:
            return tuple(load_run(one) for one in sorted(self._folder.glob("[!.]*.json")))
        except McpEvalError:  # of another version, or cut short by a full disk: look again
            return ()
