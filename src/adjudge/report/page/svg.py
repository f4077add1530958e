"""Plots that matplotlib places and the page's style sheet paints.

Each artist carries its CSS class as its `gid`, and becomes one path or text of that class: no colours, fonts or ids are
left in the SVG, so a plot follows the page into the dark and two plots on a page cannot meet. Texts are put in after
matplotlib is done, since what comes from data may hold what it would take for mathematics, or has no glyph for.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal
from xml.etree import ElementTree

from msgspec import Struct

from adjudge.report.page.scale import Axis
from adjudge.report.plain import plain

if TYPE_CHECKING:
    from markupsafe import Markup

Anchor = Literal["start", "middle", "end"]
Segment = tuple[float, float, float]
Point = tuple[float, float]

# Half the height of small letters: what lowers a text so that its middle is where it is put.
MIDDLE = 4.0

_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_ANCHORS = {"start": "left", "middle": "center", "end": "right"}
_SETTINGS = {"svg.fonttype": "none", "svg.hashsalt": "adjudge", "path.simplify": False}
_UNSAID = {"Date": None, "Creator": None, "Format": None, "Type": None}
_TEXT = "text"


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
        from matplotlib.transforms import IdentityTransform, blended_transform_factory

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
        self._beside = blended_transform_factory(IdentityTransform(), self._axes.transData)
        self._texts: list[tuple[str, str]] = []

    def grid(self) -> None:
        """Draw a line for each tick, and its number below."""
        self.uprights("grid", self.axis.ticks)
        for place, tick in enumerate(self.axis.ticks):
            ends = {0: "start", len(self.axis.ticks) - 1: "end"} if self.frame.left < MIDDLE else {}
            anchor: Anchor = ends.get(place, "middle")  # type: ignore[assignment]
            self.text("tick", (tick, self.tall + 13), self.axis.label(tick), anchor)

    def uprights(self, kind: str, values: Iterable[float], top: float = 0.0) -> None:
        """Draw lines over the whole height."""
        self._axes.vlines(list(values), top, self.tall, gid=kind, clip_on=False)

    def lines(self, kind: str, segments: Iterable[Segment]) -> None:
        """Draw level lines, each from a value to another at a height."""
        if found := list(segments):
            lows, highs, heights = zip(*found, strict=True)
            self._axes.hlines(heights, lows, highs, gid=kind, clip_on=False)

    def boxes(self, kind: str, segments: Iterable[Segment], tall: float) -> None:
        """Draw boxes of a height, each from a value to another around a level."""
        for low, high, level in segments:
            self._axes.fill_between(
                [low, high], level - tall / 2, level + tall / 2, gid=kind, clip_on=False, linewidth=0
            )

    def dots(self, kind: str, points: Iterable[Point], marker: str = "o", size: float = 7.0) -> None:
        """Draw a marker at each point."""
        if found := list(points):
            xs, ys = zip(*found, strict=True)
            self._axes.plot(xs, ys, marker, markersize=size, linestyle="none", gid=kind, clip_on=False)

    def steps(self, kind: str, heights: Sequence[float], base: float) -> None:
        """Draw a histogram over the whole axis that stands on a level."""
        step = (self.axis.high - self.axis.low) / len(heights)
        edges = [self.axis.low + step * place for place in range(len(heights) + 1)]
        self._axes.stairs([base - tall for tall in heights], edges, baseline=base, fill=True, gid=kind, clip_on=False)

    def text(self, kind: str, at: Point, text: str, anchor: Anchor = "start") -> None:
        """Write beside a value."""
        self._write(kind, at, text, anchor, self._axes.transData)

    def margin(self, kind: str, at: Point, text: str, anchor: Anchor = "start") -> None:
        """Write beside the area, so many pixels from the left of the plot."""
        self._write(kind, at, text, anchor, self._beside)

    def _write(self, kind: str, at: Point, text: str, anchor: Anchor, transform: object) -> None:
        self._texts.append((kind, plain(text)))
        # The glyph stands for a text that is put in later; only its place is matplotlib's.
        self._axes.text(
            at[0],
            at[1],
            "x",
            ha=_ANCHORS[anchor],  # type: ignore[arg-type]
            va="baseline",
            transform=transform,  # type: ignore[arg-type]
            gid=f"{_TEXT}{len(self._texts) - 1}",
        )

    def svg(self, label: str) -> Markup:
        """The plot as SVG to stand in a page, with its text alternative."""
        from markupsafe import Markup

        root = ElementTree.fromstring(self._drawn())
        out = ElementTree.Element(
            "svg",
            {
                "role": "img",
                "aria-label": plain(label),
                "width": _short(self.frame.width),
                "height": _short(self.frame.height),
                "viewBox": f"0 0 {_short(self.frame.width)} {_short(self.frame.height)}",
            },
        )
        markers = {f"#{path.get('id')}": path.get("d", "") for path in root.iterfind(f".//{_SVG}defs/{_SVG}path")}
        for group in root.iterfind(f"./{_SVG}g/{_SVG}g[@id='axes_1']/{_SVG}g"):
            out.append(self._clean(group, markers))
        return Markup(ElementTree.tostring(out, encoding="unicode"))  # noqa: S704

    def _drawn(self) -> str:
        import matplotlib
        from matplotlib.backends.backend_svg import FigureCanvasSVG

        file = io.StringIO()
        with matplotlib.rc_context(_SETTINGS):
            FigureCanvasSVG(self._figure).print_svg(file, metadata=_UNSAID)
        return file.getvalue()

    def _clean(self, group: ElementTree.Element, markers: dict[str, str]) -> ElementTree.Element:
        kind = group.get("id", "")
        text = group.find(f"{_SVG}text")
        if text is None:
            return ElementTree.Element("path", {"class": kind, "d": _outline(group, markers)})
        kind, content = self._texts[int(kind.removeprefix(_TEXT))]
        found = re.search(r"text-anchor: (\w+)", text.get("style", ""))
        place = {"class": kind, "x": _short(float(text.get("x", 0))), "y": _short(float(text.get("y", 0)))}
        out = ElementTree.Element("text", place | ({"text-anchor": found[1]} if found else {}))
        out.text = content
        return out


def _outline(group: ElementTree.Element, markers: dict[str, str]) -> str:
    """All shapes of a group as one path, markers put where they are used."""
    drawn = [path.get("d", "") for path in group.iterfind(f"./{_SVG}path")]
    drawn += [path.get("d", "") for path in group.iterfind(f"./{_SVG}g/{_SVG}path")]
    moved = [
        _moved(markers[use.get(_LINK, "")], float(use.get("x", 0)), float(use.get("y", 0)))
        for use in group.iterfind(f".//{_SVG}use")
    ]
    return "".join([*(_moved(d, 0.0, 0.0) for d in drawn), *moved])


def _moved(outline: str, x: float, y: float) -> str:
    """A path of absolute coordinates moved, with no more digits than can be seen."""
    out: list[str] = []
    across = True
    for token in outline.split():
        if token.isalpha():
            out.append(token)
            continue
        out.append(_short(float(token) + (x if across else y)))
        across = not across
    return " ".join(out)


def _short(number: float) -> str:
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
