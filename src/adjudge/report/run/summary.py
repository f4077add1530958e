"""The content of a run's report, gathered once; every format is written from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct, structs

from adjudge.aggregate import (
    Accumulator,
    MarkReader,
    Row,
    RunTables,
    TableTallies,
    Tallies,
    Voice,
    read_once,
    stored_tables,
    table,
    table_rows,
    tables_of,
)
from adjudge.core.card import Card
from adjudge.core.coverage import Coverage
from adjudge.core.errors import SHOWN
from adjudge.core.panel import LABEL_FILE
from adjudge.core.selection import primary_family
from adjudge.core.usage import Usage
from adjudge.report.play.summary import PlaySummary
from adjudge.report.run.spread import Values
from adjudge.report.run.words import absent_parts
from adjudge.report.run.worst import Worst, WorstConversations
from adjudge.report.words import arm_name, count
from adjudge.run import InputFile, Run


class PartRow(Row, frozen=True, kw_only=True):
    """A row of the table under one part of the system that its metric probes."""

    part: str


class Gap(Struct, frozen=True):
    """Scores that could not be given: for which arms and metrics, and why (undefined ones need no reason).

    `conversations` is how many were left without a score in arms that otherwise have a value; 0: the
    arms have no value at all.
    """

    kind: Literal["skipped", "error", "skipped or error", "undefined"]
    arms: tuple[str, ...]
    why: str
    conversations: int
    metrics: tuple[str, ...]

    def line(self, arms: list[str]) -> str:
        """For which arms, how often, why and in which metrics; "all arms" where these are all there are."""
        whom = _arm_names(self.arms, arms)
        often = f" in {count(self.conversations, 'conversation')}" if self.conversations else ""
        why = f" ({self.why})" if self.why else ""
        return f"{self.kind} for {whom}{often}{why}: {', '.join(self.metrics)}"


class RunSummary(Struct, frozen=True, kw_only=True):
    """A run's tables with all that is needed to read them.

    `groups` are the rows by group of marks, `parts` the rows by the part of the system that the card's `probes` names
    (variants left out), `worst` the conversations to look at first, `retired` the metrics that the run's suite no
    longer has, and `lost` the parts of the input that could not be scored. `play` is None for a run that was not played
    here. `keep` says of which records the run has marks, and `absent` what a report lacks for that reason, a sentence
    each.
    """

    run: str
    suite: str
    adjudge: str
    status: str
    settings: dict[str, str]
    options: dict[str, Any]
    tools: dict[str, str]
    inputs: list[InputFile]
    arms: list[str]
    coverage: Coverage
    rows: list[Row]
    groups: list[Row]
    parts: list[PartRow]
    gaps: list[Gap]
    worst: list[Worst]
    cards: dict[str, Card]
    records: int = 0
    lost: list[str] = []
    usage: dict[str, Usage] = {}
    canaries: dict[str, str] = {}
    voices: list[Voice] = []
    unlabelled: dict[str, int] = {}
    retired: list[str] = []
    play: PlaySummary | None = None
    keep: str = "all"
    absent: list[str] = []

    @classmethod
    def of(cls, run: Run) -> RunSummary:
        """The summary of a run."""
        return read_run(run).summary

    @classmethod
    def brief(cls, run: Run, tallies: Tallies | None = None) -> RunSummary:
        """The summary without what has to be read from the marks: no groups, no worst conversations.

        `tallies` are those of the table, if they are at hand.
        """
        if {"judge", "combine"} & run.manifest.tools.keys():
            return structs.replace(cls.of_tables(run, tables_of(run)), groups=[])
        rows = table(run) if tallies is None else table_rows(tallies, run)
        return cls.of_tables(run, RunTables(rows=rows, groups=[], facets={}, voices=[], unlabelled={}))

    @classmethod
    def of_tables(cls, run: Run, tables: RunTables, worst: Sequence[Worst] = ()) -> RunSummary:
        """The summary of a run that has these tables and these worst conversations."""
        manifest, rows = run.manifest, tables.rows
        return cls(
            run=run.folder.resolve().name,
            suite=manifest.suite,
            adjudge=manifest.adjudge,
            status=manifest.status,
            settings=manifest.settings,
            options=manifest.options,
            tools=manifest.tools,
            inputs=manifest.inputs,
            arms=list(dict.fromkeys([*(row.arm for row in rows), *manifest.coverage.arms])),
            coverage=manifest.coverage,
            rows=rows,
            groups=tables.groups,
            parts=part_rows(rows, manifest.cards),
            gaps=group_gaps(rows),
            worst=list(worst),
            cards=manifest.cards,
            records=manifest.counts.get("records", 0),
            lost=manifest.lost,
            usage=manifest.usage,
            canaries=manifest.canaries,
            voices=tables.voices,
            unlabelled=tables.unlabelled,
            retired=list(run.retired),
            play=PlaySummary.of_run(run),
            keep=manifest.keep,
            absent=absent_parts(run.keep),
        )

    def primary_names(self) -> set[str]:
        """The names of the metrics of the primary family."""
        return set(primary_family(self.cards))

    @property
    def judged_by_labels(self) -> bool:
        """Whether people are the judge, or a member of the panel."""
        return LABEL_FILE in self.tools.get("judge", "")

    def headline(self) -> list[Row]:
        """The rows that are not variants, those of the primary family first."""
        family = self.primary_names()
        rows = [row for row in self.rows if not self.cards[row.metric].variant]
        return sorted(rows, key=lambda row: row.metric not in family)

    def variants(self) -> list[Row]:
        """The rows of metrics that are literal readings of a source's definition."""
        return [row for row in self.rows if self.cards[row.metric].variant]

    def headline_groups(self, rows: list[Row] | None = None) -> dict[str, list[Row]]:
        """The rows of each group, or those given, that are not variants; groups in alphabetical order."""
        groups: dict[str, list[Row]] = {}
        for row in sorted(self.groups if rows is None else rows, key=lambda row: row.group):
            if not self.cards[row.metric].variant:
                groups.setdefault(row.group, []).append(row)
        return groups

    def gap_lines(self) -> list[str]:
        """A sentence for each of the first twenty gaps, and how many more there are."""
        rest = len(self.gaps) - SHOWN
        more = [f"... and {rest} more, all in the .json report"] if rest > 0 else []
        return [gap.line(self.arms) for gap in self.gaps[:SHOWN]] + more

    def bases(self) -> list[str]:
        """Basis of the values where a metric knows several ways: a sentence for each."""
        arms: dict[tuple[str, str, str], list[str]] = {}
        for row in self.rows:
            for basis, number in row.bases.items():
                often = "" if number == row.conversations else f" in {count(number, 'conversation')}"
                arms.setdefault((basis, often, row.metric), []).append(row.arm)
        metrics: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
        for (basis, often, metric), names in arms.items():
            metrics.setdefault((basis, often, tuple(names)), []).append(metric)
        order = list(dict.fromkeys((basis, often) for basis, often, _ in arms))
        return [
            f"{basis}{often} ({_arm_names(names, self.arms)}): {', '.join(metric_names)}"
            for (basis, often, names), metric_names in sorted(
                metrics.items(), key=lambda entry: order.index(entry[0][:2])
            )
        ]

    def worst_with_reason(self) -> dict[tuple[str, str], list[Worst]]:
        """The worst conversations that say why, by arm and metric."""
        explained: dict[tuple[str, str], list[Worst]] = {}
        for worst in self.worst:
            if worst.why:
                explained.setdefault((worst.arm, worst.metric), []).append(worst)
        return explained

    def worst_of_each_metric(self) -> dict[tuple[str, str], list[Worst]]:
        """The worst conversation of each metric that says why; of several as bad, that of the worst arm."""
        means = {(row.arm, row.metric): row.value or 0.0 for row in self.rows if not row.group}
        candidates: dict[str, list[Worst]] = {}
        for (_, metric), conversations in self.worst_with_reason().items():
            candidates.setdefault(metric, []).extend(conversations)

        def badness(worst: Worst) -> tuple[float, float]:
            sign = 1 if self.cards[worst.metric].better == "lower" else -1
            return sign * worst.value, sign * means[worst.arm, worst.metric]

        first = (max(conversations, key=badness) for conversations in candidates.values())
        return {(worst.arm, worst.metric): [worst] for worst in first}

    def by_part(self) -> dict[str, list[Row]]:
        """The rows of each part of the system."""
        parts: dict[str, list[Row]] = {}
        for row in self.parts:
            parts.setdefault(row.part, []).append(row)
        return parts


