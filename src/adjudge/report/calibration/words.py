"""The words in which a calibration is reported, the same in every format: sentences and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import TypeVar

from msgspec import Struct, structs

from adjudge.calibrate.calibration import Calibration, CalibrationResult, Leaning
from adjudge.calibrate.corrected import CorrectedEstimate
from adjudge.calibrate.measures import AGREEMENT, DISTANCE, KAPPA, Coefficient
from adjudge.calibrate.people import Footing
from adjudge.core.errors import SHOWN
from adjudge.read.labels import by_metric
from adjudge.report.table import Column, TextTable, tabulate
from adjudge.report.words import INTERVAL, arm_name, bounds, count, figure, p_value, retired_line, signed_figure
from adjudge.run import Run
from adjudge.stats.confusion import Confusion
from adjudge.stats.estimate import Estimate
from adjudge.stats.ratings import Label

HOW_TO_READ = (
    "The words for chance-corrected coefficients are those of Landis & Koch (1977), a convention and not a test. "
    "Kappa is low if one label is rare; AC1 is not. Read both with the confusion table.",
    "All intervals treat the results of one case, over all arms and trials, as one observation.",
)
RANDOM_SAMPLE = (
    "Corrected and labelled-only values are valid only if the labelled {items} are a random sample of all. "
    "If only hard ones or only the first ones are labelled, both are wrong."
)
NO_TABLE = TextTable([], [], [])

T = TypeVar("T")


class CalibrationPart(Struct, frozen=True):
    """A part of a calibration: a table under its title, and sentences below it."""

    title: str
    table: TextTable
    notes: list[str] = []


def remark_on_retired(calibrated: CalibrationResult, run: Run) -> CalibrationResult:
    """The calibration with a remark where it is about metrics that the run's suite no longer has."""
    metrics = dict.fromkeys(calibration.metric for calibration in calibrated.calibrations)
    retired = [metric for metric in metrics if metric in run.retired]
    return structs.replace(calibrated, remarks=(*calibrated.remarks, *filter(None, [retired_line(retired)])))


def calibration_answer(calibration: Calibration) -> str:
    """A calibration in one sentence."""
    return f"{calibration.metric}: {_agreement_words(calibration)}; {_value_words(calibration)}"


def calibration_title(calibration: Calibration) -> str:
    """What a calibration is about."""
    return f"{calibration.metric} by {calibration.level}"


def subject(calibration: Calibration) -> str:
    """Who is compared with people."""
    return "the judge" if calibration.judge else "the metric"


def counts_line(calibration: Calibration) -> str:
    """How much was labelled, and by how many people."""
    items = f"{calibration.labelled} of {count(calibration.items, calibration.level)} labelled"
    labels = f"{count(calibration.labels, 'label')} by {count(calibration.raters, 'rater')}"
    tied = f"; left out of agreement: {calibration.tied} without a most frequent label" if calibration.tied else ""
    return f"{items}, {labels}{tied}."


def remarks(calibrated: CalibrationResult) -> list[str]:
    """What has to be known before a calibration is read: mainly which labels were not used."""
    lines = ["the run is not finished"] if calibrated.status != "complete" else []
    lines += calibrated.remarks
    if calibrated.unmatched:
        lines.append(f"{count(len(calibrated.unmatched), 'label')} without a match, listed below")
    if calibrated.blank:
        lines.append(f"{count(calibrated.blank, 'row')} without a label")
    if calibrated.others:
        lines.append(f"left out: {by_metric(calibrated.others)}")
    if calibrated.unused:
        columns = "column" if len(calibrated.unused) == 1 else "columns"
        lines.append(f"{columns} not read: {', '.join(calibrated.unused)}")
    return lines


def unmatched_lines(calibrated: CalibrationResult) -> list[str]:
    """The first labels without a match, and how many more there are."""
    rest = len(calibrated.unmatched) - SHOWN
    more = [f"... and {rest} more; .json and .csv have all"] if rest > 0 else []
    return [*map(str, calibrated.unmatched[:SHOWN]), *more]


