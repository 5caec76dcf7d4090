"""What we write is read by programs that know nothing of us."""

import json
import subprocess
import sys

import pytest

from mcp_eval.reports.registry import reporter_for
from tests.unit.reports import samples

READ = """
import json, sys
sys.path.insert(0, sys.argv[1])
from junitparser import JUnitXml
(suite,) = JUnitXml.fromfile(sys.argv[2])
ends = {case.name: [type(one).__name__ for one in case.result] for case in suite}
print(json.dumps([suite.tests, suite.failures, suite.errors, suite.skipped, ends]))
"""
REPORTS = {
    **samples.all_statuses(),
    **{f"hostile {n}": samples.hostile(payload) for n, payload in enumerate(samples.PAYLOADS)},
}


@pytest.mark.parametrize("name", REPORTS)
def test_junitparser_counts_what_we_counted(name, real_part, tmp_path):
    (place,) = real_part("junitparser@4.0.2")
    report = REPORTS[name]
    path = tmp_path / "report.xml"
    path.write_bytes(reporter_for(path).render(report))
    words = [sys.executable, "-c", READ, place, str(path)]
    read = subprocess.run(words, capture_output=True, text=True, check=True, timeout=50)
    tests, failures, errors, skipped, ends = json.loads(read.stdout)
    assert tests >= len(report.scenarios) + len(report.skipped)
    assert skipped == len(report.skipped)
    assert (failures + errors > 0) is not report.passed
    if not name.startswith("hostile"):
        for one in report.scenarios:
            failing = {"broken": ["Failure"], "degraded": ["Failure"], "inconclusive": ["Error"]}
            assert ends[one.name] == failing.get(one.status, []), one.name
