"""Cells of a table that hold more than text: JSON, Python literals, or either of them written as a string.

Nothing in a cell is ever run: literals are parsed and taken apart, within limits on their size and depth.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from itertools import accumulate
from typing import Any

import msgspec
from msgspec import Struct

from adjudge.core.errors import Warnings, bad_record
from adjudge.read.decode import lenient_row
from adjudge.read.malformed import depth, describe_malformed, lone_surrogates
from adjudge.read.source import LIMITS

# Parsing takes about 180 bytes of memory for each character of a literal.
LITERAL_CHARS = 2_000_000
# The most characters that a cell of a spreadsheet holds; a longer text is cut there.
SPREADSHEET_CHARS = 32_767
# How often the value of a cell may be a string that holds JSON again.
ENCODINGS = 3
SHOWN = 30

# Either kind of string, to its end or that of the text; possessive, so linear on any input.
STRINGS = re.compile(r"'[^'\\]*+(?:\\.[^'\\]*+)*+(?:'|\\?\Z)|\"[^\"\\]*+(?:\\.[^\"\\]*+)*+(?:\"|\\?\Z)", re.DOTALL)
NO_BRACKETS = bytes(set(range(256)) - set(b"[](){}"))
# A list or an object, but not a remark in brackets such as [sic].
START = re.compile(r"\[[^\[\]{}\"']*\]|(?P<start>[\[{])")
# A remark at the end: "{...} [sic]".
REMARK_AT_END = re.compile(r"\[[^\[\]{}\"']*\][^\[\]{}]*\Z")
# A cell that begins a list, an object or a tuple, also in quotes.
STRUCTURE = re.compile(r"""\s*+(?:["']\s*+)?[\[{(]""")
# Words that JSON or table libraries write in Python literals, with their values.
WORDS = {"null": None, "nan": None, "NaN": None, "inf": None, "Infinity": None, "true": True, "false": False}
FAULTS = (ValueError, SyntaxError, TypeError, MemoryError, RecursionError)


class UnreadableCell(ValueError):  # noqa: N818 - reads as the sentence a user sees
    """A cell that cannot be read; the message says what it holds and what was expected."""


class CellValue(Struct, frozen=True):
    """The value of a cell; whether it was a Python literal, and whether NaN in it was read as unknown."""

    value: Any
    literal: bool = False
    not_numbers: bool = False


def is_structure(text: str) -> bool:
    """Whether a cell looks like more than text.

    >>> is_structure('{"a": 1}'), is_structure("[sighs] fine"), is_structure("Fine {so far}")
    (True, True, False)
    """
    return STRUCTURE.match(text) is not None


def parse_cell(text: str, expected: str = "JSON") -> CellValue:
    """The value of a cell; raises UnreadableCell.

    >>> parse_cell("{'pets': True, 'price': nan}").value, parse_cell('"[1, 2]"').value
    ({'pets': True, 'price': None}, [1, 2])
    """
    cell = _parse_once(text, expected)
    for _ in range(ENCODINGS):
        if not isinstance(cell.value, str) or not is_structure(cell.value):
            break
        inner = _parse_once(cell.value, expected)
        cell = CellValue(inner.value, inner.literal or cell.literal, inner.not_numbers or cell.not_numbers)
    return cell


def cell_value(where: str, column: str, text: str, notes: Warnings, expected: str = "JSON") -> Any:
    """The value of a cell, with a warning if it is not plain JSON.

    Raises UnreadableCell, or BadRecord for lone surrogates (half characters).
    """
    try:
        cell = parse_cell(text, expected)
    except UnreadableCell:
        raw = text.encode()
        if next(lone_surrogates(raw), None) is not None:
            raise bad_record(where, describe_malformed(raw), column) from None
        raise
    if cell.literal:
        notes.add("literal", f"{where}: {column}: a Python literal, read as data; expected JSON; write it as JSON")
    if cell.not_numbers:
        notes.add("nan", f"{where}: {column}: NaN is not a value in JSON; read as unknown")
    return cell.value


def enclosed_value(where: str, column: str, text: str, notes: Warnings, expected: str) -> Any:
    """The value of a cell, or the only list or object in its text, since models write text around it.

    Raises the same errors as cell_value.
    """
    fault: UnreadableCell | None = None
    try:
        value = cell_value(where, column, text, notes, expected)
    except UnreadableCell as unreadable:
        value, fault = text, unreadable
    inner = _enclosed_structure(value) if isinstance(value, str) else None
    if inner is not None:
        start = value.strip()[:SHOWN]
        notes.add("text around", f"{where}: {column}: text around the {column} is left out (starts {start!r})")
        return inner
    if fault:
        raise fault
    return value


def whole_characters(where: str, text: str, notes: Warnings) -> str:
    """A cell with lone surrogates in its escapes replaced; each is counted."""
    return lenient_row(where, text.encode(), notes).decode() if "\\u" in text else text


def _parse_once(text: str, expected: str) -> CellValue:
    """The value of a text; the value may be a text again."""
    raw = text.encode("utf-8", "replace")
    if (levels := _brackets(text)) > LIMITS.depth and max(levels, depth(raw)) > LIMITS.depth:
        raise UnreadableCell(f"nested {levels:,} levels deep; expected at most {LIMITS.depth}; write it flatter")
    try:
        return CellValue(msgspec.json.decode(raw))
    except (msgspec.DecodeError, RecursionError):
        cell = _lax_json(text, raw) or _literal(text)
    if cell is None:
        raise UnreadableCell(_why_unreadable(text, raw, expected))
    return cell


def _enclosed_structure(text: str) -> Any:
    """The only list or object in a text; None if there is none or more than one."""
    start = _start(text, 0)
    if start < 0:
        return None
    try:
        _, end = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        rest = REMARK_AT_END.sub("", text)
        end = max(rest.rfind("]"), rest.rfind("}")) + 1
    if end <= start or _start(text, end) >= 0:
        return None
    try:
        return _parse_once(text[start:end], "").value
    except UnreadableCell:
        return None


def _start(text: str, after: int) -> int:
    return next((match.start() for match in START.finditer(text, after) if match["start"]), -1)


def _lax_json(text: str, raw: bytes) -> CellValue | None:
    """JSON with NaN in it, as some libraries write it."""
    if ("NaN" not in text and "Infinity" not in text) or next(lone_surrogates(raw), None) is not None:
        return None
    try:
        return CellValue(json.loads(text, parse_constant=lambda word: None), not_numbers=True)
    except (ValueError, RecursionError):
        return None


def _literal(text: str) -> CellValue | None:
    if not is_structure(text):
        return None
    if len(text) > LITERAL_CHARS:
        raise UnreadableCell(
            f"not JSON, and too long for a Python literal ({len(text):,} characters; expected at most "
            f"{LITERAL_CHARS:,}); write it as JSON"
        )
    words = _LiteralWords()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Odd escapes such as '\d' stay what they are.
            tree = ast.parse(text.strip(), mode="eval")
        value = _plain(_evaluate(tree, words))
    except FAULTS:
        return None
    return CellValue(value, literal=True, not_numbers=words.not_numbers)


def _evaluate(tree: ast.Expression, words: _LiteralWords) -> Any:
    """The value of a literal; words such as `nan` are replaced only if it cannot be evaluated without, to save time."""
    try:
        return ast.literal_eval(tree)
    except ValueError:
        return ast.literal_eval(words.visit(tree))


class _LiteralWords(ast.NodeTransformer):
    """Replaces words such as `null` and `nan` in a literal by their values."""

    not_numbers = False

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """The value of a known word; any other word is left and refused."""
        if node.id not in WORDS:
            return node
        self.not_numbers |= node.id.lower() in ("nan", "inf", "infinity")
        return ast.copy_location(ast.Constant(WORDS[node.id]), node)


def _plain(value: Any) -> Any:
    """The value in the types of JSON; raises ValueError for any other type."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set):
        return [_plain(item) for item in value]
    if isinstance(value, str):
        value.encode()  # Half a character cannot be written.
        return value
    if value is None or isinstance(value, bool | int | float):
        return value
    raise ValueError(f"a {type(value).__name__}")


def _brackets(text: str) -> int:
    """How deep lists and objects are nested, in either kind of quotes."""
    if text.count("[") + text.count("{") + text.count("(") <= LIMITS.depth:
        return 0
    bare = STRINGS.sub("", text).encode("utf-8", "replace").translate(None, NO_BRACKETS)
    return max(accumulate((1 if bracket in b"[({" else -1 for bracket in bare), initial=0))


def _why_unreadable(text: str, raw: bytes, expected: str) -> str:
    start = text.strip()[:SHOWN]
    fault = f"not JSON (starts {start!r})"
    if SPREADSHEET_CHARS in (len(text), len(text.encode("utf-16-le", "replace")) // 2):
        return f"{fault}; cut at {SPREADSHEET_CHARS:,} characters, the limit of a spreadsheet cell?"
    reason = describe_malformed(raw) if is_structure(text) else ""
    cut = f"; {reason}" if reason.startswith("ends in the middle") else ""
    return f"{fault}{cut}; expected {expected} or an empty cell"
