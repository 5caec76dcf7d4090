"""A small MCP proxy in two builds, plain standard library over stdio, state in memory alone."""
