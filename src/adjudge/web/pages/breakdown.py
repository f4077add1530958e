"""One metric of a run by a facet of its records or by the groups of its marks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, cast

from msgspec import Struct, structs

from adjudge.aggregate import Row, RunTables, row, tables_of, tally_groups
from adjudge.core.card import Card
from adjudge.core.mark import ScoreRow
from adjudge.report.page.bars import Bars, bars_of
from adjudge.report.run.facets import GROUP, choose_rows
from adjudge.run import SCORES, Run
from adjudge.run.lines import read_lines
from adjudge.run.names import PARTS
from adjudge.run.parquet import read_parquet_rows
from adjudge.web.address import FACET, Choice, ListState, worst_first
from adjudge.web.index import lines
from adjudge.web.index.store import scores_size
from adjudge.web.index.tables import facet_table
from adjudge.web.memory import remember
from adjudge.web.opened import OpenRun

# How many of the largest groups are shown, and how many more are folded below them.
SHOWN, FOLDED = 12, 48
# Groups of marks are read from the file of scores, which takes long for a large one.
LARGEST_FILE = 2_000_000_000
# From so many bytes on they are read only if somebody asks for them.
LARGE_FILE = 20_000_000


class GroupLine(Struct, frozen=True):
    """The values of all arms in one group, with the list of all conversations behind them and those of each arm."""

    group: str
    rows: list[Row | None]
    bars: Bars
    state: ListState
    arm_states: list[ListState]

    @property
    def size(self) -> int:
        """On how many items the values of all arms rest."""
        return sum(row.n for row in self.rows if row is not None)


def breakdown_view(run: OpenRun, asked: dict[str, str]) -> dict[str, Any] | None:
    """The breakdown that the address asks for, or the first one that there is; None where there is none."""
    ways = _ways(run)
    cards = [card for card in run.cards.values() if not card.variant and card.pool != "groups"]
    if not ways or not cards:
        return None
    by = asked["by"] if asked.get("by") in ways else _first_way(run, ways)
    unread = by == GROUP and asked.get("by") != GROUP and not _is_quick(run)
    named = [card for card in cards if card.name == asked.get("metric")]
    family = named or [card for card in run.primary if card in cards] or cards
    card, groups = (family[0], []) if unread else _first_with_lines(run, family, by)
    ranked = sorted(groups, key=lambda line: -line.size)
    return {
        "card": card,
        "by": by,
        "ways": ways,
        "cards": cards,
        "lines": _by_name(ranked[:SHOWN]),
        "folded": _by_name(ranked[SHOWN : SHOWN + FOLDED]),
        "omitted": len(ranked[SHOWN + FOLDED :]),
        "unread": unread,
    }


def _by_name(lines: list[GroupLine]) -> list[GroupLine]:
    return sorted(lines, key=lambda line: line.group)


def _first_with_lines(run: OpenRun, family: list[Card], by: str) -> tuple[Card, list[GroupLine]]:
    """The first metric that has values in groups, with them; the first of all where none has."""
    for card in family:
        if groups := breakdown_lines(run, card, by):
            return card, groups
    return family[0], []


def breakdown_lines(run: OpenRun, card: Card, by: str) -> list[GroupLine]:
    """The groups with values, in alphabetical order."""
    if not run.keeps_all:
        rows = [each for each in choose_rows(_tables(run), by) if each.metric == card.name]
    else:
        rows = _group_rows(run, card) if by == GROUP else facet_table(run.index, card, by, run.arms)
    groups: dict[str, dict[str, Row]] = {}
    for each in rows:
        groups.setdefault(each.group, {})[each.arm] = each
    field = GROUP if by == GROUP else f"{FACET}{by}"
    made = []
    for group in sorted(groups):
        cells = [groups[group].get(arm) for arm in run.arms]
        state = ListState(choices=(Choice(field, group),), sort=worst_first(card))
        arm_states = [structs.replace(state, choices=(*state.choices, Choice("arm", arm))) for arm in run.arms]
        made.append(GroupLine(group, cells, bars_of(card, cells), state, arm_states))
    return made


def _first_way(run: OpenRun, ways: list[str]) -> str:
    """The groups of marks unless reading them takes long."""
    return next((way for way in ways if way != GROUP or _is_quick(run)), ways[0])


def _is_quick(run: OpenRun) -> bool:
    return scores_size(run.entry.folder) < LARGE_FILE


def _ways(run: OpenRun) -> list[str]:
    """The facets with several values, and the groups of marks where the run has some and is not too large."""
    if not run.keeps_all:
        tables = _tables(run)
        return [*([GROUP] if tables.groups else []), *tables.facets]
    facets = [name for name in run.index.facets() if len(run.index.words(f"facet:{name}")) > 2]
    grouped = len(run.index.words(GROUP)) > 1 and scores_size(run.entry.folder) < LARGEST_FILE
    return [*([GROUP] if grouped else []), *facets]


def _tables(run: OpenRun) -> RunTables:
    """The tables of a run that does not keep all records, which its index cannot give."""
    return remember(run, "tables", lambda: tables_of(Run(run.entry.folder)))


def _group_rows(run: OpenRun, card: Card) -> list[Row]:
    """The rows of a metric by group of its marks; all metrics are read at once and kept."""

    def read() -> list[Row]:
        tallies = tally_groups(islice(_score_rows(run), run.index.count))
        known = {key: tally for key, tally in tallies.items() if key[0] in run.cards}
        return [row(run.cards[name], arm, tally, group) for (name, arm, group), tally in known.items()]

    return [each for each in remember(run, "groups", read) if each.metric == card.name]


def _score_rows(run: OpenRun) -> Iterator[ScoreRow]:
    """The lines of scores, or at least all in them that is tallied."""
    manifest = run.entry.manifest
    if manifest is not None and manifest.store == "parquet":
        return read_parquet_rows(run.entry.folder / PARTS, run.cards)
    return cast("Iterator[ScoreRow]", read_lines(run.entry.folder / SCORES, lines.SCORES))
