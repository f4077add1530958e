"""Text that was written as UTF-8 and read as cp1252: detected, and repaired on request."""

from __future__ import annotations

import re
from typing import Any

# Every byte as the character that cp1252 has for it, or latin-1 where cp1252 has none.
BYTES = {chr(byte): byte for byte in range(0x80, 0x100)}
BYTES |= {
    bytes([byte]).decode("cp1252"): byte for byte in range(0x80, 0x100) if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}

# Characters that may all be bytes of UTF-8: "\u00c3\u00a9" in "Caf\u00c3\u00a9".
RUN = re.compile(rf"[{re.escape(''.join(BYTES))}]+")
# What UTF-8 letters, spaces and typographic marks begin with when they are read as cp1252.
MARKS = ("\u00c3", "\u00c2", "\u00e2\u20ac", "\u00e2\u0080")
# The same in UTF-8 or as escapes, to pass over what needs no closer look.
RAW_MARKS = re.compile(rb"\xc3[\x82\x83]|\xc3\xa2(?:\xe2\x82\xac|\xc2\x80)|u00(?:c[23]|e2)", re.IGNORECASE)
TYPOGRAPHIC = frozenset(
    "\u2013\u2014\u2018\u2019\u201a\u201c\u201d\u201e\u2020\u2021\u2022\u2026\u2030\u2039\u203a\u20ac\u2122\u00ab\u00bb"
)


def may_hold_mojibake(raw: bytes) -> bool:
    """Whether a row can hold such text at all."""
    return RAW_MARKS.search(raw) is not None


def repair_text(text: str) -> str:
    r"""The text as it was meant; real text stays as it is.

    Only a run of such characters that is UTF-8 throughout is repaired, and not one that may be the end of a word in
    capitals before a quote or a dash.

    >>> repair_text("Caf\u00c3\u00a9"), repair_text("S\u00e3o Tom\u00e9"), repair_text("AMANH\u00c3\u2026")
    ('Caf\xe9', 'S\xe3o Tom\xe9', 'AMANH\xc3\u2026')
    """
    if text.isascii():
        return text
    better = RUN.sub(_repair_run, text)
    return repair_text(better) if len(better) < len(text) else better


def repair_all(value: Any, changes: list[tuple[str, str]]) -> Any:
    """A value of lists, dicts and texts with every text repaired; each change is noted."""
    if isinstance(value, str):
        better = repair_text(value)
        if better != value:
            changes.append((value, better))
        return better
    if isinstance(value, dict):
        return {repair_all(key, changes): repair_all(item, changes) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [repair_all(item, changes) for item in value]
    return value


def _repair_run(match: re.Match[str]) -> str:
    run = match[0]
    if not any(mark in run for mark in MARKS) or _ends_capitals(match):
        return run
    try:
        return bytes(BYTES[character] for character in run).decode("utf-8")
    except UnicodeDecodeError:
        return run


def _ends_capitals(match: re.Match[str]) -> bool:
    """Whether the run may be a last capital and punctuation after it, as in AMANH\u00c3... ."""
    before, after = match.string[: match.start()][-1:], match.string[match.end() :][:1]
    return before.isupper() and not after.isalpha() and all(character in TYPOGRAPHIC for character in match[0][1:])
