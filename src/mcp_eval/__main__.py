"""`python -m mcp_eval` is `mcp-eval`."""

from mcp_eval.cli.__main__ import main

if __name__ == "__main__":
    main()