def calibration_parts(calibration: Calibration) -> Iterator[CalibrationPart]:
    """The parts of a calibration in the order they are read."""
    several = calibration.labels > calibration.labelled
    who = subject(calibration)
    yield _measures("Agreement on labels", calibration.agreement, calibration.no_agreement)
    if calibration.confusion is not None:
        yield _confusion(calibration.confusion, who)
    people = "the mean of people" if several else "people"
    yield _measures(f"In numbers ({who} minus {people})", calibration.numbers, calibration.no_numbers)
    if several:
        yield _footings(calibration)
    if not calibration.no_numbers:
        yield _trends(calibration)
    if calibration.corrected:
        yield _corrected_values(calibration)
    else:
        yield CalibrationPart("Corrected value", NO_TABLE, [f"None: {calibration.no_corrected}."])


def estimate_text(estimate: Estimate) -> str:
    """A value, or that it is undefined."""
    return "undefined" if estimate.value is None else figure(estimate.value)


def label_words(label: Label) -> str:
    """A label as people wrote it."""
    return label if isinstance(label, str) else f"{label:g}"


def _agreement_words(calibration: Calibration) -> str:
    who = subject(calibration)
    if calibration.no_agreement:
        distance = _coefficient(calibration.numbers, DISTANCE).estimate
        rho = _coefficient_words(_coefficient(calibration.numbers, "Spearman's rho"))
        items = count(distance.n, calibration.level)
        return f"{who} is off by {_with_interval(distance)} on average over {items} (Spearman's rho {rho})"
    agreement = _coefficient(calibration.agreement, AGREEMENT).estimate
    if agreement.value is None:
        return f"the agreement of {who} with people is undefined: {agreement.why}"
    share = f"{100 * agreement.value:.1f} % of {count(agreement.n, calibration.level)}"
    kappa = _coefficient_words(_coefficient(calibration.agreement, KAPPA))
    return f"{who} agrees with people on {share} ({KAPPA} {kappa})"


def _value_words(calibration: Calibration) -> str:
    if calibration.no_corrected:
        return f"there is no corrected value: {calibration.no_corrected}"
    who, arms = subject(calibration), calibration.corrected
    if len(arms) == 1:
        alone = f"{who} alone gives {estimate_text(arms[0].metric_only)}"
        if arms[0].rectified.value is None:
            return f"no corrected value: {arms[0].rectified.why}; {alone}"
        return f"the corrected value is {_with_interval(arms[0].rectified)}, {alone}"
    values = [
        f"{_value_or_none(arm.rectified)} for {arm_name(arm.arm)} ({estimate_text(arm.metric_only)})" for arm in arms
    ]
    missing = [f"; {arm_name(arm.arm)}: {arm.rectified.why}" for arm in arms if arm.rectified.value is None]
    return f"corrected values (in brackets those of {who} alone) are {', '.join(values)}{''.join(missing)}"


def _measures(heading: str, coefficients: list[Coefficient], why: str) -> CalibrationPart:
    columns = [
        Column[Coefficient]("measure", lambda measure: measure.name),
        *_with_bounds("value", lambda measure: measure.estimate),
        Column[Coefficient]("n", lambda measure: str(measure.estimate.n), "right"),
        Column[Coefficient]("reading", lambda measure: measure.word or measure.estimate.why),
    ]
    return CalibrationPart(heading, tabulate(columns, coefficients), [f"None: {why}."] if why else [])


def _confusion(confusion: Confusion, who: str) -> CalibrationPart:
    columns = [Column[tuple[str, ...]]("", lambda row: row[0])]
    for place, label in enumerate(confusion.labels, 1):
        columns.append(Column(label_words(label), itemgetter(place), "right"))
    rows = [
        (label_words(label), *map(str, counts))
        for label, counts in zip(confusion.labels, confusion.counts, strict=True)
    ]
    return CalibrationPart(f"Confusion (rows: people, columns: {who})", tabulate(columns, rows))


def _footings(calibration: Calibration) -> CalibrationPart:
    who = subject(calibration)
    columns = [
        Column[Footing]("measure", lambda footing: footing.name),
        *_with_bounds("two people", lambda footing: footing.people),
        *_with_bounds(f"{who} and one person", lambda footing: footing.metric),
    ]
    limit = f"{who} cannot be expected to agree with people more than people agree with each other"
    note = f"Over items that two or more people labelled: {limit}."
    return CalibrationPart("Agreement among people", tabulate(columns, calibration.footings), [note])


