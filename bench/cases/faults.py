"""The planted faults: each leaf of each answer with the faults its type allows."""

import json
from typing import Any, Protocol

from bench.cases.wishes import Wish


class Book(Protocol):
    """What takes the cases."""

    def fault(self, at: str, spec: dict[str, Any], *expected: Wish, **more: Any) -> None:
        """One more."""


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


def write(book: Book) -> None:
    """All of them."""
    for part in (_words, _flags, _numbers, _lists, _texts, _prose, _whole, _blocks, _encodings):
        part(book)
    for part in (_failing, _errors, _instants, _state, _offered, _parameters, _promises):
        part(book)


def _at(fault: str, tool: str, path: str, **more: Any) -> dict[str, Any]:
    return {"fault": fault, "tool": tool, "path": path, **more}


def _words(book: Book) -> None:
    for at, tool, path in WORDS:
        other = Wish("result-value-changed", tool, path)
        gone = Wish("result-field-removed", tool, path)
        book.fault(at, _at("remove-field", tool, path), gone)
        renamed = Wish("result-field-renamed", tool, path)
        book.fault(at, _at("rename-field", tool, path, to="label_text"), renamed)
        book.fault(at, _at("change-value", tool, path, value="something else"), other)
    for at, tool, path in WORDS[1::2]:
        typed = Wish("result-type-changed", tool, path)
        book.fault(at, _at("null-value", tool, path), typed)
    for at, tool, path in WORDS[::2]:
        typed = Wish("result-type-changed", tool, path)
        book.fault(at, _at("retype-field", tool, path), typed)
        other = Wish("result-value-changed", tool, path)
        book.fault(at, _at("blank-text", tool, path), other)
    for at, tool, path in WORDS[:3]:
        book.fault(at, _at("change-case", tool, path), Wish("result-value-changed", tool, path))


def _flags(book: Book) -> None:
    for at, tool, path in FLAGS:
        # `success: false` is the shape of an error.
        rule = "newly-failing" if path == "success" else "result-value-changed"
        site = None if path == "success" else path
        book.fault(at, _at("flip-boolean", tool, path), Wish(rule, tool, site))


def _numbers(book: Book) -> None:
    for at, tool, path in NUMBERS:
        other = Wish("result-value-changed", tool, path)
        book.fault(at, _at("change-number", tool, path, value=3), other)
    for at, tool, path in NUMBERS[1::2]:
        typed = Wish("result-type-changed", tool, path)
        book.fault(at, _at("retype-field", tool, path), typed)
    for at, tool, path in NUMBERS[::2]:
        other = Wish("result-value-changed", tool, path)
        book.fault(at, _at("rescale-number", tool, path), other)
    for at, tool, path in NUMBERS[::3]:
        book.fault(at, _at("negate-number", tool, path), Wish("result-value-changed", tool, path))


def _lists(book: Book) -> None:
    for at, tool, path, of_texts in LISTS:
        lost = Wish("hit-lost", tool, path)
        typed = Wish("result-type-changed", tool, path)
        book.fault(at, _at("drop-item", tool, path), lost)
        doubled = Wish("entry-doubled", tool, path)
        book.fault(at, _at("double-item", tool, path), doubled)
        book.fault(at, _at("empty-list", tool, path), lost)
        if of_texts:
            book.fault(at, _at("join-list", tool, path), typed)
        else:
            deeper = Wish("content-type-changed", tool)
            book.fault(at, _at("json-in-string", tool, path), typed, deeper)
    for at, tool, path, _ in LISTS[::2]:
        typed = Wish("result-type-changed", tool, path)
        book.fault(at, _at("null-for-list", tool, path), typed)
    for at, tool, path, _ in (LISTS[0], LISTS[1], LISTS[5]):
        book.fault(at, _at("cap-list", tool, path, value=1), Wish("hit-lost", tool, path))
        other = (Wish("wrong-page", tool, path), Wish("hit-lost", tool, path))
        book.fault(at, _at("other-page", tool, path), *other)
    # All that the answer carries, and an earlier step had written it: both cells hold.
    at, tool = "memory/unknown", "search_nodes"
    emptied = (Wish("result-emptied", tool), Wish("effect-lost", tool))
    book.fault(at, _at("empty-list", tool, "entities"), *emptied)


