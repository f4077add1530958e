"""A gate as JUnit XML: a test suite for each arm, a test for each rule, failures apart from errors."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from adjudge.gate.verdicts import Gate, RuleVerdict
from adjudge.gate.words import case_line
from adjudge.report.gate.words import coverage_text, interval_text, sample_size_text, value_text
from adjudge.report.text import one_line
from adjudge.report.words import INTERVAL, arm_name

# What XML 1.0 has no way to write, not even escaped: \x00, lone surrogates, \uffff.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TAGS = {"fail": "failure", "error": "error"}


def gate_junit(gate: Gate) -> bytes:
    """The gate as JUnit XML; the same gate gives the same bytes.

    Checking a rule takes next to no time, so all times are 0; the timestamp of a suite is when the run was finished.
    """
    name = xml_text(f"adjudge gate {gate.run}")
    root = Element("testsuites", {"name": name, **_counts(gate.verdicts), "time": "0"})
    for arm in dict.fromkeys(verdict.arm for verdict in gate.verdicts):
        verdicts = [verdict for verdict in gate.verdicts if verdict.arm == arm]
        counts = {"name": xml_text(arm_name(arm)), **_counts(verdicts), "skipped": "0", "time": "0"}
        suite = SubElement(root, "testsuite", counts)
        if gate.finished:
            suite.set("timestamp", xml_text(gate.finished[:19]))
        for verdict in verdicts:
            _add_test(suite, verdict, f"{gate.run}.{arm_name(arm)}")
    indent(root)
    return bytes(tostring(root, "utf-8", xml_declaration=True)) + b"\n"


def xml_text(text: str) -> str:
    r"""The text on one line, in characters that XML can hold.

    >>> xml_text("a\x00b\uffff]]>")
    'ab\ufffd]]>'
    """
    return _FORBIDDEN.sub("\ufffd", one_line(text))


def _counts(verdicts: list[RuleVerdict]) -> dict[str, str]:
    outcomes = [verdict.outcome for verdict in verdicts]
    return {
        "tests": str(len(verdicts)),
        "failures": str(outcomes.count("fail")),
        "errors": str(outcomes.count("error")),
    }


def _add_test(suite: Element, verdict: RuleVerdict, name: str) -> None:
    test = SubElement(suite, "testcase", classname=xml_text(name), name=xml_text(verdict.text), time="0")
    if verdict.outcome != "pass":
        problem = SubElement(test, _TAGS[verdict.outcome], message=xml_text(verdict.why), type=verdict.outcome)
        problem.text = "\n".join(map(xml_text, (verdict.why, *map(case_line, verdict.cases))))
    value = f"value {value_text(verdict)}, {INTERVAL} {interval_text(verdict)}"
    size = f"n {sample_size_text(verdict)}, coverage {coverage_text(verdict)}"
    SubElement(test, "system-out").text = xml_text(f"{value}, {size}")
