"""The tables of a comparison, the same in every format."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.compare.contrast import Contrast
from adjudge.compare.flips import Flip
from adjudge.report.comparison import words
from adjudge.report.table import Column, TextTable, Tone, tabulate
from adjudge.report.words import ARROWS, INTERVAL, NONE, arm_name, figure, p_value

UNPAIRED = "Unpaired, as if no cases were shared (Welch's t, Cohen's d)"
TONES: dict[str, Tone] = {"better": "good", "worse": "bad"}


def contrast_table(contrasts: Sequence[Contrast]) -> TextTable:
    """A row for each contrast of a pair of arms."""
    a, b = contrasts[0].a.arm, contrasts[0].b.arm
    columns = [
        Column[Contrast]("metric", lambda contrast: f"{contrast.metric} {ARROWS[contrast.better]}".rstrip()),
        Column[Contrast](arm_name(a), lambda contrast: figure(contrast.a.value), "right"),
        Column[Contrast](arm_name(b), lambda contrast: figure(contrast.b.value), "right"),
        Column("difference", words.difference_text, "right"),
        Column(INTERVAL, words.difference_interval, "right"),
        Column("in percent", words.percent_text, "right"),
        Column[Contrast]("p", lambda contrast: p_value(contrast.p), "right"),
        Column[Contrast]("corrected p", lambda contrast: p_value(contrast.p_corrected), "right"),
        Column("effect", words.effect_text),
        Column("cases", words.cases_text, "right"),
        Column[Contrast]("verdict", words.verdict_text, tone=lambda contrast: TONES.get(contrast.verdict, "")),
    ]
    return tabulate(columns, contrasts)


def terminal_table(contrasts: Sequence[Contrast]) -> TextTable:
    """The table of contrasts with short verdicts, and the cases they need in a column of their own."""
    table = contrast_table(contrasts).without("p", "verdict")
    columns = [
        Column("needed", words.needed_text, "right"),
        Column[Contrast]("verdict", words.short_verdict_text, tone=lambda contrast: TONES.get(contrast.verdict, "")),
    ]
    return table.beside(tabulate(columns, contrasts))


def unpaired_table(contrasts: Sequence[Contrast]) -> TextTable:
    """A row for each contrast of a pair of arms, tested as if no cases were shared."""
    columns = [
        Column[Contrast]("metric", lambda contrast: contrast.metric),
        Column("difference", words.difference_text, "right"),
        Column[Contrast](
            "in percent",
            lambda contrast: f"{words.percent_text(contrast)} {contrast.relative_word}".rstrip(),
            "right",
        ),
        Column[Contrast]("t", lambda contrast: _figure_or_none(contrast.t), "right"),
        Column[Contrast]("p", lambda contrast: p_value(contrast.t_p), "right"),
        Column[Contrast](
            "Cohen's d", lambda contrast: f"{_figure_or_none(contrast.d)} {contrast.d_word}".rstrip(), "right"
        ),
        Column[Contrast]("Cliff's delta", lambda contrast: _figure_or_none(contrast.cliffs_delta), "right"),
    ]
    return tabulate(columns, contrasts)


def flip_table(pair: words.Pair, flips: Sequence[Flip]) -> TextTable:
    """A row for each case that changed, from the baseline's value to the arm's."""
    columns = [
        Column[Flip]("metric", lambda flip: flip.metric),
        Column[Flip]("case", lambda flip: flip.name),
        Column[Flip](arm_name(pair[2]), lambda flip: figure(flip.value_b), "right"),
        Column[Flip](arm_name(pair[1]), lambda flip: figure(flip.value_a), "right"),
        Column[Flip]("turn", lambda flip: words.telling_mark(flip).turn),
        Column[Flip]("what", lambda flip: words.telling_mark(flip).at),
        Column[Flip]("why", lambda flip: words.reason_text(words.telling_mark(flip))),
    ]
    return tabulate(columns, flips)


def _figure_or_none(value: float | None) -> str:
    return NONE if value is None else figure(value)
