"""The report as GitHub workflow commands: each root beside the scenario that shows it."""

from collections.abc import Iterator

from mcp_eval.model.verdict import Report, Root
from mcp_eval.reports import words
from mcp_eval.reports.plain import line

# A step shows ten of each level; the last of ours says how many there are beyond them.
_MOST = 10


class AnnotationReporter:
    """Writes the lines a GitHub job prints to annotate a change."""

    suffixes = (".annotations",)

    def render(self, report: Report) -> bytes:
        """One command a line, the worst first."""
        lines = list(_capped(report))
        return ("\n".join(lines) + "\n").encode("utf-8", "replace")


def _capped(report: Report) -> Iterator[str]:
    headline = _command("notice", {"title": "mcp-eval"}, words.headline(report))
    roots = words.ordered(report)
    for level in ("error", "warning"):
        mine = [root for root in roots if _level(report, root) == level]
        shown = mine if len(mine) <= _MOST else mine[: _MOST - 1]
        yield from (_root(report, root, level) for root in shown)
        if len(shown) < len(mine):
            rest = words.counted(len(mine) - len(shown), "more root")
            yield _command(level, {"title": "mcp-eval"}, f"and {rest}: see the report")
    yield headline


def _level(report: Report, root: Root) -> str:
    failing = root.status in {"broken", "degraded"} and not report.passed
    return "error" if failing or root.status == "inconclusive" else "warning"


def _root(report: Report, root: Root, level: str) -> str:
    touched = (scenario.path for scenario in words.scenarios_of(report, root) if scenario.path)
    chief = words.chief(report, root)
    title = f"{root.status}: {words.expect_name(chief)}" if chief else root.status
    facts = (
        line(root.message, 600),
        f"fix: {line(root.fix, 600)}" if root.fix else "",
        f"where: {words.where(report, root)}",
    )
    named = {"file": next(touched, ""), "title": title}
    return _command(level, named, "\n".join(fact for fact in facts if fact))


def _command(level: str, named: dict[str, str], text: str) -> str:
    stated = ",".join(
        f"{name}={_property(line(value, 300))}" for name, value in named.items() if value
    )
    return f"::{level} {stated}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
