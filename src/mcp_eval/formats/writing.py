"""YAML for people to read on: plain blocks, quotes only where a word would mean something else."""

import io

from mcp_eval.errors import UsageError
from mcp_eval.formats.yaml import Node, read_yaml
from mcp_eval.model.base import Json


def write_yaml(value: Json) -> bytes:
    """A value as YAML that `read_yaml` takes back."""
    from ruamel.yaml import YAML

    writer: Json = YAML(typ="safe", pure=True)  # its options carry no types
    writer.default_flow_style = False
    writer.allow_unicode = True
    writer.sort_base_mapping_type_on_output = False
    writer.width = 4096  # a folded sentence reads worse than a long line
    writer.Representer = _representer()
    stream = io.BytesIO()
    writer.dump(value, stream)
    return stream.getvalue()


def _representer() -> Json:
    from ruamel.yaml.representer import SafeRepresenter

    class Plain(SafeRepresenter):
        """Texts stay texts, each list and mapping is written where it stands."""

        def ignore_aliases(self, _: Json) -> bool:
            return True

    def text(self: SafeRepresenter, value: str) -> Json:
        return self.represent_scalar("tag:yaml.org,2002:str", value, style=_style(value))

    Plain.add_representer(str, text)
    return Plain


def _style(text: str) -> str | None:
    lines = text.split("\n")
    if len(lines) > 1 and text.strip() and all(_tidy(line) for line in lines):
        return "|"
    return '"' if _means_else(text) else None


def _tidy(line: str) -> bool:
    """Whether a line of a block comes back as it is."""
    return line.isprintable() and line == line.strip()


def _means_else(text: str) -> bool:
    """Whether our own reader would take the bare word for something else than this text."""
    return text != text.strip() or not text.isprintable() or _alone(text).value != text


def _alone(text: str) -> Node:
    if not text.isalnum():
        return Node(value=text)
    try:
        return read_yaml(text.encode(), path="")
    except UsageError:
        return Node()
