"""Words and their stems."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from adjudge.english.normalise import straighten_quotes, strip_accents

Phrase = tuple[str, ...]

# "kids'" gives "kids", "don't" is one word, "bar_b_q" is three words.
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
# The same without apostrophes, which bare_words() removes first: "crohns".
_BARE_WORD = re.compile(r"[^\W_]+")
# Everything in ASCII but letters, digits and apostrophes, as spaces: splitting is four times as fast as a pattern.
_AS_SPACES = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "'")}
# Plural endings with their replacements, for galleries, glasses, beaches, dishes, boxes, museums.
_PLURALS = (("ies", "ie"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("s", ""))
# Endings that look like plurals and are none: "glass", "bus", "tennis".
_NO_PLURAL = ("ss", "us", "is")
# Other endings, each with the minimum number of letters that must remain: "sing" and "best" stay whole.
_ENDINGS = (("ing", 3), ("ed", 3), ("est", 4), ("ly", 4))


def words(text: str) -> list[str]:
    """The words of a text in lower case, with straight apostrophes.

    >>> words("Don\u2019t skip the Kids' zoo")
    ["don't", 'skip', 'the', 'kids', 'zoo']
    """
    plain = straighten_quotes(text).lower()
    if not plain.isascii():
        return _WORD.findall(plain)
    pieces = plain.translate(_AS_SPACES).split()
    if "'" not in plain:
        return pieces
    return [word for piece in pieces for word in (_WORD.findall(piece) if "'" in piece else (piece,))]


@lru_cache(maxsize=50_000)
def bare_words(text: str) -> Phrase:
    """The words of a text in lower case without accents and apostrophes.

    >>> bare_words("Crohn's disease, acute")
    ('crohns', 'disease', 'acute')
    """
    plain = strip_accents(straighten_quotes(text).lower().replace("'", ""))
    return tuple(plain.translate(_AS_SPACES).split() if plain.isascii() else _BARE_WORD.findall(plain))


def singular(word: str) -> str:
    """A word without its final s, so that singular and plural are equal.

    >>> singular("lungs"), singular("gas")
    ('lung', 'gas')
    """
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A word without its inflectional ending, so that the forms of one word are equal.

    Unlike Porter's stemmer it keeps derived words apart: "musical" is not "music", "apartment" is not "apart".

    >>> [stem(word) for word in ("museums", "sharing", "shared", "kids'", "galleries", "loudest")]
    ['museum', 'shar', 'shar', 'kid', 'gallery', 'loud']
    """
    word = word.removesuffix("'").removesuffix("'s")
    if len(word) > 3 and not word.endswith(_NO_PLURAL):
        plural = next(((end, single) for end, single in _PLURALS if word.endswith(end)), ("", ""))
        word = word.removesuffix(plural[0]) + plural[1]
    if word.endswith("ie"):
        word = word.removesuffix("ie") + "y"
    for ending, least in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= least:
            return _without_doubling(word.removesuffix(ending))
    return _without_last_e(word)


@lru_cache(maxsize=16384)
def stems(text: str) -> Phrase:
    """The stems of a text's words in order.

    >>> stems("Hiking trails, and hikes")
    ('hik', 'trail', 'and', 'hik')
    """
    return tuple(stem(word) for word in words(text))


def has_phrase(text: Sequence[str], phrase: Sequence[str]) -> bool:
    """Whether a text contains a phrase as consecutive words; both must be words, or both stems.

    >>> has_phrase(("a", "hot", "dog"), ("hot", "dog")), has_phrase(("hot", "a", "dog"), ("hot", "dog"))
    (True, False)
    """
    span = len(phrase)
    return any(text[place : place + span] == phrase for place in range(len(text) - span + 1))


def _without_doubling(word: str) -> str:
    """A word with its doubled last letter written once ("shopp"), or without its last e; "toll" and "pass" stay."""
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        return word[:-1]
    return _without_last_e(word)


def _without_last_e(word: str) -> str:
    return word.removesuffix("e") if len(word) > 3 else word
