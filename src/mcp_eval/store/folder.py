"""A Store: recordings in the folder a command names, raw runs in the ignored one."""

import contextlib
from collections import Counter
from pathlib import Path

from msgspec import structs

from mcp_eval.errors import UsageError
from mcp_eval.model.recording import Recording
from mcp_eval.model.scenario import Scenario
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Run
from mcp_eval.ports import Saved
from mcp_eval.store.files import PENDING, save_recording, save_session, save_surface
from mcp_eval.store.runs import runs_folder, save_run
from mcp_eval.store.sources import save_scenario


class Folder:
    """Keeps recordings in `folder`, and the raw runs of the working folder `root`."""

    def __init__(self, folder: str, root: Path) -> None:
        self.folder = folder
        self._root = root
        self._seen: Counter[tuple[str, int]] = Counter()

    def run(self, run: Run) -> None:
        """Keep a raw run; where that cannot be done, nothing is lost that judging needs."""
        self._seen[run.scenario, run.trial] += 1
        again = self._seen[run.scenario, run.trial]
        # The old build's looks are numbered like the new one's.
        named = run if run.id or again == 1 else structs.replace(run, id=str(again))
        with contextlib.suppress(UsageError):
            save_run(runs_folder(self._root), named)

    def recording(self, recording: Recording, surface: Surface, *, replace: bool) -> Saved:
        """Keep a recording: as the baseline, or as a pending change to the one that is there."""
        return _saved(save_recording(Path(self.folder), recording, surface, replace=replace))

    def session(self, recording: Recording, surface: Surface) -> Saved:
        """Keep a recording that still grows: its own file is written anew each time."""
        return _saved(save_session(Path(self.folder), recording, surface))

    def scenario(self, scenario: Scenario) -> None:
        """Keep a scenario, in its own file."""
        save_scenario(scenario)

    def surface(self, surface: Surface, *, replace: bool) -> Saved:
        """Keep a surface alone."""
        return _saved(save_surface(Path(self.folder), surface, replace=replace))


def _saved(path: Path) -> Saved:
    return Saved(path=str(path), pending=path.parent.name == PENDING)
