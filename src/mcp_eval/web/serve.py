"""The server behind `view`: loopback alone, reading alone, for pages of its own alone."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import BaseServer

from mcp_eval.model.base import Json
from mcp_eval.web.pages import answer

LOOPBACK = "127.0.0.1"
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Handler(BaseHTTPRequestHandler):
    """Answers this machine's own browser, and nobody who got here by another name."""

    protocol_version = "HTTP/1.1"
    server_version = "mcp-eval"
    sys_version = ""
    timeout = 30

    def do_GET(self) -> None:
        """A page."""
        self._answer(*(self._refused() or answer(self.path)))

    do_HEAD = do_GET  # noqa: N815 - the library's name

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's
        """Nobody reads a log of their own clicks."""

    def _refused(self) -> tuple[int, bytes] | None:
        port = port_of(self.server)
        own = {f"{name}:{port}" for name in (LOOPBACK, "localhost")}
        if self.headers.get("Host", "") not in own:
            return 421, b"this server answers by its own name alone\n"
        origin = self.headers.get("Origin")
        if origin is not None and origin.removeprefix("http://") not in own:
            return 403, b"another page may not ask here\n"
        if self.headers.get("Sec-Fetch-Site", "none") not in {"none", "same-origin"}:
            return 403, b"another page may not ask here\n"
        return None

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def port_of(listening: BaseServer) -> int:
    """Where a server listens."""
    address: Json = listening.server_address  # a name and a port: we listen on no other kind
    return int(address[1])


def server(port: int = 0) -> ThreadingHTTPServer:
    """A server that listens; `serve_forever` answers."""
    made = ThreadingHTTPServer((LOOPBACK, port), Handler)
    made.daemon_threads = True
    return made