def _texts(book: Book) -> None:
    for at, tool, old, new in TEXTS:
        changed = Wish("text-changed", tool)
        book.fault(at, _at("replace-text", tool, "", value=[old, new]), changed)


def _prose(book: Book) -> None:
    for at, tool in PROSE:
        book.fault(at, _at("truncate-text", tool, "", value=20), *_damaged(at, tool))
    for at, tool in PROSE[1::2]:
        unreadable = (*_damaged(at, tool), Wish("content-type-changed", tool))
        book.fault(at, _at("base64-text", tool, ""), *unreadable)
    for at, tool in PROSE[::2]:
        book.fault(at, _at("garble-text", tool, ""), *_damaged(at, tool))
        book.fault(at, _at("blank-text", tool, ""), Wish("result-emptied", tool))
    for at, tool in PROSE[1:4]:
        # A line end is a delimiter, too.
        glued = (*_damaged(at, tool), Wish("content-type-changed", tool))
        book.fault(at, _at("join-lines", tool, ""), *glued)


def _damaged(at: str, tool: str) -> tuple[Wish, ...]:
    """A text that lost something; where the scenario itself had written it, so did the write."""
    changed = Wish("text-changed", tool)
    return (changed, Wish("effect-lost", tool)) if (at, tool) in WRITTEN else (changed,)


def _whole(book: Book) -> None:
    for at, tool in CALLS:
        book.fault(at, {"fault": "empty-answer", "tool": tool}, Wish("result-emptied", tool))
    for at, tool in (*CALLS[3:], ("everything/weather", "echo")):
        spec = {"fault": "change-content-type", "tool": tool}
        book.fault(at, spec, Wish("content-type-changed", tool))
    for at, tool in (
        ("everything/weather", "get-structured-content"),
        ("everything-2025/basics", "structuredContent"),
        ("archive/lookup", "read_graph"),
        ("memory/garden", ""),
    ):
        spec = {"fault": "drop-structured", **({"tool": tool} if tool else {})}
        lost = Wish("content-type-changed", tool or None, "structuredContent")
        book.fault(at, spec, lost)
    for at, tool in (
        ("time/zones", "convert_time"),
        ("time/zones", "get_current_time"),
        ("everything/weather", "get-structured-content"),
    ):
        moved = (Wish("result-field-removed", tool), Wish("result-field-renamed", tool))
        book.fault(at, {"fault": "nest-answer", "tool": tool}, *moved)
        told = (Wish("content-type-changed", tool), Wish("result-type-changed", tool))
        book.fault(at, {"fault": "prose-for-json", "tool": tool}, *told)
    swapped = Wish("result-value-changed", "convert_time", "source.day_of_week")
    spec = _at("swap-fields", "convert_time", "source.day_of_week", to="timezone")
    book.fault("time/zones", spec, swapped)
    swapped = Wish("result-value-changed", "get-structured-content", "temperature")
    spec = _at("swap-fields", "get-structured-content", "temperature", to="humidity")
    book.fault("everything/weather", spec, swapped)


