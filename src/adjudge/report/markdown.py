"""Markdown that shows text from data and lets it do nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable

from adjudge.report.table import Cell, TextTable
from adjudge.report.text import one_line

# Every character that can begin a mark-up: emphasis, code, link, table, heading, formula.
_SPECIAL = re.compile(r"([\\`*_{}\[\]|~#$])")
# An invisible word joiner keeps addresses and names from becoming links: http:// , www. , @name.
_JOINER = "&#8288;"
_LINK_STARTS = re.compile(r"(:)(?=//)|(www)(?=\.)|(@)", re.IGNORECASE)


def markdown_document(sections: Iterable[list[str]]) -> bytes:
    """Sections of lines as a file, without those that are empty."""
    return ("\n\n".join("\n".join(lines) for lines in sections if lines) + "\n").encode()


def section(title: str, lines: list[str]) -> list[str]:
    """Lines under a heading; nothing where there are none."""
    return [f"## {title}", "", *lines] if lines else []


def bullets(lines: Iterable[str]) -> list[str]:
    """Text from data as a list."""
    return [f"- {escape(line)}" for line in lines]


def markdown_table(table: TextTable) -> list[str]:
    """The lines of a table; nothing where it has no rows."""
    rule = ["---:" if align == "right" else "---" for align in table.aligns]
    lines = [_line(map(_cell, row)) for row in table.rows]
    return [_line(map(escape, table.header)), _line(rule), *lines] if lines else []


def escape(text: str) -> str:
    r"""Text from data as Markdown.

    >>> print(escape("a | b <i> [x](y)"))
    a \| b &lt;i&gt; \[x\](y)
    """
    safe = one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _LINK_STARTS.sub(lambda match: match.group() + _JOINER, _SPECIAL.sub(r"\\\1", safe))


def _cell(cell: Cell) -> str:
    """The text of a cell, bold where it calls for attention."""
    return f"**{escape(cell.text)}**" if cell.tone in ("bad", "unsure") else escape(cell.text)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
