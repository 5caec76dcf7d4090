"""Faults of what an answer carries and how it is written."""

from bench.cases.leaves import CALLS, FLAGS, LISTS, NUMBERS, PROSE, TEXTS, WORDS, WRITTEN
from bench.cases.wishes import Book, Wish, at_leaf


def write(book: Book) -> None:
    """All of them."""
    for part in (_words, _flags, _numbers, _lists, _texts, _prose, _whole, _blocks, _encodings):
        part(book)


def _words(book: Book) -> None:
    for at, tool, path in WORDS:
        other = Wish("result-value-changed", tool, path)
        gone = Wish("result-field-removed", tool, path)
        book.fault(at, at_leaf("remove-field", tool, path), gone)
        renamed = Wish("result-field-renamed", tool, path)
        book.fault(at, at_leaf("rename-field", tool, path, to="label_text"), renamed)
        book.fault(at, at_leaf("change-value", tool, path, value="something else"), other)
    for at, tool, path in WORDS[1::2]:
        typed = Wish("result-type-changed", tool, path)
        book.fault(at, at_leaf("null-value", tool, path), typed)
    for at, tool, path in WORDS[::2]:
        typed = Wish("result-type-changed", tool, path)
        book.fault(at, at_leaf("retype-field", tool, path), typed)
        other = Wish("result-value-changed", tool, path)
        book.fault(at, at_leaf("blank-text", tool, path), other)
    for at, tool, path in WORDS[:3]:
        book.fault(at, at_leaf("change-case", tool, path), Wish("result-value-changed", tool, path))


def _flags(book: Book) -> None:
    for at, tool, path in FLAGS:
        # `success: false` is the shape of an error.
        rule = "newly-failing" if path == "success" else "result-value-changed"
        site = None if path == "success" else path
        book.fault(at, at_leaf("flip-boolean", tool, path), Wish(rule, tool, site))


def _numbers(book: Book) -> None:
    for at, tool, path in NUMBERS:
        other = Wish("result-value-changed", tool, path)
        book.fault(at, at_leaf("change-number", tool, path, value=3), other)
    for at, tool, path in NUMBERS[1::2]:
        typed = Wish("result-type-changed", tool, path)
        book.fault(at, at_leaf("retype-field", tool, path), typed)
    for at, tool, path in NUMBERS[::2]:
        other = Wish("result-value-changed", tool, path)
        book.fault(at, at_leaf("rescale-number", tool, path), other)
    for at, tool, path in NUMBERS[::3]:
        book.fault(
            at, at_leaf("negate-number", tool, path), Wish("result-value-changed", tool, path)
        )


def _lists(book: Book) -> None:
    for at, tool, path, of_texts in LISTS:
        lost = Wish("hit-lost", tool, path)
        typed = Wish("result-type-changed", tool, path)
        book.fault(at, at_leaf("drop-item", tool, path), lost)
        doubled = Wish("entry-doubled", tool, path)
        book.fault(at, at_leaf("double-item", tool, path), doubled)
        book.fault(at, at_leaf("empty-list", tool, path), lost)
        if of_texts:
            book.fault(at, at_leaf("join-list", tool, path), typed)
        else:
            deeper = Wish("content-type-changed", tool)
            book.fault(at, at_leaf("json-in-string", tool, path), typed, deeper)
    for at, tool, path, _ in LISTS[::2]:
        typed = Wish("result-type-changed", tool, path)
        book.fault(at, at_leaf("null-for-list", tool, path), typed)
    for at, tool, path, _ in (LISTS[0], LISTS[1], LISTS[5]):
        book.fault(at, at_leaf("cap-list", tool, path, value=1), Wish("hit-lost", tool, path))
        other = (Wish("wrong-page", tool, path), Wish("hit-lost", tool, path))
        book.fault(at, at_leaf("other-page", tool, path), *other)
    # All that the answer carries, and an earlier step had written it: both cells hold.
    at, tool = "memory/unknown", "search_nodes"
    emptied = (Wish("result-emptied", tool), Wish("effect-lost", tool))
    book.fault(at, at_leaf("empty-list", tool, "entities"), *emptied)


def _texts(book: Book) -> None:
    for at, tool, old, new in TEXTS:
        changed = Wish("text-changed", tool)
        book.fault(at, at_leaf("replace-text", tool, "", value=[old, new]), changed)


def _prose(book: Book) -> None:
    for at, tool in PROSE:
        book.fault(at, at_leaf("truncate-text", tool, "", value=20), *_damaged(at, tool))
    for at, tool in PROSE[1::2]:
        unreadable = (*_damaged(at, tool), Wish("content-type-changed", tool))
        book.fault(at, at_leaf("base64-text", tool, ""), *unreadable)
    for at, tool in PROSE[::2]:
        book.fault(at, at_leaf("garble-text", tool, ""), *_damaged(at, tool))
        book.fault(at, at_leaf("blank-text", tool, ""), Wish("result-emptied", tool))
    for at, tool in PROSE[1:4]:
        # A line end is a delimiter, too.
        glued = (*_damaged(at, tool), Wish("content-type-changed", tool))
        book.fault(at, at_leaf("join-lines", tool, ""), *glued)


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
    spec = at_leaf("swap-fields", "convert_time", "source.day_of_week", to="timezone")
    book.fault("time/zones", spec, swapped)
    swapped = Wish("result-value-changed", "get-structured-content", "temperature")
    spec = at_leaf("swap-fields", "get-structured-content", "temperature", to="humidity")
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
        book.fault("everything/resources", at_leaf("change-block", tool, path, value=value), other)
    picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="  # noqa: E501
    spec = at_leaf("change-block", "get-tiny-image", "[1].data", value=picture)
    book.fault("everything/messages", spec, Wish("result-value-changed", "get-tiny-image"))
    for tool, path in (("get-resource-links", "[1].uri"), ("get-resource-links", "[].name")):
        gone = Wish("result-field-removed", tool)
        book.fault("everything/resources", at_leaf("drop-block-member", tool, path), gone)


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
        book.fault(where, at_leaf("escape-html", name, ""), garbled)
    for name, where in (
        ("read_multiple_files", at),
        ("trigger-elicitation-request", "everything/asking"),
    ):
        book.fault(where, at_leaf("strip-marks", name, ""), Wish("text-changed", name))
