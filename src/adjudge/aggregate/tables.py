"""From the scores of a run to its tables, in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import fsum
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct, structs

from adjudge.aggregate.rows import Row, row
from adjudge.aggregate.tallies import (
    Accumulator,
    FacetTallies,
    GroupTallies,
    ScoreTallies,
    Tallies,
    UnlabelledItems,
    VoiceTallies,
    accumulate,
)
from adjudge.aggregate.unnamed import CaseSums, case_sums
from adjudge.core.errors import BadInput
from adjudge.core.mark import ScoreRow
from adjudge.run import Manifest, Run, write_whole
from adjudge.run.chunking import READ_ROWS, chunks_of
from adjudge.run.names import TABLES


class Voice(Struct, frozen=True):
    """The answers of one judge or sample out of several: its mean over marks, and its failures by status.

    `agreement` and `spread` describe the whole panel, over the marks that two or more judges valued; None if there are
    none. `agreement` is the share of these marks with equal values. `spread` is the mean distance between the lowest
    and the highest value of a mark.
    """

    metric: str
    arm: str
    voice: str
    value: float | None
    marks: int
    agreement: float | None
    spread: float | None
    failures: dict[str, int] = {}


class RunTables(Struct, frozen=True, kw_only=True):
    """All tables of a run: its rows, those by group of marks and by each facet, and what judges said.

    `cases` are the sums of the cases, which only the stored tables of a run without values of conversations have.
    `unlabelled` counts the items without a label by people, or without a usable answer of a model, by metric.
    """

    rows: list[Row]
    groups: list[Row]
    facets: dict[str, list[Row]]
    voices: list[Voice]
    unlabelled: dict[str, int]
    cases: list[CaseSums] = []

    def narrow(self, metrics: Iterable[str]) -> RunTables:
        """The tables of these metrics only."""
        names = set(metrics)
        return RunTables(
            rows=[row for row in self.rows if row.metric in names],
            groups=[row for row in self.groups if row.metric in names],
            facets={facet: [row for row in rows if row.metric in names] for facet, rows in self.facets.items()},
            voices=[voice for voice in self.voices if voice.metric in names],
            unlabelled={name: count for name, count in self.unlabelled.items() if name in names},
            cases=[case for case in self.cases if case.metric in names],
        )


class MarkReader(Protocol):
    """Something that is made from all marks that a run keeps."""

    def take(self, row: ScoreRow) -> None:
        """Take in the marks of a record."""


class TableTallies:
    """The accumulators that all tables of a run are made from."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._scores, self._groups, self._facets = ScoreTallies(), GroupTallies(), FacetTallies()
        self._voices, self._unlabelled = VoiceTallies(), UnlabelledItems()

    def accumulators(self) -> list[Accumulator]:
        """Those that something is to be made from in this run."""
        tools = self._run.manifest.tools
        judged: list[Accumulator] = [self._unlabelled] if "judge" in tools else []
        judged += [self._voices] if "combine" in tools else []
        return [self._scores, self._groups, self._facets, *judged]

    def get(self, key: tuple[str, str], default: Sequence[float], /) -> Sequence[float]:
        """The values of all conversations of a metric and an arm."""
        made = self._scores.tallies.get((*key, ""))
        return default if made is None else made.columns().values

    def cases(self) -> list[CaseSums]:
        """The sums of the cases of all metrics that are compared by cases."""
        cards = self._run.manifest.cards
        scores = _in_card_order(self._scores.tallies, self._run)
        return [
            case_sums(cards[name], arm, tally)
            for (name, arm, _), tally in scores.items()
            if tally.conversations and cards[name].pool != "groups"
        ]

    def tables(self) -> RunTables:
        """The tables of what was taken in."""
        return RunTables(
            rows=table_rows(self._scores.tallies, self._run),
            groups=table_rows(self._groups.tallies, self._run),
            facets={facet: facet_rows(self._facets.facets[facet], self._run) for facet in sorted(self._facets.facets)},
            voices=_voices(self._voices),
            unlabelled=dict(self._unlabelled.counts),
        )


def table(run: Run) -> list[Row]:
    """The rows of a run: metrics in the order of its cards, arms in the order they came."""
    if (tables := stored_tables(run)) is not None:
        return tables.rows
    grouped = any(card.pool == "groups" for card in run.manifest.cards.values())
    made = ScoreTallies()
    accumulate(run.full_chunks() if grouped else run.chunks(), [made])
    return table_rows(made.tallies, run)


def breakdown(run: Run) -> list[Row]:
    """The rows of a run by group of marks (in the service suite: by domain)."""
    if (tables := stored_tables(run)) is not None:
        return tables.groups
    made = GroupTallies()
    accumulate(run.full_chunks(), [made])
    return table_rows(made.tallies, run)


