"""`adjudge power`: the smallest detectable difference, and the sample size another one needs."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from adjudge.cli.console import console_for
from adjudge.cli.options import add_metrics, metric_names, parser, split_names
from adjudge.cli.output import add_output, output_files, write_files

if TYPE_CHECKING:
    from adjudge.compare.sheet import Sheet
    from adjudge.core.card import Card
    from adjudge.report.console import Out
    from adjudge.report.power import PowerReport, PowerRow
    from adjudge.report.table import TextTable
    from adjudge.stats.power import Aim, Sample

EPILOG = """\
examples:
  adjudge power runs/demo
  adjudge power runs/demo --metrics hallucination,task_completion --difference 0.05
  adjudge power runs/demo --arms five-agents --difference 0.05 --power 0.9

With two arms, the standard deviation is that of their differences on the cases they share. With one arm, it is that of
the arm, and a second arm with the same standard deviation on other cases is assumed."""

PAIRED = (
    "Paired by case: sd is the standard deviation of the differences, and cases counts the cases that both arms have."
)
UNPAIRED = "No case is shared: sd is the standard deviation of each arm, and cases counts the cases of each arm."
ALONE = (
    "One arm: sd is its standard deviation, and a second arm with the same sd on other cases is assumed; cases counts "
    "the cases of each arm. Fewer are enough if both arms run on the same cases and find the same ones hard; "
    "this correlation is unknown from one arm alone."
)
CAUTION = (
    "Two-sided t test at alpha {alpha:g} with power {power:g}, without correction for multiple metrics. The numbers "
    "are approximate for values of 0 and 1 and near the ends of a scale. The sd is itself an estimate from these cases."
)


class Spread(Struct, frozen=True):
    """The samples behind the power of a metric: paired differences, or one for each arm; or why there is none."""

    samples: tuple[Sample, ...] = ()
    why: str = ""


class PowerRequest(Struct, frozen=True):
    """The arms, the error rates, and the difference to detect; None asks for the smallest one only."""

    arms: tuple[str, ...]
    aim: Aim
    difference: float | None


def run(arguments: list[str]) -> int:
    """Print the smallest detectable difference, and the sample size that another difference needs."""
    options = _parser()
    given = options.parse_args(arguments)

    from adjudge.compare.sheet import Sheet
    from adjudge.core.selection import chosen_metrics, primary_family
    from adjudge.report.console import Out
    from adjudge.report.power import FORMATS, write_power
    from adjudge.run import Run
    from adjudge.stats.power import Aim

    try:
        aim = Aim(given.alpha, given.power)
    except ValueError as error:
        options.error(f"--alpha and --power: {error}")
    files, opened = output_files(given, FORMATS), Run(Path(given.run))
    sheet = Sheet([opened])
    metrics = chosen_metrics(metric_names(given), sheet.cards) or primary_family(sheet.cards)
    request = PowerRequest(_arms(sheet, split_names(given.arms)), aim, given.difference)
    spreads = {metric: spread_of(sheet, metric, request.arms) for metric in metrics}
    report = _report(sheet.cards, spreads, request)
    write_files(files, partial(write_power, report, opened), given.quiet)
    if not files:
        _print(Out(console_for(False)), report)
    return 0


def spread_of(sheet: Sheet, metric: str, arms: Sequence[str]) -> Spread:
    """The spread of one metric: of two arms' differences where they share cases, else of each arm."""
    from adjudge.compare.sheet import left_out
    from adjudge.stats.cases import PairedCases, Undefined
    from adjudge.stats.power import Sample

    # A single arm is compared with itself, which gives the reasons against comparing it with any other.
    first, second = arms[0], arms[-1]
    if why := left_out(sheet, metric, first, second):
        return Spread(why=why)
    data = sheet.arms_of(metric, first, second)
    estimate = data.estimate()
    if isinstance(estimate, Undefined):
        return Spread(why=estimate.why)
    if len(arms) == 2 and isinstance(data, PairedCases):
        return _spread_from((Sample(data.n, estimate.sd),))
    # The variance is that of the mean, so times n it is the variance of cases.
    return _spread_from(tuple(Sample(arm.n, (arm.variance * arm.n) ** 0.5) for arm in (data.a, data.b)))


def smallest(spread: Spread, aim: Aim) -> float | None:
    """The smallest detectable difference; None without samples."""
    from adjudge.stats.power import smallest_difference, smallest_difference_unpaired

    if not spread.samples:
        return None
    first, *second = spread.samples
    return smallest_difference_unpaired(first, second[0], aim) if second else smallest_difference(first, aim)


def sample_size(spread: Spread, difference: float, aim: Aim) -> int | None:
    """The number of cases needed to detect a difference; None without samples, or where it is above a billion."""
    from adjudge.stats.power import cases_needed, cases_needed_unpaired

    if not spread.samples:
        return None
    sd, *other = (sample.sd for sample in spread.samples)
    return cases_needed_unpaired(difference, sd, other[0], aim) if other else cases_needed(difference, sd, aim)


def _spread_from(samples: tuple[Sample, ...]) -> Spread:
    if not any(sample.sd for sample in samples):
        return Spread(why=f"no spread over {samples[0].n} cases, so power cannot be computed")
    return Spread(samples)


