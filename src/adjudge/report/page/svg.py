"""Plots as SVG to stand in a page, painted by the page's style sheet.

A plot has no colours, fonts or ids of its own, only classes, so it follows the page's dark and print styles, and
two plots on a page cannot affect each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from msgspec import Struct

from adjudge.report.page.axis import Axis
from adjudge.report.text import column_count, label, one_line

if TYPE_CHECKING:
    from markupsafe import Markup

Point = tuple[float, float]
# A horizontal line: the values where it begins and ends, and its height in pixels.
Level = tuple[float, float, float]

# Half the height of small letters: a text is lowered by it, so that its middle is at its place.
MIDDLE = 4.0
# The width of a plot, which fits on a phone of 360 pixels, the room for names in columns, and the width of a column.
WIDTH = 328.0
NAME_ROOM = 16
LETTER = 6.7


class PlotFrame(Struct, frozen=True):
    """The size of a plot in pixels, and the room around the area in which values are drawn."""

    width: float
    height: float
    left: float = 0.0
    right: float = 0.0
    top: float = 0.0
    bottom: float = 0.0


class Plot:
    """A plot area: x is a value on the axis, y is in pixels from the top of the area down."""

    def __init__(self, frame: PlotFrame, axis: Axis) -> None:
        self.frame, self.axis = frame, axis
        self.height = frame.height - frame.top - frame.bottom
        self._paths: list[ElementTree.Element] = []
        self._texts: list[ElementTree.Element] = []

    def grid(self) -> None:
        """Draw a line for each tick, and its number below."""
        self.verticals("grid", self.axis.ticks)
        for tick in self.axis.ticks:
            self.text("tick", (tick, self.height + 13), self.axis.label(tick))

    def verticals(self, kind: str, values: Iterable[float]) -> None:
        """Draw vertical lines over the whole height."""
        self._draw(kind, [[(value, 0.0), (value, self.height)] for value in values])

    def levels(self, kind: str, levels: Iterable[Level]) -> None:
        """Draw horizontal lines."""
        self._draw(kind, [[(low, y), (high, y)] for low, high, y in levels])

    def strokes(self, kind: str, points: Iterable[Point], tall: float = 11.0) -> None:
        """Draw a short vertical line through each point."""
        self._draw(kind, [[(x, y - tall / 2), (x, y + tall / 2)] for x, y in points])

    def dots(self, kind: str, points: Iterable[Point]) -> None:
        """Draw a dot at each point: a line without length, whose round ends the style sheet sets."""
        self._draw(kind, [[point, point] for point in points])

    def steps(self, kind: str, heights: Sequence[float], base: float) -> None:
        """Draw a histogram over the whole axis that stands on a level."""
        step = (self.axis.high - self.axis.low) / len(heights)
        edges = [self.axis.low + step * place for place in range(len(heights) + 1)]
        outline = [(edges[0], base)]
        for place, tall in enumerate(heights):
            outline += [(edges[place], base - tall), (edges[place + 1], base - tall)]
        self._draw(kind, [[*outline, (edges[-1], base)]])

    def text(self, kind: str, at: Point, text: str) -> None:
        """Write beside a value; the class says whether the text begins, ends or has its middle there."""
        self.margin(kind, (self._x(at[0]), at[1]), text)

    def margin(self, kind: str, at: Point, text: str) -> None:
        """Write at so many pixels from the left of the plot."""
        element = ElementTree.Element("text", {"class": kind, "x": _short(at[0]), "y": _short(at[1] + self.frame.top)})
        element.text = one_line(text)
        self._texts.append(element)

    def svg(self, description: str) -> Markup:
        """The plot as SVG with its text alternative; texts stand above what is drawn."""
        from markupsafe import Markup

        width, height = _short(self.frame.width), _short(self.frame.height)
        size = {"width": width, "height": height, "viewBox": f"0 0 {width} {height}"}
        out = ElementTree.Element("svg", {"class": "plot", "role": "img", "aria-label": one_line(description)} | size)
        out.extend([*self._paths, *self._texts])
        return Markup(ElementTree.tostring(out, encoding="unicode"))

    def _draw(self, kind: str, lines: Sequence[Sequence[Point]]) -> None:
        """Add lines as one path; nothing where there are none."""
        outline = " ".join(f"M {' L '.join(map(self._pixels, line))}" for line in lines)
        if outline:
            self._paths.append(ElementTree.Element("path", {"class": kind, "d": outline}))

    def _pixels(self, point: Point) -> str:
        return f"{_short(self._x(point[0]))} {_short(point[1] + self.frame.top)}"

    def _x(self, value: float) -> float:
        width = self.frame.width - self.frame.left - self.frame.right
        return self.frame.left + (value - self.axis.low) / (self.axis.high - self.axis.low) * width


def names_width(names: Iterable[str]) -> float:
    """The room that names need at the left of a plot."""
    return max(column_count(label(name, NAME_ROOM)) for name in names) * LETTER + 8


def _short(number: float) -> str:
    """A number with no more digits than can be seen."""
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
