"""From records to scores: metrics ask, tools answer, and each record waits for its own answers only."""

from adjudge.score.pending import IN_FLIGHT
from adjudge.score.scorer import Scorer
from adjudge.score.selection import Plan, choose_metrics, find_suite, load_metrics, suite_names

__all__ = ["IN_FLIGHT", "Plan", "Scorer", "choose_metrics", "find_suite", "load_metrics", "suite_names"]
