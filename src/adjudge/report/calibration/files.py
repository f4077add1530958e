"""A calibration as files: the ending names the format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from adjudge.calibrate.calibration import Calibration, CalibrationResult
from adjudge.report.calibration import words
from adjudge.report.calibration.page import calibration_page
from adjudge.report.csvfile import Cell, write_csv
from adjudge.report.markdown import bullets, escape, markdown_document, markdown_table, section
from adjudge.report.target import format_of, write_target
from adjudge.run import Run
from adjudge.stats.confusion import Confusion
from adjudge.stats.estimate import Estimate


class NamedNumber(Struct, frozen=True):
    """A number of a calibration: in which part it stands, what it is, of which arm, and the word for it."""

    part: str
    name: str
    estimate: Estimate
    arm: str = ""
    word: str = ""

    def cells(self) -> tuple[Cell, ...]:
        """The cells of its row, after those of the metric."""
        return self.arm, self.part, self.name, *msgspec.structs.astuple(self.estimate), self.word


def write_calibration(calibrated: CalibrationResult, run: Run, target: Path) -> None:
    """Write a calibration, in the format that the target's ending names."""
    content = FORMATS[format_of(target, FORMATS)](calibrated)
    write_target(target, content, [run])


def calibration_json(calibrated: CalibrationResult) -> bytes:
    """The calibration as JSON."""
    return msgspec.json.format(msgspec.json.encode(calibrated)) + b"\n"


def calibration_csv(calibrated: CalibrationResult) -> bytes:
    """One line for each number: what it is about, the number, its interval, and why it is missing where it is."""
    header = ["metric", "level", "arm", "part", "name", *Estimate.__struct_fields__, "word"]
    return write_csv(header, _csv_rows(calibrated))


def calibration_markdown(calibrated: CalibrationResult) -> bytes:
    """The calibration as Markdown."""
    heading = f"# {escape(calibrated.suite)}: {escape(calibrated.run)} against {escape(calibrated.labels)}"
    answers = bullets(map(words.calibration_answer, calibrated.calibrations))
    remarks = [f"- **Remark:** {escape(line)}" for line in words.remarks(calibrated)]
    tools = [f"{name}: {value}" for name, value in calibrated.tools.items()]
    return markdown_document(
        [
            [heading, "", *answers, *remarks],
            *map(_markdown_section, calibrated.calibrations),
            section("Labels without a match", bullets(words.unmatched_lines(calibrated))),
            section("How to read it", bullets(words.HOW_TO_READ)),
            section("Tools", bullets(tools)),
        ]
    )


def _markdown_section(calibration: Calibration) -> list[str]:
    lines = section(escape(words.calibration_title(calibration)), [escape(words.counts_line(calibration))])
    for part in words.calibration_parts(calibration):
        notes = [line for note in part.notes for line in ("", escape(note))]
        lines += ["", f"### {escape(part.title)}", "", *markdown_table(part.table), *notes]
    return lines


def _csv_rows(calibrated: CalibrationResult) -> Iterator[tuple[Cell, ...]]:
    for calibration in calibrated.calibrations:
        for number in _numbers(calibration):
            yield calibration.metric, calibration.level, *number.cells()
    for label in calibrated.unmatched:
        missing = Estimate(None, why=f"{label.where}: {label.why}")
        yield label.metric, "", *NamedNumber("unmatched", label.thing, missing).cells()


def _numbers(calibration: Calibration) -> Iterator[NamedNumber]:
    who = words.subject(calibration)
    for measure in calibration.agreement:
        yield NamedNumber("agreement", measure.name, measure.estimate, word=measure.word)
    if calibration.confusion is not None:
        yield from _confusion_counts(calibration.confusion, who)
    for measure in calibration.numbers:
        yield NamedNumber("numbers", measure.name, measure.estimate)
    for footing in calibration.footings:
        yield NamedNumber("two people", footing.name, footing.people)
        yield NamedNumber(f"{who} and one person", footing.name, footing.metric)
    for leaning in calibration.leanings:
        yield NamedNumber(f"bias by {leaning.by}", "Spearman's rho", leaning.trend.rho)
        yield NamedNumber(f"bias by {leaning.by}", "up to the median", leaning.low)
        yield NamedNumber(f"bias by {leaning.by}", "above the median", leaning.high)
    for arm in calibration.corrected:
        yield NamedNumber("value", "corrected", arm.rectified, arm.arm)
        yield NamedNumber("value", "labelled only", arm.labelled_only, arm.arm)
        yield NamedNumber("value", f"{who} alone", arm.metric_only, arm.arm)
        yield NamedNumber("value", "bias", arm.bias, arm.arm)


def _confusion_counts(confusion: Confusion, who: str) -> Iterator[NamedNumber]:
    labels = [words.label_words(label) for label in confusion.labels]
    for people, counts in zip(labels, confusion.counts, strict=True):
        for label, number in zip(labels, counts, strict=True):
            yield NamedNumber("confusion", f"people {people}, {who} {label}", Estimate(number))


FORMATS: dict[str, Callable[[CalibrationResult], bytes]] = {
    ".html": calibration_page,
    ".json": calibration_json,
    ".md": calibration_markdown,
    ".csv": calibration_csv,
}
