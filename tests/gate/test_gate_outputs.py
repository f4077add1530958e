"""A gate as JUnit XML, Markdown and GitHub's commands: the structure readers expect, whatever stands in the data."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from gate_runs import LOST, gate_of, write_run
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.mark import Mark, Score
from adjudge.gate.baseline import Baseline
from adjudge.gate.verdicts import Gate
from adjudge.report.gate.files import gate_markdown
from adjudge.report.gate.github import MOST_ANNOTATIONS, error_commands, escape_data, escape_property
from adjudge.report.gate.junit import gate_junit, xml_text

HOSTILE = "]]><b>&amp;\"'</failure>\x00\x1b[31m\r\n::error::taken\n##[add-mask]x\ufffe\u202e| `x` [l](http://x) 50%"


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    """Two arms with a pass, a failure and an error."""
    run = write_run(
        tmp_path / "run",
        {
            "new": {"inform": [1.0, 1.0, 0.0], "goal": [LOST, 1.0, 1.0]},
            "old": {"inform": [1.0, 0.0, 0.0], "goal": [1.0] * 3},
        },
    )
    return gate_of(run, "inform >= 0.5", "goal >= 0.5", "every(inform) >= 0")


@pytest.fixture
def hostile(tmp_path: Path) -> Gate:
    """A gate that failed and erred on names and reasons that mean to break out."""
    wrong = Score.of([Mark(0.0, at=HOSTILE, turn=HOSTILE, why=HOSTILE)])
    arms = {HOSTILE: {"inform": [wrong, wrong], "goal": [Score.skip("refusal", HOSTILE)] * 2}}
    run = write_run(tmp_path / "new", arms, cases=[HOSTILE, f"{HOSTILE}2"])
    base = write_run(tmp_path / "old", {"base": {"inform": [1.0, 1.0]}}, cases=[HOSTILE, f"{HOSTILE}2"])
    return gate_of(run, "inform >= 0.5", "goal >= 0.5", "inform better", baseline=Baseline(base))


def assert_structure(root: ElementTree.Element) -> None:
    """What Jenkins, GitLab, Azure and pytest's schema agree on."""
    assert root.tag == "testsuites"
    sums = {"tests": 0, "failures": 0, "errors": 0}
    for suite in root:
        assert suite.tag == "testsuite"
        assert {"name", "tests", "failures", "errors", "skipped", "time", "timestamp"} == set(suite.keys())
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.attrib["timestamp"])
        for case in suite:
            assert case.tag == "testcase"
            assert {"classname", "name", "time"} == set(case.keys())
            assert all(case.attrib.values())
            tags = [child.tag for child in case]
            assert tags in (["system-out"], ["failure", "system-out"], ["error", "system-out"])
            for wrong in (*case.findall("failure"), *case.findall("error")):
                assert {"message", "type"} == set(wrong.keys())
                assert wrong.text
        results = {
            "tests": len(suite),
            "failures": len(suite.findall("testcase/failure")),
            "errors": len(suite.findall("testcase/error")),
        }
        assert {name: int(suite.attrib[name]) for name in results} == results
        sums = {name: sums[name] + number for name, number in results.items()}
    assert {name: int(root.attrib[name]) for name in sums} == sums
    cases = [(case.attrib["classname"], case.attrib["name"]) for case in root.iter("testcase")]
    assert len(set(cases)) == len(cases)


def test_junit_has_the_structure_that_consumers_expect(gate: Gate) -> None:
    root = ElementTree.fromstring(gate_junit(gate))

    assert_structure(root)
    assert [(suite.attrib["name"], suite.attrib["timestamp"]) for suite in root] == [
        ("new", "2026-01-02T03:04:05"),
        ("old", "2026-01-02T03:04:05"),
    ]
    assert {(case.attrib["classname"], case.attrib["name"]): case[0].tag for case in root.iter("testcase")} == {
        ("run.new", "inform >= 0.5"): "system-out",
        ("run.new", "goal >= 0.5"): "error",
        ("run.new", "every(inform) >= 0"): "system-out",
        ("run.old", "inform >= 0.5"): "failure",
        ("run.old", "goal >= 0.5"): "system-out",
        ("run.old", "every(inform) >= 0"): "system-out",
    }


def test_junit_tells_value_interval_and_worst_cases(gate: Gate) -> None:
    root = ElementTree.fromstring(gate_junit(gate))
    (failure,) = root.iter("failure")
    assert failure.attrib == {"message": "the value 0.3333 is below 0.5", "type": "fail"}
    assert (failure.text or "").splitlines() == [
        "the value 0.3333 is below 0.5",
        "0.000  c001, turn 2: slot: found 0",
        "0.000  c002, turn 2: slot: found 0",
    ]
    out = root.findtext("testsuite/testcase/system-out")
    assert out == "value 0.667, 95 % interval 0.044 to 0.989, n 3 conversations, coverage 1.000"


