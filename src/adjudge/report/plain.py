"""Text from data as plain text: nothing in it can move a cursor, set a colour or turn the line round."""

from __future__ import annotations

import re
import unicodedata

# Joiners belong to the spelling of several scripts and of emoji.
_KEPT = "\u200c\u200d"
_DROPPED = ("Cc", "Cf", "Cs")


def plain(text: str) -> str:
    r"""The text on one line, without control, direction and invisible characters.

    >>> plain("a\n b \x1b[31mred\u202e")
    'a  b [31mred'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(char for char in re.sub(r"[^\S ]+", " ", text) if _shown(char))


def _shown(char: str) -> bool:
    return char in _KEPT or unicodedata.category(char) not in _DROPPED
