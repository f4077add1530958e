"""Differences with their intervals drawn: a row for each contrast, to the right of 0 where the first arm is better."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from adjudge.compare.contrast import Contrast, Verdict
from adjudge.core.card import Card
from adjudge.report import contrasts as words
from adjudge.report.page.legible import short
from adjudge.report.page.scale import Axis, about_zero
from adjudge.report.page.svg import Frame, Plot
from adjudge.report.words import ARROWS

if TYPE_CHECKING:
    from markupsafe import Markup

WIDTH = 328.0
ROW = 32.0
LEVEL = 23.0
LABEL = 36
BETTER = ("← worse", "better →")
HIGHER = ("← lower", "higher →")


class Sign(Struct, frozen=True):
    """How a verdict is shown: a character, and the class that colours it."""

    symbol: str
    kind: str


SIGNS: dict[Verdict, Sign] = {
    "better": Sign("▲", "better"),
    "worse": Sign("▼", "worse"),
    "higher": Sign("△", "else"),
    "lower": Sign("▽", "else"),
    "tied": Sign("■", "else"),
    "too few": Sign("○", "else"),
    "": Sign("○", "else"),
}


class Drawn(Struct, frozen=True):
    """A plot with what it shows."""

    title: str
    plot: Markup


class Bar(Struct, frozen=True):
    """A contrast as it is drawn: turned so that better is to the right, in parts of its unit."""

    label: str
    contrast: Contrast
    factor: float

    @property
    def value(self) -> float:
        """Where the difference lies."""
        return self.contrast.difference * self.factor

    @property
    def ends(self) -> list[float]:
        """Where the interval begins and ends; nothing where there is none."""
        one = self.contrast
        return [] if one.low is None or one.high is None else sorted((one.low * self.factor, one.high * self.factor))


def by_metric(card: Card, found: Sequence[Contrast]) -> Drawn:
    """One metric: a row for each pair of arms, on the metric's own scale."""
    bars = [Bar(words.title((one.group, one.a.arm, one.b.arm)), one, _turn(one)) for one in found]
    ends = HIGHER if card.better == "neither" else BETTER
    return Drawn(f"{card.name} {ARROWS[card.better]}".rstrip(), _drawn(bars, _across(bars), ends))


def by_pair(found: Sequence[Contrast], cards: dict[str, Card]) -> list[Drawn]:
    """One pair of arms: metrics with a better direction, those without, and those of an open scale each on its own."""
    bars = [Bar(f"{one.metric} {ARROWS[one.better]}".rstrip(), one, _factor(one, cards[one.metric])) for one in found]
    bounded = [bar for bar in bars if None not in cards[bar.contrast.metric].scale]
    judged = [bar for bar in bounded if bar.contrast.better != "neither"]
    plain = [bar for bar in bounded if bar.contrast.better == "neither"]
    free = [bar for bar in bars if None in cards[bar.contrast.metric].scale]
    scaled = any(abs(bar.factor) != 1 for bar in bounded)
    title = "Differences, in parts of each metric's scale" if scaled else "Differences"
    alone = Axis(-1.04, 1.04, (0.0,), unsigned=True)
    plots = [
        (title, judged, _across(judged), BETTER),
        (f"{title}, neither direction better", plain, _across(plain), HIGHER),
        ("Differences on open scales, each row on its own", free, alone, BETTER),
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
    return about_zero(end for bar in bars for end in (*bar.ends, bar.value))


def _drawn(bars: Sequence[Bar], across: Axis, ends: tuple[str, str]) -> Markup:
    plot = Plot(Frame(WIDTH, len(bars) * ROW + 34, 8.0, 8.0, 0.0, 34.0), across)
    levels = {place * ROW + LEVEL: bar for place, bar in enumerate(bars)}
    plot.lines("margin", [_margin(bar, across, level) for level, bar in levels.items()])
    plot.grid()
    plot.uprights("zero", [0.0])
    for kind in ("better", "worse", "else"):
        alike = {level: bar for level, bar in levels.items() if SIGNS[bar.contrast.verdict].kind == kind}
        plot.lines(f"bar-{kind}", [(bar.ends[0], bar.ends[1], level) for level, bar in alike.items() if bar.ends])
        plot.strokes(f"value-{kind}", [(bar.value, level) for level, bar in alike.items()])
    for level, bar in levels.items():
        _label(plot, bar, level - 10)
    plot.margin("caption", (0.0, plot.tall + 28), ends[0])
    plot.margin("caption", (WIDTH, plot.tall + 28), ends[1], "end")
    return plot.svg("; ".join(words.line(bar.contrast) for bar in bars))


def _margin(bar: Bar, across: Axis, level: float) -> tuple[float, float, float]:
    """Where a difference counts as none."""
    half = (bar.contrast.margin or 0.0) * abs(bar.factor)
    return max(-half, across.low), min(half, across.high), level


def _label(plot: Plot, bar: Bar, level: float) -> None:
    sign = SIGNS[bar.contrast.verdict]
    plot.margin("label", (0.0, level), short(bar.label, LABEL))
    plot.margin(f"figure text-{sign.kind}", (WIDTH, level), f"{sign.symbol} {words.difference(bar.contrast)}", "end")
