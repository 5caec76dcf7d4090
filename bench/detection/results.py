"""What a check said, held against what its case expects."""

import re
from collections.abc import Iterator, Sequence

import msgspec

from bench.detection.cases import Expected, Planned
from mcp_eval.model.verdict import Finding, Report, Root

FAILING = ("broken", "degraded")
_RANK = ("broken", "degraded", "inconclusive", "acceptable", "note", "good")


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """One finding, as short as it can be told."""

    rule: str
    status: str
    tool: str
    path: str


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """One root, as short as it can be told."""

    status: str
    message: str
    findings: tuple[Said, ...]


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one case."""

    id: str
    sort: str
    kind: str
    server: str
    file: str
    status: str = ""
    found: bool = False  # of a fault: degraded or broken
    right: bool = False  # the expected rule at the expected site under the worst root
    single: bool = False  # exactly one root that is degraded or broken
    alarm: bool = False  # of a harmless change: worse than acceptable, or no opinion
    above: bool = False  # of a harmless change: worse than the case allows
    expected: tuple[Expected, ...] = ()
    roots: tuple[Told, ...] = ()
    seconds: float = 0.0
    not_run: str = ""


def not_run(one: Planned, why: str) -> Result:
    """A case that could not be tried."""
    return msgspec.structs.replace(_blank(one), not_run=why)


def held_against(one: Planned, report: Report, *, seconds: float) -> Result:
    """The report, judged by the case."""
    case = one.case
    blank = msgspec.structs.replace(
        _blank(one), status=report.status, seconds=round(seconds, 2), roots=_told(report)
    )
    if case.sort == "harmless":
        rank = _RANK.index(report.status)
        return msgspec.structs.replace(
            blank,
            alarm=rank < _RANK.index("acceptable"),
            above=rank < _RANK.index(case.at_most),
        )
    failing = [root for root in report.roots if root.status in FAILING]
    worst = min(failing, key=lambda root: _RANK.index(root.status), default=None)
    return msgspec.structs.replace(
        blank,
        found=report.status in FAILING,
        right=worst is not None and _right(worst, report, case.expect),
        single=len(failing) == 1,
    )


def _blank(one: Planned) -> Result:
    case = one.case
    return Result(
        id=case.id,
        sort=case.sort,
        kind=case.kind,
        server=one.server_name or " ".join(one.server.command) or one.server.part,
        file=one.file,
        expected=case.expect,
    )


def _right(root: Root, report: Report, expected: Sequence[Expected]) -> bool:
    return any(meets(one, wish) for one in _of(root, report) for wish in expected)


def _of(root: Root, report: Report) -> Iterator[Finding]:
    return (one for one in report.findings if one.id in root.findings)


def meets(finding: Finding | Said, wish: Expected) -> bool:
    """Whether a finding is the one that was expected, at the site where it was expected."""
    return (
        finding.rule == wish.rule
        and (wish.tool is None or _tool(finding.tool) == _tool(wish.tool))
        and (wish.path is None or _place(finding.path) == _place(wish.path))
    )


def _tool(key: str) -> str:
    """A tool key's tool: `issues[add]` is a use of `issues`."""
    return key.partition("[")[0]


def _place(path: str) -> str:
    """A path without list indices; a list and its items are one place."""
    return re.sub(r"\[\d*\]", "[]", path).removesuffix("[]")


def _told(report: Report) -> tuple[Told, ...]:
    """The roots that lower the status, worst first."""
    told = [
        Told(
            status=root.status,
            message=root.message,
            findings=tuple(
                Said(rule=one.rule, status=one.status, tool=one.tool, path=one.path)
                for one in _of(root, report)
            ),
        )
        for root in report.roots
        if root.status != "note"
    ]
    return tuple(sorted(told, key=lambda root: _RANK.index(root.status)))
