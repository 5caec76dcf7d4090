"""Faults of what a server offers: tools, parameters, promises."""

from bench.cases.wishes import Book, Wish, at_leaf


def write(book: Book) -> None:
    """All of them."""
    for part in (_offered, _parameters, _promises):
        part(book)


def _offered(book: Book) -> None:
    for at, tool in (
        ("everything/weather", "get-sum"),
        ("archive/lookup", "open_nodes"),
        ("git/history", "git_show"),
        ("time/zones", "convert_time"),
        ("filesystem/look", "move_file"),  # nobody recorded it
    ):
        book.fault(at, {"fault": "remove-tool", "tool": tool}, Wish("tool-removed", tool))
        renamed = {"fault": "rename-tool", "tool": tool, "to": f"{tool}_v2"}
        book.fault(at, renamed, Wish("tool-renamed", tool))
    for at, tool in (("git/history", "git_log"), ("time/zones", "convert_time")):
        book.fault(at, {"fault": "double-tool", "tool": tool}, Wish("tool-doubled", tool))
    for word in ("prompts", "resources"):
        spec = {"fault": "drop-capability", "value": word}
        lost = [Wish(rule) for rule in ("capability-lost", f"{word[:-1]}-removed")]
        book.fault("everything/weather", spec, *lost)
    spec = {"fault": "drop-capability", "value": "prompts"}
    lost = [Wish(rule) for rule in ("capability-lost", "prompt-removed")]
    book.fault("everything-2025/basics", spec, *lost)
    for at, tool in (
        ("filesystem/write", "write_file"),
        ("memory/tidy", "delete_entities"),
        ("git/branches", "git_reset"),
    ):
        loosened = Wish("annotation-changed", tool)
        book.fault(at, {"fault": "loosen-annotation", "tool": tool}, loosened)


def _parameters(book: Book) -> None:
    for at, tool, path in (
        ("everything/weather", "get-sum", "precision"),
        ("archive/lookup", "search_nodes", "limit"),
        ("filesystem/read", "read_text_file", "tail"),
        ("git/history", "git_branch", "contains"),
        ("time/zones", "get_current_time", "format"),
    ):
        spec = at_leaf("require-parameter", tool, path)
        book.fault(at, spec, Wish("parameter-newly-required", tool, path))
    for at, tool, path in (
        ("everything/resources", "get-resource-links", "count"),
        ("filesystem/read", "read_text_file", "head"),
        ("git/history", "git_log", "max_count"),
        ("everything/messages", "get-annotated-message", "includeImage"),
    ):
        gone = Wish("parameter-removed", tool, path)
        book.fault(at, at_leaf("remove-parameter", tool, path), gone)
        book.fault(at, at_leaf("close-schema", tool, path), gone)
    for at, tool, path in (
        ("everything/weather", "echo", "message"),
        ("archive/lookup", "search_nodes", "query"),
        ("filesystem/look", "list_directory", "path"),
        ("git/history", "git_show", "revision"),
        ("time/zones", "convert_time", "time"),
    ):
        renamed = Wish("parameter-renamed", tool, path)
        book.fault(at, at_leaf("rename-parameter", tool, path, to=f"{path}_text"), renamed)
    for at, tool, path, kind in (
        ("everything/weather", "get-sum", "a", "string"),
        ("archive/lookup", "open_nodes", "names", "string"),
        ("filesystem/read", "read_text_file", "head", "string"),
        ("git/history", "git_log", "max_count", "string"),
        ("time/zones", "convert_time", "time", "integer"),
    ):
        typed = Wish("parameter-type-changed", tool, path)
        book.fault(at, at_leaf("retype-parameter", tool, path, value=kind), typed)
    for at, tool, path, value in (
        ("everything/weather", "get-structured-content", "location", "Chicago"),
        ("everything/messages", "get-annotated-message", "messageType", "debug"),
        ("everything-2025/basics", "annotatedMessage", "messageType", "error"),
        ("filesystem/look", "list_directory_with_sizes", "sortBy", "name"),
    ):
        gone = Wish("enum-value-removed", tool, path)
        book.fault(at, at_leaf("drop-enum-value", tool, path, value=value), gone)
    for fault, at, tool, path, value in (
        ("narrow-bounds", "everything/resources", "get-resource-links", "count", 3),
        ("narrow-bounds", "git/history", "git_log", "max_count", 4),
        ("narrow-bounds", "everything/weather", "get-sum", "b", 2),
        ("raise-minimum", "everything/resources", "get-resource-links", "count", 5),
        ("raise-minimum", "filesystem/read", "read_text_file", "head", 2),
        ("narrow-length", "archive/lookup", "search_nodes", "query", 3),
        ("narrow-length", "filesystem/read", "read_multiple_files", "paths", 1),
        ("narrow-pattern", "time/zones", "convert_time", "time", "^[0-9]{4}$"),
        ("narrow-pattern", "git/history", "git_show", "revision", "^[0-9a-f]{40}$"),
    ):
        narrowed = Wish("bounds-narrowed", tool, path)
        book.fault(at, at_leaf(fault, tool, path, value=value), narrowed)
    for at, tool, path, value in (
        ("filesystem/write", "edit_file", "dryRun", True),
        ("git/commit", "git_diff_unstaged", "context_lines", 0),
        ("everything/messages", "get-annotated-message", "includeImage", True),
    ):
        changed = Wish("default-changed", tool, path)
        book.fault(at, at_leaf("change-default", tool, path, value=value), changed)


def _promises(book: Book) -> None:
    for at, tool, path in (
        ("everything/weather", "get-structured-content", "humidity"),
        ("everything-2025/basics", "structuredContent", "conditions"),
        ("archive/lookup", "read_graph", "relations"),
        ("memory/tidy", "delete_entities", "message"),
    ):
        less = Wish("output-schema-changed", tool)
        book.fault(at, {"fault": "drop-output-schema", "tool": tool}, less)
        book.fault(at, at_leaf("promise-less", tool, path), less)
    for at, tool, path, kind in (
        ("everything/weather", "get-structured-content", "temperature", "string"),
        ("archive/lookup", "search_nodes", "entities", "object"),
    ):
        spec = at_leaf("retype-promise", tool, path, value=kind)
        book.fault(at, spec, Wish("output-schema-changed", tool))
