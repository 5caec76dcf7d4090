"""One `expect:` more in the project file; every other byte of it stays."""

from msgspec.structs import replace

from mcp_eval.errors import UsageError
from mcp_eval.formats.project import read_project
from mcp_eval.formats.writing import write_yaml
from mcp_eval.formats.yaml import Node, read_yaml
from mcp_eval.model.policy import Expectation


def with_expectation(payload: bytes, *, path: str, expectation: Expectation) -> bytes | None:
    """The file with an expectation more; None where its `expect:` is not written as a list."""
    before = read_project(payload, path=path)
    entry = _entry(expectation)
    node = _expect(read_yaml(payload, path=path)) if payload.strip() else None
    text = payload.decode("utf-8-sig")
    end = "\r\n" if "\r\n" in text else "\n"
    if node is None:
        between = "" if not text or text.endswith(("\n", "\r")) else end
        after = text + between + "".join(f"{line}{end}" for line in ["expect:", *_deeper(entry)])
    else:
        lines = text.splitlines(keepends=True)
        indent = lines[node.line - 1][: node.column - 1]
        if indent.strip(" -"):
            return None  # written in one line: a person must say where it goes
        dash = lines[node.line - 1].find("-")
        lines.insert(node.line - 1, "".join(f"{' ' * dash}{line}{end}" for line in entry))
        after = "".join(lines)
    encoded = after.encode("utf-8-sig" if payload.startswith(b"\xef\xbb\xbf") else "utf-8")
    try:
        read = read_project(encoded, path=path)
    except UsageError:
        return None
    told = {expectation, *before.policy.expect}
    same = replace(read, policy=replace(read.policy, expect=())) == replace(
        before, policy=replace(before.policy, expect=())
    )
    return encoded if same and set(read.policy.expect) == told else None


def _entry(expectation: Expectation) -> list[str]:
    said = {
        "finding": expectation.finding,
        "reason": expectation.reason,
        "expires": expectation.expires,
        "scenario": expectation.scenario,
    }
    lines = write_yaml({key: text for key, text in said.items() if text}).decode().splitlines()
    return [f"- {lines[0]}", *(f"  {line}" for line in lines[1:])]


def _deeper(entry: list[str]) -> list[str]:
    return [f"  {line}" for line in entry]


def _expect(root: Node) -> Node | None:
    """The first item of the list that stands there."""
    held = root.value.get("expect") if isinstance(root.value, dict) else None
    items = held.value if held is not None else None
    return items[0] if isinstance(items, list) and items else None
