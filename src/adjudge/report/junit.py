"""A gate as JUnit XML: a test suite for each arm, a test for each rule, failures apart from errors."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from adjudge.gate.verdicts import Gate, Verdict
from adjudge.gate.words import case_line
from adjudge.report.github import cells
from adjudge.report.plain import plain
from adjudge.report.words import arm_name

# What XML 1.0 has no way to write, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TAGS = {"fail": "failure", "error": "error"}


def junit(gate: Gate) -> bytes:
    """The gate as JUnit XML; the same gate gives the same bytes.

    Rules take no time worth telling, so all times are 0; the suites' timestamp is when the run was finished.
    """
    root = Element("testsuites", {"name": text(f"adjudge gate {gate.run}"), **_counts(gate.verdicts), "time": "0"})
    for arm in dict.fromkeys(one.arm for one in gate.verdicts):
        found = [one for one in gate.verdicts if one.arm == arm]
        suite = SubElement(
            root, "testsuite", {"name": text(arm_name(arm)), **_counts(found), "skipped": "0", "time": "0"}
        )
        if gate.finished:
            suite.set("timestamp", text(gate.finished[:19]))
        for one in found:
            _add(suite, one, f"{gate.run}.{arm_name(arm)}")
    indent(root)
    return bytes(tostring(root, "utf-8", xml_declaration=True)) + b"\n"


def text(raw: str) -> str:
    r"""The text on one line, in characters that XML can hold.

    >>> text("a\x00b\uffff]]>")
    'ab\ufffd]]>'
    """
    return _FORBIDDEN.sub("\ufffd", plain(raw))


def _counts(found: list[Verdict]) -> dict[str, str]:
    outcomes = [one.outcome for one in found]
    return {
        "tests": str(len(found)),
        "failures": str(outcomes.count("fail")),
        "errors": str(outcomes.count("error")),
    }


def _add(suite: Element, verdict: Verdict, name: str) -> None:
    test = SubElement(suite, "testcase", classname=text(name), name=text(verdict.text), time="0")
    if verdict.outcome != "pass":
        wrong = SubElement(test, _TAGS[verdict.outcome], message=text(verdict.why), type=verdict.outcome)
        wrong.text = "\n".join(map(text, (verdict.why, *map(case_line, verdict.cases))))
    value, interval, amount, coverage = cells(verdict)
    SubElement(test, "system-out").text = text(
        f"value {value}, 95 % interval {interval}, n {amount}, coverage {coverage}"
    )
