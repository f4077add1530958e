"""Negation: which words negate, and whether they apply to the words that follow."""

from __future__ import annotations

from itertools import pairwise

from adjudge.english.tokens import words

NEGATIONS = frozenset("no not never nothing nobody none neither nor without cannot".split())
# After "not only" or "not just" the next words are affirmed.
_AFFIRMING = frozenset(("only", "just", "merely"))
# A negation as a part of patterns: "not", "isn't"; not in "not only".
NEGATION = rf"\b(?:{'|'.join(sorted(NEGATIONS))}|\w*n['\u2019]t)\b(?![ -](?:{'|'.join(sorted(_AFFIRMING))})\b)"


def is_negation(word: str) -> bool:
    """Whether a lower-case word is a negation.

    >>> is_negation("isn't"), is_negation("nobody"), is_negation("notice")
    (True, True, False)
    """
    return word in NEGATIONS or word.endswith("n't")


def is_denied(before: str, reach: int = 3) -> bool:
    """Whether a text negates what follows it: by a negation or "free of" among its last `reach` + 1 words.

    >>> is_denied("there is no real "), is_denied("not only a "), is_denied("no, as we said before, the ")
    (True, False, False)
    """
    tail = words(before)[-reach - 1 :]
    return any(
        (is_negation(word) and after not in _AFFIRMING) or (word, after) == ("free", "of")
        for word, after in pairwise([*tail, ""])
    )
