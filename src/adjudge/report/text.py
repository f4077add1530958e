"""Text from data made safe to show: it cannot move a cursor, set a colour, reverse a line or fill a page."""

from __future__ import annotations

import re
import unicodedata

from msgspec import Struct

# The longest passage of a transcript and the longest name, in characters, that a page shows whole.
LONGEST_PASSAGE = 2000
LONGEST_NAME = 80

# Zero-width joiners belong to the spelling of several scripts and of emoji.
_JOINERS = "\u200c\u200d"
_UNPRINTABLE = ("Cc", "Cf", "Cs")
# Lines and tabs keep their meaning in a transcript.
_LAYOUT = "\n\t"
_INVISIBLE = (*_UNPRINTABLE, "Co", "Cn", "Zl", "Zp")


class Passage(Struct, frozen=True):
    """A text as it is shown, and how many of its characters were left out."""

    text: str
    omitted: int = 0


def one_line(text: str) -> str:
    r"""The text on one line, without control, direction and invisible characters.

    >>> one_line("a\n b \x1b[31mred\u202e")
    'a  b [31mred'
    """
    if text.isascii() and text.isprintable():
        return text
    # Any white space but a blank, such as a line break or a tab, becomes a blank.
    on_one_line = re.sub(r"[^\S ]+", " ", text)
    return "".join(char for char in on_one_line if char in _JOINERS or unicodedata.category(char) not in _UNPRINTABLE)


def visible(text: str) -> str:
    r"""The text with control, direction and invisible characters spelled out.

    >>> visible("a\u202eb\x1b[31m\r\n")
    'a⟦U+202E⟧b␛[31m\n'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_spell_out, text.replace("\r\n", "\n")))


def passage(text: str, longest: int = LONGEST_PASSAGE) -> Passage:
    """The beginning of a text, made visible.

    >>> passage("abcdef", 4)
    Passage(text='abcd', omitted=2)
    """
    return Passage(visible(text[:longest]), max(len(text) - longest, 0))


def short_name(text: str, longest: int = LONGEST_NAME) -> str:
    """A name on one line, cut where it is too long.

    >>> short_name("a\\nb" + "c" * 100, 5)
    'a bc…'
    """
    whole = one_line(text)
    return whole if len(whole) <= longest else f"{whole[: longest - 1]}…"


def label(text: str, room: int) -> str:
    """A name for a place in a plot: at most `room` columns, of which wide characters take two.

    >>> label("joint_goal_accuracy", 10), label("東京", 4)
    ('joint_goa…', '東京')
    """
    whole = short_name(text, room + 1)
    if column_count(whole) <= room:
        return whole
    while column_count(whole) > room - 1:
        whole = whole[:-1]
    return f"{whole}…"


def column_count(text: str) -> int:
    """How many columns a text takes where all letters are equally wide."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _spell_out(char: str) -> str:
    if char in _JOINERS or char in _LAYOUT or unicodedata.category(char) not in _INVISIBLE:
        return char
    point = ord(char)
    # The Unicode block of control pictures has a sign for each of the first 32 characters and for delete.
    if point < 0x20:
        return chr(0x2400 + point)
    return "␡" if point == 0x7F else f"⟦U+{point:04X}⟧"