def _blocks(book: Book) -> None:
    for at, tool, which in (
        ("everything/messages", "get-tiny-image", 1),
        ("everything/resources", "get-resource-links", 2),
        ("everything-2025/basics", "getResourceLinks", 3),
        ("everything/resources", "get-resource-reference", 1),
    ):
        gone = (Wish("hit-lost", tool), Wish("content-type-changed", tool))
        book.fault(at, {"fault": "drop-block", "tool": tool, "value": which}, *gone)
        doubled = Wish("entry-doubled", tool)
        book.fault(at, {"fault": "double-block", "tool": tool, "value": which}, doubled)
    for tool, path, value in (
        ("get-resource-links", "[2].uri", "demo://resource/dynamic/text/7"),
        ("get-resource-links", "[].mimeType", "application/octet-stream"),
        ("gzip-file-as-resource", "[0].mimeType", "text/plain"),
    ):
        other = Wish("result-value-changed", tool)
        book.fault("everything/resources", _at("change-block", tool, path, value=value), other)
    picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="  # noqa: E501
    spec = _at("change-block", "get-tiny-image", "[1].data", value=picture)
    book.fault("everything/messages", spec, Wish("result-value-changed", "get-tiny-image"))
    for tool, path in (("get-resource-links", "[1].uri"), ("get-resource-links", "[].name")):
        gone = Wish("result-field-removed", tool)
        book.fault("everything/resources", _at("drop-block-member", tool, path), gone)


def _encodings(book: Book) -> None:
    for at, tool in (
        ("filesystem/look", "directory_tree"),
        ("filesystem-older/visit", "directory_tree"),
        ("time/zones", "convert_time"),
    ):
        deeper = Wish("content-type-changed", tool)
        book.fault(at, {"fault": "wrap-twice", "tool": tool}, deeper)
    at, tool = "filesystem/tables", "read_text_file"
    otherwise = Wish("content-type-changed", tool)
    for delimiter in (";", "\t"):
        spec = {"fault": "change-delimiter", "tool": tool, "value": delimiter}
        book.fault(at, spec, otherwise)
    for name in (tool, "read_file"):
        headless = (Wish("content-type-changed", name), Wish("text-changed", name))
        book.fault(at, {"fault": "drop-header", "tool": name}, *headless)
    for name, where in (("git_log", "git/history"), ("read_multiple_files", at)):
        garbled = Wish("text-changed", name)
        book.fault(where, _at("escape-html", name, ""), garbled)
    for name, where in (
        ("read_multiple_files", at),
        ("trigger-elicitation-request", "everything/asking"),
    ):
        book.fault(where, _at("strip-marks", name, ""), Wish("text-changed", name))


def _failing(book: Book) -> None:
    for number, (at, tool) in enumerate(CALLS):
        dead = Wish("newly-failing", tool)
        for fault in ("fail", "rpc-error", "flag-error", "unknown-tool", "fail-in-body")[
            number % 2 :: 2
        ]:
            book.fault(at, {"fault": fault, "tool": tool}, dead)
        book.fault(at, {"fault": "refuse", "tool": tool}, Wish("newly-refused", tool))
    for at, tool in (CALLS[0], CALLS[2], CALLS[4]):
        dead = Wish("newly-failing", tool)
        book.fault(at, {"fault": "crash", "tool": tool}, dead)
        book.fault(at, {"fault": "cut-line", "tool": tool}, dead, call_timeout=3)
    for at, tool in (CALLS[1], CALLS[3], CALLS[5]):
        book.fault(at, {"fault": "hang", "tool": tool}, Wish("newly-failing", tool), call_timeout=3)
    for (at, tool), turn, trials, fault in (
        (CALLS[0], "3/10", 4, "fail"),
        (CALLS[2], "1/2", 2, "rpc-error"),
        (CALLS[5], "3/10", 5, "crash"),
    ):
        spec = {"fault": fault, "tool": tool, "when": turn}
        book.fault(at, spec, Wish("newly-failing", tool), kind="intermittent", trials=trials)
    # From the second call on: two calls in the scenario, the first still works.
    for at, tool in (
        ("everything/weather", "get-structured-content"),
        ("git/commit", "git_status"),
    ):
        spec = {"fault": "fail", "tool": tool, "when": "after:1", "counter": ""}
        book.fault(at, spec, Wish("newly-failing", tool), kind="fail-later")
    for at, tool in (("everything/messages", "get-tiny-image"), ("filesystem/write", "move_file")):
        asked = (Wish("server-request-new", tool), Wish("newly-failing", tool))
        book.fault(at, {"fault": "ask-back", "tool": tool}, *asked)


