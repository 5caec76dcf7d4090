"""What mcp-eval says of itself as a client, and what it answers where nobody has an opinion."""

from importlib.metadata import version

from mcp_eval.model.base import Json, JsonObject

PROTOCOL = "2025-11-25"


def introduction() -> JsonObject:
    """The client's part of initialize."""
    return {
        "protocolVersion": PROTOCOL,
        "clientInfo": {"name": "mcp-eval", "version": version("mcp-eval")},
        "capabilities": {"roots": {"listChanged": False}, "sampling": {}, "elicitation": {}},
    }


def polite_answer(method: str, _params: Json = None, *, root: str = "") -> Json:
    """A fixed text for sampling, no to elicitation, one root at most."""
    if method == "sampling/createMessage":
        return {
            "role": "assistant",
            "content": {"type": "text", "text": "This is a fixed answer by mcp-eval."},
            "model": "mcp-eval",
            "stopReason": "endTurn",
        }
    if method == "elicitation/create":
        return {"action": "decline"}
    if method == "roots/list":
        return {"roots": [{"uri": f"file://{root}", "name": "workdir"}] if root else []}
    return {"error": {"code": -32601, "message": f"method not found: {method}"}}
