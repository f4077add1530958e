"""How objects show themselves: text tables in a terminal, and the page's tables and pictures in a notebook."""

from __future__ import annotations

import io
import shutil
from html import escape
from typing import TYPE_CHECKING

from adjudge.report.text import short_name, visible

if TYPE_CHECKING:
    from rich.console import Console

    from adjudge.report.table import TextTable

# The longest text of a cell in a notebook, in characters.
LONGEST_CELL = 200
# The height of a frame in a notebook, in pixels: of its head, of a row, and the most that it takes.
HEAD = 150
ROW = 64
TALLEST = 640


class Shown:
    """An object that prints itself as a text table: `repr` and `print` give what the terminal shows."""

    def _print(self, console: Console) -> None:
        raise NotImplementedError

    def __repr__(self) -> str:
        from rich.console import Console

        width = shutil.get_terminal_size((120, 24)).columns
        # Text is captured in a console of its own: no colours, no cursor movements, the same in every terminal.
        console = Console(file=io.StringIO(), width=width, highlight=False, force_jupyter=False, no_color=True)
        with console.capture() as captured:
            self._print(console)
        return "\n".join(line.rstrip() for line in captured.get().splitlines())


class Page(Shown):
    """A page with everything about a run, shown below a cell of a notebook; `html` is the page as one file.

    >>> import adjudge as aj
    >>> page = aj.demo("service", only="task_completion").page()
    >>> page.html.startswith("<!doctype html>")
    True
    """

    def __init__(self, html: str) -> None:
        self.html = html

    def _print(self, console: Console) -> None:
        console.print(f"a page of {len(self.html):,} characters; a notebook shows it", highlight=False)

    def _repr_html_(self) -> str:
        return frame(self.html, TALLEST)


def frame(page: str, height: int) -> str:
    """A page within a notebook, in a frame that runs no code and keeps the styles of page and notebook apart."""
    style = f"width:100%;height:{height}px;border:0;resize:vertical;background:transparent"
    return f'<iframe sandbox="" style="{style}" srcdoc="{escape(page)}"></iframe>'


def frame_height(rows: int) -> int:
    """The height of the frame for a page with so many rows, in pixels."""
    return min(HEAD + ROW * rows, TALLEST)


def html_table(table: TextTable, rest: str = "") -> str:
    """A table as HTML, with everything from data escaped.

    >>> from adjudge.report.table import Cell, TextTable
    >>> html_table(TextTable(["why"], ["left"], [[Cell("<b>")]]))
    '<table><thead><tr><th style="text-align:left">why</th></tr></thead><tbody><tr><td style="text-align:left">&lt;b&gt;</td></tr></tbody></table>'
    """  # noqa: E501 - the HTML stands on one line
    styles = [f"text-align:{align}" for align in table.aligns]
    head = "".join(f'<th style="{style}">{_cell(text)}</th>' for style, text in zip(styles, table.header, strict=True))
    rows = [
        "".join(f'<td style="{style}">{_cell(cell.text)}</td>' for style, cell in zip(styles, row, strict=True))
        for row in table.rows
    ]
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    more = f"<p>{_cell(rest)}</p>" if rest else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _cell(text: str) -> str:
    return escape(short_name(visible(text), LONGEST_CELL))
