"""A small MCP proxy over stdio, as a scenario's target: `python proxy_server.py`."""

import json
import sys

QUERY = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
TOOLS = [
    {"name": "retrieve_tools", "description": "find tools", "inputSchema": QUERY},
    {"name": "list_registries", "description": "registries", "inputSchema": {"type": "object"}},
]
FOUND = {"tools": [{"name": "printEnv", "score": 0.149}], "total": 1}
GITHUB = {"tools": [{"name": "create_issue", "score": 0.3}], "total": 1}


def main():
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            result = answered(message["method"], message.get("params", {}))
            sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], **result}) + "\n")
            sys.stdout.flush()


def answered(method, params):
    if method == "initialize":
        said = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}}
        return {"result": {**said, "serverInfo": {"name": "mcpproxy", "version": "1"}}}
    if method == "tools/list":
        return {"result": {"tools": TOOLS}}
    if method != "tools/call":
        return {"error": {"code": -32601, "message": "Method not found"}}
    if params["name"] == "list_registries":
        value = {"registries": ["docker-mcp-catalog"]}
    else:
        value = GITHUB if "GitHub" in params["arguments"]["query"] else FOUND
    return {"result": {"content": [{"type": "text", "text": json.dumps(value)}]}}


if __name__ == "__main__":
    main()