def _arms(sheet: Sheet, named: tuple[str, ...]) -> tuple[str, ...]:
    from adjudge.core.errors import BadInput

    arms = tuple(sheet.find_arm(name) for name in named or sheet.arms)
    if len(set(arms)) < len(arms):
        raise BadInput(f"--arms {','.join(arms)}: the same arm twice; expected one arm or two different ones")
    if len(arms) not in (1, 2):
        raise BadInput(f"{len(arms)} arms ({', '.join(arms)}); expected one or two; name them with --arms A,B")
    return arms


def _print(out: Out, report: PowerReport) -> None:
    out.line(report.title, "bold")
    if report.rows:
        *first, last = report.notes
        for line in first:
            out.line(line, "dim")
        out.table(out.new_table(report.table))
        out.line(last, "dim")
    out.block("Left out", report.left_out)


def _report(cards: dict[str, Card], spreads: dict[str, Spread], request: PowerRequest) -> PowerReport:
    from adjudge.report.power import PowerReport
    from adjudge.report.words import arm_name

    usable = {metric: spread for metric, spread in spreads.items() if spread.samples}
    reasons: dict[str, list[str]] = {}
    for metric, spread in spreads.items():
        if spread.why:
            reasons.setdefault(spread.why, []).append(metric)
    caution = CAUTION.format(alpha=request.aim.alpha, power=request.aim.power)
    return PowerReport(
        title=" against ".join(map(arm_name, request.arms)),
        notes=[_basis(request.arms, usable), caution] if usable else [],
        rows=[_row(metric, spread, request) for metric, spread in usable.items()],
        left_out=[f"{why}: {', '.join(metrics)}" for why, metrics in reasons.items()],
        table=_table(cards, usable, request),
    )


def _row(metric: str, spread: Spread, request: PowerRequest) -> PowerRow:
    from adjudge.report.power import PowerRow

    samples, difference = spread.samples[: len(request.arms)], request.difference
    return PowerRow(
        metric=metric,
        cases=[sample.n for sample in samples],
        sd=[sample.sd for sample in samples],
        smallest_difference=smallest(spread, request.aim),
        difference=difference,
        cases_needed=None if difference is None else sample_size(spread, difference, request.aim),
    )


def _basis(arms: tuple[str, ...], spreads: dict[str, Spread]) -> str:
    if len(arms) == 1:
        return ALONE
    kinds = {len(spread.samples) for spread in spreads.values()}
    return " ".join(text for size, text in ((1, PAIRED), (2, UNPAIRED)) if size in kinds)


def _table(cards: dict[str, Card], spreads: dict[str, Spread], request: PowerRequest) -> TextTable:
    """A row for each metric that has a spread."""
    from adjudge.report.table import Column, tabulate
    from adjudge.report.words import figure

    # With one arm the second sample repeats the first.
    samples = {metric: spread.samples[: len(request.arms)] for metric, spread in spreads.items()}
    columns = [
        Column[str]("metric", lambda metric: metric),
        Column[str]("cases", lambda metric: " and ".join(str(sample.n) for sample in samples[metric]), "right"),
        Column[str]("sd", lambda metric: " and ".join(figure(sample.sd) for sample in samples[metric]), "right"),
        Column[str](
            "smallest difference",
            lambda metric: _smallest_text(cards[metric], spreads[metric], request.aim),
            "right",
        ),
    ]
    if request.difference is not None:
        header = f"cases for {request.difference:g}"
        columns.append(Column(header, lambda metric: _cases_text(cards[metric], spreads[metric], request), "right"))
    return tabulate(columns, spreads)


def _smallest_text(card: Card, spread: Spread, aim: Aim) -> str:
    from adjudge.report.words import figure

    least = smallest(spread, aim)
    return "undefined" if least is None else f"{figure(least)}{_off_scale_remark(card, least)}"


def _cases_text(card: Card, spread: Spread, request: PowerRequest) -> str:
    difference = request.difference or 0.0
    if _off_scale_remark(card, difference):
        return "beyond the scale"
    cases = sample_size(spread, difference, request.aim)
    return "more than 1,000,000,000" if cases is None else f"{cases:,}"


def _off_scale_remark(card: Card, difference: float) -> str:
    """A remark on a difference that is larger than the metric's scale."""
    low, high = card.scale
    return " (beyond the scale)" if low is not None and high is not None and difference > high - low else ""


def _parser() -> argparse.ArgumentParser:
    options = parser(
        "power",
        "Compute the smallest detectable difference, and the sample size that another difference needs.",
        EPILOG,
    )
    options.add_argument("run", metavar="RUN", help="a run folder")
    add_metrics(options, "compute for these metrics (default: the primary family)")
    options.add_argument("--arms", action="append", metavar="A[,B]", help="two arms to compare, or one")
    options.add_argument(
        "--difference",
        type=_parse_between(0, inf),
        metavar="D",
        help="also print the number of cases needed to detect a difference of D",
    )
    options.add_argument(
        "--power",
        type=_parse_between(0, 1),
        default=0.8,
        help="the probability of detecting a difference that exists (default: 0.8)",
    )
    options.add_argument(
        "--alpha",
        type=_parse_between(0, 1),
        default=0.05,
        help="the probability of reporting a difference that does not exist (default: 0.05)",
    )
    add_output(options, ".md, .csv, .json or .tex instead of printing")
    return options


def _parse_between(low: float, high: float) -> Callable[[str], float]:
    """A parser of numbers between two bounds, both excluded."""

    def number(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = low
        if not low < value < high:
            bounds = f"above {low:g}" + (f" and below {high:g}" if high < inf else "")
            raise argparse.ArgumentTypeError(f"found {text!r}; expected a number {bounds}")
        return value

    return number
