"""Server-sent events out of bytes, whatever the chunks; no I/O."""

from typing import NamedTuple


class Event(NamedTuple):
    """One event: its kind, what it carries, and where to go on after it."""

    kind: str = "message"
    data: bytes | None = None  # None: it names an id or a pause, and carries nothing
    id: str | None = None
    retry: int | None = None  # milliseconds


class Events:
    """Cuts a byte stream into events; what it ended in the middle of is let go."""

    def __init__(self) -> None:
        self._rest = b""
        self._fields: list[tuple[bytes, bytes]] = []
        self._first = True

    def feed(self, chunk: bytes) -> list[Event]:
        """The events this chunk completes."""
        text = self._rest + chunk
        if self._first and text:
            text, self._first = text.removeprefix(b"\xef\xbb\xbf"), False
        if b"\r" in text:
            # A lone CR at the end may be half of a CR LF.
            held = b"\r" if text.endswith(b"\r") else b""
            text = text.removesuffix(held).replace(b"\r\n", b"\n").replace(b"\r", b"\n") + held
        *lines, self._rest = text.split(b"\n")
        found = [self._line(line) for line in lines]
        return [event for event in found if event is not None]

    def _line(self, line: bytes) -> Event | None:
        if line:
            name, _, value = line.partition(b":")
            self._fields.append((name, value.removeprefix(b" ")))
            return None
        fields, self._fields = self._fields, []
        return _event(fields) if any(name for name, _ in fields) else None


def _event(fields: list[tuple[bytes, bytes]]) -> Event:
    last = dict(fields)
    data = [value for name, value in fields if name == b"data"]
    retry = last.get(b"retry", b"")
    return Event(
        kind=last.get(b"event", b"message").decode("utf-8", "replace"),
        data=b"\n".join(data) if data else None,
        id=last[b"id"].decode("latin-1") if b"id" in last else None,
        retry=int(retry) if retry.isdigit() and len(retry) < 10 else None,  # noqa: PLR2004
    )
