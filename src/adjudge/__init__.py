"""Evaluation for conversations between many parties."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adjudge.core.ask import NO_LABEL, About, Embedder, Entailment, Judge, Nli, Pair, Question, Reply, YesNo
    from adjudge.core.card import Band, Card, Metric, metric
    from adjudge.core.coverage import ArmCoverage, Coverage
    from adjudge.core.errors import BadInput, BadRecord, Complaint, Pending, Unanswered, Warnings
    from adjudge.core.mark import Mark, Score, Unlabelled
    from adjudge.core.pairwise import prefer
    from adjudge.core.record import Participant, Record, Turn
    from adjudge.core.suite import Missing, Option, Source, Suite, Survey
    from adjudge.core.tally import Moments, Tally

__version__ = "0.1.0"

_HOME = {
    "NO_LABEL": "ask",
    "About": "ask",
    "ArmCoverage": "coverage",
    "BadInput": "errors",
    "BadRecord": "errors",
    "Band": "card",
    "Card": "card",
    "Complaint": "errors",
    "Coverage": "coverage",
    "Embedder": "ask",
    "Entailment": "ask",
    "Judge": "ask",
    "Mark": "mark",
    "Metric": "card",
    "Missing": "suite",
    "Moments": "tally",
    "Nli": "ask",
    "Option": "suite",
    "Pair": "ask",
    "Participant": "record",
    "Pending": "errors",
    "Question": "ask",
    "Record": "record",
    "Reply": "ask",
    "Score": "mark",
    "Source": "suite",
    "Suite": "suite",
    "Survey": "suite",
    "Tally": "tally",
    "Turn": "record",
    "Unanswered": "errors",
    "Unlabelled": "mark",
    "Warnings": "errors",
    "YesNo": "ask",
    "metric": "card",
    "prefer": "pairwise",
}

__all__ = [
    "NO_LABEL",
    "About",
    "ArmCoverage",
    "BadInput",
    "BadRecord",
    "Band",
    "Card",
    "Complaint",
    "Coverage",
    "Embedder",
    "Entailment",
    "Judge",
    "Mark",
    "Metric",
    "Missing",
    "Moments",
    "Nli",
    "Option",
    "Pair",
    "Participant",
    "Pending",
    "Question",
    "Record",
    "Reply",
    "Score",
    "Source",
    "Suite",
    "Survey",
    "Tally",
    "Turn",
    "Unanswered",
    "Unlabelled",
    "Warnings",
    "YesNo",
    "metric",
    "prefer",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that `adjudge --help` imports nothing."""
    if name not in _HOME:
        raise AttributeError(f"module 'adjudge' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"adjudge.core.{_HOME[name]}"), name)
