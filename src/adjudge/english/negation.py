"""Negation: which words deny, and whether they reach what follows."""

from __future__ import annotations

import re
from itertools import pairwise

from adjudge.english.tokens import words

NEGATIONS = frozenset("no not never nothing nobody none neither nor without cannot".split())
# "not only", "not just": what follows is affirmed.
_AFFIRMING = frozenset(("only", "just", "merely"))
# "never had it", "it isn't"; not "not only jazz" and not "no surprise".
_DENIAL = re.compile(
    rf"(?<![\w'])(?:{'|'.join(NEGATIONS)}|[a-z]+n't)\b(?! (?:only|just|merely|surpris))", re.IGNORECASE
)


def is_negation(word: str) -> bool:
    """Whether a word in small letters denies.

    >>> is_negation("isn't"), is_negation("nobody"), is_negation("notice")
    (True, True, False)
    """
    return word in NEGATIONS or word.endswith("n't")


def find_denial(text: str) -> re.Match[str] | None:
    """The first word of a text that denies something; None where nothing is denied.

    >>> find_denial("I have never smoked")[0], find_denial("not only museums")
    ('never', None)
    """
    return _DENIAL.search(text)


def is_denied(before: str, reach: int = 3) -> bool:
    """Whether the words before something deny it: a negation, or "free of", with at most `reach` words after it.

    >>> is_denied("there is no real "), is_denied("not only a "), is_denied("no, as we said before, the ")
    (True, False, False)
    """
    tail = words(before)[-reach - 1 :]
    return any(
        (is_negation(word) and after not in _AFFIRMING) or (word, after) == ("free", "of")
        for word, after in pairwise([*tail, ""])
    )
