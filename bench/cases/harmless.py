"""The harmless changes, each on several servers; and builds that did not change at all."""

from typing import Any, Protocol

SCENARIOS = (
    "everything/weather",
    "everything/messages",
    "everything/resources",
    "everything/asking",
    "everything/refused",
    "everything-2025/basics",
    "memory/garden",
    "memory/tidy",
    "memory/unknown",
    "archive/lookup",
    "filesystem/look",
    "filesystem/read",
    "filesystem/write",
    "filesystem/refused",
    "filesystem/tables",
    "filesystem-older/visit",
    "git/history",
    "git/commit",
    "git/branches",
    "time/zones",
    "time/wrong",
)
# One scenario a server, where a change concerns every tool alike.
EACH = (
    "everything/weather",
    "memory/garden",
    "archive/lookup",
    "filesystem/look",
    "git/commit",
    "time/zones",
)
# Calls that answer an object: scenario, tool.
OBJECTS = (
    ("everything/weather", "get-structured-content"),
    ("archive/lookup", "read_graph"),
    ("time/zones", "convert_time"),
    ("filesystem/read", "read_text_file"),
)
# Calls whose whole answer is a message to people: scenario, tool, and the same in other words.
MESSAGES = (
    ("everything/messages", "get-annotated-message", "All operations completed successfully"),
    ("filesystem/write", "create_directory", "The directory drafts has been created"),
    ("git/branches", "git_reset", "Every staged change was reset"),
    ("git/branches", "git_add", "The files were staged"),
    ("memory/tidy", "delete_relations", "The relations were deleted"),
)
# Calls with a required parameter: scenario, tool, parameter.
TOOLS = (
    ("everything/weather", "get-sum", "a"),
    ("archive/lookup", "search_nodes", "query"),
    ("filesystem/read", "read_text_file", "path"),
    ("git/history", "git_log", "repo_path"),
    ("time/zones", "convert_time", "time"),
)


class Book(Protocol):
    """What takes the cases."""

    def harmless(self, at: str, spec: dict[str, Any] | None = None, **more: Any) -> None:
        """One more."""


def write(book: Book) -> None:
    """All of them."""
    for part in (_nothing, _carriage, _additions, _wording, _offers, _times, _volatile, _upkeep):
        part(book)


def _nothing(book: Book) -> None:
    """The same build again, every scenario."""
    for at in SCENARIOS:
        book.harmless(at, kind="same-build", at_most="good")


def _carriage(book: Book) -> None:
    """The same answers, carried otherwise."""
    for at in EACH:
        for fault in ("write-in-pieces", "log-before", "add-meta", "state-no-error"):
            book.harmless(at, {"fault": fault}, at_most="good")
    for at in EACH[::2]:
        for fault in ("escape-unicode", "notify-progress"):
            book.harmless(at, {"fault": fault}, at_most="good")
    for at in EACH[1:]:
        for fault in ("end-with-newline", "annotate-blocks"):
            book.harmless(at, {"fault": fault})
    _rewritten(book)


def _rewritten(book: Book) -> None:
    """The same JSON, written otherwise."""
    for at, tool in OBJECTS:
        for fault in ("reorder-keys", "pretty-print"):
            book.harmless(at, {"fault": fault, "tool": tool}, at_most="good")
    for at, tool in OBJECTS[2:]:
        book.harmless(at, {"fault": "add-structured", "tool": tool})
    for at, tool, path in (
        ("everything/weather", "get-structured-content", "humidity"),
        ("everything-2025/basics", "structuredContent", "humidity"),
        ("filesystem/read", "read_text_file", "rows"),
    ):
        book.harmless(at, {"fault": "whole-as-float", "tool": tool, "path": path}, at_most="good")


def _additions(book: Book) -> None:
    """More than before, and all that was there."""
    for at, tool in OBJECTS:
        for fault in ("add-field", "add-timestamp", "add-request-id", "add-duration", "add-hash"):
            book.harmless(at, {"fault": fault, "tool": tool})
    for at, tool, path in (
        ("archive/lookup", "read_graph", "entities[]"),
        ("archive/lookup", "open_nodes", "relations[]"),
        ("filesystem/look", "directory_tree", "[]"),
        ("time/zones", "convert_time", "target"),
    ):
        spec = {"fault": "add-field", "tool": tool, "path": path, "to": "origin"}
        book.harmless(at, {**spec, "value": [{"by": "nobody"}]})
    for at, tool, path in (
        ("archive/lookup", "read_graph", "entities"),
        ("archive/lookup", "search_nodes", "entities"),
        ("archive/lookup", "open_nodes", "entities[0].observations"),
        ("filesystem/read", "read_text_file", "crops"),
        ("filesystem/look", "directory_tree", ""),
    ):
        book.harmless(at, {"fault": "add-item", "tool": tool, "path": path})
    for at, tool in (
        ("everything/messages", "get-tiny-image"),
        ("everything/resources", "get-resource-links"),
        ("git/history", "git_branch"),
    ):
        book.harmless(at, {"fault": "add-block", "tool": tool})


