"""LaTeX: a complete document of booktabs tables, in which text from data is escaped."""

from __future__ import annotations

from collections.abc import Iterable

from adjudge.report.table import Cell, TextTable
from adjudge.report.text import one_line

HEAD = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{booktabs}
\usepackage{longtable}
\usepackage[margin=2cm,landscape]{geometry}
\begin{document}
\footnotesize
"""
TAIL = "\\end{document}\n"
COMMANDS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_\allowbreak{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    # Brackets after a line's end would be read as the optional argument of \\.
    "[": "{[}",
    "]": "{]}",
    "–": r"\textendash{}",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
}


def latex_document(parts: Iterable[str]) -> bytes:
    """Parts that are LaTeX already as a file."""
    return (HEAD + "\n".join(filter(None, parts)) + TAIL).encode()


def latex_table(table: TextTable, caption: str) -> str:
    """A table that may run over several pages; nothing where it has no rows."""
    if not table.rows:
        return ""
    aligns = "".join("r" if align == "right" else "l" for align in table.aligns)
    rows = "".join(_line(map(_cell, row)) for row in table.rows)
    return (
        f"\\begin{{longtable}}{{{aligns}}}\n\\caption{{{escape_latex(caption)}}}\\\\\n\\toprule\n"
        f"{_line(map(escape_latex, table.header))}\\midrule\n\\endhead\n{rows}\\bottomrule\n\\end{{longtable}}\n"
    )


def latex_paragraph(text: str) -> str:
    """Text from data as a paragraph that ends in one full stop."""
    return f"\\noindent {escape_latex(text.removesuffix('.'))}.\n\n"


def escape_latex(text: str) -> str:
    r"""Text from data as LaTeX; a character that its fonts may not have is written as its code point.

    >>> print(escape_latex("50 % of a_b"), escape_latex("\N{SNOWMAN}"))
    50 \% of a\_\allowbreak{}b \texttt{U+2603}
    """
    escaped = "".join(COMMANDS.get(char) or _letter(char) for char in one_line(text))
    # Two hyphens in a row, as in `--metrics`, would become a dash.
    return escaped.replace("--", "-{}-")


def _letter(char: str) -> str:
    # The letters of Latin-1 are in every font of the encoding T1; its symbols need further packages.
    return char if char.isascii() or (char.isalpha() and char <= "ÿ") else f"\\texttt{{U+{ord(char):04X}}}"


def _cell(cell: Cell) -> str:
    text = escape_latex(cell.text)
    return f"\\textbf{{{text}}}" if cell.tone in ("bad", "unsure") else text


def _line(cells: Iterable[str]) -> str:
    return f"{' & '.join(cells)} \\\\\n"
