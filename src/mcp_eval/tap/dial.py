"""The stdio server an agent is told to start: its pipes, joined to the tap's socket, no more.

Run as a file, by any Python and without this package, so that it costs an agent next to nothing.
"""

import contextlib
import os
import socket
import sys
import threading

_CHUNK = 1024 * 1024


def main(address: str) -> int:
    """Pass bytes either way until the tap hangs up, and what it still said has been passed on."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as tap:
        tap.connect(address)
        threading.Thread(target=_inward, args=(tap,), daemon=True).start()
        with contextlib.suppress(OSError):
            while chunk := tap.recv(_CHUNK):
                _write(chunk)
    return 0


def _inward(tap: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while chunk := os.read(0, _CHUNK):
            tap.sendall(chunk)
        tap.shutdown(socket.SHUT_WR)


def _write(chunk: bytes) -> None:
    rest = memoryview(chunk)
    while rest:
        rest = rest[os.write(1, rest) :]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
