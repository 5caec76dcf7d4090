"""The kinds of documents, the noun of each, and the version this mcp-eval writes."""

from collections.abc import Mapping

from mcp_eval.model.base import Noun
from mcp_eval.model.comparison import Comparison
from mcp_eval.model.policy import Policy
from mcp_eval.model.recording import Recording
from mcp_eval.model.surface import Surface
from mcp_eval.model.trajectory import Run
from mcp_eval.model.verdict import Report

KINDS: Mapping[str, type[Noun]] = {
    "run": Run,
    "baseline": Recording,
    "surface": Surface,
    "comparison": Comparison,
    "report": Report,
    "policy": Policy,
}

# A shape that old readers would misread raises its kind's number by one.
VERSIONS: Mapping[str, int] = dict.fromkeys(KINDS, 1)
