"""Evidential reasoning and Dempster's rule: published answers, enumeration of all cases, laws, and what is refused."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from decision_strategies import amounts
from hypothesis import given
from hypothesis import strategies as st

from adjudge.suites.decision.methods import Evidence, combine, combine_recursively, dempster, utility_interval
from adjudge.suites.decision.methods.evidence import BLOCK

GOLDEN = Path(__file__).parents[4] / "shared" / "data" / "mcda_golden_vectors.json"
IDLE = "idle"

with_golden = pytest.mark.skipif(not GOLDEN.is_file(), reason=f"{GOLDEN} is not there")

Rows = list[list[float]]


def golden(name: str) -> dict[str, Any]:
    return next(case for case in json.loads(GOLDEN.read_text())["evidential_reasoning"] if case["id"] == name)


def ertool() -> Any:
    # Its import changes how numpy prints, for the whole process.
    with np.printoptions():
        return pytest.importorskip("ertool.er")


def all_of(evidence: Evidence) -> list[float]:
    return [*evidence.beliefs.tolist(), float(evidence.unassigned), float(evidence.conflict)]


def enumerated(beliefs: Any, weights: Any) -> list[float]:
    """Beliefs, unassigned and conflict by going through every choice of one focal set from each piece of evidence.

    The mass that a weight leaves idle lies on the frame too, but is marked. At least two propositions.
    """
    count = len(beliefs[0])
    frame = frozenset(range(count))
    pieces = []
    for row, weight in zip(beliefs, weights, strict=True):
        focal = [(frozenset([name]), weight * mass, False) for name, mass in enumerate(row)]
        pieces.append([*focal, (frame, weight * (1 - sum(row)), False), (frame, 1 - weight, True)])
    mass: dict[Any, float] = {}
    for chosen in product(*pieces):
        meet = frame.intersection(*(names for names, _, _ in chosen))
        key = IDLE if all(idle for _, _, idle in chosen) else meet
        mass[key] = mass.get(key, 0) + float(np.prod([share for _, share, _ in chosen]))
    left = [*(mass.get(frozenset([name]), 0) for name in range(count)), mass.get(frame, 0)]
    return [*(part / max(sum(left), 1e-300) for part in left), mass.get(frozenset(), 0)]


@st.composite
def bodies(draw: st.DrawFn, propositions: int | None = None) -> Rows:
    """Belief distributions with many a zero, some incomplete, some empty."""
    count = propositions or draw(st.integers(2, 4))
    rows = draw(st.lists(st.lists(st.integers(0, 1000), min_size=count, max_size=count), min_size=1, max_size=4))
    lacking = draw(st.lists(st.sampled_from([0, 0, 1, 500]), min_size=len(rows), max_size=len(rows)))
    return [[mass / max(sum(row) + rest, 1) for mass in row] for row, rest in zip(rows, lacking, strict=True)]


@st.composite
def weighted_bodies(draw: st.DrawFn) -> tuple[Rows, list[int]]:
    rows = draw(bodies())
    return rows, draw(amounts(len(rows), 9))


@st.composite
def compatible_bodies(draw: st.DrawFn) -> Rows:
    """Belief distributions without total conflict: each gives an eighth or more to one proposition, or to none."""
    count = draw(st.integers(2, 4))
    shared = draw(st.integers(0, count - 1))
    rows = draw(st.lists(st.lists(st.integers(0, 1000), min_size=count, max_size=count), min_size=1, max_size=4))
    bodies = []
    for row in rows:
        lacking = draw(st.sampled_from([0, 0, 1, 600]))
        if lacking < 600:
            row[shared] = max(row[shared], 600)
        bodies.append([mass / (sum(row) + lacking) for mass in row])
    return bodies


@with_golden
def test_three_doctors_of_the_ertool_paper():
    case = golden("ertool_readme_three_doctors")
    for method in (combine, combine_recursively):
        combined = all_of(method(case["beliefs"], case["weights"]))[:-1]
        assert combined == pytest.approx(case["published"], abs=case["published_tolerance"])


@with_golden
def test_two_agents_are_not_a_weighted_average():
    case = golden("crisis_mas_two_agents")
    for method in (combine, combine_recursively):
        combined = method(case["beliefs"], case["weights"])
        assert combined.beliefs == pytest.approx(case["true_er"], abs=1e-10)
        assert combined.unassigned == pytest.approx(0, abs=1e-12)
        assert combined.beliefs != pytest.approx(case["weighted_average"], abs=0.01)


def test_two_agents_by_hand():
    # w = 1/2 each: m1 = (.4, .1 | .5), m2 = (.3, .1 | .1 + .5); conflict .4 x .1 + .1 x .3 = .07.
    combined = combine([[0.8, 0.2], [0.6, 0.2]])
    surviving = {"first": 0.4 * 0.3 + 0.4 * 0.6 + 0.5 * 0.3, "second": 0.1 * 0.1 + 0.1 * 0.6 + 0.5 * 0.1}
    incomplete = 0.5 * 0.1
    used = sum(surviving.values()) + incomplete
    assert combined.beliefs == pytest.approx([surviving["first"] / used, surviving["second"] / used])
    assert combined.unassigned == pytest.approx(incomplete / used)
    assert combined.conflict == pytest.approx(0.07)


def test_zadehs_doctors():
    # Zadeh (1979): both hold the tumour all but impossible, and Dempster's rule is certain of it.
    combined = dempster([[0.99, 0.01, 0], [0, 0.01, 0.99]])
    assert combined.beliefs == pytest.approx([0, 1, 0])
    assert combined.conflict == pytest.approx(0.9999)
    assert combine([[0.99, 0.01, 0], [0, 0.01, 0.99]]).beliefs[1] < 0.02


def test_dempsters_rule_by_hand():
    # Shafer's simple support functions: .6 and .7 for the same, the rest on the frame.
    combined = dempster([[0.6, 0], [0.7, 0]])
    assert all_of(combined) == pytest.approx([1 - 0.4 * 0.3, 0, 0.4 * 0.3, 0])
    # .6 for the one and .7 for the other: .42 in conflict.
    combined = dempster([[0.6, 0], [0, 0.7]])
    assert all_of(combined) == pytest.approx([0.18 / 0.58, 0.28 / 0.58, 0.12 / 0.58, 0.42])


GRADES = ("poor", "indifferent", "average", "good", "excellent")
# A motorcycle as in Yang & Xu (2002): a hierarchy of attributes, some assessed incompletely or not at all. The
# assessments and weights are ours.
MOTORCYCLE: dict[str, Any] = {
    "engine": (
        0.4,
        {
            "responsiveness": (0.3, [0, 0, 0, 0.6, 0.3]),
            "fuel economy": (0.2, [0, 0.5, 0.4, 0, 0]),
            "quietness": (0.1, [0, 0.5, 0.5, 0, 0]),
            "vibration": (0.25, [0, 0, 0, 0.5, 0.5]),
            "starting": (0.15, [0, 0, 0, 1, 0]),
        },
    ),
    "operation": (
        0.35,
        {
            "handling": (
                0.5,
                {
                    "steering": (0.4, [0, 0, 0, 0.9, 0]),
                    "bumpy bends": (0.3, [0, 0.5, 0.5, 0, 0]),
                    "manoeuvrability": (0.3, [0, 0, 1, 0, 0]),
                },
            ),
            "transmission": (
                0.3,
                {"clutch": (1, [0, 0, 0, 0.8, 0]), "gearbox": (2, [0, 0.5, 0.5, 0, 0])},
            ),
            "brakes": (
                0.2,
                {
                    "stopping": (1, [0, 0, 0, 1, 0]),
                    "stability": (1, [0, 0, 0.5, 0.5, 0]),
                    "feel": (1, [0, 0, 0, 0, 0]),
                },
            ),
        },
    ),
    "general": (
        0.25,
        {"finish": (0.6, [0.1, 0, 0, 0.7, 0]), "seat": (0.2, [0, 0, 0, 0.5, 0.5]), "lights": (0.2, [0, 0, 1, 0, 0])},
    ),
}


def assessed(attributes: dict[str, Any], rule: Any) -> list[float]:
    """The beliefs of an attribute from those of its parts, and theirs from their own; what is lacking stays lacking."""
    rows = [assessed(parts, rule) if isinstance(parts, dict) else parts for _, parts in attributes.values()]
    return rule(rows, [weight for weight, _ in attributes.values()])


def test_a_hierarchy_with_incomplete_beliefs_keeps_what_is_unassigned():
    def by_enumeration(rows: Rows, weights: list[float]) -> list[float]:
        return enumerated(rows, np.array(weights) / sum(weights))[: len(GRADES)]

    expected = assessed(MOTORCYCLE, by_enumeration)
    for method in (combine, combine_recursively):
        combined = assessed(MOTORCYCLE, lambda rows, weights, method=method: method(rows, weights).beliefs)
        assert combined == pytest.approx(expected, abs=1e-12)
        assert 0.05 < 1 - sum(combined) < 0.2


def test_ertool_assesses_the_hierarchy_alike():
    theirs = ertool()

    def by_ertool(rows: Rows, weights: list[float]) -> list[float]:
        return theirs.er_algorithm(weights, rows, len(rows), len(GRADES), round=16)[:-1]

    combined = assessed(MOTORCYCLE, lambda rows, weights: combine(rows, weights).beliefs)
    assert combined == pytest.approx(assessed(MOTORCYCLE, by_ertool), abs=1e-12)


@given(weighted_bodies())
def test_every_case_enumerated_gives_the_same(problem: tuple[Rows, list[int]]):
    rows, weights = problem
    expected = enumerated(rows, np.array(weights) / sum(weights))
    assert all_of(combine(rows, weights)) == pytest.approx(expected, abs=1e-9)
    assert all_of(combine_recursively(rows, weights)) == pytest.approx(expected, abs=1e-9)


@given(compatible_bodies())
def test_dempsters_rule_is_the_same_enumeration_at_full_weight(rows: Rows):
    expected = enumerated(rows, [1] * len(rows))
    assert all_of(dempster(rows)) == pytest.approx(expected, abs=1e-6)


@given(weighted_bodies())
def test_ertool_finds_the_same(problem: tuple[Rows, list[int]]):
    rows, weights = problem
    theirs = ertool().er_algorithm(weights, rows, len(rows), len(rows[0]), round=16)
    assert all_of(combine(rows, weights))[:-1] == pytest.approx(theirs, abs=1e-9)


@given(weighted_bodies())
def test_recursive_and_analytical_form_are_equal(problem: tuple[Rows, list[int]]):
    assert all_of(combine(*problem)) == pytest.approx(all_of(combine_recursively(*problem)), abs=1e-12)


def test_recursive_and_analytical_form_are_equal_for_many_pieces():
    dice = np.random.default_rng(0)
    rows = dice.dirichlet(np.ones(8), 500)[:, :7]
    weights = dice.random(500) ** 3
    assert all_of(combine(rows, weights)) == pytest.approx(all_of(combine_recursively(rows, weights)), abs=1e-12)


@given(weighted_bodies(), st.data())
def test_the_order_of_the_evidence_does_not_matter(problem: tuple[Rows, list[int]], data: st.DataObject):
    rows, weights = problem
    order = data.draw(st.permutations(range(len(rows))))
    for method in (combine, combine_recursively):
        shuffled = method([rows[place] for place in order], [weights[place] for place in order])
        assert all_of(shuffled) == pytest.approx(all_of(method(rows, weights)), abs=1e-12)


@given(weighted_bodies())
def test_beliefs_and_unassigned_sum_to_1(problem: tuple[Rows, list[int]]):
    for method in (combine, combine_recursively):
        combined = method(*problem)
        assert combined.beliefs.sum() + combined.unassigned == pytest.approx(1, abs=1e-12)
        assert min(*all_of(combined)) >= 0
        assert max(*all_of(combined)) <= 1 + 1e-12


@given(weighted_bodies())
def test_the_synthesis_axioms_hold(problem: tuple[Rows, list[int]]):
    """Yang & Xu (2002): nobody's belief stays nobody's, complete evidence stays complete, incomplete incomplete."""
    rows, weights = problem
    heard = np.array(rows)[np.array(weights) > 0]
    combined = combine(rows, weights)
    assert ((combined.beliefs == 0) == (heard == 0).all(axis=0)).all()
    assert (combined.unassigned == 0) == bool((heard.sum(axis=1) > 1 - 1e-12).all())


@given(st.integers(0, 2), st.lists(st.integers(1, 9), min_size=1, max_size=5))
def test_unanimous_certainty_stays_certain(choice: int, weights: list[int]):
    certain = np.eye(3)[choice]
    combined = combine([certain] * len(weights), weights)
    assert all_of(combined) == pytest.approx([*certain, 0, 0], abs=1e-12)


@given(bodies(3), st.integers(0, 2))
def test_one_more_certain_agent_never_lowers_belief_in_its_choice(rows: Rows, choice: int):
    """With equal weights, whatever the others hold: n agents of weight 1/n become n + 1 of weight 1/(n + 1)."""
    before, after = combine(rows), combine([*rows, np.eye(3)[choice]])
    assert after.beliefs[choice] >= before.beliefs[choice] - 1e-12


@given(weighted_bodies(), st.data())
def test_an_agent_that_becomes_certain_never_lowers_belief_in_its_choice(
    problem: tuple[Rows, list[int]], data: st.DataObject
):
    """With any weights, as long as they stay as they are."""
    rows, weights = problem
    agent = data.draw(st.integers(0, len(rows) - 1))
    choice = data.draw(st.integers(0, len(rows[0]) - 1))
    certain = [*rows[:agent], np.eye(len(rows[0]))[choice], *rows[agent + 1 :]]
    assert combine(certain, weights).beliefs[choice] >= combine(rows, weights).beliefs[choice] - 1e-12


def test_a_newcomer_takes_weight_from_a_leader_of_the_same_mind():
    # Weights are shares: beside a leader of .9 an agreeing newcomer halves the leader's share, and evidential
    # reasoning trusts one heavy piece more than two light ones. So the law above needs equal or unchanged weights.
    before = combine([[1, 0], [0, 1]], [9, 1])
    after = combine([[1, 0], [0, 1], [1, 0]], [9, 1, 10])
    assert before.beliefs[0] == pytest.approx(0.81 / 0.82)
    assert after.beliefs[0] < before.beliefs[0]


@given(bodies(3))
def test_dempster_makes_one_more_certain_agent_decisive(rows: Rows):
    certain = [*rows, [1, 0, 0]]
    if any(row[0] == 0 and sum(row) > 1 - 1e-12 for row in rows):
        with pytest.raises(ValueError, match="total conflict"):
            dempster(certain)
    else:
        assert dempster(certain).beliefs == pytest.approx([1, 0, 0])


@pytest.mark.parametrize("method", [combine, combine_recursively, dempster])
@pytest.mark.parametrize("row", [[0.7, 0.2, 0.1], [0.3, 0.2, 0.1], [0, 0, 0], [0, 1, 0]])
def test_a_single_piece_of_evidence_is_itself(method: Any, row: list[float]):
    combined = method([row])
    assert all_of(combined) == pytest.approx([*row, 1 - sum(row), 0], abs=1e-15)


@pytest.mark.parametrize("method", [combine, combine_recursively])
def test_all_the_weight_on_one_piece_leaves_the_others_unheard(method: Any):
    combined = method([[0.2, 0.8], [0.5, 0.3], [1, 0]], [0, 3, 0])
    assert all_of(combined) == pytest.approx([0.5, 0.3, 0.2, 0], abs=1e-15)


@pytest.mark.parametrize("method", [combine, combine_recursively])
def test_weights_may_be_in_any_unit(method: Any):
    rows = [[0.9, 0], [0.2, 0.7]]
    assert all_of(method(rows, [3, 1])) == pytest.approx(all_of(method(rows, [0.75, 0.25])), abs=1e-15)
    assert all_of(method(rows, [4, 4])) == pytest.approx(all_of(method(rows)), abs=1e-15)


@pytest.mark.parametrize("method", [combine, combine_recursively, dempster])
def test_total_ignorance_stays_ignorance(method: Any):
    assert all_of(method([[0, 0], [0, 0]])) == pytest.approx([0, 0, 1, 0])


@pytest.mark.parametrize("method", [combine, combine_recursively])
def test_certain_agents_who_disagree_share_the_belief(method: Any):
    assert all_of(method([[1, 0], [0, 1]])) == pytest.approx([0.5, 0.5, 0, 0.25])


@pytest.mark.parametrize("method", [combine, combine_recursively])
def test_conflict_is_that_of_all_pieces_together(method: Any):
    # Of three certain agents, those who agree survive: 1 - ((2/3)^3 idle + 3 x (1/3)(4/9) one of them heard).
    assert method(np.eye(3)).conflict == pytest.approx(1 - 8 / 27 - 3 * 4 / 27)


@pytest.mark.parametrize("method", [combine, combine_recursively, dempster])
@pytest.mark.parametrize("shape", [(4,), (2, 3), (0,), (BLOCK // 12 + 3,)])
def test_many_problems_at_once_are_each_by_itself(method: Any, shape: tuple[int, ...]):
    dice = np.random.default_rng(1)
    beliefs = dice.dirichlet(np.ones(5), (*shape, 3))[..., :4]
    combined = method(beliefs)
    assert combined.beliefs.shape == (*shape, 4)
    assert combined.unassigned.shape == combined.conflict.shape == shape
    places = list(np.ndindex(shape))
    for place in places[:3] + places[-3:]:
        alone = Evidence(combined.beliefs[place], combined.unassigned[place], combined.conflict[place])
        assert all_of(alone) == pytest.approx(all_of(method(beliefs[place])), abs=1e-12)


@pytest.mark.parametrize("method", [combine, combine_recursively, dempster])
@pytest.mark.parametrize("layout", ["C", "F"])
def test_beliefs_given_stay_as_they_were(method: Any, layout: Any):
    beliefs = np.array([[[0.5, 0.2], [0.3, 0.3]]], order=layout)
    method(beliefs)
    assert beliefs.tolist() == [[[0.5, 0.2], [0.3, 0.3]]]


def test_masses_of_one_problem_are_numbers():
    combined = combine([[0.5, 0.2], [0.3, 0.3]])
    assert isinstance(combined.unassigned, float)
    assert isinstance(combined.conflict, float)


def test_many_pieces_do_not_vanish_under_dempsters_rule():
    rows = np.tile([0.4, 0.3, 0.3], (5000, 1))
    assert all_of(dempster(rows)) == pytest.approx([1, 0, 0, 0, 1])


@pytest.mark.parametrize(
    ("beliefs", "where"),
    [
        ([[1, 0], [0, 1]], "beliefs"),
        ([[0.7, 0.2, 0.1, 0, 0, 0], [0, 0, 0, 0.7, 0.2, 0.1]], "beliefs"),
        ([[[0.5, 0.5], [0.5, 0.5]], [[1, 0], [0, 1]]], r"beliefs\[1\]"),
        ([[1, 0], [0, 1], [0.5, 0]], "beliefs"),
    ],
)
def test_total_conflict_has_no_answer_by_dempsters_rule(beliefs: Any, where: str):
    with pytest.raises(ValueError, match=f"^{where}: found total conflict, expected a proposition"):
        dempster(beliefs)


@pytest.mark.parametrize("method", [combine, combine_recursively, dempster])
@pytest.mark.parametrize(
    ("beliefs", "message"),
    [
        ([[0.5, 0.5], [0.9, 0.9]], r"beliefs\[1\]: found masses that sum to 1.8, expected a sum of at most 1"),
        ([[[0.5, 0.5]], [[0.6, 0.5]]], r"beliefs\[1, 0\]: found masses that sum to 1.1"),
        ([[0.5, 0.500001]], r"beliefs\[0\]: found masses that sum to 1.000001"),
        ([[0.5, 0.5], [1.2, -0.2]], r"beliefs\[1, 1\]: found -0.2, expected a mass from 0 to 1"),
        ([[np.nan, 0.5]], r"beliefs\[0, 0\]: found nan, expected a mass from 0 to 1"),
        ([[0.5, None]], r"beliefs\[0, 1\]: found nan"),
        ([[np.inf, -np.inf]], r"beliefs\[0, 1\]: found -inf"),
        ([[np.inf, 0]], r"beliefs\[0\]: found masses that sum to inf"),
        ([[1e308, 1e308]], r"beliefs\[0\]: found masses that sum to inf"),
        ([0.5, 0.5], r"beliefs: found shape \(2,\), expected pieces of evidence x propositions"),
        ([], r"beliefs: found shape \(0,\)"),
        ([[]], r"beliefs: found shape \(1, 0\)"),
        (np.empty((0, 3)), r"beliefs: found shape \(0, 3\)"),
        ([[0.5, 0.5], [1]], "beliefs: expected numbers, in rows of one length"),
        ([["yes", "no"]], "beliefs: expected numbers.*'yes'"),
    ],
)
def test_what_is_no_belief_is_refused(method: Any, beliefs: Any, message: str):
    with pytest.raises(ValueError, match=message):
        method(beliefs)


@pytest.mark.parametrize("method", [combine, combine_recursively])
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0, 0], "weights: found a sum of 0 over 2 pieces of evidence"),
        ([2, -1], r"weights\[1\]: found -1.0, expected a finite number of 0 or more"),
        ([np.nan, 1], r"weights\[0\]: found nan"),
        ([1, 1, 1], r"weights: found shape \(3,\), expected \(2,\): one for each of the pieces of evidence"),
    ],
)
def test_weights_that_cannot_be_used_are_refused(method: Any, weights: Any, message: str):
    with pytest.raises(ValueError, match=message):
        method([[0.5, 0.5], [0.4, 0.4]], weights)


@pytest.mark.parametrize("method", [combine, combine_recursively])
def test_a_bad_row_without_weight_is_refused_all_the_same(method: Any):
    with pytest.raises(ValueError, match=r"beliefs\[1, 0\]: found -0.1"):
        method([[0.5, 0.5], [-0.1, 0.4]], [1, 0])


@pytest.mark.parametrize("method", [combine, combine_recursively, dempster])
def test_a_sum_above_1_by_rounding_is_a_sum_of_1(method: Any):
    combined = method([[0.5 + 5e-10, 0.5], [0.5, 0.5]])
    assert combined.beliefs.sum() == pytest.approx(1, abs=1e-15)
    assert combined.unassigned == 0


def test_utility_lies_between_the_ends_that_unassigned_belief_allows():
    evidence = combine([[0.2, 0.3, 0.4]])
    interval = utility_interval(evidence, [0, 0.5, 1])
    assert [interval.worst, interval.average, interval.best] == pytest.approx([0.55, 0.6, 0.65])


def test_utilities_may_be_in_any_order():
    evidence = combine([[0.2, 0.3, 0.4]])
    interval = utility_interval(evidence, [1, -1, 0])
    assert [interval.worst, interval.average, interval.best] == pytest.approx([-0.2, -0.1, 0])


def test_complete_evidence_has_one_utility():
    interval = utility_interval(combine([[0.25, 0.75], [0.5, 0.5]]), [0, 1])
    assert interval.worst == interval.average == interval.best


def test_utility_of_many_problems_at_once():
    beliefs = np.random.default_rng(2).dirichlet(np.ones(4), (5, 2))[..., :3]
    interval = utility_interval(combine(beliefs), [0, 1, 3])
    for place in range(5):
        alone = utility_interval(combine(beliefs[place]), [0, 1, 3])
        assert [interval.worst[place], interval.best[place]] == pytest.approx([alone.worst, alone.best], abs=1e-12)
    assert (interval.worst <= interval.average).all()
    assert (interval.average <= interval.best).all()


@pytest.mark.parametrize("utilities", [[0, 1], [0, 1, np.nan], 1, [0, 1, np.inf]])
def test_utilities_that_do_not_fit_are_refused(utilities: Any):
    with pytest.raises(ValueError, match=r"utilities: found .*, expected 3 finite numbers, one per proposition"):
        utility_interval(combine([[0.2, 0.3, 0.4]]), utilities)
