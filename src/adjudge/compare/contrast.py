"""Contrasts: the difference between two arms by one metric, with its interval, test and verdict."""

from __future__ import annotations

from typing import Literal

import numpy as np
from msgspec import Struct, structs

from adjudge.compare.sheet import Column, Sheet
from adjudge.core.card import Better, Card
from adjudge.stats.bootstrap import percentile_limits
from adjudge.stats.cases import Arm, Difference, PairedCases, Undefined, UnpairedCases
from adjudge.stats.difference import Pivot, Student, lies_within, pivot_of
from adjudge.stats.effect import cliffs_delta, cohen_d, cohen_dz, percentage_word, word
from adjudge.stats.interval import CONFIDENCE, OPEN, Bounds
from adjudge.stats.power import (
    Aim,
    Sample,
    cases_by_p,
    cases_needed,
    cases_needed_unpaired,
    cases_to_tie,
    smallest_difference,
)
from adjudge.stats.variance import ROUNDING

Verdict = Literal["better", "worse", "higher", "lower", "tied", "inconclusive", ""]

# The significance level of all tests.
ALPHA = 0.05
# The default margin of a tie, as a share of a bounded scale.
MARGIN = 0.05
# Two one-sided tests at 5 % both reject if the 90 % interval lies within the margin (Schuirmann 1987).
EQUIVALENCE = 0.90
# Values that agree in so many digits are the same.
VALUE_DIGITS = 12


class ContrastSide(Struct, frozen=True):
    """One arm of a contrast: its mean and standard deviation over the n cases compared, and its missing values.

    `cases` counts all cases of the arm, with a value or not; `conversations` counts their trials.
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

    `difference` is a's value minus b's over the `n` cases compared. If `paired`, these are the cases that both arms
    have, and `pairs` counts their trials. `relative` is the difference divided by b's value (None if that is 0), and
    `relative_word` the decision suite's word for it.
    `low` and `high` bound the 95 % interval of this contrast alone, and `p` comes from the same pivot. `p_corrected` is
    the p corrected for the `family` of all contrasts. `family_low` and `family_high` bound the interval at
    `family_level`, which excludes 0 exactly if the corrected p is below 0.05.
    `effect` is Cohen's dz for paired arms, else d. `d` is always Cohen's d, with the pooled standard deviation. `t` and
    `t_p` are Welch's. `margin` is the difference below which arms count as tied (None: there is none). `needed` is the
    number of cases needed to detect a difference of this size among all contrasts, `needed_to_tie` the number needed to
    show a tie, and `detectable` the smallest difference that this sample size can detect.
    `gained` and `lost` count the cases in which a has the higher or the lower value. A field is None if it cannot be
    computed; `why` says why p is missing.
    `family` counts the distinct contrasts that are corrected together. A metric that has the same values as another in
    both arms is the `same_as` that one. `headline`: it counts in the sentence about its arms. `unnamed`: an arm's cases
    have no names.
    """

    metric: str
    better: Better
    a: ContrastSide
    b: ContrastSide
    difference: float
    relative: float | None = None
    relative_word: str = ""
    low: float | None = None
    high: float | None = None
    interval: str = ""
    p: float | None = None
    p_corrected: float | None = None
    test: str = ""
    effect: float | None = None
    effect_word: str = ""
    effect_name: str = ""
    d: float | None = None
    d_word: str = ""
    cliffs_delta: float | None = None
    t: float | None = None
    t_p: float | None = None
    paired: bool
    n: int
    pairs: int
    gained: int | None
    lost: int | None
    margin: float | None
    equivalent: bool = False
    needed: int | None = None
    needed_to_tie: int | None = None
    detectable: float | None = None
    verdict: Verdict = ""
    group: str = ""
    why: str = ""
    family: int = 1
    family_level: float | None = None
    family_low: float | None = None
    family_high: float | None = None
    same_as: str = ""
    headline: bool = True
    unnamed: bool = False

    @property
    def identical(self) -> bool:
        """Whether no case has another value in one arm than in the other; without pairs, whether all have one value."""
        if self.paired:
            return not (self.gained or self.lost)
        return not (self.difference or self.a.sd or self.b.sd)

    @property
    def significant(self) -> bool:
        """Whether the corrected p is below 0.05."""
        return self.p_corrected is not None and self.p_corrected < ALPHA

    @property
    def significant_alone(self) -> bool:
        """Whether the contrast is significant alone, but not after the correction for the family."""
        return self.p is not None and self.p < ALPHA and not self.significant


