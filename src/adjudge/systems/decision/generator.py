"""Scenarios with a planted truth: what each expert sees of it is drawn here, so that all arms meet the same experts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from statistics import fmean
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct

from adjudge.core.errors import BadInput
from adjudge.suites.decision.data import Criterion
from adjudge.systems.decision.data import DecisionCase, Expert, Scores

Kind = Literal["independent", "shared_bias", "hidden_profile", "overconfident"]
# How far the overconfident expert underrates the right alternative and overrates the second best, and how sure it is.
DELUSION, CERTAINTY = 0.1, 0.97
COMPETENCE = (0.2, 0.9)
# The share of their errors that experts make where something else than errors is studied.
FEW_ERRORS = 0.2
# The criteria of a hidden profile that every expert knows; each of the others is known to a part of them.
COMMON = 2


class Parameters(Struct, frozen=True):
    """How many scenarios of which kind, and how large.

    `noise` is the standard deviation of the errors of an expert without any competence, on scores from 0 to 1.
    """

    kind: Kind = "independent"
    n: Annotated[int, Meta(ge=1)] = 200
    experts: Annotated[int, Meta(ge=2)] = 5
    seed: int = 1
    alternatives: Annotated[int, Meta(ge=2)] = 4
    criteria: Annotated[int, Meta(ge=1)] = 5
    noise: Annotated[float, Meta(ge=0)] = 0.5


class ScenarioDraft(NamedTuple):
    """A scenario before anybody looks at it: the right alternative, and the one that may be mistaken for it."""

    criteria: tuple[Criterion, ...]
    matrix: Scores
    truth: str
    decoy: str


class Look(NamedTuple):
    """How an expert looks at a scenario: the scores that it would see without errors, and what it says of itself."""

    matrix: Scores
    errors: float = 1.0
    lacks: tuple[str, ...] = ()
    certainty: float | None = None


def generate(parameters: Parameters) -> Iterator[DecisionCase]:
    """The scenarios; the same ones for the same parameters."""
    if parameters.kind == "hidden_profile" and parameters.criteria < COMMON + 2:
        raise BadInput(
            f"--generate: found criteria={parameters.criteria}; expected at least {COMMON + 2}, to hide some"
        )
    for number in range(parameters.n):
        id = f"{parameters.kind}-{parameters.seed}-{number:04d}"
        rng = Random(id)
        plan = _hidden_plan(parameters, rng) if parameters.kind == "hidden_profile" else _plain_plan(parameters, rng)
        looks = LOOKS[parameters.kind](plan, parameters, rng)
        yield DecisionCase(
            id=id,
            facets={"kind": parameters.kind},
            alternatives=tuple(plan.matrix),
            criteria=plan.criteria,
            experts=tuple(_expert(f"expert {place + 1}", look, parameters, rng) for place, look in enumerate(looks)),
            matrix=plan.matrix,
            truth=plan.truth,
        )


def _plain_plan(parameters: Parameters, rng: Random) -> ScenarioDraft:
    """Scores at random: the right alternative is the best by weight, the second best is mistaken for it."""
    criteria = _criteria(parameters, rng)
    matrix = {name: {each.id: _draw(rng, 0.2, 0.9) for each in criteria} for name in _names(parameters)}
    best, second, *_ = sorted(matrix, key=lambda name: -_quality(matrix[name], criteria))
    return ScenarioDraft(criteria, matrix, best, second)


def _hidden_plan(parameters: Parameters, rng: Random) -> ScenarioDraft:
    """What all experts know speaks for the decoy, the rest for the right alternative (Stasser & Titus 1985)."""
    while True:
        criteria = _criteria(parameters, rng)
        truth, decoy = rng.sample(_names(parameters), 2)
        ranges = {truth: ((0.2, 0.5), (0.6, 0.9)), decoy: ((0.6, 0.9), (0.2, 0.5))}
        matrix = {
            name: {
                each.id: _draw(rng, *ranges.get(name, ((0.2, 0.6), (0.2, 0.6)))[place >= COMMON])
                for place, each in enumerate(criteria)
            }
            for name in _names(parameters)
        }
        if max(matrix, key=lambda name: _quality(matrix[name], criteria)) == truth:
            return ScenarioDraft(criteria, matrix, truth, decoy)


def _independent_looks(plan: ScenarioDraft, parameters: Parameters, rng: Random) -> list[Look]:
    """Everybody makes errors of their own."""
    return [Look(plan.matrix)] * parameters.experts


def _biased_looks(plan: ScenarioDraft, parameters: Parameters, rng: Random) -> list[Look]:
    """Everybody makes the same errors, as large as those of an average expert, and small ones of their own."""
    spread = parameters.noise * (1 - fmean(COMPETENCE))
    biased = {
        name: {criterion: _clip(rng.gauss(score, spread)) for criterion, score in row.items()}
        for name, row in plan.matrix.items()
    }
    return [Look(biased, FEW_ERRORS)] * parameters.experts


def _hidden_looks(plan: ScenarioDraft, parameters: Parameters, rng: Random) -> list[Look]:
    """Everybody knows what is common and one thing more; each thing is known to somebody."""
    experts = parameters.experts
    unshared = [criterion.id for criterion in plan.criteria[COMMON:]]
    known = [
        {unshared[expert % len(unshared)], *(name for place, name in enumerate(unshared) if place % experts == expert)}
        for expert in range(experts)
    ]
    return [Look(plan.matrix, FEW_ERRORS, tuple(name for name in unshared if name not in own)) for own in known]


def _overconfident_looks(plan: ScenarioDraft, parameters: Parameters, rng: Random) -> list[Look]:
    """One expert, drawn by lot, tends to the wrong alternative and is sure of it; the others make their own errors."""
    deluded = rng.randrange(parameters.experts)
    return [
        Look(_mistaken_scores(plan, DELUSION), certainty=CERTAINTY) if place == deluded else Look(plan.matrix)
        for place in range(parameters.experts)
    ]


LOOKS: dict[Kind, Callable[[ScenarioDraft, Parameters, Random], list[Look]]] = {
    "independent": _independent_looks,
    "shared_bias": _biased_looks,
    "hidden_profile": _hidden_looks,
    "overconfident": _overconfident_looks,
}


def _expert(name: str, look: Look, parameters: Parameters, rng: Random) -> Expert:
    """An expert whose errors are larger on criteria that it judges less well, and who knows how well it judges."""
    competence = {criterion: _draw(rng, *COMPETENCE) for criterion in next(iter(look.matrix.values()))}
    spread = {criterion: parameters.noise * look.errors * (1 - value) for criterion, value in competence.items()}
    scores = {
        alternative: {each: _clip(rng.gauss(score, spread[each])) for each, score in row.items()}
        for alternative, row in look.matrix.items()
    }
    kept = {
        alternative: {each: score for each, score in row.items() if each not in look.lacks}
        for alternative, row in scores.items()
    }
    sure = fmean(competence.values()) if look.certainty is None else look.certainty
    return Expert(id=name, confidence=round(sure, 3), competence=competence, lacks=look.lacks, scores=kept)


def _mistaken_scores(plan: ScenarioDraft, error: float) -> Scores:
    """The scores as they look to somebody who underrates the right alternative and overrates the decoy."""
    shift = {plan.truth: -error, plan.decoy: error}
    return {
        name: {criterion: _clip(score + shift.get(name, 0.0)) for criterion, score in row.items()}
        for name, row in plan.matrix.items()
    }


def _names(parameters: Parameters) -> list[str]:
    return [f"option {place + 1}" for place in range(parameters.alternatives)]


def _criteria(parameters: Parameters, rng: Random) -> tuple[Criterion, ...]:
    return tuple(Criterion(f"c{place + 1}", weight=_draw(rng, 0.5, 1.0)) for place in range(parameters.criteria))


def _quality(scores: dict[str, float], criteria: tuple[Criterion, ...]) -> float:
    return sum((each.weight or 0.0) * scores[each.id] for each in criteria)


def _draw(rng: Random, low: float, high: float) -> float:
    return round(rng.uniform(low, high), 3)


def _clip(score: float) -> float:
    return round(min(max(score, 0.0), 1.0), 3)