def test_the_same_gate_gives_the_same_bytes(gate: Gate) -> None:
    assert gate_junit(gate) == gate_junit(gate)


def test_junit_survives_hostile_names(hostile: Gate) -> None:
    written = gate_junit(hostile)

    root = ElementTree.fromstring(written)

    assert_structure(root)
    assert not re.search(rb"[\x00-\x08\x0b-\x1f]", written)
    assert [case[0].tag for case in root.iter("testcase")] == ["failure", "error", "failure"]
    failure = root.find("testsuite/testcase/failure")
    assert failure is not None
    assert "]]><b>&amp;\"'</failure>" in (failure.text or "")
    assert len((failure.text or "").splitlines()) == 3


@given(st.text())
def test_any_text_can_be_written_as_xml(raw: str) -> None:
    shown = xml_text(raw)
    element = ElementTree.Element("x", {"a": shown})
    element.text = shown
    read = ElementTree.fromstring(ElementTree.tostring(element, "utf-8"))
    assert (read.text or "", read.attrib["a"]) == (shown, shown)


COMMAND = re.compile(r"::error title=([^:,\r\n]*)::([^\r\n]*)")


def received(command: str) -> tuple[str, str]:
    """Title and message as the runner takes them from one line."""
    result = COMMAND.fullmatch(command)
    assert result
    title, message = result.groups()
    return unescaped(title, ("%2C", ",")), unescaped(message)


def unescaped(written: str, *more: tuple[str, str]) -> str:
    for sign, meant in (*more, ("%3A", ":"), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")):
        written = written.replace(sign, meant)
    return written


def test_an_annotation_for_each_rule_that_did_not_pass(gate: Gate) -> None:
    results = [received(command) for command in error_commands(gate)]
    assert [title for title, _ in results] == ["Gate failed", "Gate in error"]
    assert results[0][1].splitlines()[0] == "inform >= 0.5, old: the value 0.3333 is below 0.5"
    assert "coverage 0.6667, asked 1: 1 of 3 conversations skipped; the judge gave no answer in time" in results[1][1]


def test_annotations_are_one_line_each_whatever_the_data(hostile: Gate) -> None:
    commands = error_commands(hostile)
    assert len(commands) == 3
    for command in commands:
        assert COMMAND.fullmatch(command)
        assert not re.search(r"[\x00-\x1f]", command)


def test_the_last_annotation_says_how_many_more_there_are(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", {"new": {"inform": [0.5, 0.5]}})
    results = error_commands(gate_of(run, *(f"inform >= 0.{place}" for place in range(60, 75))))
    assert len(results) == MOST_ANNOTATIONS
    assert "and 6 more rules that did not pass" in results[-1]


def test_workflow_commands_are_escaped_as_documented() -> None:
    assert escape_data("100 %\r\n:,") == "100 %25%0D%0A:,"
    assert escape_property("100 %\r\n:,") == "100 %25%0D%0A%3A%2C"


def test_markdown_has_a_line_for_each_verdict_and_the_worst_cases(gate: Gate) -> None:
    lines = gate_markdown(gate).decode().splitlines()
    assert lines[0] == "## run: gate not passed: 1 failed, 1 in error, 4 passed"
    assert "| pass | inform &gt;= 0.5 | new | 0.667 | 0.044 to 0.989 | 3 conversations | 1.000 |" in lines
    assert "| **fail** | inform &gt;= 0.5 | old | 0.333 | 0.011 to 0.956 | 3 conversations | 1.000 |" in lines
    assert "| c001 | 0.000 | 2 | slot | found 0 |" in lines


def test_markdown_shows_hostile_text_as_text(hostile: Gate) -> None:
    shown = gate_markdown(hostile).decode()
    assert "<b>" not in shown
    assert "[l](http" not in shown
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202e]", shown)
    rows = [line for line in shown.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {6, 8}


def test_a_difference_is_shown_with_its_sign_and_pairs(tmp_path: Path) -> None:
    run = write_run(tmp_path / "new", {"bot": {"inform": [1.0] * 90 + [0.0] * 10}})
    base = write_run(tmp_path / "old", {"bot": {"inform": [1.0] * 50 + [0.0] * 50}})
    shown = gate_markdown(gate_of(run, "inform not worse by 0.02", baseline=Baseline(base))).decode()
    assert "| pass | inform not worse by 0.02 | bot against bot@&#8288;old | " in shown
    # 40 gained and none lost: Tango's interval is then Wilson's of 40 in 100.
    assert "| +0.400 | 0.309 to 0.498 | 100 pairs | 1.000 |" in shown
