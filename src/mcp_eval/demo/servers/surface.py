"""What the first build of the proxy offers: its tools with schemas and annotations."""

from typing import Any

READS = {"readOnlyHint": True, "openWorldHint": False}
WRITES = {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": False}
DESTROYS = {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": False}

INSTRUCTIONS = (
    "Many servers stand behind this one. Look for a fitting tool with retrieve_tools before "
    "anything else, then call it by its full name through call_tool_read or call_tool_write."
)


def text(description: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """A string parameter."""
    return {"type": "string", "description": description, **more}


def number(description: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """An integer parameter."""
    return {"type": "integer", "description": description, **more}


def tool(
    name: str,
    description: str,
    properties: dict[str, Any],
    *,
    required: tuple[str, ...] = (),
    annotations: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """One entry of `tools/list`."""
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    described = {"name": name, "description": description, "inputSchema": schema}
    return described if annotations is None else {**described, "annotations": annotations}


NAME = text("The name of an upstream server")
UPSTREAM_TOOL = text("Full name of the tool, as server:tool")
ARGUMENTS = {"type": "object", "description": "Arguments of that tool"}


def tools() -> list[dict[str, Any]]:
    """Freshly made, so that a later build may change its own."""
    return [*_finding(), *_calling(), *_servers(), *_looking_after()]


def _finding() -> list[dict[str, Any]]:
    return [
        tool(
            "retrieve_tools",
            "Find tools of all upstream servers by what they do; best matches first.",
            {
                "query": text("What the tool should do, in plain words"),
                "limit": number("How many tools at most", minimum=1, maximum=50, default=5),
            },
            required=("query",),
            annotations=READS,
        ),
        tool(
            "describe_tool",
            "Show the full schema of one upstream tool.",
            {"name": UPSTREAM_TOOL},
            required=("name",),
            annotations=READS,
        ),
        tool(
            "list_registries",
            "List the registries in which further servers can be found.",
            {},
            annotations=READS,
        ),
        tool(
            "search_servers",
            "Search a registry for servers that could be added.",
            {
                "registry": text("Id of the registry"),
                "search": text("Words to look for"),
                "limit": number("How many servers at most", minimum=1, maximum=50, default=10),
            },
            required=("registry",),
            annotations=READS,
        ),
    ]


def _calling() -> list[dict[str, Any]]:
    return [
        tool(
            "call_tool_read",
            "Call an upstream tool that only reads. Of a long answer the rest is kept in a cache.",
            {"name": UPSTREAM_TOOL, "args": ARGUMENTS},
            required=("name",),
            annotations=READS,
        ),
        tool(
            "call_tool_write",
            "Call an upstream tool that changes something.",
            {"name": UPSTREAM_TOOL, "args": ARGUMENTS},
            required=("name",),
            annotations=WRITES,
        ),
        tool(
            "read_cache",
            "Read on in an answer that was too long, page by page.",
            {
                "key": text("The key that came with the cut answer"),
                "offset": number("First entry, from 0", minimum=0, default=0),
                "limit": number("How many entries", minimum=1, maximum=100, default=20),
            },
            required=("key",),
            annotations=READS,
        ),
    ]


def _servers() -> list[dict[str, Any]]:
    return [
        tool("list_servers", "List the upstream servers.", {}, annotations=READS),
        tool(
            "add_server",
            "Add an upstream server. It stays in quarantine until it is approved.",
            {
                "name": NAME,
                "url": text("Where it listens, for an HTTP server"),
                "command": text("What starts it, for a stdio server"),
                "protocol": text("How to talk to it", enum=["stdio", "http"]),
            },
            required=("name",),
            annotations=WRITES,
        ),
        tool(
            "update_server",
            "Change an upstream server: switch it on or off, or move it to another address.",
            {
                "name": NAME,
                "enabled": {"type": "boolean", "description": "Whether it takes part"},
                "url": text("Its new address"),
            },
            required=("name",),
            annotations=WRITES,
        ),
        tool(
            "remove_server",
            "Remove an upstream server and all its tools.",
            {"id": text("The id of an upstream server, as listed")},
            required=("id",),
            annotations=DESTROYS,
        ),
    ]


def _looking_after() -> list[dict[str, Any]]:
    return [
        tool(
            "quarantine_security",
            "Review servers that wait for approval: list them, inspect one, approve it.",
            {
                "operation": text("What to do", enum=["list", "inspect", "approve"]),
                "id": text("Id of the server, for inspect and approve"),
            },
            required=("operation",),
        ),
        tool(
            "tail_log",
            "Show the last lines an upstream server logged.",
            {
                "server": NAME,
                "lines": number("How many lines", minimum=1, maximum=100, default=10),
            },
            required=("server",),
            annotations=READS,
        ),
        tool("proxy_status", "Tell how the proxy is doing.", {}, annotations=READS),
    ]
