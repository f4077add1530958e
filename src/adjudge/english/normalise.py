"""Normalise the spelling of texts and names before they are compared or searched."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'})
# In speech an em dash separates two remarks, as a comma does. An en dash joins numbers: "2-3".
_DASHES = str.maketrans({"\u2013": "-", "\u2014": ", "})
_APOSTROPHES = str.maketrans("", "", "'\u2018\u2019`\u00b4")
# Spaces, tabs and line breaks in a row.
_SPACE = re.compile(r"\s+")
# The space in "fine ," but not in "fine ,5": some transcripts put a space before punctuation.
_SPACE_BEFORE_MARK = re.compile(r" (?=[.,!?;:](?:\s|$))")
# The separators in "bar-b_que & grill": everything but letters and digits.
_NOT_WORD = re.compile(r"[\W_]+")
# Each contraction with its full form. Some transcripts put a space inside: "do n't", "wo n't", "it 's".
# What every match holds, the pattern, and the words for it. Most texts hold few of them, and a search for plain letters
# takes a tenth of the time of a pattern.
_CONTRACTIONS = (
    ("gon", re.compile(r"\bgon ?na\b"), "going to"),
    ("n't", re.compile(r"\bwo ?n't\b"), "will not"),
    ("ca", re.compile(r"\bca ?n't\b|\bcannot\b"), "can not"),
    ("n't", re.compile(r"(?<=\w) ?n't\b"), " not"),
    ("'m", re.compile(r"\bi ?'m\b"), "i am"),
    ("'d", re.compile(r"\b(i|we|you) ?'d\b"), r"\1 would"),
    ("'re", re.compile(r"(?<=\w) ?'re\b"), " are"),
    ("'ve", re.compile(r"(?<=\w) ?'ve\b"), " have"),
    ("'ll", re.compile(r"(?<=\w) ?'ll\b"), " will"),
    # After a noun "'s" is mostly a possessive ("Crohn's"), so only these words are expanded.
    ("'s", re.compile(r"\b(it|that|what|he|she|where|who|there|here|pain) ?'s\b"), r"\1 is"),
)


def straighten_quotes(text: str) -> str:
    """The text with straight quotation marks and apostrophes.

    >>> straighten_quotes("\u201cDon\u2019t\u201d")
    '"Don\\'t"'
    """
    return text if text.isascii() else text.translate(_QUOTES)


def single_spaces(text: str) -> str:
    r"""The text with straight quotes, and one space or one line break for each run of white space.

    >>> single_spaces("no  seafood \n\n  please")
    'no seafood\nplease'
    """
    return _SPACE.sub(lambda run: "\n" if "\n" in run[0] else " ", straighten_quotes(text))


def strip_accents(text: str) -> str:
    """The text without accents, with ligatures and the like replaced by plain letters (Unicode NFKD).

    >>> strip_accents("Caf\u00e9 \ufb01n")
    'Cafe fin'
    """
    if text.isascii():
        return text
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))


@lru_cache(maxsize=65536)
def name_key(name: str) -> str:
    """The form of a name for comparisons: no case, accents, punctuation or apostrophes; "&" becomes "and".

    >>> name_key("Caf\u00e9  Bar-B-Que & Domino\u2019s!"), name_key("!!!")
    ('cafe bar b que and dominos', '!!!')
    """
    bare = strip_accents(name.translate(_APOSTROPHES)).translate(_APOSTROPHES).casefold().replace("&", " and ")
    return _NOT_WORD.sub(" ", bare).strip() or name.strip().casefold()


def label_key(label: str) -> str:
    """The form of a label for comparisons: lower case, with single spaces for underscores and hyphens.

    >>> label_key("Traveler_Type"), label_key(" Patient-Agent ")
    ('traveler type', 'patient agent')
    """
    return " ".join(label.lower().replace("_", " ").replace("-", " ").split())


def write_out(text: str) -> str:
    r"""The text in lower case with contractions written out; line breaks and spaces are kept.

    >>> write_out("I can\u2019t.\nDon't!")
    'i can not.\ndo not!'
    """
    text = text.translate(_QUOTES).translate(_DASHES).lower()
    for part, short, long in _CONTRACTIONS:
        if part in text:
            text = short.sub(long, text)
    return text


@lru_cache(maxsize=50_000)
def plain_speech(text: str) -> str:
    """The form of speech for searches: the result of `write_out` with single spaces, and none before punctuation.

    >>> plain_speech("I\u2019m  fine , it's nothing")
    'i am fine, it is nothing'
    """
    return _SPACE_BEFORE_MARK.sub("", _SPACE.sub(" ", write_out(text))).strip()
