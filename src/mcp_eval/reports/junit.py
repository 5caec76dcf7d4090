"""The report as JUnit XML: a test case a scenario, one for what the target offers."""

from xml.etree import ElementTree as ET

from mcp_eval.model.verdict import Report, Root, ScenarioVerdict
from mcp_eval.reports import words
from mcp_eval.reports.plain import block, line

_FAILING = frozenset({"broken", "degraded"})
_TOLD = 12


class JunitReporter:
    """Writes what a CI server lists as tests."""

    suffixes = (".xml",)

    def render(self, report: Report) -> bytes:
        """The document: what fails here fails there, and nothing else does."""
        suite = ET.Element("testsuite", name="mcp-eval")
        if report.created_at:
            suite.set("timestamp", line(report.created_at, 40)[:19])
        _stated(suite, report)
        _offered(suite, report)
        for scenario in report.scenarios:
            _scenario(suite, report, scenario)
        for stem in report.skipped:
            ET.SubElement(_case(suite, "scenario", stem), "skipped", message="not looked at")
        _as_a_whole(suite, report)
        _counted(suite)
        suites = ET.Element("testsuites", {**suite.attrib, "name": "mcp-eval"})
        suites.attrib.pop("timestamp", None)
        suites.append(suite)
        ET.indent(suites)
        body: bytes = ET.tostring(suites, encoding="utf-8", xml_declaration=True)
        return body + b"\n"


def _stated(suite: ET.Element, report: Report) -> None:
    """What a case cannot say: the verdict itself."""
    said = {
        "status": report.status,
        "score": words.number(report.score),
        "trajectory score": words.number(report.trajectory_score),
        "builds": words.builds(report),
        "action": line(report.action),
    }
    properties = ET.SubElement(suite, "properties")
    for name, value in said.items():
        ET.SubElement(properties, "property", name=name, value=value)


def _offered(suite: ET.Element, report: Report) -> None:
    """What no scenario's case would show: the target itself."""
    status = report.lanes.get("surface", "")
    own = tuple(root for root in words.ordered(report) if not words.scenarios_of(report, root))
    if not status and not own:
        return
    case = _case(suite, "surface", "what the target offers")
    worst = min((root.status for root in own), key=words.SEVERITY.index, default="good")
    _ended(case, report, worst, own)


def _scenario(suite: ET.Element, report: Report, scenario: ScenarioVerdict) -> None:
    case = _case(suite, "scenario", scenario.name or scenario.stem)
    if scenario.path:
        case.set("file", line(scenario.path, 400))
    roots = words.ordered(report)
    mine = tuple(root for root in roots if scenario in words.scenarios_of(report, root))
    _ended(case, report, scenario.status, mine)


def _ended(case: ET.Element, report: Report, status: str, roots: tuple[Root, ...]) -> None:
    """How a case ended: a failure, an error where no opinion was formed, else what is known."""
    said = "\n\n".join(_told(report, root) for root in roots[:_TOLD])
    message = line(roots[0].message, 600) if roots else status
    if status == "inconclusive":
        kind = "error"
    elif status in _FAILING and not report.passed:
        kind = "failure"
    else:
        if said:
            ET.SubElement(case, "system-out").text = f"{status}\n{said}\n{words.UNTRUSTED}"
        return
    ended = ET.SubElement(case, kind, message=message, type=status)
    ended.text = f"{said}\n{words.UNTRUSTED}"


def _told(report: Report, root: Root) -> str:
    chief = words.chief(report, root)
    facts = (
        f"{root.status}: {line(root.message, 600)}",
        f"  fix: {line(root.fix, 600)}",
        f"  where: {words.where(report, root)}",
        f"  evidence: {words.evidence(chief)}" if chief else "",
        f"  sure: {words.sure(report, root)}",
        f"  intended? {words.accept_command(report, root)}",
    )
    return block("\n".join(fact for fact in facts if fact))


def _as_a_whole(suite: ET.Element, report: Report) -> None:
    """A check that did not pass may not read as one that did, whatever its cases say."""
    if report.passed or any(
        case.find("failure") is not None for case in suite.iterfind("testcase")
    ):
        return
    if any(case.find("error") is not None for case in suite.iterfind("testcase")):
        return
    case = _case(suite, "check", "the check as a whole")
    status = "error" if report.status == "inconclusive" else "failure"
    said = f"{words.headline(report)}; {words.closing(report)}"
    ET.SubElement(case, status, message=said, type=report.status)


def _case(suite: ET.Element, kind: str, name: str) -> ET.Element:
    named = {"classname": f"mcp-eval.{kind}", "name": line(name, 200) or "(no name)", "time": "0"}
    return ET.SubElement(suite, "testcase", named)


def _counted(suite: ET.Element) -> None:
    suite.set("tests", str(len(suite.findall("testcase"))))
    for kind, counter in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        suite.set(
            counter, str(sum(case.find(kind) is not None for case in suite.iterfind("testcase")))
        )
    suite.set("time", "0")
