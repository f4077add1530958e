"""Published data on agreement, and random data like it."""

from __future__ import annotations

import numpy as np

from adjudge.stats.ratings import Label, Ratings

N = None

# irrCAC's cac.raw4raters (Gwet 2014, page 120): four raters, twelve units; a rater each.
FOUR_RATERS: list[list[Label | None]] = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, N],
    [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 3],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]

# Krippendorff (2011): four observers, twelve units; it differs only in who rated the last unit.
FOUR_OBSERVERS: list[list[Label | None]] = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
    [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]

# irrCAC's cont3x3abstractors: 100 pregnancies by two abstractors.
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]

# irrCAC's distrib.6raters: how many of six psychiatrists put each of 15 patients into each of five categories.
SIX_RATERS = [
    [0, 0, 0, 6, 0],
    [0, 3, 0, 0, 3],
    [0, 1, 4, 0, 1],
    [0, 0, 0, 0, 6],
    [0, 3, 0, 3, 0],
    [2, 0, 4, 0, 0],
    [0, 0, 4, 0, 2],
    [2, 0, 3, 1, 0],
    [2, 0, 0, 4, 0],
    [0, 0, 0, 0, 6],
    [1, 0, 0, 5, 0],
    [1, 1, 0, 4, 0],
    [0, 3, 3, 0, 0],
    [1, 0, 0, 5, 0],
    [0, 2, 0, 3, 1],
]


def of_table(table: list[list[int]]) -> Ratings:
    """The ratings of two raters that make this table."""
    cells = [(row, column) for row, counts in enumerate(table) for column, n in enumerate(counts) for _ in range(n)]
    return Ratings.of([[row for row, _ in cells], [column for _, column in cells]], labels=range(len(table)))


def of_counts(counts: list[list[int]]) -> Ratings:
    """The ratings of several raters that make these counts by item and category."""
    items = [[label for label, n in enumerate(row) for _ in range(n)] for row in counts]
    return Ratings.of([list(rater) for rater in zip(*items, strict=True)], labels=range(len(counts[0])))


def noisy(rng: np.random.Generator, n: int, raters: int = 2, missing: float = 0.0) -> list[list[Label | None]]:
    """Raters who see the same label of 0 to 4 for each item and put another in three of ten cases."""
    truth = rng.integers(0, 5, n)
    said = np.where(rng.random((raters, n)) < 0.3, rng.integers(0, 5, (raters, n)), truth)
    gone = rng.random((raters, n)) < missing
    return [
        [None if lost else int(label) for label, lost in zip(*row, strict=True)] for row in zip(said, gone, strict=True)
    ]


def chained(rng: np.random.Generator, conversations: int, turns: int, agree: float) -> Ratings:
    """Two raters of 0/1 turns whose labels, and whether they agree, go together within a conversation."""
    lean = rng.beta(2, 2, (conversations, 1))
    accord = rng.beta(agree * 4, (1 - agree) * 4, (conversations, 1))
    first = (rng.random((conversations, turns)) < lean).astype(np.intp)
    fresh = (rng.random((conversations, turns)) < lean).astype(np.intp)
    second = np.where(rng.random((conversations, turns)) < accord, first, fresh)
    clusters = np.repeat(np.arange(conversations), turns)
    return Ratings(np.array([first.ravel(), second.ravel()]), (0, 1), clusters)
