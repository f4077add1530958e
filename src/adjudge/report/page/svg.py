"""Plots that matplotlib places and the page's style sheet paints.

Each artist carries its CSS class as its `gid`, and becomes one path of that class: no colours, fonts or ids are left in
the SVG, so a plot follows the page into the dark and two plots on a page cannot meet. Texts are set at the places of
matplotlib's axes but not by it: what comes from data may hold what it takes for mathematics, or has no glyph for.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal
from xml.etree import ElementTree

from msgspec import Struct

from adjudge.report.page.scale import Axis
from adjudge.report.plain import plain

if TYPE_CHECKING:
    from markupsafe import Markup

Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]
Level = tuple[float, float, float]

# Half the height of small letters: what lowers a text so that its middle is where it is put.
MIDDLE = 4.0

_SVG = "{http://www.w3.org/2000/svg}"
_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "adjudge",
    "path.simplify": False,
    "savefig.bbox": None,
}
_UNSAID = {"Date": None, "Creator": None, "Format": None, "Type": None}


class Frame(Struct, frozen=True):
    """The size of a plot in pixels, and the room around the area in which values are drawn."""

    width: float
    height: float
    left: float = 0.0
    right: float = 0.0
    top: float = 0.0
    bottom: float = 0.0


class Plot:
    """A plot area: x is a value on the axis, y pixels from the top of the area down."""

    def __init__(self, frame: Frame, axis: Axis) -> None:
        from matplotlib.figure import Figure

        self.frame, self.axis = frame, axis
        self.tall = frame.height - frame.top - frame.bottom
        wide = frame.width - frame.left - frame.right
        # At 72 dots an inch a point is a pixel.
        self._figure = Figure(figsize=(frame.width / 72, frame.height / 72), dpi=72)
        self._axes = self._figure.add_axes(
            (
                frame.left / frame.width,
                frame.bottom / frame.height,
                wide / frame.width,
                self.tall / frame.height,
            )
        )
        self._axes.set_axis_off()
        self._axes.set_xlim(axis.low, axis.high)
        self._axes.set_ylim(self.tall, 0)
        self._texts: list[ElementTree.Element] = []

    def grid(self) -> None:
        """Draw a line for each tick, and its number below."""
        self.uprights("grid", self.axis.ticks)
        for tick in self.axis.ticks:
            self.text("tick", (tick, self.tall + 13), self.axis.label(tick), "middle")

    def uprights(self, kind: str, values: Iterable[float]) -> None:
        """Draw lines over the whole height."""
        self._segments(kind, [((value, 0.0), (value, self.tall)) for value in values])

    def lines(self, kind: str, levels: Iterable[Level]) -> None:
        """Draw level lines, each from a value to another at a height."""
        self._segments(kind, [((low, y), (high, y)) for low, high, y in levels])

    def strokes(self, kind: str, points: Iterable[Point], tall: float = 11.0) -> None:
        """Draw a short upright line through each point."""
        self._segments(kind, [((x, y - tall / 2), (x, y + tall / 2)) for x, y in points])

    def steps(self, kind: str, heights: Sequence[float], base: float) -> None:
        """Draw a histogram over the whole axis that stands on a level."""
        step = (self.axis.high - self.axis.low) / len(heights)
        edges = [self.axis.low + step * place for place in range(len(heights) + 1)]
        self._axes.stairs([base - tall for tall in heights], edges, baseline=base, fill=True, gid=kind, clip_on=False)

    def text(self, kind: str, at: Point, text: str, anchor: Anchor = "start") -> None:
        """Write beside a value."""
        x, _ = self._axes.transData.transform(at)
        self.margin(kind, (float(x), at[1]), text, anchor)

    def margin(self, kind: str, at: Point, text: str, anchor: Anchor = "start") -> None:
        """Write at so many pixels from the left of the plot."""
        place = {"class": kind, "x": _short(at[0]), "y": _short(at[1] + self.frame.top)}
        found = ElementTree.Element("text", place | ({"text-anchor": anchor} if anchor != "start" else {}))
        found.text = plain(text)
        self._texts.append(found)

    def svg(self, label: str) -> Markup:
        """The plot as SVG to stand in a page, with its text alternative."""
        from markupsafe import Markup

        wide, tall = _short(self.frame.width), _short(self.frame.height)
        size = {"width": wide, "height": tall, "viewBox": f"0 0 {wide} {tall}"}
        out = ElementTree.Element("svg", {"role": "img", "aria-label": plain(label)} | size)
        for group in ElementTree.fromstring(self._drawn()).iterfind(f"./{_SVG}g/{_SVG}g[@id='axes_1']/{_SVG}g"):
            outline = "".join(_rounded(path.get("d", "")) for path in group.iterfind(f"{_SVG}path"))
            out.append(ElementTree.Element("path", {"class": group.get("id", ""), "d": outline}))
        out.extend(self._texts)
        return Markup(ElementTree.tostring(out, encoding="unicode"))

    def _segments(self, kind: str, segments: list[tuple[Point, Point]]) -> None:
        from matplotlib.collections import LineCollection

        if segments:
            self._axes.add_collection(LineCollection(segments, gid=kind, clip_on=False), autolim=False)

    def _drawn(self) -> str:
        import matplotlib

        file = io.StringIO()
        with matplotlib.rc_context(_SETTINGS):
            self._figure.savefig(file, format="svg", metadata=_UNSAID)
        return file.getvalue()


def _rounded(outline: str) -> str:
    """A path with no more digits than can be seen."""
    return " ".join(token if token.isalpha() else _short(float(token)) for token in outline.split())


def _short(number: float) -> str:
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
