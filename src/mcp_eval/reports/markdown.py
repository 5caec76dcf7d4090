"""The report as Markdown, for a job summary or a comment: foreign words stand in code spans."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from mcp_eval.model.verdict import Report, Root, ScenarioVerdict
from mcp_eval.reports import words
from mcp_eval.reports.plain import line

# A comment may hold 65,536 characters, and is found again by its first line.
BUDGET = 60_000
MARK = "<!-- mcp-eval -->"
_LEFT_OUT = 600  # what the lines about what was left out may need
_SCENARIOS = 100
_NOTES = 60
# Words that mean nothing to Markdown, nor to what a forge makes of `@name`, `#1`, `GH-1`, a URL.
_PLAIN = re.compile(r"[(“‘]?[^\W_]+(?:['’.,/–-][^\W_]+)*[.,;:!?%)”’…]*|[–—→·%]")
_REFERENCE = re.compile(r"[A-Za-z]+-\d+|[0-9a-f]{7,40}|www\..*", re.IGNORECASE)
_QUOTED = re.compile(r"`([^`]+)`([.,;:!?)]*)")


class MarkdownReporter:
    """Writes what a pull request shows: at most 60 KB, the finding first."""

    suffixes = (".md",)

    def render(self, report: Report) -> bytes:
        """The report as Markdown; what does not fit is counted, not cut in half."""
        text = _within(BUDGET - _LEFT_OUT, _parts(report))
        return text.encode("utf-8", "replace")


def code(text: str, limit: int = 160) -> str:
    """Foreign text as a code span that nothing in it can end."""
    plain = line(text, limit)
    if not plain.strip():
        return ""
    longest = max((len(run) for run in re.findall(r"`+", plain)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest else ""
    return f"{fence}{pad}{plain}{pad}{fence}"


def prose(text: str, limit: int = 600) -> str:
    """Our sentence with foreign names in it: every word that could act stands in a code span."""
    plain = line(text, limit)
    said: list[str] = []
    at = 0
    for found in _QUOTED.finditer(plain):
        said += _said(plain[at : found.start()])
        said.append(f"{code(found[1])}{found[2]}")
        at = found.end()
    return " ".join((*said, *_said(plain[at:])))


def _said(text: str) -> Iterator[str]:
    return (word if _harmless(word) else code(word) for word in text.split())


def _harmless(word: str) -> bool:
    return bool(_PLAIN.fullmatch(word)) and not _REFERENCE.search(word)


def _within(budget: int, parts: Iterable[tuple[str, str]]) -> str:
    """As many parts as fit; of the others how many of each sort there were."""
    said, left, size = [], dict[str, int](), 0
    for noun, part in parts:
        needed = len(part.encode("utf-8", "replace")) + 2
        if size + needed > budget:
            left[noun] = left.get(noun, 0) + 1
            continue
        size += needed
        said.append(part)
    more = ", ".join(words.counted(count, noun) for noun, count in left.items())
    return "\n\n".join([*said, *([f"… and more that did not fit: {more}."] if more else [])]) + "\n"


def _parts(report: Report) -> Iterator[tuple[str, str]]:
    """Every part and what it is called where it has to be left out, the most needed first."""
    status, _, rest = words.headline(report).partition(":")
    yield "headline", f"{MARK}\n## {words.ICONS[report.status]} {status}: {prose(rest)}"
    if report.action:
        yield "action", f"**{prose(report.action)}**"
    for remark in report.remarks[:20]:
        yield "remark", f"> {prose(remark)}"
    for number, root in enumerate(words.ordered(report), 1):
        yield "root", _root(report, root, number)
    yield from _intended(report)
    yield "table of numbers", _numbers(report)
    yield from _table(report)
    yield from _noted(report)
    yield "footer", f"{words.closing(report)}\n\n{words.UNTRUSTED}"


def _root(report: Report, root: Root, number: int) -> str:
    chief = words.chief(report, root)
    facts = (
        ("fix", prose(root.fix)),
        ("tools", _codes(words.tools(report, root))),
        ("scenarios", _codes(root.scenarios)),
        ("recorded calls", words.percent(root.share) if root.share else ""),
        ("evidence", code(words.evidence(chief), 240) if chief else ""),
        ("sure", prose(words.sure(report, root))),
    )
    lines = [f"- {name}: {text}" for name, text in facts if text]
    icon = words.ICONS[root.status]
    return "\n".join([f"### {number}. {icon} {root.status}: {prose(root.message)}", "", *lines])


def _codes(names: tuple[str, ...], limit: int = 6) -> str:
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(code(name, 80) for name in names[:limit] if name.strip()) + more


def _intended(report: Report) -> Iterator[tuple[str, str]]:
    """Both ways to say "this is fine", for the roots that fail."""
    failing = [root for root in words.ordered(report) if root.status in {"broken", "degraded"}]
    lines = []
    for root in failing[:12]:
        chief = words.chief(report, root)
        said = (words.accept_command(report, root), words.expect_entry(chief) if chief else "")
        lines += [f"- {code(one, 400)}" for one in said if one]
    if lines:
        yield "command", _folded("Intended? One line for each root", "\n".join(lines))


def _numbers(report: Report) -> str:
    score, trajectory = words.number(report.score), words.number(report.trajectory_score)
    return "\n".join(
        (
            f"- lanes: {prose(words.lanes(report))}",
            f"- builds: {code(words.builds(report), 300)}",
            f"- score: {score} · trajectory score {trajectory}",
        )
    )


def _table(report: Report) -> Iterator[tuple[str, str]]:
    """The scenarios, those that need eyes on top."""
    if not report.scenarios:
        return
    head = ["| status | score | trajectory | scenario |", "|---|---:|---:|---|"]
    rows = [_row(one) for one in islice(words.worst_first(report), _SCENARIOS)]
    rest = len(report.scenarios) - len(rows)
    more = f"\n\n… and {rest} more." if rest else ""
    title = words.counted(len(report.scenarios), "scenario")
    yield "table of scenarios", _folded(title, "\n".join([*head, *rows]) + more)


def _row(one: ScenarioVerdict) -> str:
    # A cell ends at a bar, in a code span too, and readers differ about an escaped one.
    name = code(one.name or one.stem, 100).replace("|", "¦").replace("\\", "/")
    numbers = f"{words.number(one.score)} | {words.number(one.trajectory_score)}"
    return f"| {words.ICONS[one.status]} {one.status} | {numbers} | {name} |"


def _noted(report: Report) -> Iterator[tuple[str, str]]:
    known = words.notes(report)
    if not known:
        return
    rows = [f"- {code(words.expect_name(one), 120)}: {prose(one.message, 300)}" for one in known]
    rest = len(rows) - _NOTES
    shown = rows[:_NOTES] + ([f"- … and {rest} more"] if rest > 0 else [])
    yield "list of notes", _folded(words.counted(len(known), "note"), "\n".join(shown))


def _folded(title: str, body: str) -> str:
    """What a reader opens; an empty line on either side, or it would be read as HTML."""
    return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>"
