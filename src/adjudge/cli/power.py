"""`adjudge power`: the smallest difference that so many cases can show, and the cases that a wanted one takes."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from adjudge.cli.console import console_for
from adjudge.cli.options import parser

if TYPE_CHECKING:
    from adjudge.compare.sheet import Sheet
    from adjudge.core.card import Card
    from adjudge.report.console import Out
    from adjudge.stats.power import Aim, Sample

EPILOG = """\
examples:
  adjudge power runs/demo
  adjudge power runs/demo --metrics hallucination,task_completion --difference 0.05
  adjudge power runs/demo --arms five-agents --difference 0.05 --power 0.9

From two arms the spread is that of their differences on the cases they share. From one arm it is the arm's own, and a
second arm with as large a spread on other cases is assumed."""

PAIRED = "Paired by case: sd is that of the differences, and cases are those that both arms are given."
UNPAIRED = "No case is shared: sd is that of each arm, and cases are those of each arm."
ALONE = (
    "One arm: sd is its own; a second arm with the same sd on other cases is assumed, and cases are those of each. On "
    "the same cases fewer do if both arms find the same cases hard; their correlation is unknown from one arm alone."
)
CAUTION = (
    "Two-sided t test at {alpha:g} with power {power:g}, before any correction for many metrics; for values of 0 and 1 "
    "and near the ends of a scale the figures are approximate. The sd is itself an estimate from these cases."
)


class Spread(Struct, frozen=True):
    """What the power of a metric rests on: a sample of paired differences, or one of each arm; or why there is none."""

    samples: tuple[Sample, ...] = ()
    why: str = ""


class Wanted(Struct, frozen=True):
    """Between which arms what is to be found, and how surely; a difference of None: only the smallest is asked for."""

    arms: tuple[str, ...]
    aim: Aim
    difference: float | None


def run(arguments: list[str]) -> int:
    """Print what the cases of a run can show, and what a wanted difference takes."""
    options = _parser()
    given = options.parse_args(arguments)

    from adjudge.calibrate.scale import known_metric
    from adjudge.compare.sheet import Sheet
    from adjudge.report.console import Out
    from adjudge.run import Run
    from adjudge.stats.power import Aim

    try:
        aim = Aim(given.alpha, given.power)
    except ValueError as error:
        options.error(f"--alpha and --power: {error}")
    sheet = Sheet([Run(Path(given.run))])
    for name in _names(given.metrics):
        known_metric(name, sheet.cards, "--metrics")
    metrics = _names(given.metrics) or [name for name, card in sheet.cards.items() if not card.variant]
    wanted = Wanted(_arms(sheet, _names(given.arms)), aim, given.difference)
    spreads = {metric: spread(sheet, metric, wanted.arms) for metric in metrics}
    _print(Out(console_for(False)), sheet.cards, spreads, wanted)
    return 0


def spread(sheet: Sheet, metric: str, arms: Sequence[str]) -> Spread:
    """The spread of one metric: of two arms' differences where they share cases, else of each arm."""
    from adjudge.compare.sheet import left_out
    from adjudge.stats.cases import Paired, Undefined
    from adjudge.stats.power import Sample

    # Of one arm alone it is asked twice, which tells what speaks against comparing it with anything.
    first, second = arms[0], arms[-1]
    if why := left_out(sheet, metric, first, second):
        return Spread(why=why)
    data = sheet.compared(metric, first, second)
    estimate = data.estimate()
    if isinstance(estimate, Undefined):
        return Spread(why=estimate.why)
    if len(arms) == 2 and isinstance(data, Paired):
        return _found((Sample(data.n, estimate.sd),))
    return _found(tuple(Sample(arm.n, (arm.variance * arm.n) ** 0.5) for arm in (data.a, data.b)))


def smallest(found: Spread, aim: Aim) -> float | None:
    """The smallest difference that the samples can show; None without any."""
    from adjudge.stats.power import smallest_difference, smallest_difference_unpaired

    if not found.samples:
        return None
    first, *second = found.samples
    return smallest_difference_unpaired(first, second[0], aim) if second else smallest_difference(first, aim)


def needed(found: Spread, difference: float, aim: Aim) -> int | None:
    """How many cases it takes to find a difference; None without samples, or where a thousand million would not do."""
    from adjudge.stats.power import cases_needed, cases_needed_unpaired

    if not found.samples:
        return None
    sd, *other = (sample.sd for sample in found.samples)
    return cases_needed_unpaired(difference, sd, other[0], aim) if other else cases_needed(difference, sd, aim)


def _found(samples: tuple[Sample, ...]) -> Spread:
    if not any(sample.sd for sample in samples):
        return Spread(why=f"no spread over {samples[0].n} cases, so nothing to reckon with")
    return Spread(samples)


