"""Contrasts: one metric, two arms, and what can be said about the difference between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil
from typing import Literal

from msgspec import Struct, structs

from adjudge.compare.sheet import Column, Sheet
from adjudge.core.card import Better, Card
from adjudge.stats.cases import Arm, Difference, Paired, Undefined, Unpaired
from adjudge.stats.correction import benjamini_hochberg, holm
from adjudge.stats.difference import Interval, percentile
from adjudge.stats.effect import cliffs_delta, cohen_d, cohen_dz, percentage_word, word
from adjudge.stats.equivalence import within
from adjudge.stats.interval import z_quantile
from adjudge.stats.method import default_interval, default_test
from adjudge.stats.power import Aim, Sample, cases_needed, cases_needed_unpaired, smallest_difference
from adjudge.stats.tests import welch

Verdict = Literal["better", "worse", "higher", "lower", "tied", "too few", ""]
Correction = Literal["holm", "bh", "none"]

CORRECTIONS: dict[Correction, Callable[[Sequence[float | None]], Sequence[float | None]]] = {
    "holm": holm,
    "bh": benjamini_hochberg,
    "none": list,
}
ALPHA = 0.05
MARGIN = 0.05
EQUIVALENCE = 0.90
POWER = 0.80


class Side(Struct, frozen=True):
    """One arm of a contrast: its value over the n cases compared, their spread, and what it could not value.

    `cases` are all it was given, `conversations` their trials.
    """

    arm: str
    value: float
    sd: float | None
    n: int
    cases: int
    conversations: int
    undefined: int
    skipped: int
    errors: int


class Contrast(Struct, frozen=True, kw_only=True):
    """The difference of `a` from the baseline `b` by one metric.

    `difference` is a's value less b's over the `n` cases compared (`paired`: cases both have; `pairs` counts their
    trials), `relative` in parts of b's value (None: b's is 0), `relative_word` the decision suite's word for it. `low`
    and `high` bound the 95 % interval, `p` is that of the test named, `p_corrected` over the family of all contrasts.
    `effect` is Cohen's dz where paired, else d; `d` always that over the pooled standard deviation; `t` and `t_p` are
    Welch's. `margin` is the difference below which arms count as tied (None: none was stated). `needed` is how many
    cases it would take to find a difference of this size among all contrasts, `needed_to_tie` to show that there is
    none, `detectable` the smallest difference so many cases can show.
    `gained` and `lost` count the cases in which a has the higher or the lower value. None: cannot be said; `why` says
    why there is no p.
    """

    metric: str
    better: Better
    a: Side
    b: Side
    difference: float
    relative: float | None
    relative_word: str
    low: float | None
    high: float | None
    interval: str
    p: float | None
    p_corrected: float | None
    test: str
    effect: float | None
    effect_word: str
    effect_name: str
    d: float | None
    d_word: str
    cliffs_delta: float | None
    t: float | None
    t_p: float | None
    paired: bool
    n: int
    pairs: int
    gained: int | None
    lost: int | None
    margin: float | None
    equivalent: bool
    needed: int | None
    needed_to_tie: int | None
    detectable: float | None
    verdict: Verdict
    group: str = ""
    why: str = ""

    @property
    def significant(self) -> bool:
        """Whether the corrected p is below 0.05."""
        return self.p_corrected is not None and self.p_corrected < ALPHA


class Terms(Struct, frozen=True):
    """How contrasts are made: the margin of a tie, the level at which one of the family is found, the interval."""

    margin: float | None = None
    alpha: float = ALPHA
    bootstrap: bool = False


def contrast(sheet: Sheet, metric: str, a: str, b: str, terms: Terms, group: str = "") -> Contrast:
    """Two arms by one metric, before the correction for the family it belongs to."""
    card, data = sheet.cards[metric], sheet.compared(metric, a, b)
    estimate, tested = data.estimate(), default_test(data, card.scale)
    bounds, effect = _interval(data, card, terms), _effect(data)
    apart = Unpaired.of(data.a, data.b)
    unpaired, d = welch(apart), cohen_d(apart)
    stated = terms.margin if terms.margin is not None else _margin(card)
    difference = data.a.mean - data.b.mean
    return Contrast(
        metric=metric,
        better=card.better,
        a=_side(a, data.a, sheet.column(metric, a)),
        b=_side(b, data.b, sheet.column(metric, b)),
        difference=difference,
        relative=difference / abs(data.b.mean) if data.b.mean else None,
        relative_word=percentage_word(difference / abs(data.b.mean)) if data.b.mean else "",
        low=bounds.low,
        high=bounds.high,
        interval=bounds.method,
        p=tested.p,
        p_corrected=tested.p,
        test=tested.method,
        effect=effect,
        effect_word="" if effect is None else word(effect),
        effect_name="dz" if isinstance(data, Paired) else "d",
        d=d,
        d_word="" if d is None else word(d),
        cliffs_delta=cliffs_delta(data.a.values, data.b.values),
        t=unpaired.statistic,
        t_p=unpaired.p,
        paired=isinstance(data, Paired),
        n=data.n if isinstance(data, Paired) else min(data.a.n, data.b.n),
        pairs=sheet.pairs(metric, a, b),
        gained=data.gained if isinstance(data, Paired) else None,
        lost=data.lost if isinstance(data, Paired) else None,
        margin=stated,
        equivalent=_equivalent(data, card, stated),
        needed=_needed(data, estimate, terms.alpha),
        needed_to_tie=_needed_to_tie(estimate, stated),
        detectable=_detectable(data, estimate),
        verdict="",
        group=group,
        why=tested.why,
    )


def judged(found: Sequence[Contrast], correction: Correction = "holm") -> list[Contrast]:
    """The contrasts of one family with their corrected p and their verdict."""
    ps = [one.p for one in found]
    corrected = CORRECTIONS[correction](ps)
    whole = [structs.replace(one, p_corrected=p) for one, p in zip(found, corrected, strict=True)]
    return [structs.replace(one, verdict=verdict(one)) for one in whole]


def verdict(one: Contrast) -> Verdict:
    """What the difference comes to: a direction where it is significant, tied within the margin, else too few cases."""
    if one.significant and one.difference:
        above = one.difference > 0
        if one.better == "neither":
            return "higher" if above else "lower"
        return "better" if above == (one.better == "higher") else "worse"
    return "tied" if one.equivalent else "too few"


def _margin(card: Card) -> float | None:
    """The margin where none is given: a twentieth of a bounded scale."""
    low, high = card.scale
    return None if low is None or high is None else MARGIN * (high - low)


def _effect(data: Paired | Unpaired) -> float | None:
    return cohen_dz(data) if isinstance(data, Paired) else cohen_d(data)


def _equivalent(data: Paired | Unpaired, card: Card, margin: float | None) -> bool:
    """Whether the 90 % interval lies within the margin: two one-sided tests at 5 %."""
    return margin is not None and bool(within(default_interval(data, card.scale, EQUIVALENCE), margin))


def _interval(data: Paired | Unpaired, card: Card, terms: Terms) -> Interval:
    if terms.bootstrap and isinstance(data, Paired):
        return percentile(data)
    return default_interval(data, card.scale)


def _needed(data: Paired | Unpaired, estimate: Difference | Undefined, alpha: float) -> int | None:
    if isinstance(estimate, Undefined) or not estimate.error or not estimate.difference:
        return None
    size, aim = abs(estimate.difference), Aim(alpha=alpha)
    if isinstance(data, Paired):
        return cases_needed(size, estimate.sd, aim)
    return cases_needed_unpaired(size, _sd(data.a.variance, data.a.n), _sd(data.b.variance, data.b.n), aim)


def _needed_to_tie(estimate: Difference | Undefined, margin: float | None) -> int | None:
    """How many cases show in 80 of 100 that arms without a difference lie within the margin."""
    if margin is None or isinstance(estimate, Undefined) or not estimate.error:
        return None
    reach = z_quantile(EQUIVALENCE) + z_quantile(POWER)
    return ceil((reach * estimate.sd / margin) ** 2)


def _detectable(data: Paired | Unpaired, estimate: Difference | Undefined) -> float | None:
    if isinstance(estimate, Undefined) or not estimate.error or not isinstance(data, Paired):
        return None
    return smallest_difference(Sample(data.n, estimate.sd))


def _sd(variance: float, n: int) -> float:
    return float((variance * n) ** 0.5)


def _side(name: str, arm: Arm, column: Column) -> Side:
    sd = _sd(arm.variance, arm.n) if arm.n > 1 else None
    counts = column.conversations, column.undefined, column.skipped, column.errors
    return Side(name, arm.mean, sd, arm.n, len(column.cases), *counts)
