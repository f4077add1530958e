"""The coordinator: combining, counting, naming conflicts, and knowing when to stop."""

from __future__ import annotations

import pytest
from experts import EVEN, FAST, SAFE, believer, coordinator_view, verdict_of

from adjudge.suites.decision import combine, topsis
from adjudge.suites.decision.data import Assessment
from adjudge.systems.decision.combination import closeness_of, combine_assessments
from adjudge.systems.decision.coordinator import Agreement, chair, combine_round, count_votes, relay
from adjudge.systems.decision.data import CoordinatorFacts
from adjudge.systems.decision.stopping import Stopping

ALL = frozenset({"expert", "criteria", "confidence", "exchange"})
STOPPING = Stopping()
APART = (believer("a", 0.95), believer("b", 0.05))
ALIKE = (believer("a", 0.6), believer("b", 0.6))


def test_beliefs_are_combined_by_evidential_reasoning_with_confidences_as_weights() -> None:
    said = (believer("a", 0.9, 0.8), believer("b", 0.3, 0.2))
    expected = combine([[0.9, 0.1], [0.3, 0.7]], [0.8, 0.2]).beliefs
    alike = combine([[0.9, 0.1], [0.3, 0.7]]).beliefs
    assert list(combine_assessments(EVEN, said, ALL).beliefs.values()) == pytest.approx(expected.tolist())
    without = combine_assessments(EVEN, said, ALL - {"confidence"}).beliefs
    assert list(without.values()) == pytest.approx(alike.tolist())


def test_scores_are_the_mean_of_belief_and_closeness() -> None:
    said = (believer("a", 0.7, matrix=SAFE),)
    combination = combine_assessments(EVEN, said, ALL)
    assert combination.closeness == {"bridge": 1.0, "ford": 0.0}
    assert combination.scores == pytest.approx({"bridge": 0.85, "ford": 0.15})
    assert combine_assessments(EVEN, said, ALL - {"criteria"}).scores == pytest.approx({"bridge": 0.7, "ford": 0.3})


def test_closeness_rests_on_what_each_expert_knows_itself() -> None:
    both = {name: {**SAFE[name], **FAST[name]} for name in SAFE}
    rows = [[0.9, 0.2], [0.3, 0.9]]
    expected = topsis(rows, [1, 1], [True, True]).tolist()
    assert list(closeness_of(EVEN, Assessment("a", matrix=both)).values()) == pytest.approx(expected)
    assert closeness_of(EVEN, Assessment("a", matrix=SAFE)) == {"bridge": 1.0, "ford": 0.0}
    assert closeness_of(EVEN, Assessment("a")) == {}


def test_the_confidence_of_a_group_is_that_of_the_source() -> None:
    agreement = Agreement.of(APART, 0.75)
    cosine = (0.95 * 0.05 * 2) / (0.95**2 + 0.05**2)
    assert agreement.consensus == pytest.approx(cosine)
    assert agreement.confidence == pytest.approx(0.6 * cosine + 0.4 * 0.6)


def test_pairs_in_conflict_are_named_the_furthest_apart_first() -> None:
    said = (believer("a", 0.99), believer("b", 0.3), believer("c", 0.01))
    combined = combine_round(coordinator_view(*said), ALL, STOPPING)
    pairs = [pair[:2] for pair in combined.decisions[0].data["conflict_pairs"]]
    assert pairs == [("a", "c"), ("a", "b")]
    assert "furthest apart: a and c" in combined.text


def test_a_single_expert_is_handed_on_with_its_own_confidence() -> None:
    verdict = verdict_of(relay(coordinator_view(believer("a", 0.8, 0.35))))
    assert (verdict.recommended, verdict.confidence) == ("bridge", 0.35)


def test_a_tied_vote_is_shared_equally() -> None:
    tied = verdict_of(count_votes(coordinator_view(*APART), STOPPING))
    clear = verdict_of(count_votes(coordinator_view(*APART, believer("c", 0.7)), STOPPING))
    assert (tied.recommended, tied.lottery) == (None, {"bridge": 0.5, "ford": 0.5})
    assert (clear.recommended, clear.lottery) == ("bridge", {})


def test_nothing_is_recommended_where_nobody_states_a_belief() -> None:
    for said in (relay(coordinator_view()), combine_round(coordinator_view(Assessment("a", round=1)), ALL, STOPPING)):
        assert (verdict_of(said).recommended, verdict_of(said).lottery) == (None, {})
        assert "Nothing can be recommended" in said.text


def again(assessments: tuple[Assessment, ...]) -> tuple[Assessment, ...]:
    """The same assessments in the second round."""
    return tuple(Assessment(each.agent, each.beliefs, each.confidence, round=2) for each in assessments)


CHANGED = (believer("a", 0.9, round=2), believer("b", 0.1, round=2))


@pytest.mark.parametrize(
    ("rounds", "said", "end"),
    [
        (4, APART, ""),
        (4, ALIKE, ""),
        (1, ALIKE, "decided: the last round"),
        (4, (*APART, *CHANGED), ""),
        (2, (*APART, *CHANGED), "decided: the last round"),
        (4, (*APART, *again(APART)), "decided: no change"),
        (4, (*APART, *again(ALIKE)), "decided: consensus"),
    ],
    ids=["first round", "agreed before an exchange", "one round", "apart", "rounds over", "no change", "consensus"],
)
def test_a_deliberation_stops(rounds: int, said: tuple[Assessment, ...], end: str) -> None:
    held = chair(coordinator_view(*said), ALL, Stopping(rounds=rounds))
    assert held.ends == end
    assert verdict_of(held).again == (not end)


def test_only_the_last_round_is_combined() -> None:
    said = (*APART, *again(ALIKE))
    assert CoordinatorFacts(EVEN, said).last_round == said[2:]
    assert verdict_of(chair(coordinator_view(*said), ALL, STOPPING)).recommended == "bridge"
