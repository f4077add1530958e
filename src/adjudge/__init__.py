"""Evaluation for conversations between many parties."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adjudge.core.ask import Embedder, Judge, Pending, Question, Unanswered
    from adjudge.core.card import Band, Card, Metric, metric
    from adjudge.core.mark import Mark, Score
    from adjudge.core.record import Participant, Record, Turn
    from adjudge.core.suite import Option, Suite
    from adjudge.core.tally import Moments, Tally

__version__ = "0.1.0"

_HOME = {
    "Band": "card",
    "Card": "card",
    "Embedder": "ask",
    "Judge": "ask",
    "Mark": "mark",
    "Metric": "card",
    "Moments": "tally",
    "Option": "suite",
    "Participant": "record",
    "Pending": "ask",
    "Question": "ask",
    "Record": "record",
    "Score": "mark",
    "Suite": "suite",
    "Tally": "tally",
    "Turn": "record",
    "Unanswered": "ask",
    "metric": "card",
}

__all__ = [
    "Band",
    "Card",
    "Embedder",
    "Judge",
    "Mark",
    "Metric",
    "Moments",
    "Option",
    "Participant",
    "Pending",
    "Question",
    "Record",
    "Score",
    "Suite",
    "Tally",
    "Turn",
    "Unanswered",
    "metric",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that `adjudge --help` imports nothing."""
    if name not in _HOME:
        raise AttributeError(f"module 'adjudge' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"adjudge.core.{_HOME[name]}"), name)