class Draft(Struct, frozen=True, eq=False):
    """A contrast before the correction for its family, and the data and pivot behind it (None: it has no pivot).

    `values` are the same for two metrics if each case has the same value by both, in each arm.
    """

    contrast: Contrast
    data: PairedCases | UnpairedCases
    pivot: Pivot | None
    values: bytes


class Terms(Struct, frozen=True):
    """The terms of a contrast: the margin of a tie, the kind of interval, and whether the headline counts it."""

    margin: float | None = None
    bootstrap: bool = False
    headline: bool = True


def draft_contrast(sheet: Sheet, metric: str, a: str, b: str, terms: Terms, group: str = "") -> Draft:
    """The contrast of two arms by one metric, before the correction for its family."""
    card, data = sheet.cards[metric], sheet.arms_of(metric, a, b)
    contrast = Contrast(
        metric=metric,
        better=card.better,
        a=_side(a, data.a, sheet.column(metric, a)),
        b=_side(b, data.b, sheet.column(metric, b)),
        difference=_difference(data),
        paired=isinstance(data, PairedCases),
        n=data.n if isinstance(data, PairedCases) else min(data.a.n, data.b.n),
        pairs=sheet.pairs(metric, a, b),
        gained=data.gained if isinstance(data, PairedCases) else None,
        lost=data.lost if isinstance(data, PairedCases) else None,
        margin=terms.margin if terms.margin is not None else _default_margin(card),
        group=group,
        headline=terms.headline,
        unnamed=bool(sheet.unnamed & {a, b}),
    )
    pivot = pivot_of(data, card.scale)
    tested = _with_test(_with_effects(contrast, data), data, pivot, terms)
    # Equal sums of cases without names do not show that two metrics have the same values.
    values = metric.encode() if contrast.unnamed else _value_bytes(data, card)
    return Draft(tested, data, None if isinstance(pivot, Undefined) else pivot, values)


def verdict_of(contrast: Contrast) -> Verdict:
    """The verdict: a direction if the difference is significant, tied if it is within the margin, else inconclusive."""
    if contrast.significant and contrast.difference:
        above = contrast.difference > 0
        if contrast.better == "neither":
            return "higher" if above else "lower"
        return "better" if above == (contrast.better == "higher") else "worse"
    return "tied" if contrast.equivalent else "inconclusive"


def _value_bytes(data: PairedCases | UnpairedCases, card: Card) -> bytes:
    """The values and weights of both arms' cases, higher being better: a rate and its complement are one question."""
    low, high = card.scale
    return b"|".join(
        np.round(part, VALUE_DIGITS).tobytes()
        for arm in (data.a, data.b)
        for part in (
            arm.values if card.better != "lower" or low is None or high is None else low + high - arm.values,
            arm.shares,
        )
    )


def _difference(data: PairedCases | UnpairedCases) -> float:
    """The difference of the means; 0 if rounding is all that is left of it."""
    a, b = data.a.mean, data.b.mean
    return 0.0 if abs(a - b) <= ROUNDING * (abs(a) + abs(b)) else a - b


def _default_margin(card: Card) -> float | None:
    """The default margin: a twentieth of a bounded scale; None for an open scale."""
    low, high = card.scale
    return None if low is None or high is None else MARGIN * (high - low)