def tables_of(run: Run) -> RunTables:
    """All tables of a run, in one pass over its scores."""
    if (tables := stored_tables(run)) is not None:
        return tables
    made = TableTallies(run)
    accumulate(run.full_chunks(), made.accumulators())
    return made.tables()


def read_once(run: Run, accumulators: Sequence[Accumulator], readers: Sequence[MarkReader] = ()) -> None:
    """Give the values of all records to the accumulators and all marks to the readers, in one pass over the scores."""
    if run.keep.kind == "all":
        accumulate(chunks_of(_read_marks(run, readers), run.manifest.cards, READ_ROWS), accumulators)
        return
    for line in run.rows() if run.keep.kind == "worst" else ():
        for reader in readers:
            reader.take(line)
    if accumulators:
        accumulate(run.full_chunks(), accumulators)


def _read_marks(run: Run, readers: Sequence[MarkReader]) -> Iterator[ScoreRow]:
    """The scores of all records, whose marks are given to the readers."""
    for line in run.rows():
        for reader in readers:
            reader.take(line)
        yield line


def stored_tables(run: Run) -> RunTables | None:
    """The tables of a run that keeps nothing else; None for any other, whose tables are made from its scores."""
    path = run.folder / TABLES
    if run.keep.kind != "tallies" or not path.is_file():
        return None
    try:
        tables = msgspec.json.decode(path.read_bytes(), type=RunTables)
    except msgspec.MsgspecError as error:
        raise BadInput(f"{path}: {error}; the file was changed; score the run again with --fresh") from error
    return tables.narrow(run.manifest.cards)


def store_tables(folder: Path, manifest: Manifest) -> None:
    """Write the tables of a run that keeps nothing else, as its manifest will be when it has ended."""
    run = Run(folder)
    run.manifest = manifest
    made = TableTallies(run)
    accumulate(run.full_chunks(), made.accumulators())
    tables = structs.replace(made.tables(), cases=made.cases())
    write_whole(folder / TABLES, msgspec.json.encode(tables, order="deterministic"))


def facet_rows(tallies: Tallies, run: Run) -> list[Row]:
    """The rows of tallies by the values of a facet, which are their `group`, metrics in the order of the cards.

    Metrics that are pooled over groups of marks are left out: their groups are not the facet's.
    """
    cards = run.manifest.cards
    places = {metric: place for place, metric in enumerate(cards)}
    rows = [row(cards[name], arm, made, value) for (name, arm, value), made in tallies.items()]
    return sorted((row for row in rows if row.pool != "groups"), key=lambda row: places[row.metric])


def table_rows(tallies: Tallies, run: Run) -> list[Row]:
    """The rows of tallies, in the order of `table`."""
    cards = run.manifest.cards
    ordered = _in_card_order(tallies, run)
    return [_with_settings(row(cards[name], arm, made, group), run) for (name, arm, group), made in ordered.items()]


def _with_settings(row: Row, run: Run) -> Row:
    """The row with the settings of the run and the coverage of its arm."""
    arm = run.manifest.coverage.arms.get(row.arm)
    turns = arm.turns if arm is not None and row.unit == "turn" and not row.group else None
    share = None if arm is None else arm.share
    return structs.replace(row, settings=run.manifest.settings, coverage=share, of=turns)


def _in_card_order(tallies: Tallies, run: Run) -> Tallies:
    cards = list(run.manifest.cards)
    known = [*run.manifest.coverage.arms, *(arm for _, arm, _ in tallies)]
    arms = {arm: index for index, arm in enumerate(dict.fromkeys(known))}
    place = {name: index for index, name in enumerate(cards)}
    if stray := sorted({name for name, _, _ in tallies} - place.keys()):
        raise BadInput(f"{run.folder}: has scores of the metric {stray[0]!r} but not its card; score the run again")
    return {key: tallies[key] for key in sorted(tallies, key=lambda key: (place[key[0]], arms[key[1]], key[2]))}


def _voices(made: VoiceTallies) -> list[Voice]:
    return [
        Voice(
            *key,
            fsum(sums) / made.counts[key] if made.counts[key] else None,
            made.counts[key],
            *_accord(made, key[:2]),
            dict(made.failures.get(key, {})),
        )
        for key, sums in made.sums.items()
    ]


def _accord(made: VoiceTallies, key: tuple[str, str]) -> tuple[float | None, float | None]:
    """The share of marks without spread, and the mean spread; None without marks that several judges valued."""
    panel = made.panels.get(key)
    if panel is None or not panel.n:
        return None, None
    return panel.equal / panel.n, fsum(panel.spreads) / panel.n
