"""One way to write a path, a URL, a command, a query or a moment: what means the same is equal."""

import posixpath
import re
import shlex
from functools import lru_cache
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from mcp_eval.compare.shapes import instant

_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}
_SQL = re.compile(
    r"(?P<space>\s+|--[^\n]*|/\*.*?\*/)|(?P<text>'(?:[^']|'')*')"
    r"|(?P<quoted>\"(?:[^\"]|\"\")*\"|`[^`]*`)|(?P<word>[^\W\d]\w*)|(?P<number>\d+(?:\.\d+)?)"
    r"|(?P<sign><>|!=|<=|>=|::|\|\||.)",
    re.DOTALL,
)
_CLOCK = re.compile(r"(\d{1,2})(?::(\d\d))?(?::(\d\d))?\s*([ap])?\.?m?\.?", re.IGNORECASE)


@lru_cache(maxsize=4096)
def path(text: str) -> str:
    """A path without what says nothing: doubled slashes, `.`, a way in and out, a last slash."""
    plain = text.strip().removeprefix("file://")
    if re.match(r"[A-Za-z]:[\\/]", plain):
        plain = plain[0].lower() + plain[1:].replace("\\", "/")
    return posixpath.normpath(plain).replace("//", "/", 1) if plain else ""


@lru_cache(maxsize=4096)
def url(text: str) -> str:
    """A URL with its host in lower case, without a default port, its query in order."""
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError:
        return text.strip()
    host = (parts.hostname or "").lower()
    if port and port != _PORTS.get(parts.scheme.lower()):
        host = f"{host}:{port}"
    if "@" in parts.netloc:
        host = f"{parts.netloc.rpartition('@')[0]}@{host}"
    query = urlencode(sorted(parse_qsl(parts.query, keep_blank_values=True)))
    way = unquote(posixpath.normpath(parts.path) if parts.path else "/").rstrip("/")
    return f"{parts.scheme.lower()}://{host}{way}?{query}#{parts.fragment}"


@lru_cache(maxsize=4096)
def command(text: str) -> str:
    """A command line by its words: spaces and kinds of quotes say nothing."""
    try:
        return "\n".join(_line(line) for line in text.strip().splitlines())
    except ValueError:
        return code(text)  # a quote that ends on a later line


def _line(text: str) -> str:
    # Within single quotes a shell expands nothing: where it could, quotes stay as they are.
    plain = not set("$`\\!") & set(text)
    lexer = shlex.shlex(text, posix=plain, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    indent = text[: len(text) - len(text.lstrip())]
    return indent + "\0".join(lexer)


@lru_cache(maxsize=4096)
def sql(text: str) -> str:
    """A query by its tokens: keywords and names in lower case, without comments and last `;`."""
    found: list[str] = []
    for token in _SQL.finditer(text):
        kind, said = token.lastgroup, token[0]
        if kind == "word":
            found.append(said.lower())
        elif kind == "quoted":
            inner = said[1:-1]
            found.append(inner if re.fullmatch(r"[a-z_][a-z0-9_]*", inner) else said)
        elif kind != "space":
            found.append("!=" if said == "<>" else said)
    while found and found[-1] == ";":
        found.pop()
    return "\0".join(found)


@lru_cache(maxsize=4096)
def moment(text: str) -> str:
    """An instant, a day or a time of day, however it is written."""
    plain = text.strip()
    if (there := instant(plain)) is not None:
        form = "at" if re.search(r"\d:\d", plain) else "on"
        return f"{form} {there.timestamp()}"
    found = _CLOCK.fullmatch(plain)
    if found is None or not (found[2] or found[4]):
        return plain
    hours, half = int(found[1]), (found[4] or "").lower()
    if half:
        hours = hours % 12 + (12 if half == "p" else 0)
    return f"{hours:02}:{found[2] or '00'}:{found[3] or '00'}"


@lru_cache(maxsize=4096)
def identifier(text: str) -> str:
    """An identifier; only where letters are digits, or a mail address, case says nothing."""
    plain = text.strip()
    digits = re.fullmatch(
        r"[0-9a-fA-F]{8,}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", plain
    )
    mail = re.fullmatch(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}", plain)
    return plain.lower() if digits or mail else plain


def code(text: str) -> str:
    """A program or a pattern: only the white space around it says nothing."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
