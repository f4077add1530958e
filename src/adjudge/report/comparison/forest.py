"""Differences with their intervals: a row for each contrast, to the right of 0 where the first arm is better."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from adjudge.compare.contrast import Contrast
from adjudge.core.card import Card
from adjudge.report.comparison import words
from adjudge.report.page.axis import Axis, difference_axis
from adjudge.report.page.svg import WIDTH, Frame, Plot
from adjudge.report.text import label
from adjudge.report.words import ARROWS

if TYPE_CHECKING:
    from markupsafe import Markup

ROW = 32.0
# How far below the top of its row a difference is drawn: the label stands above it.
LEVEL = 23.0
LABEL_ROOM = 36
# The room below the rows for the numbers of the axis and the caption.
FOOT = 34.0
BETTER = ("← worse", "better →")
HIGHER = ("← lower", "higher →")

Kind = Literal["better", "worse", "else"]
KINDS: tuple[Kind, ...] = ("better", "worse", "else")


class Sign(Struct, frozen=True):
    """How a verdict is shown: a character, and the class that colours it."""

    symbol: str
    kind: Kind


SIGNS = {
    "better": Sign("▲", "better"),
    "worse": Sign("▼", "worse"),
    "higher": Sign("△", "else"),
    "lower": Sign("▽", "else"),
    "tied": Sign("■", "else"),
}
OPEN = Sign("○", "else")


class Bar(Struct, frozen=True):
    """A contrast as it is drawn: its numbers times `factor`, so that better is to the right, in parts of its unit."""

    label: str
    contrast: Contrast
    factor: float

    @property
    def value(self) -> float:
        """Where the difference lies."""
        return self.contrast.difference * self.factor

    @property
    def ends(self) -> tuple[float, float] | None:
        """Where the interval begins and ends; None where there is none."""
        low, high = self.contrast.low, self.contrast.high
        if low is None or high is None:
            return None
        return min(low * self.factor, high * self.factor), max(low * self.factor, high * self.factor)

    @property
    def margin(self) -> float:
        """Half the width of the range within which arms count as tied."""
        return (self.contrast.margin or 0.0) * abs(self.factor)


class Panel(Struct, frozen=True):
    """Contrasts that share an axis, with the words for its two ends."""

    title: str
    bars: list[Bar]
    axis: Axis
    ends: tuple[str, str]


def sign_of(contrast: Contrast) -> Sign:
    """The sign of a contrast's verdict."""
    return SIGNS.get(contrast.verdict, OPEN)


def metric_panel(card: Card, contrasts: Sequence[Contrast]) -> Panel:
    """One metric: a row for each pair of arms, on the metric's own scale."""
    bars = [
        Bar(words.title((contrast.group, contrast.a.arm, contrast.b.arm)), contrast, _direction(contrast))
        for contrast in contrasts
    ]
    return Panel(_heading(card), bars, _axis(bars), HIGHER if card.better == "neither" else BETTER)


def pair_panels(contrasts: Sequence[Contrast], cards: dict[str, Card]) -> list[Panel]:
    """One pair of arms: metrics with a better direction, those without, and those of an open scale each on its own."""
    bars = [Bar(_heading(contrast), contrast, _factor(contrast, cards[contrast.metric])) for contrast in contrasts]
    bounded = [bar for bar in bars if None not in cards[bar.contrast.metric].scale]
    directed = [bar for bar in bounded if bar.contrast.better != "neither"]
    undirected = [bar for bar in bounded if bar.contrast.better == "neither"]
    open_ended = [bar for bar in bars if None in cards[bar.contrast.metric].scale]
    scaled = any(abs(bar.factor) != 1 for bar in bounded)
    title = "Differences, as a share of each metric's scale" if scaled else "Differences"
    panels = [
        Panel(title, directed, _axis(directed), BETTER),
        Panel(f"{title}; neither direction is better", undirected, _axis(undirected), HIGHER),
        Panel(
            "Differences on open scales, each row on its own axis",
            open_ended,
            Axis(-1.04, 1.04, (0.0,), unsigned=True),
            BETTER,
        ),
    ]
    return [panel for panel in panels if panel.bars]


def forest_plot(panel: Panel) -> Markup:
    """A panel as it stands on the page."""
    plot = Plot(Frame(WIDTH, len(panel.bars) * ROW + FOOT, 8.0, 8.0, 0.0, FOOT), panel.axis)
    levels = {place * ROW + LEVEL: bar for place, bar in enumerate(panel.bars)}
    plot.levels("margin", [_margin(bar, panel.axis, level) for level, bar in levels.items()])
    plot.grid()
    plot.verticals("zero", [0.0])
    for kind in KINDS:
        alike = {level: bar for level, bar in levels.items() if sign_of(bar.contrast).kind == kind}
        plot.levels(f"bar-{kind}", [(*bar.ends, level) for level, bar in alike.items() if bar.ends])
        plot.strokes(f"value-{kind}", [(bar.value, level) for level, bar in alike.items()])
    for level, bar in levels.items():
        _write_label(plot, bar, level - 10)
    plot.margin("caption", (0.0, plot.height + 28), panel.ends[0])
    plot.margin("caption", (WIDTH, plot.height + 28), panel.ends[1], "end")
    return plot.svg("; ".join(words.line(bar.contrast) for bar in panel.bars))


def _heading(metric: Card | Contrast) -> str:
    name = metric.name if isinstance(metric, Card) else metric.metric
    return f"{name} {ARROWS[metric.better]}".rstrip()


def _direction(contrast: Contrast) -> float:
    return -1.0 if contrast.better == "lower" else 1.0


def _factor(contrast: Contrast, card: Card) -> float:
    low, high = card.scale
    if low is not None and high is not None:
        return _direction(contrast) / (high - low)
    reach = max(abs(end) for end in (contrast.difference, contrast.low or 0.0, contrast.high or 0.0))
    return _direction(contrast) / (reach or 1.0)


def _axis(bars: Sequence[Bar]) -> Axis:
    return difference_axis(end for bar in bars for end in (*(bar.ends or ()), bar.value))


def _margin(bar: Bar, axis: Axis, level: float) -> tuple[float, float, float]:
    return max(-bar.margin, axis.low), min(bar.margin, axis.high), level


def _write_label(plot: Plot, bar: Bar, level: float) -> None:
    sign = sign_of(bar.contrast)
    plot.margin("label", (0.0, level), label(bar.label, LABEL_ROOM))
    difference = f"{sign.symbol} {words.difference(bar.contrast)}"
    plot.margin(f"figure text-{sign.kind}", (WIDTH, level), difference, "end")