def _arms(sheet: Sheet, named: tuple[str, ...]) -> tuple[str, ...]:
    from adjudge.core.errors import BadInput

    arms = tuple(sheet.find_arm(name) for name in named or sheet.arms)
    if len(set(arms)) < len(arms):
        raise BadInput(f"--arms {','.join(arms)}: the same arm twice; expected one arm or two different ones")
    if len(arms) not in (1, 2):
        raise BadInput(f"{len(arms)} arms ({', '.join(arms)}); expected one or two; name them with --arms A,B")
    return arms


def _print(out: Out, cards: dict[str, Card], spreads: dict[str, Spread], wanted: Wanted) -> None:
    from rich import box
    from rich.table import Table

    from adjudge.report.words import arm_name

    out.line(" against ".join(map(arm_name, wanted.arms)), "bold")
    found = {metric: one for metric, one in spreads.items() if one.samples}
    if found:
        out.line(_basis(wanted.arms, found), "dim")
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
        for number, header in enumerate(_header(wanted)):
            table.add_column(header, justify="right" if number else "left")
        for metric, one in found.items():
            table.add_row(*(out.text(cell) for cell in _cells(cards[metric], one, wanted)))
        out.console.print(table, crop=False)
        out.line(CAUTION.format(alpha=wanted.aim.alpha, power=wanted.aim.power), "dim")
    if len(found) < len(spreads):
        out.title("Left out")
    reasons: dict[str, list[str]] = {}
    for metric, one in spreads.items():
        if one.why:
            reasons.setdefault(one.why, []).append(metric)
    for why, metrics in reasons.items():
        out.line(f"{why}: {', '.join(metrics)}")


def _basis(arms: tuple[str, ...], found: dict[str, Spread]) -> str:
    if len(arms) == 1:
        return ALONE
    kinds = {len(one.samples) for one in found.values()}
    return " ".join(text for size, text in ((1, PAIRED), (2, UNPAIRED)) if size in kinds)


def _header(wanted: Wanted) -> list[str]:
    asked = [] if wanted.difference is None else [f"cases for {wanted.difference:g}"]
    return ["metric", "cases", "sd", "smallest difference", *asked]


def _cells(card: Card, found: Spread, wanted: Wanted) -> list[str]:
    from adjudge.report.words import figure

    # Of one arm the second sample is the same again.
    samples = found.samples[: len(wanted.arms)]
    least = smallest(found, wanted.aim)
    cells = [
        card.name,
        " and ".join(str(sample.n) for sample in samples),
        " and ".join(figure(sample.sd) for sample in samples),
        "undefined" if least is None else f"{figure(least)}{_beyond(card, least)}",
    ]
    if wanted.difference is None:
        return cells
    if _beyond(card, wanted.difference):
        return [*cells, "beyond the scale"]
    cases = needed(found, wanted.difference, wanted.aim)
    return [*cells, "more than 1,000,000,000" if cases is None else f"{cases:,}"]


def _beyond(card: Card, difference: float) -> str:
    """A remark on a difference that the metric's scale has no room for."""
    low, high = card.scale
    return " (beyond the scale)" if low is not None and high is not None and difference > high - low else ""


def _parser() -> argparse.ArgumentParser:
    options = parser("power", "Say what so many cases can show, and how many a wanted difference takes.", EPILOG)
    options.add_argument("run", metavar="RUN", help="a run folder")
    options.add_argument("--metrics", action="append", metavar="NAME[,NAME]", help="only these metrics")
    options.add_argument("--arms", action="append", metavar="A[,B]", help="between these arms, or for one alone")
    options.add_argument(
        "--difference", type=_between(0, inf), metavar="D", help="how many cases it takes to find a difference of D"
    )
    options.add_argument(
        "--power", type=_between(0, 1), default=0.8, help="the chance to find it where it is there (default: 0.8)"
    )
    options.add_argument(
        "--alpha", type=_between(0, 1), default=0.05, help="the chance to find one where none is (default: 0.05)"
    )
    return options


def _between(low: float, high: float) -> Callable[[str], float]:
    """A reader of numbers above one and below another."""

    def number(text: str) -> float:
        try:
            found = float(text)
        except ValueError:
            found = low
        if not low < found < high:
            bounds = f"above {low:g}" + (f" and below {high:g}" if high < inf else "")
            raise argparse.ArgumentTypeError(f"found {text!r}; expected a number {bounds}")
        return found

    return number


def _names(given: list[str] | None) -> tuple[str, ...]:
    return tuple(name.strip() for names in given or () for name in names.split(","))
