"""Generated scenarios: the truth that is planted, and what experts see of it."""

from __future__ import annotations

import pytest

from adjudge.core.errors import BadInput
from adjudge.systems.decision.checks import check_case
from adjudge.systems.decision.data import DecisionCase
from adjudge.systems.decision.generator import CERTAINTY, LOOKS, Kind, Parameters, generate

KINDS = list(LOOKS)


def cases(kind: Kind, n: int = 20, **more: int) -> list[DecisionCase]:
    return list(generate(Parameters(kind=kind, n=n, **more)))


def best(case: DecisionCase, scores: dict[str, dict[str, float]]) -> str:
    """The best alternative by weight, over the criteria that are known."""
    weights = {criterion.id: criterion.weight or 0.0 for criterion in case.criteria}
    return max(scores, key=lambda name: sum(weights[each] * score for each, score in scores[name].items()))


@pytest.mark.parametrize("kind", KINDS)
def test_scenarios_are_the_same_for_the_same_parameters_and_can_be_played(kind: Kind) -> None:
    made = cases(kind)
    assert made == cases(kind)
    assert made != cases(kind, seed=2)
    assert len({case.id for case in made}) == 20
    for case in made:
        check_case("", case)
        assert len(case.experts) == 5
        assert case.truth == best(case, case.matrix)


@pytest.mark.parametrize(("experts", "criteria"), [(2, 6), (3, 4), (7, 5), (5, 5)])
def test_a_hidden_profile_is_seen_by_the_group_and_by_no_member(experts: int, criteria: int) -> None:
    for case in cases("hidden_profile", experts=experts, criteria=criteria):
        known = [set(next(iter(expert.scores.values()))) for expert in case.experts]
        assert set.union(*known) == {criterion.id for criterion in case.criteria}
        assert {"c1", "c2"} <= set.intersection(*known)
        assert all(set(expert.lacks).isdisjoint(own) for expert, own in zip(case.experts, known, strict=True))
        assert all(expert.lacks for expert in case.experts)


def test_one_expert_is_sure_and_the_others_know_their_competence() -> None:
    places = set()
    for case in cases("overconfident"):
        sure = [place for place, expert in enumerate(case.experts) if expert.confidence == CERTAINTY]
        assert len(sure) == 1
        places.add(sure[0])
        assert all((expert.confidence or 0) < 0.9 for place, expert in enumerate(case.experts) if place not in sure)
    assert len(places) > 1


def test_under_a_shared_bias_experts_make_the_same_error() -> None:
    def unanimous(kind: Kind) -> int:
        return sum(len({best(case, expert.scores) for expert in case.experts}) == 1 for case in cases(kind, 60))

    assert unanimous("shared_bias") > 2 * unanimous("independent")


def test_without_noise_everybody_sees_the_truth() -> None:
    for case in generate(Parameters(n=5, noise=0.0)):
        assert all(expert.scores == case.matrix for expert in case.experts)


def test_nothing_can_be_hidden_among_three_criteria() -> None:
    with pytest.raises(BadInput, match="criteria=3; expected at least 4"):
        cases("hidden_profile", criteria=3)
