"""Bounds of a single value: quantiles, Wilson's interval for a share, and t on the logit of a mean."""

from __future__ import annotations

from math import exp, log
from statistics import NormalDist

CONFIDENCE = 0.95

Bounds = tuple[float, float]


def wilson(share: float, n: float, level: float = CONFIDENCE) -> Bounds:
    """Wilson's score interval for a share of n.

    >>> [round(bound, 4) for bound in wilson(1.0, 20)]
    [0.8389, 1.0]
    """
    z = z_quantile(level)
    scale = 1 + z * z / n
    centre = (share + z * z / (2 * n)) / scale
    half = z / scale * (max(share * (1 - share), 0.0) / n + z * z / (4 * n * n)) ** 0.5
    return max(centre - half, 0.0), min(centre + half, 1.0)


def on_logits(share: float, half: float) -> Bounds:
    """The interval around a share between 0 and 1 whose half width is given, taken on its logit (delta method)."""
    centre, reach = log(share / (1 - share)), half / (share * (1 - share))
    return _expit(centre - reach), _expit(centre + reach)


def z_quantile(level: float = CONFIDENCE) -> float:
    """How many standard errors an interval at this level reaches to either side, if they are known."""
    return NormalDist().inv_cdf(0.5 + level / 2)


def t_quantile(degrees: float, level: float = CONFIDENCE) -> float:
    """How many standard errors an interval at this level reaches to either side, if they are estimated."""
    from scipy.special import stdtrit  # a third of a second to import, so only when a table is made

    return float(stdtrit(degrees, 0.5 + level / 2))


def _expit(logit: float) -> float:
    # Written for both signs, so that the exponential cannot overflow.
    return 1 / (1 + exp(-logit)) if logit >= 0 else exp(logit) / (1 + exp(logit))
