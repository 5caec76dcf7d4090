"""Plain `mcpServers` files, as clients keep them: read verbatim, what only clients know is left."""

from mcp_eval.formats.fields import Fields
from mcp_eval.formats.yaml import Node, read_yaml, wrong
from mcp_eval.model.project import TargetSpec

LISTS = ("mcpServers", "servers")
# Clients invent keys, so none is unknown here; these say how a server is reached.
_KEYS = ("command", "args", "env", "cwd", "url", "serverUrl", "headers", "type", "transport")
_TRANSPORTS = {
    "stdio": "stdio",
    "sse": "sse",
    "http": "streamable-http",
    "streamable-http": "streamable-http",
    "streamable_http": "streamable-http",
    "streamableHttp": "streamable-http",
}


def read_servers(payload: bytes, *, path: str, base: str = "") -> dict[str, TargetSpec]:
    """The servers of a file, by name; those switched off are left out."""
    root = read_yaml(payload, path=path)
    listed = None
    if isinstance(root.value, dict):
        listed = next((root.value[name] for name in LISTS if name in root.value), None)
    if listed is None:
        raise wrong(
            root, path, "names no servers", hint='expected {"mcpServers": {"name": {"command": …}}}'
        )
    return servers(listed, path, base)


def servers(listed: Node, path: str, base: str = "") -> dict[str, TargetSpec]:
    """The targets of a `mcpServers` mapping."""
    if not isinstance(listed.value, dict):
        raise wrong(listed, path, "'mcpServers' is a mapping of servers by name")
    read = {name: _server(name, node, path, base) for name, node in listed.value.items()}
    return {name: spec for name, spec in read.items() if spec is not None}


def _server(name: str, node: Node, path: str, base: str) -> TargetSpec | None:
    fields = Fields(node, path, _KEYS, what=f"the server '{name}'", strict=False)
    if _switched_off(node):
        return None
    command, url = fields.text("command"), fields.text("url") or fields.text("serverUrl")
    if not (command or url):
        raise wrong(
            node, path, f"the server '{name}' has neither command nor url", hint="give it one"
        )
    arguments = [
        fields.word_of(item, f"each argument of '{name}'") for item in fields.items("args")
    ]
    said = fields.text("type") or fields.text("transport")
    return TargetSpec(
        name=name,
        command=(command, *arguments) if command else (),
        env=fields.words("env"),
        cwd=fields.text("cwd"),
        url="" if command else url,
        transport=_TRANSPORTS.get(said, ""),
        headers=fields.words("headers"),
        base=base,
    )


def _switched_off(node: Node) -> bool:
    off, on = node.value.get("disabled"), node.value.get("enabled")
    return (off is not None and off.value is True) or (on is not None and on.value is False)
