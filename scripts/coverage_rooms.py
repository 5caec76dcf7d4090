"""Prints how much of each room the tests ran through, from what `make coverage` collected."""

import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

PACKAGE = "src/mcp_eval/"


def main() -> int:
    """One line a room, then the whole."""
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "coverage.json"
        command = [sys.executable, "-m", "coverage", "json", "--quiet", "-o", str(written)]
        if subprocess.run(command, check=False).returncode:
            return 1
        files = json.loads(written.read_text(encoding="utf-8"))["files"]
    rooms: dict[str, list[dict[str, int]]] = defaultdict(list)
    for path, file in files.items():
        rooms[room_of(path)].append(file["summary"])
    for room, summaries in sorted(rooms.items()):
        print(line(room, summaries))
    print(line("all", [one for summaries in rooms.values() for one in summaries]))
    return 0


def room_of(path: str) -> str:
    """The folder under the package, or the package's own modules."""
    room, inside, _ = path.replace("\\", "/").rpartition(PACKAGE)[2].partition("/")
    return room + "/" if inside else "(top)"


def line(room: str, summaries: list[dict[str, int]]) -> str:
    """Lines and branches run, of those there are."""

    def total(key: str) -> int:
        return sum(one[key] for one in summaries)

    lines, branches = total("num_statements"), total("num_branches")
    share = (total("covered_lines") + total("covered_branches")) / max(1, lines + branches)
    return f"{room:<12} {share:6.1%}  {lines:6} lines {branches:6} branches"


if __name__ == "__main__":
    sys.exit(main())
