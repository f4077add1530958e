"""A calibration in the terminal, as Markdown, CSV and JSON: the answer first, then what it rests on."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from adjudge.calibrate.calibration import Calibrated, Calibration, Leaning
from adjudge.calibrate.corrected import Corrected
from adjudge.calibrate.labels import by_metric
from adjudge.calibrate.measures import AGREEMENT, DISTANCE, KAPPA, Coefficient
from adjudge.core.errors import SHOWN
from adjudge.report import target as place
from adjudge.report.contrasts import p_value
from adjudge.report.csvfile import Cell, protected
from adjudge.report.markdown import escaped, grid, section
from adjudge.report.terminal import Out
from adjudge.report.words import NONE, arm_name, count, figure
from adjudge.run import Run, write_whole
from adjudge.stats.confusion import Confusion
from adjudge.stats.estimate import Estimate
from adjudge.stats.ratings import Label

if TYPE_CHECKING:
    from rich.console import Console

INTERVAL = "95 % interval"

WORDS = (
    "The words for coefficients corrected for chance are those of Landis & Koch (1977): conventions, no tests. "
    "Kappa also falls where one label is rare, and AC1 does not: read both with the confusion table."
)
RANDOM = (
    "Corrected and labelled-only values hold where the labelled {items} are a random part of all; "
    "labels of the hard ones only, or of the first ones, make both wrong."
)
CLUSTERS = "All intervals take what happened on one case, in any arm or trial, for one observation."


class Part(Struct, frozen=True):
    """A part of a calibration: a table under its title, and sentences below it."""

    title: str
    header: list[str]
    rows: list[list[str]]
    notes: list[str] = []


def print_calibrated(found: Calibrated, console: Console) -> None:
    """Print a calibration."""
    out = Out(console, [])
    for one in found.calibrations:
        out.line(answer(one), "bold")
    for line in _remarks(found):
        out.line(line, "yellow")
    for one in found.calibrations:
        out.title(_title(one))
        out.line(_counts(one))
        for part in _parts(one):
            out.title(part.title)
            _print_table(out, part)
            for note in part.notes:
                out.line(note, "dim")
    if found.unmatched:
        out.title("Labels without a match")
    for line in _unmatched(found):
        out.line(line, "yellow")
    out.console.print()
    for line in (WORDS, CLUSTERS):
        out.line(line, "dim")


def write_calibrated(found: Calibrated, run: Run, target: Path) -> None:
    """Write a calibration, in the format that the target's ending names."""
    form = FORMATS[place.ending(target, FORMATS)]
    place.guard(run, target)
    content = form(found)
    with place.complaints(target):
        write_whole(target, content)


def calibrated_json(found: Calibrated) -> bytes:
    """The calibration as JSON."""
    return msgspec.json.format(msgspec.json.encode(found)) + b"\n"


def calibrated_csv(found: Calibrated) -> bytes:
    """One line for each number: what it is about, the number, its interval, and why it is missing where it is."""
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow(["metric", "level", "arm", "part", "name", *Estimate.__struct_fields__, "word"])
    for one in found.calibrations:
        for line in _lines(one):
            writer.writerow([protected(cell) for cell in (one.metric, one.level, *line)])
    for label in found.unmatched:
        missing = msgspec.structs.astuple(Estimate(None, why=f"{label.where}: {label.why}"))
        writer.writerow([protected(cell) for cell in (label.metric, "", "", "unmatched", label.thing, *missing, "")])
    return file.getvalue().encode()


def calibrated_markdown(found: Calibrated) -> bytes:
    """The calibration as Markdown."""
    answers = [f"- {escaped(answer(one))}" for one in found.calibrations]
    remarks = [f"- **Remark:** {escaped(line)}" for line in _remarks(found)]
    sections = [
        [f"# {escaped(found.suite)}: {escaped(found.run)} against {escaped(found.labels)}", "", *answers, *remarks],
        *(_markdown(one) for one in found.calibrations),
        section("Labels without a match", [f"- {escaped(line)}" for line in _unmatched(found)]),
        section("How to read it", [f"- {escaped(line)}" for line in (WORDS, CLUSTERS)]),
        section("Tools", [f"- {escaped(name)}: {escaped(value)}" for name, value in found.tools.items()]),
    ]
    return ("\n\n".join("\n".join(lines) for lines in sections if lines) + "\n").encode()


def answer(one: Calibration) -> str:
    """A calibration in one sentence."""
    return f"{one.metric}: {_agrees(one)}; {_values(one)}"


def _agrees(one: Calibration) -> str:
    who = _who(one)
    if one.no_agreement:
        apart, rho = _named(one.numbers, DISTANCE), _named(one.numbers, "Spearman's rho")
        over = count(apart.estimate.n, one.level)
        return f"{who} is off by {_bracketed(apart.estimate)} on average over {over} (Spearman's rho {_said(rho)})"
    agreed, kappa = _named(one.agreement, AGREEMENT).estimate, _named(one.agreement, KAPPA)
    if agreed.value is None:
        return f"how far {who} agrees with people is undefined: {agreed.why}"
    share = f"{100 * agreed.value:.1f} % of {count(agreed.n, one.level)}"
    return f"{who} agrees with people on {share} ({KAPPA} {_said(kappa)})"


