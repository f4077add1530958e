"""Text from data made fit for a page: what cannot be seen is spelled out, what is too long is cut and said so."""

from __future__ import annotations

import unicodedata

from msgspec import Struct

from adjudge.report.plain import plain

LONGEST = 2000
NAME = 80

# Joiners belong to the spelling of several scripts and of emoji; lines and tabs keep their meaning in a transcript.
_KEPT = "\u200c\u200d\n\t"
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


class Passage(Struct, frozen=True):
    """A text as it is shown, and how many of its characters were left out."""

    text: str
    omitted: int = 0


def visible(text: str) -> str:
    r"""The text with control, direction and invisible characters spelled out.

    >>> visible("a\u202eb\x1b[31m\r\n")
    'a⟦U+202E⟧b␛[31m\n'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_spelled, text.replace("\r\n", "\n")))


def passage(text: str, longest: int = LONGEST) -> Passage:
    """The beginning of a text, made visible.

    >>> passage("abcdef", 4)
    Passage(text='abcd', omitted=2)
    """
    return Passage(visible(text[:longest]), max(len(text) - longest, 0))


def name(text: str, longest: int = NAME) -> str:
    """A name on one line, cut where it is too long to be one.

    >>> name("a\\nb" + "c" * 100, 5)
    'a bc…'
    """
    whole = plain(text)
    return whole if len(whole) <= longest else f"{whole[: longest - 1]}…"


def short(text: str, room: int) -> str:
    """A name for a place in a plot: at most so many columns, of which wide characters take two.

    >>> short("joint_goal_accuracy", 10), short("東京", 4)
    ('joint_goa…', '東京')
    """
    whole = name(text, room + 1)
    if columns(whole) <= room:
        return whole
    while columns(whole) > room - 1:
        whole = whole[:-1]
    return f"{whole}…"


def columns(text: str) -> int:
    """How many columns a text takes where all letters are equally wide."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _spelled(char: str) -> str:
    if char in _KEPT or unicodedata.category(char) not in _HIDDEN:
        return char
    point = ord(char)
    # The block of control pictures has a sign for each of the first 32 and for delete.
    if point < 0x20:
        return chr(0x2400 + point)
    return "␡" if point == 0x7F else f"⟦U+{point:04X}⟧"
