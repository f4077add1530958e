"""Differences with their intervals drawn: a row for each contrast, to the right of 0 where the first arm is better."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from adjudge.compare.contrast import Contrast, Verdict
from adjudge.core.card import Card
from adjudge.report import contrasts as words
from adjudge.report.page.legible import short
from adjudge.report.page.scale import Axis, around_zero
from adjudge.report.page.svg import MIDDLE, Frame, Plot
from adjudge.report.words import ARROWS

if TYPE_CHECKING:
    from markupsafe import Markup

WIDTH = 328.0
ROW = 34.0
LABEL = 36
BETTER = ("← worse", "better →")
HIGHER = ("← lower", "higher →")


class Sign(Struct, frozen=True):
    """How a verdict is shown: a character in tables, a marker and a class in plots."""

    symbol: str
    marker: str
    kind: str


SIGNS: dict[Verdict, Sign] = {
    "better": Sign("▲", "^", "better"),
    "worse": Sign("▼", "v", "worse"),
    "higher": Sign("△", "^", "else"),
    "lower": Sign("▽", "v", "else"),
    "tied": Sign("■", "s", "tied"),
    "too few": Sign("○", "o", "else"),
    "": Sign("○", "o", "else"),
}


class Drawn(Struct, frozen=True):
    """A plot with what it shows."""

    title: str
    plot: "Markup"


class Bar(Struct, frozen=True):
    """A contrast as it is drawn: turned so that better is to the right, in parts of its unit."""

    label: str
    contrast: Contrast
    factor: float

    @property
    def ends(self) -> list[float]:
        """Where the interval begins and ends, or the difference alone where there is none."""
        one = self.contrast
        found = [one.difference] if one.low is None or one.high is None else [one.low, one.high]
        return sorted(end * self.factor for end in found)


def by_metric(card: Card, found: Sequence[Contrast]) -> Drawn:
    """One metric: a row for each pair of arms, on the metric's own scale."""
    bars = [Bar(words.title((one.group, one.a.arm, one.b.arm)), one, _turn(one)) for one in found]
    ends = HIGHER if card.better == "neither" else BETTER
    across = around_zero(end for bar in bars for end in (*bar.ends, bar.contrast.difference))
    return Drawn(f"{card.name} {ARROWS[card.better]}".rstrip(), _drawn(bars, across, ends))


def by_pair(found: Sequence[Contrast], cards: dict[str, Card]) -> list[Drawn]:
    """One pair of arms: metrics with a better direction, those without, and those of an open scale each on its own."""
    bars = [Bar(f"{one.metric} {ARROWS[one.better]}".rstrip(), one, _factor(one, cards[one.metric])) for one in found]
    bounded = [bar for bar in bars if None not in cards[bar.contrast.metric].scale]
    judged = [bar for bar in bounded if bar.contrast.better != "neither"]
    plain = [bar for bar in bounded if bar.contrast.better == "neither"]
    free = [bar for bar in bars if None in cards[bar.contrast.metric].scale]
    wide = any(abs(bar.factor) != 1 for bar in bounded)
    title = "differences, in parts of each metric's scale" if wide else "differences"
    alone = Axis(-1.02, 1.02, (0.0,), unsigned=True)
    plots = [
        (title, judged, _across(judged), BETTER),
        (f"{title}, neither direction better", plain, _across(plain), HIGHER),
        ("differences on open scales, each row on its own", free, alone, BETTER),
    ]
    return [Drawn(head, _drawn(rows, across, ends)) for head, rows, across, ends in plots if rows]


def _turn(one: Contrast) -> float:
    return -1.0 if one.better == "lower" else 1.0


def _factor(one: Contrast, card: Card) -> float:
    low, high = card.scale
    if low is not None and high is not None:
        return _turn(one) / (high - low)
    reach = max(abs(end) for end in (one.difference, one.low or 0.0, one.high or 0.0))
    return _turn(one) / (reach or 1.0)


def _across(bars: Sequence[Bar]) -> Axis:
    return around_zero(end for bar in bars for end in (*bar.ends, bar.contrast.difference * bar.factor))


def _drawn(bars: Sequence[Bar], across: Axis, ends: tuple[str, str]) -> Markup:
    plot = Plot(Frame(WIDTH, len(bars) * ROW + 34, 8.0, 8.0, 0.0, 34.0), across)
    levels = [place * ROW + 24 for place in range(len(bars))]
    plot.boxes("margin", [_margin(bar, across, level) for bar, level in zip(bars, levels, strict=True)], 12)
    plot.grid()
    plot.uprights("zero", [0.0])
    for bar, level in zip(bars, levels, strict=True):
        _row(plot, bar, level)
    plot.margin("caption", (0.0, plot.tall + 28), ends[0])
    plot.margin("caption", (WIDTH, plot.tall + 28), ends[1], "end")
    return plot.svg("; ".join(words.line(bar.contrast) for bar in bars))


def _margin(bar: Bar, across: Axis, level: float) -> tuple[float, float, float]:
    """Where a difference counts as none."""
    half = (bar.contrast.margin or 0.0) * abs(bar.factor)
    return max(-half, across.low), min(half, across.high), level


def _row(plot: Plot, bar: Bar, level: float) -> None:
    one, sign = bar.contrast, SIGNS[bar.contrast.verdict]
    plot.margin("label", (0.0, level - 8 - MIDDLE + 2), short(bar.label, LABEL))
    plot.margin("figure", (WIDTH, level - 8 - MIDDLE + 2), words.difference(one), "end")
    if one.low is not None:
        plot.lines(f"line-{sign.kind}", [(bar.ends[0], bar.ends[1], level)])
    plot.dots(f"dot-{sign.kind}", [(one.difference * bar.factor, level)], sign.marker, 8)
