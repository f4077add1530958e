"""Two metrics of each conversation against each other, as two by two quadrants with a word for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from adjudge.aggregate import NumberedChunk, accumulate
from adjudge.core.card import Card, Quadrants
from adjudge.report.page.axis import Axis, whole_axis
from adjudge.report.page.svg import MIDDLE, WIDTH, Plot, PlotFrame, Point
from adjudge.run import Run

if TYPE_CHECKING:
    from markupsafe import Markup

# By arm, the values of each conversation by both metrics.
Pairs = dict[str, list[Point]]

# The height of a picture in pixels, with the room for the axes' numbers and names.
HEIGHT = 250.0
LEFT, BOTTOM, TOP = 26.0, 34.0, 18.0


class ArmQuadrants(Struct, frozen=True):
    """The picture of one arm."""

    arm: str
    plot: Markup


class QuadrantPictures(Struct, frozen=True):
    """A metric read beside another, with a picture for each arm."""

    card: Card
    against: Card
    arms: list[ArmQuadrants]


class QuadrantValues:
    """The values of conversations by two metrics that are read together, among the rows taken in."""

    def __init__(self, cards: Mapping[str, Card]) -> None:
        self._read_together = [
            (card, card.quadrants, cards[card.quadrants.against])
            for card in cards.values()
            if card.quadrants is not None and card.quadrants.against in cards
        ]
        self._pairs: list[Pairs] = [{} for _ in self._read_together]

    def take(self, part: NumberedChunk) -> None:
        """Take in the values of some records."""
        for arm, of_arm in part.arms:
            for (card, _, against), pairs in zip(self._read_together, self._pairs, strict=True):
                both = zip(of_arm.values(card.name), of_arm.values(against.name), strict=True)
                known = [(here, there) for here, there in both if here is not None and there is not None]
                if known:
                    pairs.setdefault(arm, []).extend(known)

    def pictures(self) -> list[QuadrantPictures]:
        """The metrics that are read beside another of which the run has values too."""
        pictures = [
            QuadrantPictures(
                card,
                against,
                [ArmQuadrants(arm, _plot(card, against, quadrants, points)) for arm, points in pairs.items()],
            )
            for (card, quadrants, against), pairs in zip(self._read_together, self._pairs, strict=True)
        ]
        return [picture for picture in pictures if picture.arms]


def quadrant_pictures(run: Run, cards: Mapping[str, Card]) -> list[QuadrantPictures]:
    """The metrics of a run that are read beside another."""
    made = QuadrantValues(cards)
    accumulate(run.chunks(), [made])
    return made.pictures()


def _plot(card: Card, against: Card, quadrants: Quadrants, points: Sequence[Point]) -> Markup:
    """A dot for each conversation over the four quadrants, each with its word and how many dots lie in it."""
    across = whole_axis(card.scale, [here for here, _ in points])
    up = whole_axis(against.scale, [there for _, there in points])
    plot = Plot(PlotFrame(WIDTH, HEIGHT, LEFT, 8.0, TOP, BOTTOM), across)
    plot.grid()
    for tick in up.ticks:
        plot.margin("tick end", (LEFT - 6, _level(plot, up, tick) + MIDDLE), up.label(tick))
    plot.levels("grid", [(across.low, across.high, _level(plot, up, tick)) for tick in up.ticks])
    plot.verticals("zero", [quadrants.cut])
    plot.levels("zero", [(across.low, across.high, _level(plot, up, quadrants.cut))])
    plot.dots("dot", [(here, _level(plot, up, there)) for here, there in points])
    counts = Counter(quadrants.word(*point) for point in points)
    _write_words(plot, up, quadrants, counts)
    plot.margin("caption", (0.0, -6.0), f"↑ {against.name}")
    plot.margin("caption end", (WIDTH - 8, plot.height + 29), f"{card.name} →")
    described = ", ".join(f"{word} {counts[word]}" for word in quadrants.words)
    return plot.svg(f"{card.name} and {against.name} of {len(points)} conversations: {described}")


def _write_words(plot: Plot, up: Axis, quadrants: Quadrants, counts: Counter[str]) -> None:
    """Write each word with its count beside the line between low and high, away from the ends of the scale."""
    for place, word in enumerate(quadrants.words):
        right, top = place % 2, place // 2
        x = (quadrants.cut + (plot.axis.high if right else plot.axis.low)) / 2
        below = -6 if top else 14
        plot.text("label middle", (x, _level(plot, up, quadrants.cut) + below), f"{word} {counts[word]}")


def _level(plot: Plot, axis: Axis, value: float) -> float:
    """The height of a value in pixels from the top of the plot area."""
    return plot.height * (axis.high - value) / (axis.high - axis.low)
