"""A small MCP proxy over streamable HTTP, answering each request in one piece."""

from tests.agents.proxy_server import answered
from tests.loopback.http import Server, whole


class McpServer(Server):
    """`POST /mcp`, without sessions; whoever wants a stream of its own is refused it."""

    async def answer(self, request):
        if request.method != "POST" or request.path != "/mcp":
            yield whole(405, {"error": "POST /mcp"})
        elif "id" not in request.body:
            yield whole(202, {})
        else:
            body = request.body
            said = answered(body["method"], body.get("params", {}))
            yield whole(200, {"jsonrpc": "2.0", "id": body["id"], **said})
