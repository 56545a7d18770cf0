"""The comparison as JUnit XML, the dialect that CI servers share.

wrong and slower are `failure`, what was not measured is `error`, what a variant does not support or
what cannot be judged is `skipped` with its message. A `time` is that of one call, in seconds.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from redux_tools import summary
from redux_tools.comparison import Comparison
from redux_tools.exit_codes import ExitCode
from redux_tools.verdict import Row, Verdict

# What XML 1.0 has no place for, not even escaped.
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
FAILURES = (ExitCode.REGRESSION, ExitCode.WRONG_RESULT, ExitCode.INCONCLUSIVE)
JUDGED = (Verdict.SAME, Verdict.FASTER, Verdict.NEW)


def _clean(text: str) -> str:
    return FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


def _seconds(row: Row) -> str:
    return f"{(row.current_us or 0.0) * 1e-6:.12f}"


def _add_case(suite: ET.Element, name: str, group: str, time: str = "0") -> ET.Element:
    return ET.SubElement(suite, "testcase", classname=_clean(group), name=_clean(name), time=time)


def _outcome(row: Row, result: Comparison) -> str:
    code = result.code_of(row)
    if code in FAILURES:
        return "failure"
    if code is not ExitCode.OK:
        return "error"
    return "" if row.verdict in JUDGED else "skipped"


def _add_row(suite: ET.Element, row: Row, result: Comparison) -> None:
    op = row.id.split("/", 1)[0]
    name = f"{row.id} {row.metric}" if row.metric else row.id
    case = _add_case(suite, name, f"redux-bench.{op}", _seconds(row))
    kind = _outcome(row, result)
    if kind:
        message = _clean(f"{row.verdict.value}: {row.reason}")
        child = ET.SubElement(case, kind, message=message)
        if kind != "skipped":
            child.set("type", row.verdict.value)
        if row.repro:
            child.text = _clean(row.repro)


def render_junit(result: Comparison) -> str:
    """One suite; a fault of the comparison as a whole is a test case of its own."""
    suite = ET.Element("testsuite", name="redux-bench")
    for row in summary.worst_first(result):
        _add_row(suite, row, result)
    for case_id, reason in result.unsupported:
        case = _add_case(suite, case_id, f"redux-bench.{case_id.split('/', 1)[0]}")
        ET.SubElement(case, "skipped", message=_clean(reason))
    overall = _add_case(suite, summary.counts_line(result), "redux-bench.gate")
    told = {result.code_of(row) for row in result.rows}
    if result.exit_code is not ExitCode.OK and result.exit_code not in told:
        fault = ET.SubElement(overall, "error", message=_clean(summary.headline(result)))
        fault.text = _clean("\n".join([*result.notices, *result.warnings]))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(attribute, str(len(suite.findall(f"testcase/{tag}"))))
    suite.set("tests", str(len(suite.findall("testcase"))))
    suite.set("time", f"{sum(float(case.get('time', 0)) for case in suite):.12f}")
    root = ET.Element("testsuites", dict(suite.attrib))
    root.append(suite)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"
