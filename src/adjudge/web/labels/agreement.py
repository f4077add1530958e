"""How far raters of a run agree with each other."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

from msgspec import Struct

from adjudge.stats.kappa import cohen_kappa
from adjudge.stats.ratings import Ratings
from adjudge.web.labels.files import label_files, read_rows


class RaterPair(Struct, frozen=True):
    """Two raters of one metric: how many items both labelled, in how many they agree, and Cohen's kappa.

    `kappa` is empty where it is not defined, as when all labels are the same.
    """

    metric: str
    first: str
    second: str
    shared: int
    equal: int
    kappa: str


def rater_pairs(run: Path) -> list[RaterPair]:
    """Every two raters who labelled the same items."""
    labels: dict[str, dict[str, dict[tuple[str, ...], str]]] = {}
    for file in label_files(run):
        for row in read_rows(file.path):
            if row.label:
                labels.setdefault(row.metric, {}).setdefault(row.rater, {})[row.item] = row.label
    pairs = []
    for metric, raters in labels.items():
        for first, second in combinations(raters, 2):
            shared = [item for item in raters[first] if item in raters[second]]
            if shared:
                both = [(raters[first][item], raters[second][item]) for item in shared]
                pairs.append(_pair(metric, first, second, both, [item[0] for item in shared]))
    return pairs


def _pair(metric: str, first: str, second: str, both: list[tuple[str, str]], cases: list[str]) -> RaterPair:
    equal = sum(a == b for a, b in both)
    estimate = cohen_kappa(Ratings.of([[a for a, _ in both], [b for _, b in both]], None, cases))
    kappa = "" if estimate.value is None else f"{estimate.value:.2f}"
    if kappa and estimate.low is not None and estimate.high is not None:
        kappa += f" ({estimate.low:.2f} to {estimate.high:.2f})"
    return RaterPair(metric, first, second, len(both), equal, kappa)
