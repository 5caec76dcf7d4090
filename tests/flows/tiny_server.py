"""A tiny MCP server over stdio: `python tiny_server.py`; its environment says how it misbehaves.

TINY_LOG: a file that gets a line for each start and each request. TINY_HANG: `initialize`,
`tools/list` or `call` is never answered. TINY_SCORE, TINY_NAME: what an answer carries.
TINY_READS=1: its tool says that it merely reads. TINY_FAULT: a call is met with `close`, `flood`
(of stderr), `huge` (an answer of 50 MB) or `garbage` (before the answer).
"""

import json
import os
import sys
import time
from pathlib import Path


def main():
    log(f"start {os.getpid()}")
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        method = message["method"]
        log(method)
        if os.environ.get("TINY_HANG") == method.replace("tools/call", "call"):
            time.sleep(600)
        if method == "tools/call":
            misbehave(os.environ.get("TINY_FAULT"))
        answer = {"jsonrpc": "2.0", "id": message["id"], **answered(method, message)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def answered(method, message):
    params = message.get("params", {})
    if method == "initialize":
        return {
            "result": {
                "protocolVersion": params["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "tiny", "version": os.environ.get("TINY_VERSION", "1")},
            }
        }
    if method == "tools/list":
        return {"result": {"tools": [tool()]}}
    if method == "tools/call" and params["name"] == tool()["name"]:
        found = {"tools": [{"name": "printEnv", "score": score()}], "total": 1}
        if os.environ.get("TINY_FAULT") == "huge":
            found["log"] = "x" * 50_000_000
        return {"result": {"content": [{"type": "text", "text": json.dumps(found)}]}}
    if method == "tools/call":
        text = f"Tool {params['name']} not found"
        return {"result": {"content": [{"type": "text", "text": text}], "isError": True}}
    return {"error": {"code": -32601, "message": "Method not found"}}


def misbehave(fault):
    if fault == "close":
        sys.exit(7)
    if fault == "flood":
        sys.stderr.write("noise\n" * 500_000)
    if fault == "garbage":
        sys.stdout.write("Listening on port 3000\n{half a message\n")


def tool():
    described = {
        "name": os.environ.get("TINY_NAME", "retrieve_tools"),
        "description": "finds tools",
        "inputSchema": {"type": "object", "properties": {"query": {"type": "string"}}},
    }
    if os.environ.get("TINY_READS"):
        described["annotations"] = {"readOnlyHint": True}
    return described


def score():
    return float(os.environ.get("TINY_SCORE", "0.149"))


def log(text):
    if os.environ.get("TINY_LOG"):
        with Path(os.environ["TINY_LOG"]).open("a", encoding="utf-8") as file:
            file.write(text + "\n")


if __name__ == "__main__":
    main()
