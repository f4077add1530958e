"""Measures: the coefficients of agreement that a calibration shows, and the conventional words for kappa."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from adjudge.stats.alpha import Level as Measurement
from adjudge.stats.alpha import krippendorff_alpha
from adjudge.stats.confusion import observed_agreement
from adjudge.stats.correlation import bias, kendall, mean_absolute_difference, pearson, spearman
from adjudge.stats.estimate import Estimate
from adjudge.stats.judged import JudgedItems
from adjudge.stats.kappa import cohen_kappa, gwet_ac
from adjudge.stats.ratings import Ratings
from adjudge.stats.variance import ROUNDING

AGREEMENT = "agreement"
KAPPA = "Cohen's kappa"
AC1 = "Gwet's AC1"
ALPHA = "Krippendorff's alpha"
DISTANCE = "mean absolute difference"

# Landis & Koch (1977), Biometrics 33, 159-174: the upper bound of each band of coefficients, and its word.
BENCHMARKS = ((0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"), (1.0, "almost perfect"))


class Coefficient(Struct, frozen=True):
    """One measure of agreement; `word` is the conventional word for a chance-corrected coefficient."""

    name: str
    estimate: Estimate
    word: str = ""


def benchmark(value: float | None) -> str:
    """The word of Landis & Koch for a chance-corrected coefficient; "none" for 0, and empty if there is no value.

    >>> [benchmark(value) for value in (-0.1, -2e-16, 0.2, 0.61, None)]
    ['poor', 'none', 'slight', 'substantial', '']
    """
    if value is None:
        return ""
    if abs(value) <= ROUNDING:
        return "none"
    if value < 0:
        return "poor"
    return next(word for top, word in BENCHMARKS if value <= top or top == 1.0)


def levels(ratings: Ratings) -> tuple[Measurement, ...]:
    """The levels of measurement at which labels can be compared; with two labels all levels give the same result."""
    if len(ratings.labels) < 3:
        return ("nominal",)
    words = any(isinstance(label, str) for label in ratings.labels)
    return ("nominal", "ordinal") if words else ("nominal", "ordinal", "interval")


def of_labels(pair: Ratings) -> list[Coefficient]:
    """The agreement of two raters on the items that both labelled.

    With three labels or more, there are also coefficients that weight disagreements by their distance.
    """
    both, weighted = pair.pair(), len(pair.labels) > 2
    estimates = {KAPPA: cohen_kappa(both)}
    if weighted:
        estimates[f"{KAPPA}, linear weights"] = cohen_kappa(both, "linear")
        estimates[f"{KAPPA}, quadratic weights"] = cohen_kappa(both, "quadratic")
    estimates[AC1] = gwet_ac(both)
    if weighted:
        estimates["Gwet's AC2, quadratic weights"] = gwet_ac(both, "quadratic")
    estimates |= alphas(both, levels(both))
    return [
        Coefficient(AGREEMENT, observed_agreement(both)),
        *(Coefficient(name, estimate, benchmark(estimate.value)) for name, estimate in estimates.items()),
    ]


def of_numbers(judged: JudgedItems, several: bool) -> list[Coefficient]:
    """The distance between the numbers and, if `several` values are possible, their correlation."""
    estimates = {"bias": bias(judged), DISTANCE: mean_absolute_difference(judged)}
    if several:
        estimates |= {
            "Pearson's r": pearson(judged),
            "Spearman's rho": spearman(judged),
            "Kendall's tau-b": kendall(judged),
        }
    return [Coefficient(name, estimate) for name, estimate in estimates.items()]


def alphas(ratings: Ratings, at: Sequence[Measurement]) -> dict[str, Estimate]:
    """Krippendorff's alpha at some levels of measurement, by name."""
    return {f"{ALPHA}, {level}": krippendorff_alpha(ratings, level) for level in at}
