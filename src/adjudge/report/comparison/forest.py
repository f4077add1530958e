"""Differences with their intervals: a row for each contrast, to the right of 0 where the first arm is better."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from adjudge.compare.contrast import Contrast
from adjudge.core.card import Card
from adjudge.core.mark import Scale
from adjudge.report.comparison import words
from adjudge.report.page.axis import Axis, difference_axis
from adjudge.report.page.svg import WIDTH, Plot, PlotFrame
from adjudge.report.text import label
from adjudge.report.words import ARROWS

if TYPE_CHECKING:
    from markupsafe import Markup

# The height of a row in pixels.
ROW = 32.0
# How far below the top of its row a difference is drawn: the label stands above it.
LEVEL = 23.0
# The columns for a label: what is left of the width beside a difference.
LABEL_ROOM = 36
# The room below the rows for the numbers of the axis and the caption.
FOOT = 34.0
BETTER = ("← worse", "better →")
HIGHER = ("← lower", "higher →")

Kind = Literal["better", "worse", "else"]
KINDS: tuple[Kind, ...] = ("better", "worse", "else")


class VerdictSign(Struct, frozen=True):
    """How a verdict is shown: a character, and the class that colours it."""

    symbol: str
    kind: Kind


SIGNS = {
    "better": VerdictSign("▲", "better"),
    "worse": VerdictSign("▼", "worse"),
    "higher": VerdictSign("△", "else"),
    "lower": VerdictSign("▽", "else"),
    "tied": VerdictSign("■", "else"),
}
OPEN = VerdictSign("○", "else")


class ForestRow(Struct, frozen=True):
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


class ForestPanel(Struct, frozen=True):
    """Contrasts that share an axis, with the words for its two ends."""

    title: str
    rows: list[ForestRow]
    axis: Axis
    ends: tuple[str, str]


def sign_of(contrast: Contrast) -> VerdictSign:
    """The sign of a contrast's verdict."""
    return SIGNS.get(contrast.verdict, OPEN)


def metric_panel(card: Card, contrasts: Sequence[Contrast]) -> ForestPanel:
    """One metric: a row for each pair of arms, on the metric's own scale."""
    rows = [
        ForestRow(words.pair_title((contrast.group, contrast.a.arm, contrast.b.arm)), contrast, _direction(contrast))
        for contrast in contrasts
    ]
    return ForestPanel(_heading(card), rows, _axis(rows), HIGHER if card.better == "neither" else BETTER)


def pair_panels(contrasts: Sequence[Contrast], cards: dict[str, Card]) -> list[ForestPanel]:
    """One pair of arms: metrics with a better direction, those without, and those of an open scale each on its own."""
    scales = {name: card.scale for name, card in cards.items()}
    rows = [
        ForestRow(_heading(contrast), contrast, _factor(contrast, scales[contrast.metric])) for contrast in contrasts
    ]
    bounded = [row for row in rows if None not in scales[row.contrast.metric]]
    directed = [row for row in bounded if row.contrast.better != "neither"]
    undirected = [row for row in bounded if row.contrast.better == "neither"]
    open_ended = [row for row in rows if None in scales[row.contrast.metric]]
    scaled = any(abs(row.factor) != 1 for row in bounded)
    title = "Differences, as a share of each metric's scale" if scaled else "Differences"
    panels = [
        ForestPanel(title, directed, _axis(directed), BETTER),
        ForestPanel(f"{title}; neither direction is better", undirected, _axis(undirected), HIGHER),
        ForestPanel(
            "Differences on open scales, each row on its own axis",
            open_ended,
            Axis(-1.04, 1.04, (0.0,), unsigned=True),
            BETTER,
        ),
    ]
    return [panel for panel in panels if panel.rows]


def forest_plot(panel: ForestPanel) -> Markup:
    """A panel as it stands on the page."""
    plot = Plot(PlotFrame(WIDTH, len(panel.rows) * ROW + FOOT, 8.0, 8.0, 0.0, FOOT), panel.axis)
    levels = {place * ROW + LEVEL: row for place, row in enumerate(panel.rows)}
    plot.levels("margin", [_margin(row, panel.axis, level) for level, row in levels.items()])
    plot.grid()
    plot.verticals("zero", [0.0])
    for kind in KINDS:
        alike = {level: row for level, row in levels.items() if sign_of(row.contrast).kind == kind}
        plot.levels(f"bar-{kind}", [(*row.ends, level) for level, row in alike.items() if row.ends])
        plot.strokes(f"value-{kind}", [(row.value, level) for level, row in alike.items()])
    for level, row in levels.items():
        _write_label(plot, row, level - 10)
    plot.margin("caption", (0.0, plot.height + 28), panel.ends[0])
    plot.margin("caption end", (WIDTH, plot.height + 28), panel.ends[1])
    return plot.svg("; ".join(words.contrast_line(row.contrast) for row in panel.rows))


def _heading(metric: Card | Contrast) -> str:
    name = metric.name if isinstance(metric, Card) else metric.metric
    return f"{name} {ARROWS[metric.better]}".rstrip()


def _direction(contrast: Contrast) -> float:
    return -1.0 if contrast.better == "lower" else 1.0


def _factor(contrast: Contrast, scale: Scale) -> float:
    low, high = scale
    if low is not None and high is not None:
        return _direction(contrast) / (high - low)
    reach = max(abs(end) for end in (contrast.difference, contrast.low or 0.0, contrast.high or 0.0))
    return _direction(contrast) / (reach or 1.0)


def _axis(rows: Sequence[ForestRow]) -> Axis:
    return difference_axis(end for row in rows for end in (*(row.ends or ()), row.value))


def _margin(row: ForestRow, axis: Axis, level: float) -> tuple[float, float, float]:
    return max(-row.margin, axis.low), min(row.margin, axis.high), level


def _write_label(plot: Plot, row: ForestRow, level: float) -> None:
    sign = sign_of(row.contrast)
    plot.margin("label", (0.0, level), label(row.label, LABEL_ROOM))
    difference = f"{sign.symbol} {words.difference_text(row.contrast)}"
    plot.margin(f"figure text-{sign.kind}", (WIDTH, level), difference)