def _values(one: Calibration) -> str:
    if one.no_corrected:
        return f"there is no corrected value: {one.no_corrected}"
    if len(one.corrected) == 1:
        (only,) = one.corrected
        alone = f"{_who(one)} alone says {_value(only.metric_only)}"
        if only.rectified.value is None:
            return f"no corrected value: {only.rectified.why}; {alone}"
        return f"the corrected value is {_bracketed(only.rectified)}, {alone}"
    each = [f"{_given(arm.rectified)} for {arm_name(arm.arm)} ({_value(arm.metric_only)})" for arm in one.corrected]
    missing = [f"; {arm_name(arm.arm)}: {arm.rectified.why}" for arm in one.corrected if arm.rectified.value is None]
    return f"corrected values (and what {_who(one)} alone says) are {', '.join(each)}{''.join(missing)}"


def _who(one: Calibration) -> str:
    return "the judge" if one.judge else "the metric"


def _title(one: Calibration) -> str:
    return f"{one.metric} by {one.level}"


def _counts(one: Calibration) -> str:
    whole = f"{one.labelled} of {count(one.items, one.level)} labelled"
    people = f"{count(one.labels, 'label')} by {count(one.raters, 'rater')}"
    them = "it" if one.tied == 1 else "them"
    tied = f"; on {one.tied} no label was the most frequent, so that agreement leaves {them} out" if one.tied else ""
    return f"{whole}, {people}{tied}."


def _parts(one: Calibration) -> Iterator[Part]:
    """The parts of a calibration in the order they are read."""
    several = one.labels > one.labelled
    yield _measures("Agreement on labels", one.agreement, one.no_agreement)
    if one.confusion is not None:
        yield _confusion(one.confusion, _who(one))
    title = f"In numbers ({_who(one)} less {'the mean of people' if several else 'people'})"
    yield _measures(title, one.numbers, one.no_numbers)
    if several:
        yield _footings(one)
    if not one.no_numbers:
        yield _leanings(one)
    if one.corrected:
        yield _corrected(one)
    else:
        yield Part("Corrected value", [], [], [f"None: {one.no_corrected}."])


def _measures(title: str, found: list[Coefficient], why: str) -> Part:
    rows = [
        [one.name, _value(one.estimate), _interval(one.estimate), str(one.estimate.n), one.word or one.estimate.why]
        for one in found
    ]
    return Part(title, ["measure", "value", INTERVAL, "n", "reading"], rows, [f"None: {why}."] if why else [])


def _confusion(confusion: Confusion, who: str) -> Part:
    labels = [_label(label) for label in confusion.labels]
    rows = [[label, *map(str, counts)] for label, counts in zip(labels, confusion.counts, strict=True)]
    return Part(f"Confusion (rows: people, columns: {who})", ["", *labels], rows)


def _footings(one: Calibration) -> Part:
    header = ["measure", "two people", INTERVAL, f"{_who(one)} and one person", INTERVAL]
    rows = [
        [it.name, _value(it.people), _interval(it.people), _value(it.metric), _interval(it.metric)]
        for it in one.footings
    ]
    note = (
        f"Over what two people or more labelled: what people reach among themselves is the most to ask of {_who(one)}."
    )
    return Part("People among themselves", header, rows, [note])


def _leanings(one: Calibration) -> Part:
    header = ["by", "rho of bias", INTERVAL, "p", "median", "bias up to it", "bias above it", "n"]
    seen = [it for it in one.leanings if it.n]
    notes = [f"By {it.by}: undefined, {it.trend.rho.why}." for it in one.leanings if it.trend.rho.value is None]
    if seen:
        notes.insert(0, f"Above 0: the longer (in characters) or later, the higher {_who(one)} against people.")
    return Part("Bias by length and turn", header, list(map(_leaning, seen)), notes)


def _leaning(it: Leaning) -> list[str]:
    rho = it.trend.rho
    cells = [it.by, _value(rho), _interval(rho), p_value(it.trend.p), f"{it.median:g}"]
    return [*cells, _signed(it.low), _signed(it.high), str(it.n)]


def _corrected(one: Calibration) -> Part:
    header = [
        "arm",
        "corrected",
        INTERVAL,
        "labelled only",
        INTERVAL,
        f"{_who(one)} alone",
        INTERVAL,
        "bias",
        "labelled",
    ]
    given = [it for it in one.corrected if it.rectified.value is not None]
    trusted = ", ".join(f"{it.tuning:.2f} for {arm_name(it.arm)}" for it in given)
    spoken = any(it.labelled_only.value is not None for it in one.corrected)
    notes = [RANDOM.format(items=f"{one.level}s")] if spoken else []
    if given:
        notes.append(f"Weight given to {_who(one)} (at 0 the corrected value is that of the labels alone): {trusted}.")
    notes += [f"{arm_name(it.arm)}: {it.rectified.why}." for it in one.corrected if it.rectified.why]
    return Part("Corrected value", header, [_arm(it) for it in one.corrected], notes)


