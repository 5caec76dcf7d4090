"""Text read as structure, only where what was read prints back to the same text."""

import csv
import re

import msgspec

from mcp_eval.model.base import Json, Noun

_MAX_DEPTH = 3  # JSON in JSON in JSON: nobody means more
_DELIMITERS = (",", "\t", ";", "|")
_FEWEST = 2
_LABEL = re.compile(r"[A-Za-z][\w .()/-]{0,39}")
_RULE = re.compile(r"\|?(?: *:?-{3,}:? *\|)+(?: *:?-{3,}:? *)?\|?")


class Parsed(Noun):
    """What a text carried, and how it was written."""

    value: Json
    encoding: str = "text"  # text json json×2 lines csv:, csv:\t table key-value …
    header: tuple[str, ...] = ()


def parse(text: str) -> Parsed:
    """The structure of a text; the text itself where reading it is not certain."""
    for reader in (_json, _json_lines, _markdown_table, _csv, _key_values):
        found = reader(text)
        if found is not None:
            return found
    return Parsed(value=text)


def folded(text: str) -> Json | None:
    """The object or list that a string holds as JSON; None where it is a plain string."""
    if text[:1] not in {"{", "["} and text.lstrip()[:1] not in {"{", "["}:
        return None
    try:
        value = loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict | list) else None


def unfolded(value: Json) -> Json:
    """A value with all JSON that its strings hold as JSON."""
    if isinstance(value, dict):
        return {name: unfolded(member) for name, member in value.items()}
    if isinstance(value, list):
        return [unfolded(item) for item in value]
    inner = folded(value) if isinstance(value, str) else None
    return value if inner is None else unfolded(inner)


def loads(text: str) -> Json:
    """JSON as JavaScript would read it; ValueError where it is none."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise ValueError(str(error)) from error


def _json(text: str) -> Parsed | None:
    value: Json = text
    depth = 0
    while depth < _MAX_DEPTH and isinstance(value, str) and _may_be_json(value, depth):
        try:
            value = loads(value)
        except ValueError:
            break
        depth += 1
    if not depth or (isinstance(value, str) and depth == 1):
        return None
    return Parsed(value=value, encoding="json" if depth == 1 else f"json×{depth}")


def _may_be_json(text: str, depth: int) -> bool:
    head = text.lstrip()[:1]
    # A bare number or word is a text that happens to be JSON: only containers, or JSON's strings.
    return head in {"{", "["} or (head == '"' and depth < _MAX_DEPTH - 1)


def _json_lines(text: str) -> Parsed | None:
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < _FEWEST or not all(line.lstrip()[:1] == "{" for line in lines):
        return None
    try:
        return Parsed(value=[loads(line) for line in lines], encoding="json-lines")
    except ValueError:
        return None


def _markdown_table(text: str) -> Parsed | None:
    lines = [line.strip() for line in text.strip().splitlines()]
    if len(lines) < _FEWEST + 1 or not all(line.startswith("|") for line in lines):
        return None
    rows = [_cells(line) for line in lines]
    if any(len(row) != len(rows[0]) for row in rows):
        return None
    if _RULE.fullmatch(lines[1]) and len(set(rows[0])) == len(rows[0]):
        header = tuple(rows[0])
        value = [dict(zip(header, row, strict=True)) for row in rows[2:]]
        return Parsed(value=value, encoding="table", header=header)
    if len(rows[0]) < _FEWEST:
        return None  # a drawing: strokes before lines are no columns
    return Parsed(value=rows, encoding="table-without-header")


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", inner)]


def _csv(text: str) -> Parsed | None:
    lines = text.strip("\n").splitlines()
    if len(lines) < _FEWEST or any(not line.strip() for line in lines):
        return None
    for delimiter in _DELIMITERS:
        rows = [_split(line, delimiter) for line in lines]
        if any(row is None for row in rows) or not _rectangular(rows):
            continue
        header = tuple(rows[0] or ())
        if not _is_header(header):
            continue
        value = [dict(zip(header, row or (), strict=True)) for row in rows[1:]]
        return Parsed(value=value, encoding=f"csv:{delimiter}", header=header)
    return None


def _rectangular(rows: list[list[str] | None]) -> bool:
    width = len(rows[0] or ())
    return width >= _FEWEST and all(row is not None and len(row) == width for row in rows)


def _is_header(cells: tuple[str, ...]) -> bool:
    """Short distinct names without sentences: a header, not two lines of prose with commas."""
    return len(set(cells)) == len(cells) and all(
        re.fullmatch(r"[A-Za-z_][\w -]{0,29}", cell) and cell.count(" ") <= 1 for cell in cells
    )


def _split(line: str, delimiter: str) -> list[str] | None:
    """The cells of one line; None where its quotes do not add up."""
    try:
        cells = next(csv.reader([line], delimiter=delimiter, strict=True), [])
    except csv.Error:
        return None
    if '"' not in line and delimiter.join(cells) != line:
        return None
    return [cell.strip() for cell in cells]


def _key_values(text: str) -> Parsed | None:
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < _FEWEST:
        return None
    pairs = [line.partition(":") for line in lines]
    names = [name.strip() for name, _, _ in pairs]
    if len(set(names)) != len(names):
        return None
    if not all(
        colon and _LABEL.fullmatch(name) for name, (_, colon, _) in zip(names, pairs, strict=True)
    ):
        return None
    if not all(rest.startswith((" ", "\t")) or not rest for _, _, rest in pairs):
        return None
    if any(line[:1].isspace() for line in lines):
        return None
    value = {name: rest.strip() for name, (_, _, rest) in zip(names, pairs, strict=True)}
    return Parsed(value=value, encoding="key-value")
