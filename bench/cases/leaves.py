"""Where the planted faults strike: leaves of answers, texts, calls, errors, writes."""

import json
from typing import Any

# Leaves of answers that are JSON: scenario, tool, path. Nothing here is echoed from a request,
# and no step of the scenario wrote it.
WORDS = (
    ("archive/lookup", "read_graph", "entities[].entityType"),
    ("archive/lookup", "open_nodes", "relations[].relationType"),
    ("everything/weather", "get-structured-content", "conditions"),
    ("everything-2025/basics", "structuredContent", "conditions"),
    ("time/zones", "convert_time", "time_difference"),
    ("filesystem/look", "directory_tree", "[].type"),
    ("filesystem/read", "read_text_file", "bed"),
)
FLAGS = (
    ("time/zones", "convert_time", "target.is_dst"),
    ("time/zones", "get_current_time", "is_dst"),
    ("filesystem/read", "read_text_file", "open"),
    ("memory/tidy", "delete_relations", "success"),
)
NUMBERS = (
    ("everything/weather", "get-structured-content", "temperature"),
    ("everything/weather", "get-structured-content", "humidity"),
    ("everything-2025/basics", "structuredContent", "humidity"),
    ("filesystem/read", "read_text_file", "rows"),
)
# Lists with more beside them in the answer: scenario, tool, path, of texts.
LISTS = (
    ("archive/lookup", "read_graph", "entities", False),
    ("archive/lookup", "read_graph", "relations", False),
    ("archive/lookup", "search_nodes", "entities[0].observations", True),
    ("archive/lookup", "open_nodes", "entities", False),
    ("filesystem/read", "read_text_file", "crops", True),
    ("filesystem/look", "directory_tree", "[1].children", False),
)
# Answers that are text, with a hard fact in them: scenario, tool, the fact, and another.
TEXTS = (
    ("everything/weather", "get-sum", "12", "13"),
    ("everything-2025/basics", "add", "12", "11"),
    ("everything/messages", "get-annotated-message", "0.95", "0.45"),
    ("filesystem/read", "read_text_file", "12 rows", "21 rows"),
    ("filesystem/read", "read_text_file", "2026-04-15", "2026-05-14"),
    ("filesystem/read", "read_multiple_files", "every 2 days", "every 20 days"),
    ("filesystem/look", "list_directory", "ledger.csv", "ledger.xls"),
    ("filesystem-older/visit", "read_multiple_files", '"rows": 12', '"rows": 11'),
    ("git/history", "git_diff", "beds.txt", "heds.txt"),
    ("git/history", "git_status", "branch main", "branch master"),
    ("git/history", "git_branch", "winter", "summer"),
    ("git/commit", "git_diff_staged", "+hoe", "+saw"),
)
# Whole texts that may be cut, mis-encoded and so on.
PROSE = (
    ("filesystem/read", "read_text_file"),
    ("filesystem/look", "list_directory"),
    ("filesystem-older/visit", "read_file"),
    ("git/history", "git_log"),
    ("git/history", "git_diff"),
    ("git/commit", "git_status"),
    ("everything/asking", "toggle-simulated-logging"),
)
# Those of them that also read back what the scenario wrote.
WRITTEN = (("filesystem-older/visit", "read_file"),)
# Any call that is answered.
CALLS = (
    ("everything/weather", "get-sum"),
    ("everything-2025/basics", "add"),
    ("archive/lookup", "search_nodes"),
    ("filesystem/look", "get_file_info"),
    ("git/history", "git_branch"),
    ("time/zones", "get_current_time"),
)
# Calls that fail in the recording: scenario, tool.
ERRORS = (
    ("everything/refused", "get-sum"),
    ("memory/unknown", "add_observations"),
    ("filesystem/refused", "read_text_file"),
    ("git/branches", "git_checkout"),
    ("time/wrong", "get_current_time"),
)

TEXT, VALUES = ("text-changed",), ("result-value-changed",)
LEEKS = "# Autumn\n\n- lift 12 rows of leeks\n"


def _said(text: str, structured: dict[str, Any]) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "structuredContent": structured}


def _done(what: str) -> dict[str, Any]:
    text = f"{what} deleted successfully"
    return _said(text, {"success": True, "message": text})


_SEEN = {"entityName": "south bed", "addedObservations": ["beans sown 2026-05-02", "shade at noon"]}
_TIES = [
    {"from": "Ida", "to": "north bed", "relationType": "tends"},
    {"from": "Ida", "to": "south bed", "relationType": "digs"},
]
_EDITED = (
    "```diff\nIndex: ${workdir}/drafts/autumn.md\n"
    "===================================================================\n"
    "--- ${workdir}/drafts/autumn.md\toriginal\n+++ ${workdir}/drafts/autumn.md\tmodified\n"
    "@@ -1,4 +1,4 @@\n # Autumn\n \n-- lift 12 rows of carrots\n+- lift 10 rows of carrots\n"
    " - plant garlic\n```\n\n"
)
# Writes that answer as they always did while nothing reaches the store: scenario, tool, answer,
# and the later read that shows it.
FORGOTTEN = (
    (
        "memory/garden",
        "add_observations",
        _said(json.dumps([_SEEN], indent=2), {"results": [_SEEN]}),
        "read_graph",
    ),
    (
        "memory/garden",
        "create_relations",
        _said(json.dumps(_TIES, indent=2), {"relations": _TIES}),
        "read_graph",
    ),
    ("memory/tidy", "delete_entities", _done("Entities"), "search_nodes"),
    ("memory/tidy", "delete_observations", _done("Observations"), "open_nodes"),
    ("filesystem/write", "edit_file", _EDITED, "read_text_file"),
    (
        "git/commit",
        "git_commit",
        "Changes committed successfully with hash 4be1d4c5f0a3b2917e6d8c0f5a4b3c2d1e0f9a8b",
        "git_log",
    ),
)
