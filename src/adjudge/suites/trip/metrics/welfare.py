"""How well off the members are together: on average, the worst off, and in balance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import exp, fsum, log

from adjudge.core.ask import Embedder
from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.trip.data import Trip
from adjudge.suites.trip.rules.targets import PairFindings, Thresholds, judge_pairs

SOURCE = "Metric Reference: Data Sources & Calculations (group travel planning), "
STRICT = "Based on satisfaction_strict; the source's satisfaction (M10) also trusts the planner's own text."

well_off = partial(
    metric,
    unit="conversation",
    better="higher",
    pool="conversations",
    probes=("welfare",),
    predicts=("a plan",),
    english=True,
)
of_member = partial(metric, unit="member", better="higher", probes=("welfare",), predicts=("a plan",), english=True)

Rates = dict[str, float]


def mean_rate(rates: Rates) -> float:
    """The mean of the members' rates, never outside them.

    >>> mean_rate({"Ann": 1.0, "Bo": 0.5})
    0.75
    """
    mean = fsum(rates.values()) / len(rates)
    return min(max(mean, min(rates.values())), max(rates.values()))


def worst_rate(rates: Rates) -> float:
    """The rate of the member who is worst off."""
    return min(rates.values())


def nash_rate(rates: Rates) -> float:
    """The geometric mean of the members' rates, never below the worst nor above the mean; 0 where one has 0."""
    if worst_rate(rates) <= 0:
        return 0.0
    balanced = exp(fsum(map(log, rates.values())) / len(rates))
    return min(max(balanced, worst_rate(rates)), mean_rate(rates))


@well_off(
    "W1",
    formula="mean over members of their share of pairs satisfied by the places alone",
    source=SOURCE + "W1 Utilitarian Welfare",
    departs=STRICT
    + " W1 equals M10 only if all members state the same number of slots: 4 of 4 and 1 of 2 give 0.75, not 0.833.",
    version=2,
    primary=True,
)
def welfare_mean(trip: Trip, embed: Embedder | None = None, thresholds: Thresholds | None = None) -> Iterator[Mark]:
    """How well off are the members on average?

    Members with at least one pair count. Slots that a member did not speak about are judged by the member's hidden
    wishes. `why` says how many members count. Without an embedder the value rests on words alone, and says so.
    """
    yield from welfare_marks(trip, mean_rate, judge_pairs(trip, embed, thresholds).strict)


@well_off(
    "W2",
    formula="lowest share of a member's pairs satisfied by the places alone",
    source=SOURCE + "W2 Egalitarian Welfare",
    departs=STRICT,
    version=2,
    primary=True,
)
def welfare_worst(trip: Trip, embed: Embedder | None = None, thresholds: Thresholds | None = None) -> Iterator[Mark]:
    """How well off is the member who is worst off?"""
    yield from welfare_marks(trip, worst_rate, judge_pairs(trip, embed, thresholds).strict)


@well_off(
    "W3",
    formula="geometric mean over members of their share of pairs satisfied by the places alone",
    source=SOURCE + "W3 Nash Welfare",
    departs=STRICT,
    version=2,
    primary=True,
)
def welfare_nash(trip: Trip, embed: Embedder | None = None, thresholds: Thresholds | None = None) -> Iterator[Mark]:
    """How well off are the members, if one member's gain cannot make up for another's loss?

    0 if a member gets nothing.
    """
    yield from welfare_marks(trip, nash_rate, judge_pairs(trip, embed, thresholds).strict)


@of_member(
    "si",
    formula="a member's pairs satisfied by the places alone / the member's pairs",
    source=SOURCE + "W1 Utilitarian Welfare, s_i",
    departs=STRICT,
    version=2,
)
def member_satisfaction(
    trip: Trip, embed: Embedder | None = None, thresholds: Thresholds | None = None
) -> Iterator[Mark]:
    """How well off is each member?

    This is the share of the member's pairs that satisfaction_strict passes. Welfare is computed from it. The group of a
    mark is the member's role.
    """
    yield from member_marks(trip, judge_pairs(trip, embed, thresholds).strict)


def welfare_marks(trip: Trip, of: Callable[[Rates], float], findings: PairFindings) -> Iterator[Mark]:
    """The welfare of the group, with over whom it was computed; none where no member has a pair."""
    rates = findings.rates(trip)
    if rates:
        silent = {pair.member for pair, _ in findings.all if pair.preference.is_hidden}
        yield Mark(of(rates), why=_list_members(trip, rates, silent), basis=findings.basis)


def member_marks(trip: Trip, findings: PairFindings) -> Iterator[Mark]:
    """Each member's share of satisfied pairs, with the slots that are not."""
    roles = {member.id: member.role for member in trip.members}
    for member, rate in findings.rates(trip).items():
        lost = findings.lost_slots(member)
        why = f"not satisfied: {', '.join(lost)}" if lost else ""
        yield Mark(rate, member, why=why, group=roles.get(member, ""), basis=findings.basis)


def _list_members(trip: Trip, rates: Rates, silent: set[str]) -> str:
    """The members behind a value in words, each with its rate."""
    hidden = f", {len(silent)} by hidden wishes" if silent else ""
    each = ", ".join(f"{member} {rate:.3f}" for member, rate in rates.items())
    return f"{len(rates)} of {max(trip.size, len(rates))} members{hidden}: {each}"
