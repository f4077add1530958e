"""The tables of a played run on the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Column, Table

from adjudge.report.play.summary import AgentTotal, EndCount, PlaySummary
from adjudge.report.play.words import end_words
from adjudge.run.played import Played


def print_play_tables(played: Played, console: Console) -> None:
    """Print how the conversations of each arm ended, and what its agents took."""
    summary = PlaySummary.of(played)
    console.print(
        f"played {summary.conversations} conversations with {summary.turns:,} turns (seed {summary.seed})",
        markup=False,
        soft_wrap=True,
    )
    console.print(ends_table(summary.ends))
    if summary.agents:
        console.print(agents_table(summary.agents))


def ends_table(ends: tuple[EndCount, ...]) -> Table:
    """How often each reason ended a conversation."""
    table = Table("arm", "ended by", Column("conversations", justify="right"), box=None, pad_edge=False)
    for count in ends:
        table.add_row(count.arm, end_words(count), f"{count.conversations:,}")
    return table


def agents_table(agents: tuple[AgentTotal, ...]) -> Table:
    """What each agent took."""
    names = ("answers", "cached", "failed", "attempts", "tokens in", "tokens out", "seconds", "USD", "tool uses")
    columns = [Column(name, justify="right") for name in names]
    table = Table("arm", "agent", *columns, box=None, pad_edge=False)
    for total in agents:
        table.add_row(total.arm, total.agent, *agent_cells(total))
    return table


def agent_cells(total: AgentTotal) -> list[str]:
    """The figures of an agent as text; an unknown cost is "?"."""
    return [
        f"{total.answers:,}",
        f"{total.cached:,}",
        f"{total.failed:,}",
        f"{total.attempts:,}",
        f"{total.input_tokens:,}",
        f"{total.output_tokens:,}",
        f"{total.seconds:,.1f}",
        "?" if total.cost is None else f"{total.cost:.4f}",
        f"{total.uses:,}",
    ]
