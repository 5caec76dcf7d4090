"""mcp-eval as an MCP server: for the subagent that checks after every update."""
