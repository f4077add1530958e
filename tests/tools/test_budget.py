from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from adjudge.core.errors import BadInput
from adjudge.tools.budget import Budget, Usage
from adjudge.tools.prices import Prices, Rate

CHEAP = Prices("openai", "cheap", Rate(1.0), Rate(2.0))
DEAR = Prices("openai", "dear", Rate(10.0), Rate(20.0))
UNKNOWN = Prices("ollama", "llama3")


def test_without_limits_everything_may_be_asked_and_is_counted() -> None:
    budget = Budget(None, None)
    for asker in ("tone", "tone", "facts"):
        assert budget.take(asker)
        budget.spend(asker, Usage(1, 100, 10, 0.5))
    assert budget.by_asker() == {"tone": Usage(2, 200, 20, 1.0), "facts": Usage(1, 100, 10, 0.5)}
    assert budget.total() == Usage(3, 300, 30, 1.5)


def test_calls_end_at_their_limit_however_many_threads_ask() -> None:
    budget = Budget(100, None)
    with ThreadPoolExecutor(16) as pool:
        granted = list(pool.map(lambda number: budget.take(f"asker {number % 3}"), range(1000)))
    assert sum(granted) == 100


def test_what_was_taken_and_not_sent_may_be_taken_again() -> None:
    budget = Budget(1, None)
    assert budget.take("a")
    assert not budget.take("a")
    budget.spend("a", Usage())
    assert budget.take("a")


def test_a_question_that_was_asked_twice_counts_as_two_calls() -> None:
    budget = Budget(3, None)
    budget.take("a")
    budget.spend("a", Usage(2, 10, 10))
    assert budget.take("b")
    assert not budget.take("c")


def test_money_ends_when_the_limit_is_reached() -> None:
    budget = Budget(None, 1.0, [CHEAP])
    assert budget.take("a")
    budget.spend("a", Usage(1, 999_999, 0, 0.999999))
    assert budget.take("a")
    budget.spend("a", Usage(1, 1, 0, 0.000001))
    assert not budget.take("a")


def test_estimates_of_calls_in_flight_are_set_aside() -> None:
    budget = Budget(None, 1.0, [CHEAP])
    estimate = Usage(1, 300_000, 0, 0.3)
    assert [budget.take("a", estimate) for _ in range(5)] == [True, True, True, False, False]
    budget.spend("a", Usage(1, 100_000, 0, 0.1))
    assert budget.take("a", estimate)
    assert not budget.take("a", estimate)


def test_nothing_stays_set_aside_when_nothing_is_in_flight() -> None:
    budget = Budget(None, 1.0, [CHEAP])
    for _ in range(1000):
        assert budget.take("a", Usage(1, 0, 0, 0.1))
        assert budget.take("b", Usage(1, 0, 0, 0.7))
        budget.spend("a", Usage())
        budget.spend("b", Usage())
    assert budget.take("a", Usage(1, 0, 0, 1.0))


def test_a_cost_that_is_missing_comes_from_the_prices_of_the_model() -> None:
    budget = Budget(None, None, [CHEAP])
    budget.account(CHEAP).spend("a", Usage(1, 1_000_000, 500_000))
    assert budget.total().cost == pytest.approx(2.0)


def test_an_estimate_without_a_cost_is_priced_too() -> None:
    budget = Budget(None, 1.0, [CHEAP])
    estimate = Usage(1, 200_000, 100_000)
    assert [budget.account(CHEAP).take("a", estimate) for _ in range(4)] == [True, True, False, False]


def test_the_models_of_a_panel_share_a_budget_and_have_their_own_prices() -> None:
    budget = Budget(None, 5.0, [CHEAP, DEAR])
    for prices in (CHEAP, DEAR):
        account = budget.account(prices)
        assert account.take("a", Usage(1, 100_000, 0))
        account.spend("a", Usage(1, 100_000, 0))
    assert budget.total().calls == 2
    assert budget.total().cost == pytest.approx(0.1 + 1.0)
    assert not budget.account(DEAR).take("a", Usage(1, 400_000, 0))
    assert budget.account(CHEAP).take("a", Usage(1, 400_000, 0))


def test_a_price_for_each_call_counts_for_each() -> None:
    prices = Prices("p", "m", Rate(0.0), Rate(0.0), per_call=0.005)
    budget = Budget(None, None, [prices])
    account = budget.account(prices)
    account.spend("a", Usage(2, 10, 10))
    account.spend("a", Usage())
    assert budget.total().cost == pytest.approx(0.01)


def test_one_call_of_unknown_cost_makes_the_sum_unknown() -> None:
    budget = Budget(None, None, [UNKNOWN])
    account = budget.account(UNKNOWN)
    account.spend("a", Usage(1, 10, 10, 0.5))
    account.spend("a", Usage(1, 10, 10))
    assert budget.total() == Usage(2, 20, 20, None)


def test_no_calls_cost_nothing() -> None:
    assert (Usage(1, 5, 5, 0.5) + Usage()).cost == 0.5
    assert Budget(None, None).total() == Usage(0, 0, 0, 0.0)


def test_money_that_cannot_be_watched_any_more_ends_the_asking() -> None:
    budget = Budget(None, 5.0, [CHEAP, DEAR])
    assert budget.take("a")
    budget.spend("a", Usage(1, 10, 10))
    assert not budget.take("a")


@pytest.mark.parametrize("prices", [[UNKNOWN], [CHEAP, UNKNOWN], []])
def test_a_limit_on_money_needs_known_prices(prices: list[Prices]) -> None:
    with pytest.raises(BadInput, match=r"--max-cost 5: the price of .* is unknown.*--max-calls"):
        Budget(None, 5.0, prices)
    Budget(10, None, prices)
