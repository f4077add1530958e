"""What pages say about the checks of the patient suite is what is measured today."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from patient_visits import benchmark_of

from adjudge.score import find_suite
from adjudge.suites.patient.lexicon.phrases import orders
from adjudge.suites.patient.rules.checks import measured_figures, quality


@pytest.fixture(scope="module")
def benchmark() -> Iterator[Any]:
    yield from benchmark_of("patient_checks")


def test_the_kept_figures_of_checks_are_those_of_today(benchmark: Any) -> None:
    kept = benchmark.KEPT.read_text("utf-8")
    assert re.sub(r"date = .*", "", benchmark.checks_text()) == re.sub(r"date = .*", "", kept)


def test_cases_are_as_many_in_both_splits_and_none_is_in_both(benchmark: Any) -> None:
    seen, held_out = benchmark.cases("dev"), benchmark.cases("test")
    for check in benchmark.CHECKS:
        for fires in (True, False):
            counts = [
                sum((item.check, item.fires) == (check.card.name, fires) for item in some) for some in (seen, held_out)
            ]
            assert counts[0] == counts[1] >= 15
    assert not {str(item.turns) for item in seen} & {str(item.turns) for item in held_out}


def test_a_case_counts_for_its_last_reply_alone(benchmark: Any) -> None:
    case = benchmark.Case(
        split="dev",
        check="role_break",
        fires=False,
        profile={},
        persona=benchmark.Persona(),
        turns=[
            ("doctor", "Hello."),
            ("patient", "As an AI, I feel no pain."),
            ("doctor", "What?"),
            ("patient", "Sorry."),
        ],
        why="",
    )
    assert not benchmark.fires(benchmark.role_break, case)
    early = [benchmark.Case(**{**_fields(case), "turns": case.turns[:2], "fires": fires}) for fires in (True, False)]
    result = benchmark.measure(benchmark.role_break, early)
    assert (result.found, result.of, result.raised, result.among) == (1, 1, 1, 1)


def _fields(case: Any) -> dict[str, Any]:
    return {name: getattr(case, name) for name in case.__struct_fields__}


def test_every_measured_check_says_on_its_card_how_good_it_is() -> None:
    cards = {metric.card.name: metric.card for metric in find_suite("patient").metrics()}
    assert {name: cards[name].departs for name in measured_figures()} == {
        name: quality(name) for name in measured_figures()
    }
    assert str(measured_figures()["role_break"]["found"]) in quality("role_break")


def test_orders_can_be_put_behind_a_common_start() -> None:
    """A bar outside of brackets would let what stands after it begin anywhere."""
    bare = [re.sub(r"\\.|\[(?:\\.|[^\]])*\]", "", item) for item in orders()]
    while any(re.search(r"\([^()]*\)", item) for item in bare):
        bare = [re.sub(r"\([^()]*\)", "", item) for item in bare]
    assert [item for item in bare if "|" in item] == []