def _with_effects(contrast: Contrast, data: PairedCases | UnpairedCases) -> Contrast:
    """The contrast with its effect sizes, and with Welch's t, which treats the arms as unpaired."""
    apart = UnpairedCases.of(data.a, data.b)
    effect = cohen_dz(data) if isinstance(data, PairedCases) else cohen_d(data)
    d, welch = cohen_d(apart), pivot_of(apart, OPEN)
    relative = contrast.difference / abs(data.b.mean) if data.b.mean else None
    return structs.replace(
        contrast,
        relative=relative,
        relative_word="" if relative is None else percentage_word(relative),
        effect=effect,
        effect_word="" if effect is None else word(effect),
        effect_name="dz" if isinstance(data, PairedCases) else "d",
        d=d,
        d_word="" if d is None else word(d),
        cliffs_delta=cliffs_delta(data.a.values, data.b.values),
        t=welch.statistic if isinstance(welch, Student) else None,
        t_p=welch.p() if isinstance(welch, Student) else None,
    )


def _with_test(
    contrast: Contrast, data: PairedCases | UnpairedCases, pivot: Pivot | Undefined, terms: Terms
) -> Contrast:
    """The contrast with its interval and p, or with the reason why they are missing."""
    limits, method = _limits(data, pivot, terms)
    low, high = limits or (None, None)
    contrast = structs.replace(contrast, low=low, high=high, interval=method)
    if isinstance(pivot, Undefined):
        return structs.replace(contrast, why=pivot.why)
    p, equivalent = pivot.p(), _is_equivalent(pivot, contrast.margin)
    return structs.replace(contrast, p=p, p_corrected=p, test=pivot.method, equivalent=equivalent)


def with_sample_sizes(draft: Draft, alpha: float) -> Contrast:
    """The contrast with the sample sizes it needs and its detectable difference; both need some spread."""
    contrast, data = draft.contrast, draft.data
    estimate, margin = data.estimate(), contrast.margin
    if isinstance(estimate, Undefined) or not estimate.error:
        return contrast
    return structs.replace(
        contrast,
        needed=_cases_needed(contrast, data, estimate, Aim(alpha=alpha)),
        needed_to_tie=None if margin is None else cases_to_tie(estimate.sd, margin),
        detectable=smallest_difference(Sample(data.n, estimate.sd)) if isinstance(data, PairedCases) else None,
    )


def _is_equivalent(pivot: Pivot, margin: float | None) -> bool:
    """Whether the 90 % interval lies within the margin: two one-sided tests at 5 %."""
    return margin is not None and lies_within(pivot.limits(EQUIVALENCE), margin)


def _limits(data: PairedCases | UnpairedCases, pivot: Pivot | Undefined, terms: Terms) -> tuple[Bounds | None, str]:
    """The 95 % interval, or None, and the name of its method."""
    if terms.bootstrap and isinstance(data, PairedCases):
        limits = percentile_limits(data)
        return None if isinstance(limits, Undefined) else limits, "percentile bootstrap"
    return (None, "") if isinstance(pivot, Undefined) else (pivot.limits(CONFIDENCE), pivot.method)


def _cases_needed(contrast: Contrast, data: PairedCases | UnpairedCases, estimate: Difference, aim: Aim) -> int | None:
    """The sample size that a difference of the observed size needs.

    It is that of a t test. Where the t test would do with the cases there are and the contrast's own pivot finds
    nothing, it is that of the pivot.
    """
    size = abs(contrast.difference)
    if isinstance(data, PairedCases):
        by_t = cases_needed(size, estimate.sd, aim)
    else:
        by_t = cases_needed_unpaired(size, data.a.sd, data.b.sd, aim)
    if by_t is None or contrast.p is None or by_t > contrast.n:
        return by_t
    return max(by_t, cases_by_p(contrast.p, contrast.n, aim))


def _side(name: str, arm: Arm, column: Column) -> ContrastSide:
    sd = arm.sd if arm.n > 1 else None
    counts = column.conversations, column.undefined, column.skipped, column.errors
    return ContrastSide(name, arm.mean, sd, arm.n, column.case_count, *counts)