def _errors(book: Book) -> None:
    for at, tool in ERRORS:
        swallowed = Wish("error-swallowed", tool)
        book.fault(at, {"fault": "swallow-error", "tool": tool}, swallowed)
        other = Wish("error-changed", tool)
        words = "denied|not found|resolve|zone|validation"
        if tool != "read_text_file":
            book.fault(at, {"fault": "reclass-error", "tool": tool, "to": words}, other)
    for at, tool in ERRORS[::2]:
        spec = {"fault": "empty-error", "tool": tool}
        book.fault(at, spec, Wish("error-swallowed", tool))
    spec = _at("replace-text", "get-sum", "", value=["-32602", "-32603"])
    book.fault("everything/refused", spec, Wish("error-changed", "get-sum"), kind="change-code")
    spec = {"fault": "leak", "tool": "read_text_file", "to": "denied"}
    book.fault("filesystem/refused", spec, Wish("guard-lost", "read_text_file"))


def _instants(book: Book) -> None:
    tool = "convert_time"
    for path in ("target.datetime", "source.datetime"):
        typed = Wish("result-type-changed", tool, path)
        book.fault("time/zones", _at("epoch-for-instant", tool, path), typed)
        moved = Wish("result-value-changed", tool, path)
        book.fault("time/zones", _at("shift-time", tool, path, value=24 * 400), moved)
    rules = ("result-type-changed", "result-value-changed")
    local = [Wish(rule, tool, "target.datetime") for rule in rules]
    book.fault("time/zones", _at("drop-offset", tool, "target.datetime"), *local)


