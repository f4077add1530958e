"""Figures for papers, drawn by matplotlib, which is installed only where somebody wants them."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from adjudge.core.errors import BadInput
from adjudge.core.install import install_command
from adjudge.report.text import label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Format = Literal["pdf", "svg", "png"]

# Inches: the width of a text column, the height of a row, and that of a panel's title, axis and margin.
WIDTH = 6.5
ROW = 0.26
PANEL = 0.8
# About so many letters fit over a panel.
TITLE_ROOM = 72
# Dots per inch of a .png: what publishers ask for.
DPI = 300
# Colours that people with any colour vision can tell apart: Okabe & Ito (2008).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = "osD^v<>"

# Names from data are text and never mathematics; the same figure has the same bytes.
_SETTINGS: dict[Any, Any] = {
    "font.size": 8,
    "text.parse_math": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "adjudge",
    "pdf.fonttype": 42,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
}
_METADATA: dict[Format, dict[str, Any]] = {"pdf": {"CreationDate": None}, "svg": {"Date": None}, "png": {}}

DrawPanel = Callable[["Axes"], None]


class Style(Struct, frozen=True):
    """What stands for something in all panels: a name with a colour and a marker."""

    name: str
    colour: str
    marker: str = "o"


class DrawnValue(Struct, frozen=True):
    """A value, and the ends of its interval; None where it has none."""

    value: float
    ends: tuple[float, float] | None


def styles_for(names: Sequence[str]) -> list[Style]:
    """Marks that can be told apart, also in print without colours."""
    styles = zip(cycle(COLOURS), cycle(MARKERS), strict=False)
    return [Style(name, colour, marker) for name, (colour, marker) in zip(names, styles, strict=False)]


def draw_figure(panels: Sequence[tuple[float, DrawPanel]], file_format: Format, legend: Sequence[Style] = ()) -> bytes:
    """Panels below each other, each as high as its number of rows asks for, under a legend if there is one."""
    _require_matplotlib()
    import matplotlib
    from matplotlib.figure import Figure

    heights = [rows * ROW + PANEL for rows, _ in panels]
    with matplotlib.rc_context(_SETTINGS), warnings.catch_warnings():
        # A glyph that the font does not have is drawn as a box, which is no reason to stop.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure = Figure(figsize=(WIDTH, sum(heights)), dpi=DPI, layout="constrained")
        all_axes = figure.subplots(len(panels), 1, squeeze=False, height_ratios=heights)[:, 0]
        for axes, (_, draw) in zip(all_axes, panels, strict=True):
            draw(axes)
        if legend:
            _add_legend(figure, legend)
        return _save(figure, file_format)


def name_rows(axes: Axes, names: Sequence[str]) -> None:
    """Name the rows of a panel from the top down, with a grid behind them."""
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_yticks(range(len(names)), [label(name, TITLE_ROOM // 2) for name in names])
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)


def draw_interval(axes: Axes, mark: Style, place: float, drawn: DrawnValue) -> None:
    """Draw a value and its interval at the height of a row."""
    if drawn.ends is not None:
        axes.plot(drawn.ends, (place, place), color=mark.colour, linewidth=1.4, solid_capstyle="butt")
    axes.plot([drawn.value], [place], color=mark.colour, marker=mark.marker, markersize=4)


def title_panel(axes: Axes, title: str) -> None:
    """Put a title over a panel, cut where it would run over the edge."""
    axes.set_title(label(title, TITLE_ROOM), loc="left", fontweight="bold")


def _add_legend(figure: Figure, marks: Sequence[Style]) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=mark.colour, marker=mark.marker, markersize=4, label=label(mark.name, TITLE_ROOM // 4))
        for mark in marks
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=4, frameon=False)


def _save(figure: Figure, file_format: Format) -> bytes:
    file = io.BytesIO()
    figure.savefig(file, format=file_format, metadata=_METADATA[file_format])
    return file.getvalue()


def _require_matplotlib() -> None:
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        message = f"a .pdf, .svg or .png figure needs matplotlib: {install_command('figures')}"
        raise BadInput(message) from error
