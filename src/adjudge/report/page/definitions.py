"""A metric's card in words: what its value is the mean of, its scale, its bands and its notes."""

from __future__ import annotations

import re

from adjudge.core.card import Card, Pool
from adjudge.core.mark import Scale
from adjudge.report.words import plural

POOLS: dict[Pool, str] = {
    "marks": "the mean over all {}",
    "conversations": "the mean over conversations, each the mean over its {}",
    "groups": "over groups of {}, the mean distance of a group's mean from 0",
}


def value_words(card: Card) -> str:
    """What the headline value is the mean of."""
    return POOLS[card.pool].format(plural(card.unit))


def scale_words(scale: Scale) -> str:
    """A scale in words.

    >>> scale_words((0.0, 1.0)), scale_words((0.0, None)), scale_words((None, None))
    ('0 to 1', 'from 0, open above', 'open')
    """
    low, high = scale
    if low is not None and high is not None:
        return f"{low:g} to {high:g}"
    if low is not None:
        return f"from {low:g}, open above"
    return "open" if high is None else f"up to {high:g}, open below"


def band_words(card: Card) -> str:
    """The words for values, each with where it begins."""
    return ", ".join(f"{band.word} {'above' if band.above else 'from'} {band.low:g}" for band in card.bands)


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a docstring, each on one line."""
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip()) if part.strip()]