def _state(book: Book) -> None:
    for at, tool, answer, read in FORGOTTEN:
        lost = (Wish("effect-lost", read), Wish("text-changed", read))
        spec = {"fault": "forget-write", "tool": tool, "value": answer}
        book.fault(at, spec, *(lost if at.startswith(("git", "file")) else lost[:1]))
    for at, tool, read in (
        ("memory/unknown", "search_nodes", "search_nodes"),
        ("git/commit", "git_status", "git_status"),
    ):
        stale = [Wish(rule, read) for rule in ("effect-lost", "result-emptied", "text-changed")]
        book.fault(at, {"fault": "stale-read", "tool": tool}, *stale)
    lost = [Wish(rule) for rule in ("effect-lost", "hit-lost")]
    for tool, path in (("create_entities", "entities"), ("create_relations", "relations")):
        book.fault("memory/garden", _at("part-write", tool, path), *lost)
    for at, tool, path, value, rules in (
        ("everything/weather", "get-sum", "a", 9, TEXT),
        ("everything/weather", "get-structured-content", "location", "Los Angeles", VALUES),
        ("time/zones", "convert_time", "target_timezone", "Asia/Dhaka", VALUES),
        ("git/history", "git_show", "revision", "HEAD~1", TEXT),
        ("git/history", "git_diff", "target", "HEAD", TEXT),
        ("filesystem/read", "read_file", "path", "plans/spring.md", TEXT),
        ("archive/lookup", "open_nodes", "names", ["Ida", "pear"], ("hit-lost", "wrong-page")),
        ("archive/lookup", "search_nodes", "query", "nowhere", ("result-emptied",)),
        ("filesystem/write", "write_file", "content", LEEKS, ("effect-lost", *TEXT)),
    ):
        wishes = [Wish(rule, None if "write" in tool else tool) for rule in rules]
        book.fault(at, _at("replace-argument", tool, path, value=value), *wishes)
    for at, tool, path in (
        ("everything/resources", "get-resource-links", "count"),
        ("everything/messages", "get-annotated-message", "includeImage"),
    ):
        gone = (Wish("hit-lost", tool), Wish("content-type-changed", tool))
        book.fault(at, _at("ignore-argument", tool, path), *gone)
    for at, tool in (
        ("time/zones", "convert_time"),
        ("everything/weather", "get-sum"),
        ("archive/lookup", "open_nodes"),
        ("git/history", "git_branch"),
    ):
        mixed = [
            Wish(rule, tool)
            for rule in ("result-field-removed", "text-changed", "result-type-changed", "hit-lost",
                         "content-type-changed", "result-value-changed")
        ]  # fmt: skip
        book.fault(at, {"fault": "answer-of-other", "tool": tool}, *mixed)


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
        spec = _at("require-parameter", tool, path)
        book.fault(at, spec, Wish("parameter-newly-required", tool, path))
    for at, tool, path in (
        ("everything/resources", "get-resource-links", "count"),
        ("filesystem/read", "read_text_file", "head"),
        ("git/history", "git_log", "max_count"),
        ("everything/messages", "get-annotated-message", "includeImage"),
    ):
        gone = Wish("parameter-removed", tool, path)
        book.fault(at, _at("remove-parameter", tool, path), gone)
        book.fault(at, _at("close-schema", tool, path), gone)
    for at, tool, path in (
        ("everything/weather", "echo", "message"),
        ("archive/lookup", "search_nodes", "query"),
        ("filesystem/look", "list_directory", "path"),
        ("git/history", "git_show", "revision"),
        ("time/zones", "convert_time", "time"),
    ):
        renamed = Wish("parameter-renamed", tool, path)
        book.fault(at, _at("rename-parameter", tool, path, to=f"{path}_text"), renamed)
    for at, tool, path, kind in (
        ("everything/weather", "get-sum", "a", "string"),
        ("archive/lookup", "open_nodes", "names", "string"),
        ("filesystem/read", "read_text_file", "head", "string"),
        ("git/history", "git_log", "max_count", "string"),
        ("time/zones", "convert_time", "time", "integer"),
    ):
        typed = Wish("parameter-type-changed", tool, path)
        book.fault(at, _at("retype-parameter", tool, path, value=kind), typed)
    for at, tool, path, value in (
        ("everything/weather", "get-structured-content", "location", "Chicago"),
        ("everything/messages", "get-annotated-message", "messageType", "debug"),
        ("everything-2025/basics", "annotatedMessage", "messageType", "error"),
        ("filesystem/look", "list_directory_with_sizes", "sortBy", "name"),
    ):
        gone = Wish("enum-value-removed", tool, path)
        book.fault(at, _at("drop-enum-value", tool, path, value=value), gone)
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
        book.fault(at, _at(fault, tool, path, value=value), narrowed)
    for at, tool, path, value in (
        ("filesystem/write", "edit_file", "dryRun", True),
        ("git/commit", "git_diff_unstaged", "context_lines", 0),
        ("everything/messages", "get-annotated-message", "includeImage", True),
    ):
        changed = Wish("default-changed", tool, path)
        book.fault(at, _at("change-default", tool, path, value=value), changed)


def _promises(book: Book) -> None:
    for at, tool, path in (
        ("everything/weather", "get-structured-content", "humidity"),
        ("everything-2025/basics", "structuredContent", "conditions"),
        ("archive/lookup", "read_graph", "relations"),
        ("memory/tidy", "delete_entities", "message"),
    ):
        less = Wish("output-schema-changed", tool)
        book.fault(at, {"fault": "drop-output-schema", "tool": tool}, less)
        book.fault(at, _at("promise-less", tool, path), less)
    for at, tool, path, kind in (
        ("everything/weather", "get-structured-content", "temperature", "string"),
        ("archive/lookup", "search_nodes", "entities", "object"),
    ):
        spec = _at("retype-promise", tool, path, value=kind)
        book.fault(at, spec, Wish("output-schema-changed", tool))
