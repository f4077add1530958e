"""Evaluation for conversations between many parties."""

import sys
from types import ModuleType

from adjudge.core.version import __version__ as __version__

# Type checkers take this as true; importing `typing` would take longer than all of the rest.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from adjudge.api.comparing import ComparisonResult, compare
    from adjudge.api.gates import GateResult, gate
    from adjudge.api.judges import judge
    from adjudge.api.playing import play
    from adjudge.api.runs import Run, load
    from adjudge.api.scenario_results import ScenarioResult
    from adjudge.api.scenarios import Scenario
    from adjudge.api.scoring import demo, score
    from adjudge.api.shown import Page
    from adjudge.api.tables import Table
    from adjudge.api.talks import Talk
    from adjudge.api.trials import PassRate
    from adjudge.core.ask import NO_LABEL, About, Embedder, Entailment, Judge, Nli, Pair, Question, Reply, YesNo
    from adjudge.core.card import Band, Card, Metric, metric
    from adjudge.core.conversation import Conversation, Outcome
    from adjudge.core.coverage import ArmCoverage, Coverage
    from adjudge.core.errors import BadInput, BadRecord, Complaint, Pending, Unanswered, Warnings
    from adjudge.core.mark import Mark, Score, Unlabelled
    from adjudge.core.pairwise import prefer
    from adjudge.core.play import Ask, Case, Decision, End, Message, Prompt, Said, Tool, ToolCalls, View
    from adjudge.core.record import Call, Participant, Record, Turn
    from adjudge.core.suite import Missing, Option, Source, Suite, Survey
    from adjudge.core.system import Cast, Role, Setup, System, system
    from adjudge.core.tally import Moments, Tally

_HOME = {
    "NO_LABEL": "core.ask",
    "About": "core.ask",
    "ArmCoverage": "core.coverage",
    "Ask": "core.play",
    "BadInput": "core.errors",
    "BadRecord": "core.errors",
    "Band": "core.card",
    "Call": "core.record",
    "Card": "core.card",
    "Case": "core.play",
    "Cast": "core.system",
    "ComparisonResult": "api.comparing",
    "Complaint": "core.errors",
    "Conversation": "core.conversation",
    "Coverage": "core.coverage",
    "Decision": "core.play",
    "Embedder": "core.ask",
    "End": "core.play",
    "Entailment": "core.ask",
    "GateResult": "api.gates",
    "Judge": "core.ask",
    "Mark": "core.mark",
    "Message": "core.play",
    "Metric": "core.card",
    "Missing": "core.suite",
    "Moments": "core.tally",
    "Nli": "core.ask",
    "Option": "core.suite",
    "Outcome": "core.conversation",
    "Page": "api.shown",
    "Pair": "core.ask",
    "Participant": "core.record",
    "PassRate": "api.trials",
    "Pending": "core.errors",
    "Prompt": "core.play",
    "Question": "core.ask",
    "Record": "core.record",
    "Reply": "core.ask",
    "Role": "core.system",
    "Run": "api.runs",
    "Said": "core.play",
    "Scenario": "api.scenarios",
    "ScenarioResult": "api.scenario_results",
    "Score": "core.mark",
    "Setup": "core.system",
    "Source": "core.suite",
    "Suite": "core.suite",
    "Survey": "core.suite",
    "System": "core.system",
    "Table": "api.tables",
    "Talk": "api.talks",
    "Tally": "core.tally",
    "Tool": "core.play",
    "ToolCalls": "core.play",
    "Turn": "core.record",
    "Unanswered": "core.errors",
    "Unlabelled": "core.mark",
    "View": "core.play",
    "Warnings": "core.errors",
    "YesNo": "core.ask",
    "compare": "api.comparing",
    "demo": "api.scoring",
    "gate": "api.gates",
    "judge": "api.judges",
    "load": "api.runs",
    "metric": "core.card",
    "play": "api.playing",
    "prefer": "core.pairwise",
    "score": "api.scoring",
    "system": "core.system",
}

__all__ = [
    "NO_LABEL",
    "About",
    "ArmCoverage",
    "Ask",
    "BadInput",
    "BadRecord",
    "Band",
    "Call",
    "Card",
    "Case",
    "Cast",
    "ComparisonResult",
    "Complaint",
    "Conversation",
    "Coverage",
    "Decision",
    "Embedder",
    "End",
    "Entailment",
    "GateResult",
    "Judge",
    "Mark",
    "Message",
    "Metric",
    "Missing",
    "Moments",
    "Nli",
    "Option",
    "Outcome",
    "Page",
    "Pair",
    "Participant",
    "PassRate",
    "Pending",
    "Prompt",
    "Question",
    "Record",
    "Reply",
    "Role",
    "Run",
    "Said",
    "Scenario",
    "ScenarioResult",
    "Score",
    "Setup",
    "Source",
    "Suite",
    "Survey",
    "System",
    "Table",
    "Talk",
    "Tally",
    "Tool",
    "ToolCalls",
    "Turn",
    "Unanswered",
    "Unlabelled",
    "View",
    "Warnings",
    "YesNo",
    "compare",
    "demo",
    "gate",
    "judge",
    "load",
    "metric",
    "play",
    "prefer",
    "score",
    "system",
]


class _Package(ModuleType):
    """This package, in which `adjudge.score` is the function although there is a package of that name.

    Whoever imports from the package `adjudge.score` makes Python set the attribute `score` of `adjudge`, which would
    hide the function. So a module is never set in the place of a public name.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that `import adjudge` and `adjudge --help` import nothing."""
    if name not in _HOME:
        raise AttributeError(f"module 'adjudge' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"adjudge.{_HOME[name]}"), name)
