"""The records of the decision suite: one decision on one scenario, with who assessed it and what it cost."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from msgspec import Struct, field

from adjudge.core.record import Record, Turn

# Shares and scores closer than this are equal: they are sums of decimals that are rounded in binary.
ROUNDING = 1e-9
SCENARIO = "the scenario's criteria matrix"


class Criterion(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What alternatives are judged by: the more of a benefit the better, the less of a cost.

    `scale` are the worst and best scores that could be given (the least and the most of a cost). A weight of None:
    none was given; either all criteria of a scenario have one or none has.
    """

    id: str
    kind: Literal["benefit", "cost"] = "benefit"
    weight: float | None = None
    scale: tuple[float, float] = (0.0, 1.0)

    def satisfaction(self, score: float) -> float:
        """How far a score satisfies the criterion, 0 to 1 for scores within the scale.

        >>> Criterion("price", kind="cost", scale=(100.0, 300.0)).satisfaction(150.0)
        0.75
        """
        low, high = self.scale
        share = (score - low) / (high - low)
        return 1 - share if self.kind == "cost" else share


class Scenario(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What was to be decided: alternatives, criteria, and the score of each alternative on each criterion.

    `matrix` maps an alternative to its scores by criterion; empty: nobody outside the agents scored them.
    """

    alternatives: tuple[str, ...] = ()
    criteria: tuple[Criterion, ...] = ()
    matrix: dict[str, dict[str, float]] = {}
    name: str = ""
    description: str = ""


NO_SCENARIO = Scenario()


class Assessment(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What one agent thought in one round, before the group decided.

    Rounds are numbered from 0 or 1; where the earliest is later, nobody said what they thought by themselves.
    `beliefs` share a mass of at most 1 among alternatives; what is left is unassigned. `choice` is the alternative it
    names where that is not the one it believes in most. `matrix` is its own scoring of alternatives by criterion.
    """

    agent: str
    beliefs: dict[str, float] = {}
    confidence: float | None = None
    choice: str | None = None
    matrix: dict[str, dict[str, float]] = {}
    reasoning: str = ""
    concerns: tuple[str, ...] = ()
    role: str = ""
    round: int = 0

    @property
    def choices(self) -> tuple[str, ...]:
        """The alternative it prefers; several where it believes in several most; none without any belief."""
        if self.choice is not None:
            return (self.choice,)
        top = max(self.beliefs.values(), default=0.0)
        return tuple(name for name, belief in self.beliefs.items() if belief == top) if top else ()


class DecisionTurn(Turn, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """What one agent said to the others, with the tokens it took where that is known."""

    tokens: int | None = None


class LogEntry(Struct, frozen=True, gc=False, omit_defaults=True):
    """One event of an execution log: an iteration, a call, the start or the end."""

    type: str
    timestamp: float | str | None = None
    duration: float | None = None
    tokens: int | None = None
    cost: float | None = None


class Effort(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """What a decision took; None: not known. Cost is in US dollars."""

    iterations: int | None = None
    calls: int | None = None
    seconds: float | None = None
    tokens: int | None = None
    cost: float | None = None


class Stated(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a system says of its own decision; shown, and scored by the literal variants only."""

    quality: float | None = None
    consensus: float | None = None
    final_scores: dict[str, float] = {}
    er_scores: dict[str, float] = {}
    mcda_scores: dict[str, float] = {}


class Decision(Record, frozen=True, kw_only=True, dict=True, omit_defaults=True, forbid_unknown_fields=True):
    """A decision of one arm on one scenario.

    `recommended` is the alternative it decided for; where it decided for none alone (a group whose members end with
    answers of their own, a tie), `lottery` holds the share of each, and values are the mean over these shares.
    `truth` is the right alternative where one is known. `matrix_source` says whose scores the scenario's matrix holds.
    """

    scenario: Scenario = NO_SCENARIO
    assessments: tuple[Assessment, ...] = ()
    recommended: str | None = None
    lottery: dict[str, float] = field(default_factory=dict)
    confidence: float | None = None
    truth: str | None = None
    turns: tuple[DecisionTurn, ...] = ()
    log: tuple[LogEntry, ...] = ()
    effort: Effort | None = None
    stated: Stated | None = None
    matrix_source: str = SCENARIO

    @property
    def shares(self) -> dict[str, float]:
        """The alternatives decided for with their shares; empty where nothing was decided."""
        if self.lottery:
            return self.lottery
        return {} if self.recommended is None else {self.recommended: 1.0}

    @cached_property
    def rounds(self) -> dict[int, tuple[Assessment, ...]]:
        """The assessments of each round, rounds in order."""
        numbers = sorted({assessment.round for assessment in self.assessments})
        return {
            number: tuple(assessment for assessment in self.assessments if assessment.round == number)
            for number in numbers
        }

    @property
    def agents(self) -> tuple[str, ...]:
        """Everybody who assessed, in the order in which they first did."""
        return tuple(
            dict.fromkeys(assessment.agent for assessments in self.rounds.values() for assessment in assessments)
        )

    @property
    def first(self) -> tuple[Assessment, ...]:
        """The assessments of the first round: what agents thought by themselves."""
        number, assessments = next(iter(self.rounds.items()), (0, ()))
        return assessments if number < 2 else ()

    @cached_property
    def last(self) -> tuple[Assessment, ...]:
        """Each agent's last assessment: what it thought when the decision was made."""
        latest = {assessment.agent: assessment for assessments in self.rounds.values() for assessment in assessments}
        return tuple(latest[agent] for agent in self.agents)