def _wording(book: Book) -> None:
    """Other words, the same facts; another order of the same items."""
    for at, tool, words in MESSAGES:
        if tool != "get-annotated-message":
            book.harmless(at, {"fault": "reword-sentence", "tool": tool, "value": words})
        book.harmless(at, {"fault": "reword-text", "tool": tool, "path": ""})
    for at, words in (
        ("memory/unknown", "No entity of the name pond was found"),
        ("git/branches", "Not found: the ref 'no-such-branch'"),
        ("time/wrong", "Error: this is not valid"),
    ):
        book.harmless(at, {"fault": "reword-error", "value": words})
    for at, tool, path in (
        ("archive/lookup", "read_graph", "entities"),
        ("archive/lookup", "search_nodes", "entities"),
        ("filesystem/look", "directory_tree", ""),
        ("filesystem/read", "read_text_file", "crops"),
    ):
        book.harmless(at, {"fault": "reverse-list", "tool": tool, "path": path})


def _offers(book: Book) -> None:
    """Surfaces that grew, or say the same otherwise."""
    for at in EACH:
        book.harmless(at, {"fault": "add-tool"})
        book.harmless(at, {"fault": "bump-version"})
    for at in EACH[::2]:
        book.harmless(at, {"fault": "reorder-tools"})
        book.harmless(at, {"fault": "reword-instructions"})
    for at, tool, path in TOOLS:
        for fault in ("reword-description", "add-title", "empty-description", "tighten-annotation"):
            book.harmless(at, {"fault": fault, "tool": tool})
        book.harmless(at, {"fault": "add-parameter", "tool": tool, "path": "verbose"})
        book.harmless(at, {"fault": "make-optional", "tool": tool, "path": path})
    for at, tool, path in TOOLS[::2]:
        book.harmless(at, {"fault": "describe-parameter", "tool": tool, "path": path})
        book.harmless(at, {"fault": "give-examples", "tool": tool, "path": path})
        book.harmless(at, {"fault": "reorder-parameters", "tool": tool})
    for at, tool, path in (
        ("everything/weather", "get-structured-content", "location"),
        ("everything-2025/basics", "annotatedMessage", "messageType"),
        ("filesystem/look", "list_directory_with_sizes", "sortBy"),
    ):
        book.harmless(at, {"fault": "add-enum-value", "tool": tool, "path": path})
    for at, tool in (
        ("everything/resources", "get-resource-links"),
        ("everything-2025/basics", "getResourceLinks"),
    ):
        book.harmless(at, {"fault": "widen-bounds", "tool": tool, "path": "count"})
    for at in ("time/zones", "git/history", "memory/garden"):
        book.harmless(at, {"fault": "add-capability"})


def _times(book: Book) -> None:
    """A little later, once in a while."""
    for at in EACH[1::2]:
        book.harmless(at, {"fault": "small-delay"}, at_most="good")
    for at, tool in (("everything/weather", "get-sum"), ("archive/lookup", "search_nodes")):
        spec = {"fault": "delay", "tool": tool, "value": 0.4}
        book.harmless(at, spec, kind="slower")
    for at, tool in (
        ("everything/weather", "get-sum"),
        ("filesystem/look", "list_directory"),
        ("git/history", "git_branch"),
        ("time/zones", "get_current_time"),
    ):
        spec = {"fault": "fail", "tool": tool, "when": "once"}
        book.harmless(at, spec, kind="fails-once")


def _volatile(book: Book) -> None:
    """Servers whose every answer carries something new, unchanged."""
    for at, tool in OBJECTS:
        always = [
            {"fault": fault, "tool": tool}
            for fault in ("add-timestamp", "add-request-id", "add-duration", "add-hash")
        ]
        book.harmless(at, before=always, inject=always, kind="volatile-answers", at_most="good")
    scored = {"fault": "add-field", "tool": "search_nodes", "path": "entities[]", "to": "score"}
    moved = [{**scored, "value": 0.75}]
    book.harmless(
        "archive/lookup", before=[{**scored, "value": 0.5}], inject=moved, kind="score-moved"
    )


def _upkeep(book: Book) -> None:
    """Faults that are mended."""
    for at, tool in (
        ("everything/weather", "get-sum"),
        ("archive/lookup", "search_nodes"),
        ("git/history", "git_branch"),
        ("time/zones", "get_current_time"),
    ):
        for fault in ("fail", "empty-answer"):
            book.harmless(at, before=[{"fault": fault, "tool": tool}], kind="mended")
    for at, tool in (
        ("memory/unknown", "add_observations"),
        ("git/branches", "git_checkout"),
        ("filesystem/refused", "read_text_file"),
    ):
        swallowed = [{"fault": "swallow-error", "tool": tool}]
        book.harmless(at, before=swallowed, kind="error-flagged")
    for at, tool, path in (
        ("archive/lookup", "read_graph", "relations"),
        ("everything/weather", "get-structured-content", "conditions"),
    ):
        before = [{"fault": "null-value", "tool": tool, "path": path}]
        book.harmless(at, before=before, kind="null-filled")
