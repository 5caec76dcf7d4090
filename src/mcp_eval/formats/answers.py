"""What a person answered, written into the project file; every other byte of it stays."""

import shlex

import msgspec

from mcp_eval.errors import UsageError
from mcp_eval.formats.project import read_project
from mcp_eval.formats.writing import write_yaml
from mcp_eval.formats.yaml import Node, read_yaml
from mcp_eval.model.base import JsonObject
from mcp_eval.model.project import Project, TargetSpec


def with_resettable(payload: bytes, *, path: str, target: str, value: bool) -> bytes | None:
    """The file with `resettable:` said of a target it names; None where that cannot be done."""
    before = read_project(payload, path=path)
    if target not in before.targets:
        return None
    node = _at(read_yaml(payload, path=path), "targets", target)
    if node is None or not isinstance(node.value, dict):
        return None
    word = "true" if value else "false"
    after = _inserted(payload, node, [f"resettable: {word}"])
    wanted = msgspec.structs.replace(before.targets[target], resettable=value)
    return _checked(after, path, before, {**before.targets, target: wanted})


def with_target(payload: bytes, *, path: str, spec: TargetSpec) -> bytes | None:
    """The file with one target more; whoever was the only one before is still the default."""
    before = read_project(payload, path=path)
    if spec.name in before.targets:
        return None
    entry = _lines({spec.name: _written(spec)})
    node = _at(read_yaml(payload, path=path), "targets") if payload.strip() else None
    if node is not None:
        after = _inserted(payload, node, entry)
    else:
        after = _appended(payload, ["targets:", *(f"  {line}" for line in entry)])
    default = before.default_target
    if len(before.targets) == 1 and not default:
        (default,) = before.targets
        after = _appended(after, _lines({"default_target": default}))
    before = msgspec.structs.replace(before, default_target=default)
    base = msgspec.structs.replace(spec, base=_base(path))
    return _checked(after, path, before, {**before.targets, spec.name: base})


def _base(path: str) -> str:
    return path.rpartition("/")[0] or "."


def _written(spec: TargetSpec) -> JsonObject:
    """Of a target nobody had written down: how it is reached, and what was answered, if it was."""
    way: JsonObject = {"config_file": spec.config_file} if spec.config_file else {}
    way |= {"url": spec.url} if spec.url else {}
    way |= {"command": shlex.join(spec.command)} if spec.command else {}
    return way if spec.resettable is None else {**way, "resettable": spec.resettable}


def _lines(value: JsonObject) -> list[str]:
    return write_yaml(value).decode().splitlines()


def _at(root: Node, *names: str) -> Node | None:
    for name in names:
        if not isinstance(root.value, dict) or name not in root.value:
            return None
        root = root.value[name]
    return root if root.value is not None else None


def _inserted(payload: bytes, mapping: Node, entry: list[str]) -> bytes:
    """The entry before the first key of a mapping, as that one is written."""
    text, end = payload.decode("utf-8-sig"), _ending(payload)
    lines = text.splitlines(keepends=True)
    line, column = mapping.line - 1, mapping.column - 1
    before = lines[line][:column]
    if lines[line][column : column + 1] == "{" and len(entry) == 1:
        rest = lines[line][column + 1 :]
        lines[line] = f"{before}{{{entry[0]}, {rest.lstrip()}"
    elif not before.strip():
        lines.insert(line, "".join(f"{before}{one}{end}" for one in entry))
    return _encoded(payload, "".join(lines))


def _appended(payload: bytes, entry: list[str]) -> bytes:
    text, end = payload.decode("utf-8-sig"), _ending(payload)
    between = "" if not text or text.endswith(("\n", "\r")) else end
    return _encoded(payload, text + between + "".join(f"{one}{end}" for one in entry))


def _ending(payload: bytes) -> str:
    return "\r\n" if b"\r\n" in payload else "\n"


def _encoded(payload: bytes, text: str) -> bytes:
    return text.encode("utf-8-sig" if payload.startswith(b"\xef\xbb\xbf") else "utf-8")


def _checked(
    after: bytes, path: str, before: Project, targets: dict[str, TargetSpec]
) -> bytes | None:
    """The new file, once it reads as the old one and the answer: no mapping is written alike."""
    try:
        read = read_project(after, path=path)
    except UsageError:
        return None
    return after if read == msgspec.structs.replace(before, targets=targets) else None
