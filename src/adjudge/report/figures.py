"""Figures for papers, drawn by matplotlib, which is installed only where somebody wants them."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from adjudge.core.errors import BadInput
from adjudge.report.text import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Format = Literal["pdf", "svg", "png"]

# Inches: the width of a text column, the height of a row, and that of a panel's title, axis and margin.
WIDTH = 6.5
ROW = 0.26
PANEL = 0.75
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


def draw_figure(panels: Sequence[tuple[int, DrawPanel]], file_format: Format) -> bytes:
    """Panels below each other, each as high as its number of rows asks for."""
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
        return _save(figure, file_format)


def name_rows(axes: Axes, names: Sequence[str]) -> None:
    """Name the rows of a panel from the top down, with a grid behind them."""
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_yticks(range(len(names)), [plain(name) for name in names])
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)


def _save(figure: Figure, file_format: Format) -> bytes:
    file = io.BytesIO()
    figure.savefig(file, format=file_format, metadata=_METADATA[file_format])
    return file.getvalue()


def _require_matplotlib() -> None:
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        message = "a .pdf, .svg or .png figure needs matplotlib: pip install 'adjudge[figures]'"
        raise BadInput(message) from error
