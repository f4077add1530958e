"""Turns of two conversations paired with each other, and texts compared word by word."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Any

Turn = dict[str, Any]
Pair = tuple[Turn | None, Turn | None]
# A piece of a text, and whether only this side has it.
Words = list[tuple[str, bool]]
# Words are compared up to so many characters.
LONGEST_COMPARED = 4000
_WORD = re.compile(r"\s+|\w+|[^\w\s]")  # "Go to" is "Go", " ", "to"


def align(first: list[Turn], second: list[Turn]) -> list[Pair]:
    """Turns paired: equal ones with each other, then those between them by speaker; None where a side has none."""
    a, b = ([(str(turn.get("speaker")), str(turn.get("text"))) for turn in turns] for turns in (first, second))
    pairs: list[Pair] = []
    for kind, a0, a1, b0, b1 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind == "equal":
            pairs += zip(first[a0:a1], second[b0:b1], strict=True)
        else:
            pairs += _align_by_speaker(first[a0:a1], second[b0:b1])
    return pairs


def compare_words(a: str, b: str) -> tuple[Words, Words]:
    """Two texts as pieces, each with whether only that side has it.

    >>> compare_words("Go to the inn", "Go to an inn")[1]
    [('Go to ', False), ('an', True), (' inn', False)]
    """
    if max(len(a), len(b)) > LONGEST_COMPARED:
        return [(a, a != b)], [(b, a != b)]
    tokens = [_WORD.findall(a), _WORD.findall(b)]
    sides: tuple[Words, Words] = ([], [])
    for kind, a0, a1, b0, b1 in SequenceMatcher(None, tokens[0], tokens[1], autojunk=False).get_opcodes():
        for side, text in zip(sides, ("".join(tokens[0][a0:a1]), "".join(tokens[1][b0:b1])), strict=True):
            side += _pieces(text, kind != "equal")
    return sides


def _pieces(text: str, only: bool) -> Words:
    """A text as pieces, of which blanks at its ends are never marked."""
    inner = text.strip()
    if not only or not inner:
        return [(text, False)] if text else []
    start = text.index(inner)
    pieces = [(text[:start], False), (inner, True), (text[start + len(inner) :], False)]
    return [piece for piece in pieces if piece[0]]


def _align_by_speaker(first: list[Turn], second: list[Turn]) -> list[Pair]:
    """Turns that differ, paired by speaker as far as that goes."""
    a, b = ([str(turn.get("speaker")) for turn in turns] for turns in (first, second))
    pairs: list[Pair] = []
    for kind, a0, a1, b0, b1 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind == "equal":
            pairs += zip(first[a0:a1], second[b0:b1], strict=True)
        else:
            pairs += [(turn, None) for turn in first[a0:a1]] + [(None, turn) for turn in second[b0:b1]]
    return pairs
