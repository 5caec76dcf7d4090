"""Recordings and surfaces for the store's tests."""

import msgspec

from mcp_eval.model.provenance import Build, Provenance
from mcp_eval.model.recording import RecordedStep, Recording
from mcp_eval.model.surface import Surface, Tool
from mcp_eval.model.trajectory import Outcome


def recording(stem="search", answer="one"):
    body = msgspec.Raw(msgspec.json.encode({"content": [{"type": "text", "text": answer}]}))
    step = RecordedStep(
        name="find", arguments={"q": 1}, outcome=Outcome(body=body), classes={"ok": 2}
    )
    proof = Provenance(build=Build(target="tiny", server_version="1"))
    return Recording(name=stem.title(), stem=stem, steps=(step,), runs=1, provenance=proof)


def surface(*names):
    return Surface(server_name="tiny", tools=tuple(Tool(name=name) for name in names or ("find",)))
