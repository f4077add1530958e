"""How the numbers were made, in words: intervals, pools, scales, bands."""

from __future__ import annotations

import re

from adjudge.aggregate import Row
from adjudge.core.card import Card, Pool
from adjudge.core.mark import Scale
from adjudge.report.words import plural

INTERVALS = {
    "wilson": "Wilson's score interval; where conversations do not differ at all, with their number as its n",
    "t": "Student's t over conversations",
    "t on logits": "Student's t over conversations, taken on the logit of the mean so that it stays within the scale",
    "cluster t": "cluster-robust by conversation, Student's t with one degree of freedom less than conversations",
    "cluster t on logits": (
        "cluster-robust by conversation, Student's t with one degree of freedom less than conversations, taken on the "
        "logit of the mean so that it stays within the scale"
    ),
    "redrawn groups": "the means of the groups drawn anew from their sampling distributions, 2,000 times, seeded",
}

POOLS: dict[Pool, str] = {
    "marks": "the mean over all {}",
    "conversations": "the mean over conversations, each the mean over its {}",
    "groups": "over groups of {}, the mean distance of a group's mean from 0",
}


def interval_methods(rows: list[Row]) -> dict[str, list[str]]:
    """For each way an interval was made, in words, the metrics it was made for."""
    found: dict[str, list[str]] = {}
    for row in rows:
        if row.method:
            metrics = found.setdefault(f"{row.method}: {INTERVALS.get(row.method, row.method)}", [])
            metrics += [row.metric] if row.metric not in metrics else []
    return found


def pooled(card: Card) -> str:
    """What the headline value is the mean of."""
    return POOLS[card.pool].format(plural(card.unit))


def scale_of(scale: Scale) -> str:
    """A scale in words.

    >>> scale_of((0.0, 1.0)), scale_of((0.0, None)), scale_of((None, None))
    ('0 to 1', 'from 0, open above', 'open')
    """
    low, high = scale
    if low is not None and high is not None:
        return f"{low:g} to {high:g}"
    if low is not None:
        return f"from {low:g}, open above"
    return "open" if high is None else f"up to {high:g}, open below"


def bands_of(card: Card) -> str:
    """The words for values, each with where it begins."""
    return ", ".join(f"{band.word} {'above' if band.above else 'from'} {band.low:g}" for band in card.bands)


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a docstring, each on one line."""
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip()) if part.strip()]
