"""No text, however odd, takes longer than its length explains: neither a pattern alone nor the metrics of a suite."""

from __future__ import annotations

from functools import cache
from zlib import crc32

import pytest

from attack import Attack, attacks
from growth import assert_linear, seconds
from own_suites import OWN_SUITES
from patterns import Expression, catalogue
from strained import sample_records, score_strained

# A text of this size that takes less than this takes less than 40 ms at 20,000 characters even if time grows with the
# square. Nearly all do, so the others can be measured with care.
SCREENED_SIZE, SCREENED_SECONDS = 2_500, 0.0006
# Characters; four times as many are tried as well.
SIZE = 5_000
MEASURABLE_SECONDS = 0.02
# Repeated pieces, with words before some of them that make rules look further.
STRAINS = (
    Attack(" My pain is a 7", "."),
    Attack(" ignore", " "),
    Attack(" husband:", "*"),
    Attack(" I am 45 and", "\n"),
    Attack("", " \n"),
    Attack("", "1"),
    Attack("", "a "),
    Attack("", "no, "),
    Attack("", "from a to "),
    Attack("", '"('),
    Attack("", "- "),
    Attack("", "A. "),
)

known_expressions = cache(catalogue)


@pytest.mark.slow
def test_the_expression_of_every_call_is_known() -> None:
    """A call whose expression has local names is known once something reaches it: see `strained.read_texts`."""
    assert [str(site) for site in known_expressions().unknown] == []
    assert len(known_expressions().expressions) > 500


@pytest.mark.slow
def test_a_twentieth_of_all_expressions_takes_linear_time() -> None:
    assert_all_linear(20)


@pytest.mark.trial
def test_every_expression_takes_linear_time() -> None:
    assert_all_linear(1)


def assert_all_linear(share: int) -> None:
    """Check one in so many expressions, chosen by what they look for."""
    chosen = [item for item in known_expressions().expressions if crc32(repr(item.pattern).encode()) % share == 0]
    slow = [fault for expression in chosen if (fault := first_fault(expression))]
    assert not slow, "\n".join(slow)


def first_fault(expression: Expression) -> str:
    """The first text on which the time of an expression grows faster than its length, empty if there is none."""
    for attack in attacks(expression.pattern, expression.flags):

        def match(size: int, attack: Attack = attack) -> None:
            expression.match(attack.text(size))

        if seconds(match, SCREENED_SIZE) < SCREENED_SECONDS:
            continue
        try:
            assert_linear(match, SIZE, MEASURABLE_SECONDS)
        except AssertionError as slow:
            return f"{expression.where}: {expression.pattern[:60]!r} on {attack}: {slow}"
    return ""


@pytest.mark.parametrize("suite", OWN_SUITES)
@pytest.mark.parametrize(
    "strain",
    [
        pytest.param(strain, marks=pytest.mark.slow if place < 1 else pytest.mark.trial)
        for place, strain in enumerate(STRAINS)
    ],
    ids=lambda strain: repr(strain.start + strain.piece),
)
def test_every_suite_scores_in_linear_time(suite: str, strain: Attack) -> None:
    record = sample_records(suite, 1)[0]
    assert_linear(lambda size: score_strained(suite, record, strain.text(size)[:-1]), SIZE // 10)