def _trends(calibration: Calibration) -> CalibrationPart:
    columns = [
        Column[Leaning]("by", lambda leaning: leaning.by),
        *_with_bounds("rho of bias", lambda leaning: leaning.trend.rho),
        Column[Leaning]("p", lambda leaning: p_value(leaning.trend.p), "right"),
        Column[Leaning]("median", lambda leaning: f"{leaning.median:g}", "right"),
        Column[Leaning]("bias up to it", lambda leaning: _signed_value(leaning.low), "right"),
        Column[Leaning]("bias above it", lambda leaning: _signed_value(leaning.high), "right"),
        Column[Leaning]("n", lambda leaning: str(leaning.n), "right"),
    ]
    defined = [leaning for leaning in calibration.leanings if leaning.n]
    notes = [
        f"By {leaning.by}: undefined, {leaning.trend.rho.why}."
        for leaning in calibration.leanings
        if leaning.trend.rho.value is None
    ]
    if defined:
        who = subject(calibration)
        notes.insert(0, f"Above 0: {who} scores longer items (in characters), or later turns, higher than people do.")
    return CalibrationPart("Bias by length and turn", tabulate(columns, defined), notes)


def _corrected_values(calibration: Calibration) -> CalibrationPart:
    who, arms = subject(calibration), calibration.corrected
    columns = [
        Column[CorrectedEstimate]("arm", lambda arm: arm_name(arm.arm)),
        *_with_bounds("corrected", lambda arm: arm.rectified),
        *_with_bounds("labelled only", lambda arm: arm.labelled_only),
        *_with_bounds(f"{who} alone", lambda arm: arm.metric_only),
        Column[CorrectedEstimate]("bias", lambda arm: _signed_value(arm.bias), "right"),
        Column[CorrectedEstimate]("labelled", lambda arm: f"{arm.labelled} of {arm.items}", "right"),
    ]
    return CalibrationPart("Corrected value", tabulate(columns, arms), _correction_notes(calibration))


def _correction_notes(calibration: Calibration) -> list[str]:
    arms, notes = calibration.corrected, []
    if any(arm.labelled_only.value is not None for arm in arms):
        notes.append(RANDOM_SAMPLE.format(items=f"{calibration.level}s"))
    if weights := [f"{arm.tuning:.2f} for {arm_name(arm.arm)}" for arm in arms if arm.rectified.value is not None]:
        zero = "at 0 the corrected value is that of the labels alone"
        notes.append(f"Weight given to {subject(calibration)} ({zero}): {', '.join(weights)}.")
    return notes + [f"{arm_name(arm.arm)}: {arm.rectified.why}." for arm in arms if arm.rectified.why]


def _with_bounds(header: str, estimate: Callable[[T], Estimate]) -> list[Column[T]]:
    """The columns of an estimate and of its interval."""
    return [
        Column(header, lambda item: estimate_text(estimate(item)), "right"),
        Column(INTERVAL, lambda item: bounds(estimate(item).low, estimate(item).high), "right"),
    ]


def _coefficient(coefficients: list[Coefficient], name: str) -> Coefficient:
    return next(coefficient for coefficient in coefficients if coefficient.name == name)


def _coefficient_words(coefficient: Coefficient) -> str:
    return f"{_with_interval(coefficient.estimate)}{f', {coefficient.word}' if coefficient.word else ''}"


def _signed_value(estimate: Estimate) -> str:
    return "undefined" if estimate.value is None else signed_figure(estimate.value)


def _with_interval(estimate: Estimate) -> str:
    """A value with its interval in a sentence, or why one of them is missing."""
    if estimate.value is None:
        return f"undefined: {estimate.why}"
    if estimate.low is None or estimate.high is None:
        return f"{figure(estimate.value)} ({estimate.why})" if estimate.why else figure(estimate.value)
    return f"{figure(estimate.value)} [{figure(estimate.low)}, {figure(estimate.high)}]"


def _value_or_none(estimate: Estimate) -> str:
    return "none" if estimate.value is None else _with_interval(estimate)
