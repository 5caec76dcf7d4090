"""Faults of errors, time and state."""

from bench.cases.leaves import CALLS, ERRORS, FORGOTTEN, LEEKS, TEXT, VALUES
from bench.cases.wishes import Book, Wish, at_leaf


def write(book: Book) -> None:
    """All of them."""
    for part in (_failing, _errors, _instants, _state):
        part(book)


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
    spec = at_leaf("replace-text", "get-sum", "", value=["-32602", "-32603"])
    book.fault("everything/refused", spec, Wish("error-changed", "get-sum"), kind="change-code")
    spec = {"fault": "leak", "tool": "read_text_file", "to": "denied"}
    book.fault("filesystem/refused", spec, Wish("guard-lost", "read_text_file"))


def _instants(book: Book) -> None:
    tool = "convert_time"
    for path in ("target.datetime", "source.datetime"):
        typed = Wish("result-type-changed", tool, path)
        book.fault("time/zones", at_leaf("epoch-for-instant", tool, path), typed)
        moved = Wish("result-value-changed", tool, path)
        book.fault("time/zones", at_leaf("shift-time", tool, path, value=24 * 400), moved)
    rules = ("result-type-changed", "result-value-changed")
    local = [Wish(rule, tool, "target.datetime") for rule in rules]
    book.fault("time/zones", at_leaf("drop-offset", tool, "target.datetime"), *local)


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
        book.fault("memory/garden", at_leaf("part-write", tool, path), *lost)
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
        book.fault(at, at_leaf("replace-argument", tool, path, value=value), *wishes)
    for at, tool, path in (
        ("everything/resources", "get-resource-links", "count"),
        ("everything/messages", "get-annotated-message", "includeImage"),
    ):
        gone = (Wish("hit-lost", tool), Wish("content-type-changed", tool))
        book.fault(at, at_leaf("ignore-argument", tool, path), *gone)
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