def _arm(it: Corrected) -> list[str]:
    three = (it.rectified, it.labelled_only, it.metric_only)
    cells = [cell for estimate in three for cell in (_value(estimate), _interval(estimate))]
    return [arm_name(it.arm), *cells, _signed(it.bias), f"{it.labelled} of {it.items}"]


def _remarks(found: Calibrated) -> list[str]:
    """What was not used of the labels file."""
    lines = ["the run is not finished"] if found.status != "complete" else []
    lines += found.remarks
    if found.unmatched:
        lines.append(f"{count(len(found.unmatched), 'label')} without a match, listed below")
    if found.blank:
        lines.append(f"{count(found.blank, 'row')} without a label")
    if found.others:
        lines.append(f"left out: {by_metric(found.others)}")
    if found.unused:
        lines.append(f"{'column' if len(found.unused) == 1 else 'columns'} not read: {', '.join(found.unused)}")
    return lines


def _unmatched(found: Calibrated) -> list[str]:
    rest = len(found.unmatched) - SHOWN
    return [
        *map(str, found.unmatched[:SHOWN]),
        *([f"... and {rest} more; .json and .csv have all"] if rest > 0 else []),
    ]


def _markdown(one: Calibration) -> list[str]:
    lines = section(escaped(_title(one)), [escaped(_counts(one))])
    for part in _parts(one):
        rows = ([escaped(cell) for cell in row] for row in part.rows)
        notes = [line for note in part.notes for line in ("", escaped(note))]
        lines += ["", f"### {escaped(part.title)}", "", *grid(list(map(escaped, part.header)), rows), *notes]
    return lines


def _print_table(out: Out, part: Part) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    if not part.rows:
        return
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for number, header in enumerate(part.header):
        table.add_column(Text(out.known(header)), justify="right" if number and header != "reading" else "left")
    for row in part.rows:
        table.add_row(*(Text(out.known(cell)) for cell in row))
    out.console.print(table, crop=False)


def _lines(one: Calibration) -> Iterator[tuple[Cell, ...]]:
    """The lines of a calibration in the table of numbers, without metric and level."""
    yield from (_line("", "agreement", it.name, it.estimate, it.word) for it in one.agreement)
    if one.confusion is not None:
        yield from _confusion_lines(one.confusion, _who(one))
    yield from (_line("", "numbers", it.name, it.estimate) for it in one.numbers)
    for it in one.footings:
        yield _line("", "two people", it.name, it.people)
        yield _line("", f"{_who(one)} and one person", it.name, it.metric)
    for lean in one.leanings:
        yield _line("", f"bias by {lean.by}", "Spearman's rho", lean.trend.rho)
        yield _line("", f"bias by {lean.by}", "up to the median", lean.low)
        yield _line("", f"bias by {lean.by}", "above the median", lean.high)
    for arm in one.corrected:
        yield _line(arm.arm, "value", "corrected", arm.rectified)
        yield _line(arm.arm, "value", "labelled only", arm.labelled_only)
        yield _line(arm.arm, "value", f"{_who(one)} alone", arm.metric_only)
        yield _line(arm.arm, "value", "bias", arm.bias)


def _confusion_lines(confusion: Confusion, who: str) -> Iterator[tuple[Cell, ...]]:
    for people, counts in zip(confusion.labels, confusion.counts, strict=True):
        for label, number in zip(confusion.labels, counts, strict=True):
            yield _line("", "confusion", f"people {_label(people)}, {who} {_label(label)}", Estimate(number))


def _line(arm: str, part: str, name: str, estimate: Estimate, word: str = "") -> tuple[Cell, ...]:
    return arm, part, name, *msgspec.structs.astuple(estimate), word


def _named(found: list[Coefficient], name: str) -> Coefficient:
    return next(one for one in found if one.name == name)


def _value(estimate: Estimate) -> str:
    return "undefined" if estimate.value is None else figure(estimate.value)


def _signed(estimate: Estimate) -> str:
    if estimate.value is None:
        return "undefined"
    return f"{estimate.value:+.3f}" if figure(estimate.value) != "0.000" else "0.000"


def _interval(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return NONE
    return f"{figure(estimate.low)} to {figure(estimate.high)}"


def _bracketed(estimate: Estimate) -> str:
    """A value with its interval in a sentence, or why one of them is missing."""
    if estimate.value is None:
        return f"undefined: {estimate.why}"
    if estimate.low is None or estimate.high is None:
        return f"{figure(estimate.value)} ({estimate.why})" if estimate.why else figure(estimate.value)
    return f"{figure(estimate.value)} [{figure(estimate.low)}, {figure(estimate.high)}]"


def _given(estimate: Estimate) -> str:
    return "none" if estimate.value is None else _bracketed(estimate)


def _said(one: Coefficient) -> str:
    return f"{_bracketed(one.estimate)}{f', {one.word}' if one.word else ''}"


def _label(label: Label) -> str:
    return label if isinstance(label, str) else f"{label:g}"


FORMATS: dict[str, Callable[[Calibrated], bytes]] = {
    ".json": calibrated_json,
    ".md": calibrated_markdown,
    ".csv": calibrated_csv,
}
