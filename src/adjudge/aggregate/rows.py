"""The row of a metric and an arm: its value, its interval, and its counts of missing scores."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from adjudge.core.card import Better, Card, Pool
from adjudge.core.tally import OWN_CASE, Tally, TallyColumns
from adjudge.stats.bootstrap import Group, group_distance, group_distance_limits
from adjudge.stats.cases import Arm
from adjudge.stats.estimate import Estimate, no_estimate
from adjudge.stats.interval import estimate_mean


class Row(Struct, frozen=True, kw_only=True):
    """The value of one metric for one arm, with its interval, counts and settings.

    `value` is the mean over marks or over conversations, as `pool` says; None if there is nothing to average. Both
    means are in `over_marks` and `over_conversations`. `n` is the number of items averaged. `low` and `high` bound the
    95 % interval, computed by `method`; None if there is one conversation only, or no spread to estimate it from.
    `undefined`, `skipped` and `errors` count conversations; `reasons` and `statuses` say why.
    `of` is the number of turns that the arm has, for metrics over turns: the metric is undefined in the turns that
    `marks` does not count. `coverage` is the share of the expected data that the arm has. `settings` are the settings
    of the measurement. `bases` counts conversations by the basis of their value, for metrics with several bases.
    """

    metric: str
    arm: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    undefined: int
    skipped: int
    errors: int
    unit: str
    better: Better
    version: int
    pool: Pool
    over_marks: float | None
    over_conversations: float | None
    marks: int
    conversations: int
    method: str
    band: str = ""
    group: str = ""
    reasons: dict[str, int] = {}
    statuses: dict[str, int] = {}
    of: int | None = None
    coverage: float | None = None
    settings: dict[str, str] = {}
    bases: dict[str, int] = {}


def row(card: Card, arm: str, tally: Tally, group: str = "") -> Row:
    """The row of a tally."""
    known, columns = tally.marks > 0, tally.columns()
    over_marks = columns.mean_over_marks if known else None
    over_conversations = columns.mean_over_conversations if known else None
    value = over_conversations if card.pool == "conversations" else over_marks
    if tally.groups and card.pool == "groups":
        value = group_distance(_groups(tally))
    interval = interval_of(card, tally, columns)
    return Row(
        metric=card.name,
        arm=arm,
        value=value,
        low=interval.low,
        high=interval.high,
        n=tally.conversations if card.pool == "conversations" else tally.marks,
        undefined=tally.undefined,
        skipped=tally.skipped,
        errors=tally.errors,
        unit=card.unit,
        better="neither" if group and card.pool == "groups" else card.better,
        version=card.version,
        pool=card.pool,
        over_marks=over_marks,
        over_conversations=over_conversations,
        marks=tally.marks,
        conversations=tally.conversations,
        method=interval.method,
        band=card.band(value) if value is not None else "",
        group=group,
        reasons=tally.reasons,
        statuses=tally.statuses,
        bases=tally.bases,
    )


def interval_of(card: Card, tally: Tally, columns: TallyColumns) -> Estimate:
    """The 95 % interval of the headline value of a tally with these columns, with cases as clusters.

    A mean on a bounded scale has the score interval at the effective sample size, so 20 of 20 right is [0.83, 1],
    never [1, 1]. A mean on an open scale has Student's t interval. For a metric pooled over groups, the means of the
    groups are redrawn from their sampling distributions. See `adjudge.stats.interval`.
    """
    if tally.conversations < 2:
        return no_estimate("needs at least 2 conversations")
    if tally.groups and card.pool == "groups":
        limits = group_distance_limits(_groups(tally))
        return Estimate(None, *limits, method="redrawn groups") if limits else Estimate(None, method="redrawn groups")
    return estimate_mean(_arm(card, columns), card.scale)


def _arm(card: Card, columns: TallyColumns) -> Arm:
    """The conversations of a tally as sums over their cases."""
    values = np.frombuffer(columns.values)
    weights = np.ones_like(values) if card.pool == "conversations" else np.frombuffer(columns.weights)
    cases = np.frombuffer(columns.cases, dtype=np.intc).astype(np.intp)
    own = np.flatnonzero(cases == OWN_CASE)
    cases[own] = cases.max() + 1 + own
    return Arm.by_cluster(values, weights, cases)


def _groups(tally: Tally) -> list[Group]:
    return [Group(group.n, group.mean, group.variance) for group in tally.groups.values()]
