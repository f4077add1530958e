"""The tables of a played run, for terminal, Markdown and page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from adjudge.compare.contrast import Contrast
from adjudge.report.comparison.words import difference_interval, difference_text, verdict_text
from adjudge.report.play.summary import AgentTotal, EndCount, PlaySummary
from adjudge.report.play.words import end_words
from adjudge.report.play.worth import PartWorth
from adjudge.report.table import Column, TextTable, tabulate
from adjudge.report.words import ARROWS, INTERVAL, arm_name

END_COLUMNS = [
    Column[EndCount]("arm", lambda count: arm_name(count.arm)),
    Column[EndCount]("ended by", end_words),
    Column[EndCount]("conversations", lambda count: f"{count.conversations:,}", "right"),
]
AGENT_COLUMNS = [
    Column[AgentTotal]("arm", lambda total: arm_name(total.arm)),
    Column[AgentTotal]("agent", lambda total: total.agent),
    Column[AgentTotal]("answers", lambda total: f"{total.answers:,}", "right"),
    Column[AgentTotal]("cached", lambda total: f"{total.cached:,}", "right"),
    Column[AgentTotal]("failed", lambda total: f"{total.failed:,}", "right"),
    Column[AgentTotal]("attempts", lambda total: f"{total.attempts:,}", "right"),
    Column[AgentTotal]("tokens in", lambda total: f"{total.input_tokens:,}", "right"),
    Column[AgentTotal]("tokens out", lambda total: f"{total.output_tokens:,}", "right"),
    Column[AgentTotal]("seconds", lambda total: f"{total.seconds:,.1f}", "right"),
    Column[AgentTotal]("USD", lambda total: "unknown" if total.cost is None else f"{total.cost:,.4f}", "right"),
    Column[AgentTotal]("tool uses", lambda total: f"{total.uses:,}", "right"),
]
ALWAYS_SHOWN = ("arm", "agent")


class WorthRow(NamedTuple):
    """What parts are worth by one metric."""

    worth: PartWorth
    contrast: Contrast


WORTH_COLUMNS = [
    Column[WorthRow]("part", lambda row: ", ".join(row.worth.parts)),
    Column[WorthRow]("of", lambda row: arm_name(row.worth.whole)),
    Column[WorthRow]("metric", lambda row: f"{row.contrast.metric} {ARROWS[row.contrast.better]}"),
    Column[WorthRow]("with minus without", lambda row: difference_text(row.contrast), "right"),
    Column[WorthRow](INTERVAL, lambda row: difference_interval(row.contrast), "right"),
    Column[WorthRow]("verdict", lambda row: verdict_text(row.contrast)),
]


def ends_table(ends: Iterable[EndCount]) -> TextTable:
    """How often each reason ended a conversation."""
    return tabulate(END_COLUMNS, ends)


def agents_table(agents: Iterable[AgentTotal]) -> TextTable:
    """What each agent took, without the columns in which nobody has anything."""
    table = tabulate(AGENT_COLUMNS, agents)
    for place, header in reversed(list(enumerate(table.header))):
        if header not in ALWAYS_SHOWN and all(float(_number(row[place].text)) == 0 for row in table.rows):
            table = table.without(header)
    return table


def worth_table(summary: PlaySummary) -> TextTable:
    """What each part is worth by each primary metric."""
    rows = [WorthRow(worth, contrast) for worth in summary.worths for contrast in worth.contrasts]
    return tabulate(WORTH_COLUMNS, rows)


def worth_remarks(summary: PlaySummary) -> list[str]:
    """Why a part's worth is not known, a sentence each."""
    return [
        f"{', '.join(worth.parts)} of {arm_name(worth.whole)}: {worth.why}" for worth in summary.worths if worth.why
    ]


def _number(text: str) -> str:
    return "1" if text == "unknown" else text.replace(",", "")
