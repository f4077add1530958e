"""The cases of the decision systems, what their participants may know of them, and what they say beside their text."""

from __future__ import annotations

from msgspec import Struct, field

from adjudge.core.play import Case
from adjudge.suites.decision.data import Assessment, Criterion, StatedScores

# Scores by alternative and criterion.
Scores = dict[str, dict[str, float]]
COORDINATOR = "coordinator"


class Expert(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An expert: what it attends to, how sure it is, and how it sees the alternatives.

    `weights` are its own weights of the criteria; empty where it takes those of the case. A `confidence` of None means
    that it is as sure as its highest belief. `competence` says how well it judges a criterion, 1 where nothing is said.
    `lacks` are the criteria that it knows nothing about. `scores` is how it sees the alternatives; a file may leave
    them out where it sees them as they are.
    """

    id: str
    role: str = ""
    weights: dict[str, float] = {}
    confidence: float | None = None
    risk_tolerance: float = 0.5
    competence: dict[str, float] = {}
    lacks: tuple[str, ...] = ()
    scores: Scores = {}


class DecisionCase(Case, frozen=True, kw_only=True, omit_defaults=True):
    """A question to decide, and the experts who are asked.

    `matrix` holds the scores as they are and `truth` the right alternative, where these are known. No participant sees
    either of them.
    """

    alternatives: tuple[str, ...]
    criteria: tuple[Criterion, ...]
    experts: tuple[Expert, ...]
    name: str = ""
    description: str = ""
    matrix: Scores = field(default_factory=dict)
    truth: str | None = None


class DecisionQuestion(Struct, frozen=True):
    """What everybody knows of a case."""

    name: str
    description: str
    alternatives: tuple[str, ...]
    criteria: tuple[Criterion, ...]


class Colleague(Struct, frozen=True):
    """What experts know of each other before anybody has spoken."""

    id: str
    role: str
    competence: dict[str, float]


class ExpertFacts(Struct, frozen=True):
    """What an expert knows: the question, itself, who else is asked, and what all of them said in earlier rounds."""

    question: DecisionQuestion
    me: Expert
    colleagues: tuple[Colleague, ...]
    earlier: tuple[Assessment, ...] = ()

    @property
    def own(self) -> Assessment | None:
        """Its last assessment; None in the first round."""
        return next((each for each in reversed(self.earlier) if each.agent == self.me.id), None)

    @property
    def others(self) -> tuple[Assessment, ...]:
        """The last assessments of the others."""
        latest = {each.agent: each for each in self.earlier if each.agent != self.me.id}
        return tuple(latest.values())


class CoordinatorFacts(Struct, frozen=True):
    """What the coordinator knows: the question, and all assessments so far."""

    question: DecisionQuestion
    assessments: tuple[Assessment, ...] = ()

    @property
    def round(self) -> int:
        """The number of the last round; 0 before the first."""
        return max((each.round for each in self.assessments), default=0)

    @property
    def last_round(self) -> tuple[Assessment, ...]:
        """The assessments of the last round."""
        return self.of_round(self.round)

    def of_round(self, number: int) -> tuple[Assessment, ...]:
        """The assessments of a round."""
        return tuple(each for each in self.assessments if each.round == number)


class RoundVerdict(Struct, frozen=True, omit_defaults=True):
    """What the coordinator makes of a round.

    `again` opens another round. Otherwise `recommended` is the decision, or `lottery` the shares of alternatives that
    tie; `stated` holds the scores behind it.
    """

    again: bool = False
    recommended: str | None = None
    lottery: dict[str, float] = {}
    confidence: float | None = None
    stated: StatedScores | None = None
