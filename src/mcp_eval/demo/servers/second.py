"""The second build of the proxy: what `mcp_eval.demo.planted` lists, breaks and harmless alike."""

import time
from typing import Any

from mcp_eval.demo.servers import surface
from mcp_eval.demo.servers.first import FirstBuild
from mcp_eval.demo.servers.rpc import ToolError
from mcp_eval.demo.servers.search import ranked


class SecondBuild(FirstBuild):
    """Its methods override what changed, and nothing else."""

    version = "1.1.0"
    instructions = surface.INSTRUCTIONS.replace("before anything else", "first")

    def tools(self) -> list[dict[str, Any]]:
        """The first build's tools, changed."""
        offered = {tool["name"]: tool for tool in super().tools()}
        del offered["list_registries"]
        offered["get_tool_schema"] = {**offered.pop("describe_tool"), "name": "get_tool_schema"}
        add = offered["add_server"]["inputSchema"]
        add["required"] = ["name", "protocol"]
        search = offered["search_servers"]["inputSchema"]["properties"]
        search["limit"] = surface.text("How many servers at most")
        offered["retrieve_tools"]["inputSchema"]["properties"]["include_stats"] = {
            "type": "boolean",
            "description": "Whether to add statistics of the index",
            "default": False,
        }
        operations = offered["quarantine_security"]["inputSchema"]["properties"]["operation"]
        operations["enum"] = [*operations["enum"], "reject"]
        offered["update_server"]["description"] = (
            "Modify an upstream server: enable it, disable it, or give it another address."
        )
        offered["restart_server"] = surface.tool(
            "restart_server",
            "Start an upstream server again.",
            {"name": surface.NAME},
            required=("name",),
            annotations=surface.WRITES,
        )
        return list(offered.values())

    # What breaks somebody.

    def rank(self, query: str, documents: dict[str, str]) -> list[tuple[str, float]]:
        """Other weights, and an index without the clock."""
        indexed = {name: text for name, text in documents.items() if name.split(":")[0] != "clock"}
        return ranked(query, indexed, k1=1.5, b=0.6)

    def get_tool_schema(self, name: str) -> dict[str, Any]:
        """What describe_tool was."""
        return self.describe_tool(name)

    def cut(self, entries: list[Any]) -> dict[str, Any]:
        """The key to the rest is kept back."""
        told = super().cut(entries)
        del told["cache_key"]
        return told

    def update_server(
        self, name: str, *, enabled: bool | None = None, url: str | None = None
    ) -> dict[str, Any]:
        """One field has another name."""
        answer = super().update_server(name, enabled=enabled, url=url)
        return {"server_name": answer["updated"], "enabled": answer["enabled"]}

    def tail_log(self, server: str, lines: int = 10) -> dict[str, Any]:
        """The log cannot be opened."""
        del lines
        raise ToolError(f"Failed to open the log of '{server}': permission table is not loaded")

    def proxy_status(self) -> dict[str, Any]:
        """One switch stands the other way round."""
        return {**super().proxy_status(), "isolation": False}

    # What harms nobody.

    def retrieve_tools(
        self,
        query: str,
        limit: int = 5,
        include_stats: bool = False,  # noqa: FBT001, FBT002
    ) -> dict[str, Any]:
        """Statistics where they are asked for."""
        answer = super().retrieve_tools(query, limit)
        return {**answer, "stats": {"indexed": len(self.known())}} if include_stats else answer

    def list_servers(self) -> dict[str, Any]:
        """Two more fields a server, in another order."""
        listed = [
            {"name": s["name"], "health": "ok", "retries": 0, **dict(reversed(s.items()))}
            for s in self.servers.values()
        ]
        return {"total": len(listed), "servers": listed}

    def welcome(self, name: str) -> str:
        """The same in other words."""
        return f"Added '{name}'; it stays in quarantine until somebody approves it."

    def checks(self) -> list[dict[str, Any]]:
        """One more check."""
        return [*super().checks(), {"check": "oversized descriptions", "passed": True}]

    def quarantine_security(self, operation: str, id: str = "") -> dict[str, Any]:
        """Rejecting, too."""
        if operation == "reject":
            return {"rejected": self.remove_server(id)["removed"]}
        return super().quarantine_security(operation, id)

    def restart_server(self, name: str) -> dict[str, Any]:
        """Start an upstream again."""
        if name not in self.servers:
            raise ToolError(f"Server '{name}' not found")
        return {"restarted": name, "uptime_ms": round((time.monotonic() - self.started) * 1000)}
