"""The headline table of a pair of arms: values, change in percent, the paired test, and Welch's t with Cohen's d."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from adjudge.compare.comparison import Comparison
from adjudge.compare.contrast import Contrast
from adjudge.core.card import Better
from adjudge.report.comparison import words
from adjudge.report.table import Column, TextTable, tabulate
from adjudge.report.words import ARROWS, INTERVAL, NONE, arm_name, figure, p_value

# Columns that give way, one after the other, where the table does not fit.
GIVING_WAY = ("verdict", INTERVAL)
EXPLANATION = (
    "interval and p (corrected) are those of our test, which pairs shared cases; Welch's t, its p and Cohen's d treat "
    "all cases as unrelated"
)


class HeadlineRow(Struct, frozen=True):
    """A metric with the values of both arms; the contrast is None where they may not be compared."""

    metric: str
    better: Better
    a: float
    b: float
    contrast: Contrast | None = None


def headline_table(pair: words.Pair, comparison: Comparison) -> TextTable:
    """A row for each metric that both arms have a value of, in the order of the suite."""
    return tabulate(_columns(pair), headline_rows(pair, comparison))


def headline_rows(pair: words.Pair, comparison: Comparison) -> list[HeadlineRow]:
    """The contrasts of a pair, and the metrics whose values in both arms come from methods that cannot be compared."""
    rows = {row.metric: row for row in (*_contrast_rows(pair, comparison), *_value_rows(pair, comparison))}
    return [rows[metric] for metric in comparison.cards if metric in rows]


def _contrast_rows(pair: words.Pair, comparison: Comparison) -> Iterator[HeadlineRow]:
    for contrast in words.contrasts_by_pair(comparison).get(pair, []):
        yield HeadlineRow(contrast.metric, contrast.better, contrast.a.value, contrast.b.value, contrast)


def _value_rows(pair: words.Pair, comparison: Comparison) -> Iterator[HeadlineRow]:
    for item in comparison.left_out:
        if (item.a, item.b) == pair[1:] and item.a_value is not None and item.b_value is not None:
            yield HeadlineRow(item.metric, comparison.cards[item.metric].better, item.a_value, item.b_value)


def _columns(pair: words.Pair) -> list[Column[HeadlineRow]]:
    return [
        Column("metric", lambda row: f"{row.metric} {ARROWS[row.better]}".rstrip()),
        Column(arm_name(pair[1]), lambda row: figure(row.a), "right"),
        Column(arm_name(pair[2]), lambda row: figure(row.b), "right"),
        Column("change", lambda row: words.difference_text(row.contrast) if row.contrast else NONE, "right"),
        Column("percent", lambda row: words.percent_text(row.contrast) if row.contrast else NONE, "right"),
        Column(INTERVAL, lambda row: words.difference_interval(row.contrast) if row.contrast else NONE, "right"),
        Column("p", lambda row: p_value(row.contrast.p_corrected) if row.contrast else NONE, "right"),
        Column("Welch's t", lambda row: _figure_or_none(row.contrast.t if row.contrast else None), "right"),
        Column("its p", lambda row: p_value(row.contrast.t_p) if row.contrast else NONE, "right"),
        Column("Cohen's d", lambda row: _figure_or_none(row.contrast.d if row.contrast else None), "right"),
        Column("verdict", lambda row: words.short_verdict_text(row.contrast) if row.contrast else "not compared"),
    ]


def _figure_or_none(value: float | None) -> str:
    return NONE if value is None else figure(value)
