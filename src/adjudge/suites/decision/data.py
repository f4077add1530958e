"""The records of the decision suite: a decision on a scenario, the agents' assessments, and the cost."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal

from msgspec import Struct, field

from adjudge.core.fingerprint import without_order
from adjudge.core.record import Record, Turn

# Shares and scores that differ by less count as equal. Sums of decimals carry binary rounding errors: 0.1 + 0.2 > 0.3.
ROUNDING = 1e-9
SCENARIO = "the scenario's criteria matrix"


def difference(first: float, second: float) -> float:
    """The first number less the second; 0 where they differ by rounding alone.

    >>> difference(0.1 + 0.2, 0.3), difference(0.5, 0.25)
    (0.0, 0.25)
    """
    return 0.0 if abs(first - second) <= ROUNDING else first - second


class Criterion(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A criterion by which alternatives are judged: a high benefit is good, and so is a low cost.

    `scale` holds the lowest and the highest possible score. `weight` is None where no weight was given. Either all
    criteria of a scenario have a weight, or none has.
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


class DecisionScenario(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The question to decide: alternatives, criteria, and the score of each alternative on each criterion.

    `matrix` maps an alternative to its scores by criterion. It is empty where only the agents scored the alternatives.
    """

    alternatives: tuple[str, ...] = ()
    criteria: tuple[Criterion, ...] = ()
    matrix: dict[str, dict[str, float]] = {}
    name: str = ""
    description: str = ""


NO_SCENARIO = DecisionScenario()


class Assessment(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The view of one agent in one round, before the group decided.

    Rounds are numbered from 0 or 1. If the earliest round has a higher number, the agents' views before the discussion
    are unknown. `beliefs` distribute a mass of at most 1 over the alternatives; the rest is unassigned. `choice` is the
    alternative that the agent names, where it is not the one it believes in most. `matrix` holds the agent's own scores
    of the alternatives by criterion.
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
        """The preferred alternative; several if the highest belief is shared, none if there is no belief."""
        if self.choice is not None:
            return (self.choice,)
        top = max(self.beliefs.values(), default=0.0)
        return tuple(name for name, belief in self.beliefs.items() if belief == top) if top else ()


class DecisionTurn(Turn, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A message of one agent to the others, with its number of tokens where that is known."""

    tokens: int | None = None


class LogEntry(Struct, frozen=True, gc=False, omit_defaults=True):
    """One event of an execution log: an iteration, a call, the start or the end."""

    type: str
    timestamp: float | str | None = None
    duration: float | None = None
    tokens: int | None = None
    cost: float | None = None


class Effort(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """The effort that a decision took. None means not known. `cost` is in US dollars."""

    iterations: int | None = None
    calls: int | None = None
    seconds: float | None = None
    tokens: int | None = None
    cost: float | None = None


class StatedScores(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The scores that a system gives its own decision. They are shown, and only the literal variants use them."""

    quality: float | None = None
    consensus: float | None = None
    final_scores: dict[str, float] = {}
    er_scores: dict[str, float] = {}
    mcda_scores: dict[str, float] = {}


class Decision(Record, frozen=True, kw_only=True, dict=True, omit_defaults=True, forbid_unknown_fields=True):
    """A decision of one arm on one scenario.

    `recommended` is the chosen alternative. Where there is no single one (a tie, or a group whose members end with
    different answers), `lottery` holds the share of each, and metrics take the mean over these shares. `truth` is the
    right alternative where it is known. `matrix_source` says whose scores the scenario's matrix holds.
    """

    scenario: DecisionScenario = NO_SCENARIO
    assessments: tuple[Assessment, ...] = ()
    recommended: str | None = None
    lottery: dict[str, float] = field(default_factory=dict)
    confidence: float | None = None
    truth: str | None = None
    turns: tuple[DecisionTurn, ...] = ()
    log: tuple[LogEntry, ...] = ()
    effort: Effort | None = None
    stated: StatedScores | None = None
    matrix_source: str = SCENARIO

    @property
    def given_parts(self) -> Mapping[str, object]:
        """The scenario, its matrix unless the agents made it, and the right alternative."""
        scenario = self.scenario
        return {
            "question": scenario.description,
            "alternatives": without_order(scenario.alternatives),
            "criteria": without_order(scenario.criteria),
            "matrix": scenario.matrix if self.matrix_source == SCENARIO else {},
            "truth": self.truth,
        }

    @property
    def shares(self) -> dict[str, float]:
        """The share of each chosen alternative; empty where nothing was decided."""
        if self.lottery:
            return self.lottery
        return {} if self.recommended is None else {self.recommended: 1.0}

    @cached_property
    def rounds(self) -> dict[int, tuple[Assessment, ...]]:
        """The assessments by round, in the order of the rounds."""
        numbers = sorted({assessment.round for assessment in self.assessments})
        return {
            number: tuple(assessment for assessment in self.assessments if assessment.round == number)
            for number in numbers
        }

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents who gave an assessment, in the order of their first one."""
        return tuple(
            dict.fromkeys(assessment.agent for assessments in self.rounds.values() for assessment in assessments)
        )

    @property
    def first(self) -> tuple[Assessment, ...]:
        """The assessments of the first round, before the agents talked; empty where that round is not recorded."""
        number, assessments = next(iter(self.rounds.items()), (0, ()))
        # The first round is number 0 or 1, so a record that starts with a later one lacks it.
        return assessments if number < 2 else ()

    @cached_property
    def last(self) -> tuple[Assessment, ...]:
        """Each agent's last assessment: its view when the decision was made."""
        latest = {assessment.agent: assessment for assessments in self.rounds.values() for assessment in assessments}
        return tuple(latest[agent] for agent in self.agents)