class RunReading(Struct, frozen=True, eq=False):
    """What one pass over the scores of a run gives: its summary, its rows by facet, and the values of conversations."""

    summary: RunSummary
    tables: RunTables
    values: Values


def read_run(run: Run, accumulators: Sequence[Accumulator] = (), readers: Sequence[MarkReader] = ()) -> RunReading:
    """Read a run in one pass; what else is to be made from its scores takes them in at the same time.

    A run that keeps tallies only has nothing to take in.
    """
    stored, made, worst = stored_tables(run), TableTallies(run), WorstConversations(run.manifest)
    if stored is None:
        read_once(run, [*made.accumulators(), *accumulators], [worst, *readers])
    tables = made.tables() if stored is None else stored
    return RunReading(RunSummary.of_tables(run, tables, worst.worst()), tables, made)


def rows_by_metric(rows: list[Row]) -> dict[str, list[Row]]:
    """The rows of each metric, in their order."""
    metrics: dict[str, list[Row]] = {}
    for row in rows:
        metrics.setdefault(row.metric, []).append(row)
    return metrics


def part_rows(rows: list[Row], cards: dict[str, Card]) -> list[PartRow]:
    """The rows under each part their metrics probe, parts in the order the cards first name them."""
    shown = [row for row in rows if not cards[row.metric].variant]
    parts = dict.fromkeys(part for row in shown for part in cards[row.metric].probes)
    return [
        PartRow(part=part, **structs.asdict(row)) for part in parts for row in shown if part in cards[row.metric].probes
    ]


def group_gaps(rows: list[Row]) -> list[Gap]:
    """Every reason once, with all arms and metrics it holds for; gaps of whole arms first."""
    arms: dict[tuple[str, str, str, int], list[str]] = {}
    for row in rows:
        if row.value is None and not row.reasons:
            arms.setdefault(("undefined", "", row.metric, 0), []).append(row.arm)
        for why, conversations in row.reasons.items():
            partial = conversations if row.value is not None else 0
            arms.setdefault((_kind(row), why, row.metric, partial), []).append(row.arm)
    metrics: dict[tuple[str, tuple[str, ...], str, int], list[str]] = {}
    for (kind, why, metric, partial), names in arms.items():
        metrics.setdefault((kind, tuple(names), why, partial), []).append(metric)
    gaps = [Gap(*key, tuple(names)) for key, names in metrics.items()]  # type: ignore[arg-type]
    return sorted(gaps, key=lambda gap: gap.conversations > 0)


def _kind(row: Row) -> str:
    if row.errors and row.skipped:
        return "skipped or error"
    return "error" if row.errors else "skipped"


def _arm_names(arms: tuple[str, ...], every: list[str]) -> str:
    """The names of arms; "all arms" where these are all of several."""
    return "all arms" if len(every) > 1 and set(arms) == set(every) else ", ".join(map(arm_name, arms))
