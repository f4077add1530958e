"""Texts on which a regular expression may become slow, derived from the expression itself."""

from __future__ import annotations

import re
import re._constants as op
import re._parser as parser
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

# A repeat with at least this limit counts as unbounded.
UNBOUNDED = 1000
# The characters that classes are filled with.
CHARACTERS = " \t\nabz019.,;:!?-*_'\"()[]{}$/&|#<>=+\\`→é"
# Runs on which patterns were slow, or are likely to be.
RUNS = tuple(
    ' |\n| \n|.|*|1|a|-|,|a |1 |(|[|{|"|\'|#|=|no, |i am |A. |A|1.|1,|a\'|_|a_|a, |"a" |A a |a. |<|`'.split("|")
)
# Of the texts that fit a part of an expression, this many are tried.
TRIED = 3
REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
CATEGORIES = {
    op.CATEGORY_DIGIT: str.isdigit,
    op.CATEGORY_SPACE: str.isspace,
    op.CATEGORY_WORD: lambda char: char.isalnum() or char == "_",
    op.CATEGORY_NOT_DIGIT: lambda char: not char.isdigit(),
    op.CATEGORY_NOT_SPACE: lambda char: not char.isspace(),
    op.CATEGORY_NOT_WORD: lambda char: not (char.isalnum() or char == "_"),
}


class Attack(NamedTuple):
    """A text that may take long: a start and a piece that is repeated after it. The last character never matches."""

    start: str
    piece: str

    def text(self, size: int) -> str:
        return self.start + self.piece * (max(size - len(self.start), 0) // len(self.piece)) + "\x01"


def attacks(pattern: str, flags: int) -> list[Attack]:
    """Runs, repeats of what the expression repeats after what leads there, and repeats of what nearly matches."""
    tree = parser.parse(pattern, flags & ~re.DEBUG)
    return [attack for attack in dict.fromkeys(_attacks(tree)) if attack.piece]


def _attacks(tree: Any) -> Iterator[Attack]:
    for run in RUNS:
        yield Attack("", run)
    for starts, body in _unbounded(tree, [""]):
        for piece in dict.fromkeys([*_texts(body), *_members(body)]):
            for start in starts:
                yield Attack(start, piece)
                yield Attack("", piece)
                yield Attack("", start + piece)
                yield Attack("", f"{start}{piece} ")
                yield Attack("", start)
    for whole in _texts(tree):
        for near in (whole, f"{whole} ", f"{whole[:-1]} ", f"{whole[: len(whole) // 2]} "):
            yield Attack("", near)
        for run in RUNS[:10]:
            yield Attack(whole[:-1], run)
            yield Attack(whole[: len(whole) * 2 // 3], run)


def _unbounded(sequence: Any, starts: list[str]) -> Iterator[tuple[list[str], Any]]:
    """Each part that may be repeated without limit, with texts that lead to it."""
    for kind, value in sequence:
        if kind in REPEATS and value[1] >= UNBOUNDED:
            yield starts, value[2]
        for inner in _inner(kind, value):
            yield from _unbounded(inner, starts)
        texts = _node_texts(kind, value)
        pairs = range(max(len(starts), len(texts)))
        starts = list(dict.fromkeys(starts[n % len(starts)] + texts[n % len(texts)] for n in pairs))[:TRIED]


def _inner(kind: Any, value: Any) -> Sequence[Any]:
    if kind in REPEATS:
        return [value[2]]
    if kind is op.SUBPATTERN:
        return [value[3]]
    if kind is op.ATOMIC_GROUP:
        return [value]
    if kind is op.BRANCH:
        return list(value[1])
    return [value[1]] if kind in (op.ASSERT, op.ASSERT_NOT) else []


def _texts(sequence: Any, count: int = TRIED) -> list[str]:
    """A few texts that a sequence matches, as far as look-arounds and references allow."""
    whole = [""]
    for kind, value in sequence:
        texts = _node_texts(kind, value)
        whole = [whole[n % len(whole)] + texts[n % len(texts)] for n in range(max(len(whole), len(texts)))][:count]
    return whole


def _node_texts(kind: Any, value: Any) -> list[str]:
    if kind is op.LITERAL:
        return [chr(value)]
    if kind in (op.NOT_LITERAL, op.ANY, op.IN):
        return _some_of(_class(kind, value))
    if kind in REPEATS:
        texts = [text * max(value[0], 1) for text in _texts(value[2])]
        return [*texts, ""] if not value[0] else texts
    if kind is op.BRANCH:
        return [text for branch in value[1] for text in _texts(branch, 1)][:8]
    if kind in (op.SUBPATTERN, op.ATOMIC_GROUP):
        return _texts(_inner(kind, value)[0])
    return [""]


def _members(sequence: Any) -> list[str]:
    """Characters of the class that a sequence begins with."""
    for kind, value in sequence:
        return _class(kind, value)[::3] if kind in (op.NOT_LITERAL, op.ANY, op.IN) else []
    return []


def _some_of(characters: list[str]) -> list[str]:
    return list(dict.fromkeys([characters[0], characters[len(characters) // 2], characters[-1]]))


def _class(kind: Any, value: Any) -> list[str]:
    if kind is op.ANY:
        return [char for char in CHARACTERS if char != "\n"]
    if kind is op.NOT_LITERAL:
        return [char for char in CHARACTERS if ord(char) != value]
    negated = value[0][0] is op.NEGATE
    members = value[1:] if negated else value
    own = [chr(item if what is op.LITERAL else item[0]) for what, item in members if what in (op.LITERAL, op.RANGE)]
    chosen = [char for char in CHARACTERS if any(_belongs(char, *member) for member in members) != negated]
    return chosen or own


def _belongs(char: str, kind: Any, value: Any) -> bool:
    if kind is op.LITERAL:
        return ord(char) == value
    if kind is op.RANGE:
        return bool(value[0] <= ord(char) <= value[1])
    return bool(CATEGORIES[value](char))
