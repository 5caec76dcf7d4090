"""The first build of the proxy: everything works."""

import hashlib
import os
import time
import uuid
from datetime import UTC, datetime
from typing import Any

from mcp_eval.demo.servers import surface
from mcp_eval.demo.servers.rpc import ToolError
from mcp_eval.demo.servers.search import ranked
from mcp_eval.demo.servers.upstreams import REGISTRIES, UPSTREAMS, UpstreamTool

PAGE = 10  # entries of a long list that an answer carries at once


class FirstBuild:
    """All its state is in memory: a new process starts clean."""

    version = "1.0.0"
    instructions = surface.INSTRUCTIONS

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.cache: dict[str, list[Any]] = {}
        self.servers: dict[str, dict[str, Any]] = {}
        for name, tools in UPSTREAMS.items():
            self.servers[name] = self._server(name, url="", protocol="stdio", tools=len(tools))

    def tools(self) -> list[dict[str, Any]]:
        """What it offers."""
        return surface.tools()

    def call(self, name: str, arguments: dict[str, Any]) -> Any:  # noqa: ANN401
        """The tool's method of the same name."""
        return getattr(self, name)(**arguments)

    # finding

    def retrieve_tools(self, query: str, limit: int = 5) -> dict[str, Any]:
        """The best matches over all enabled upstreams."""
        began = time.perf_counter()
        hits = self.rank(query, {full: _document(full, tool) for full, tool in self.known()})
        found = [
            {"name": full, "description": self.find(full).description, "score": score}
            for full, score in hits[:limit]
        ]
        took = round((time.perf_counter() - began) * 1000, 3)
        return {"query": query, "tools": found, "total": len(found), "took_ms": took}

    def rank(self, query: str, documents: dict[str, str]) -> list[tuple[str, float]]:
        """How well each fits."""
        return ranked(query, documents)

    def known(self) -> list[tuple[str, UpstreamTool]]:
        """Every upstream tool that can be found, by its full name."""
        return [
            (f"{server}:{name}", tool)
            for server, tools in UPSTREAMS.items()
            if self.servers.get(server, {}).get("enabled")
            for name, tool in tools.items()
        ]

    def describe_tool(self, name: str) -> dict[str, Any]:
        """One upstream tool's schema."""
        tool = self.find(name)
        properties = {key: {"type": kind} for key, kind in tool.parameters.items()}
        return {
            "name": name,
            "server": name.partition(":")[0],
            "description": tool.description,
            "read_only": tool.reads,
            "input_schema": {"type": "object", "properties": properties},
        }

    def list_registries(self) -> dict[str, Any]:
        """The registries, by id."""
        sizes = [{"id": name, "servers": len(entries)} for name, entries in REGISTRIES.items()]
        return {"registries": sizes, "total": len(sizes)}

    def search_servers(self, registry: str, search: str = "", limit: int = 10) -> dict[str, Any]:
        """Entries of a registry that hold the words."""
        if registry not in REGISTRIES:
            raise ToolError(f"Registry '{registry}' not found")
        found = [e for e in REGISTRIES[registry] if search.lower() in e["title"].lower()]
        return {"registry": registry, "servers": found[: int(limit)]}

    # calling

    def call_tool_read(self, name: str, args: dict[str, Any] | None = None) -> dict[str, Any]:
        """An upstream's answer; a long list in it is cut and kept in the cache."""
        if not self.find(name).reads:
            raise ToolError(f"'{name}' changes something: call it through call_tool_write")
        answer = self.ask(name, args)
        for key, value in answer.items():
            if isinstance(value, list) and len(value) > PAGE:
                return {"result": {**answer, key: value[:PAGE]}, **self.cut(value)}
        return {"result": answer, "truncated": False}

    def cut(self, entries: list[Any]) -> dict[str, Any]:
        """What tells the caller where the rest is."""
        minted = hashlib.sha256(os.urandom(16)).hexdigest()[:24]
        self.cache[minted] = entries
        return {"truncated": True, "cache_key": minted, "entries": len(entries)}

    def call_tool_write(self, name: str, args: dict[str, Any] | None = None) -> dict[str, Any]:
        """An upstream's answer to a change."""
        return {"result": self.ask(name, args)}

    def ask(self, name: str, args: dict[str, Any] | None) -> dict[str, Any]:
        """What the upstream itself says."""
        try:
            answer: dict[str, Any] = self.find(name).answer(args or {})
        except KeyError as error:
            raise ToolError(f"'{name}' failed: argument {error} is missing or unknown") from error
        return answer

    def find(self, name: str) -> UpstreamTool:
        """An upstream tool by its full name."""
        tool = dict(self.known()).get(name)
        if tool is None:
            raise ToolError(f"Tool '{name}' not found on any enabled server")
        return tool

    def read_cache(self, key: str, offset: int = 0, limit: int = 20) -> dict[str, Any]:
        """One page of a long answer."""
        if key not in self.cache:
            raise ToolError(f"Cache key '{key}' not found")
        entries = self.cache[key]
        page = entries[offset : offset + limit]
        return {"entries": page, "offset": offset, "has_more": offset + limit < len(entries)}

    # servers

    def list_servers(self) -> dict[str, Any]:
        """All upstream servers."""
        return {"servers": list(self.servers.values()), "total": len(self.servers)}

    def add_server(
        self, name: str, url: str = "", command: str = "", protocol: str = ""
    ) -> dict[str, Any]:
        """A new upstream, in quarantine."""
        if name in self.servers:
            raise ToolError(f"Server '{name}' already exists")
        if not url and not command:
            raise ToolError("Either 'url' or 'command' must be given")
        server = self._server(name, url=url, protocol=protocol or ("http" if url else "stdio"))
        server["quarantined"] = True
        self.servers[name] = server
        return {"added": True, "id": server["id"], "message": self.welcome(name)}

    def welcome(self, name: str) -> str:
        """What is said of a new server."""
        return f"Server '{name}' was added and waits in quarantine."

    def update_server(
        self, name: str, *, enabled: bool | None = None, url: str | None = None
    ) -> dict[str, Any]:
        """A changed upstream."""
        server = self.servers.get(name)
        if server is None:
            raise ToolError(f"Server '{name}' not found")
        wanted = {"enabled": enabled, "url": url}
        server.update({key: value for key, value in wanted.items() if value is not None})
        return {"updated": name, "enabled": server["enabled"]}

    def remove_server(self, id: str) -> dict[str, Any]:
        """One upstream less."""
        server = self._by_id(id)
        del self.servers[server["name"]]
        return {"removed": server["name"], "remaining": len(self.servers)}

    # looking after

    def quarantine_security(self, operation: str, id: str = "") -> dict[str, Any]:
        """The servers that wait for approval."""
        if operation == "list":
            waiting = [s["name"] for s in self.servers.values() if s["quarantined"]]
            return {"quarantined": waiting, "total": len(waiting)}
        server = self._by_id(id)
        if operation == "inspect":
            return {"server": server["name"], "checks": self.checks(), "risk": "low"}
        server["quarantined"] = False
        return {"approved": True, "server": server["name"]}

    def checks(self) -> list[dict[str, Any]]:
        """What an inspection looks at."""
        return [
            {"check": "hidden instructions", "passed": True},
            {"check": "doubled tool names", "passed": True},
        ]

    def tail_log(self, server: str, lines: int = 10) -> dict[str, Any]:
        """The end of an upstream's log."""
        if server not in self.servers:
            raise ToolError(f"Server '{server}' not found")
        said = ("starting", "handshake done", "tools listed", "ready")
        return {"server": server, "lines": [f"{server}: {word}" for word in said][-lines:]}

    def proxy_status(self) -> dict[str, Any]:
        """How it is doing."""
        return {
            "ready": True,
            "upstreams": len(self.servers),
            "isolation": True,
            "request_id": str(uuid.uuid4()),
            "checked_at": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "uptime_ms": round((time.monotonic() - self.started) * 1000),
        }

    def _server(self, name: str, *, url: str, protocol: str, tools: int = 0) -> dict[str, Any]:
        return {
            "id": f"srv-{os.urandom(6).hex()}",
            "name": name,
            "protocol": protocol,
            "url": url,
            "enabled": True,
            "quarantined": False,
            "tools": tools,
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
        }

    def _by_id(self, wanted: str) -> dict[str, Any]:
        for server in self.servers.values():
            if server["id"] == wanted:
                return server
        raise ToolError(f"Server with id '{wanted}' not found")


def _document(full: str, tool: UpstreamTool) -> str:
    return f"{full.replace(':', ' ').replace('_', ' ')} {tool.description}"
