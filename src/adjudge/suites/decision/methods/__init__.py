"""Methods that combine many values or many beliefs into one decision: pure functions on arrays."""

from adjudge.suites.decision.methods.evidence import (
    Evidence,
    UtilityInterval,
    combine,
    combine_recursively,
    dempster,
    utility_interval,
)
from adjudge.suites.decision.methods.ranking import rank_correlation, ranks
from adjudge.suites.decision.methods.topsis import topsis, weighted_sum

__all__ = [
    "Evidence",
    "UtilityInterval",
    "combine",
    "combine_recursively",
    "dempster",
    "rank_correlation",
    "ranks",
    "topsis",
    "utility_interval",
    "weighted_sum",
]
