"""Evaluation for conversations between many parties."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adjudge.core.ask import NO_LABEL, About, Embedder, Entailment, Judge, Nli, Pair, Question, Reply, YesNo
    from adjudge.core.card import Band, Card, Metric, metric
    from adjudge.core.coverage import ArmCoverage, Coverage
    from adjudge.core.errors import BadInput, BadRecord, Complaint, Pending, Unanswered, Warnings
    from adjudge.core.mark import Mark, Score, Unlabelled
    from adjudge.core.pairwise import prefer
    from adjudge.core.play import Ask, Case, Decision, End, Message, Prompt, Said, Tool, ToolCalls, View
    from adjudge.core.record import Participant, Record, Turn
    from adjudge.core.suite import Missing, Option, Source, Suite, Survey
    from adjudge.core.system import Cast, Role, Setup, System, system
    from adjudge.core.tally import Moments, Tally

__version__ = "0.1.0"

_HOME = {
    "NO_LABEL": "ask",
    "About": "ask",
    "ArmCoverage": "coverage",
    "Ask": "play",
    "BadInput": "errors",
    "BadRecord": "errors",
    "Band": "card",
    "Card": "card",
    "Case": "play",
    "Cast": "system",
    "Complaint": "errors",
    "Coverage": "coverage",
    "Decision": "play",
    "Embedder": "ask",
    "End": "play",
    "Entailment": "ask",
    "Judge": "ask",
    "Mark": "mark",
    "Message": "play",
    "Metric": "card",
    "Missing": "suite",
    "Moments": "tally",
    "Nli": "ask",
    "Option": "suite",
    "Pair": "ask",
    "Participant": "record",
    "Pending": "errors",
    "Prompt": "play",
    "Question": "ask",
    "Record": "record",
    "Reply": "ask",
    "Role": "system",
    "Said": "play",
    "Score": "mark",
    "Setup": "system",
    "Source": "suite",
    "Suite": "suite",
    "Survey": "suite",
    "System": "system",
    "Tally": "tally",
    "Tool": "play",
    "ToolCalls": "play",
    "Turn": "record",
    "Unanswered": "errors",
    "Unlabelled": "mark",
    "View": "play",
    "Warnings": "errors",
    "YesNo": "ask",
    "metric": "card",
    "prefer": "pairwise",
    "system": "system",
}

__all__ = [
    "NO_LABEL",
    "About",
    "ArmCoverage",
    "Ask",
    "BadInput",
    "BadRecord",
    "Band",
    "Card",
    "Case",
    "Cast",
    "Complaint",
    "Coverage",
    "Decision",
    "Embedder",
    "End",
    "Entailment",
    "Judge",
    "Mark",
    "Message",
    "Metric",
    "Missing",
    "Moments",
    "Nli",
    "Option",
    "Pair",
    "Participant",
    "Pending",
    "Prompt",
    "Question",
    "Record",
    "Reply",
    "Role",
    "Said",
    "Score",
    "Setup",
    "Source",
    "Suite",
    "Survey",
    "System",
    "Tally",
    "Tool",
    "ToolCalls",
    "Turn",
    "Unanswered",
    "Unlabelled",
    "View",
    "Warnings",
    "YesNo",
    "metric",
    "prefer",
    "system",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that `adjudge --help` imports nothing."""
    if name not in _HOME:
        raise AttributeError(f"module 'adjudge' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"adjudge.core.{_HOME[name]}"), name)
