"""A command-line agent without a model: `clerk.py FILE` does what the lines on stdin say.

A line is a tool and its arguments as JSON; `say WORDS` goes to stdout; `exit N`, `hang`, `leave N`
(a process that outlives it) are what programs do as well.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path


def main():
    intent = sys.stdin.read()
    lines = intent.splitlines()
    (server,) = json.loads(Path(sys.argv[1]).read_text())["mcpServers"].values()
    with subprocess.Popen(
        [server["command"], *server["args"]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **server["env"]},
    ) as line:
        hello = {"protocolVersion": "2025-06-18", "clientInfo": {"name": "clerk", "version": "1"}}
        ask(line, "initialize", {**hello, "capabilities": {}})
        for each in lines:
            work(line, *each.partition(" ")[::2])
        line.stdin.close()


def work(line, word, rest):
    if word == "say":
        sys.stdout.write(os.path.expandvars(rest) + "\n")
    elif word == "exit":
        sys.stderr.write("clerk: I was told to\n")
        line.stdin.close()
        sys.exit(int(rest))
    elif word == "hang":
        time.sleep(600)
    elif word == "leave":
        subprocess.Popen(["setsid", "sleep", rest])
    elif word == "forget":
        write(line, {"id": 99, "method": "tools/call", "params": {"name": rest}})
    else:
        ask(line, "tools/call", {"name": word, "arguments": json.loads(rest or "{}")})


def ask(line, method, params):
    write(line, {"id": 1, "method": method, "params": params})
    return json.loads(line.stdout.readline())


def write(line, message):
    line.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    line.stdin.flush()


if __name__ == "__main__":
    main()
