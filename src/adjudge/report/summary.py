"""What a run says, gathered once; every format is written from it."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, structs

from adjudge.aggregate import Row, Voice, breakdown, table, voices
from adjudge.core.card import Card
from adjudge.core.coverage import Coverage
from adjudge.core.errors import SHOWN
from adjudge.core.usage import Usage
from adjudge.report.words import arm_name, count
from adjudge.report.worst import Worst, worst
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

    def said(self, arms: list[str]) -> str:
        """For whom, how often, why and in which metrics; "all arms" where these are all there are."""
        everyone = len(arms) > 1 and set(self.arms) == set(arms)
        whom = "all arms" if everyone else ", ".join(map(arm_name, self.arms))
        often = f" in {count(self.conversations, 'conversation')}" if self.conversations else ""
        why = f": {self.why}" if self.why else ""
        return f"{self.kind} for {whom}{often}{why}: {', '.join(self.metrics)}"


class Summary(Struct, frozen=True, kw_only=True):
    """A run's tables with all that is needed to read them.

    `groups` are the rows by group of marks, `parts` the rows by the part of the system that the card's
    `probes` names (variants left out), `worst` the conversations to look at first.
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
    usage: dict[str, Usage] = {}
    canaries: dict[str, str] = {}
    voices: list[Voice] = []

    @classmethod
    def of(cls, run: Run) -> Summary:
        """The summary of a run."""
        return structs.replace(cls.brief(run), groups=breakdown(run), worst=worst(run))

    @classmethod
    def brief(cls, run: Run) -> Summary:
        """The summary without what has to be read from the marks: no groups, no worst conversations."""
        manifest = run.manifest
        rows = table(run)
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
            groups=[],
            parts=by_part(rows, manifest.cards),
            gaps=gaps(rows),
            worst=[],
            cards=manifest.cards,
            records=manifest.counts.get("records", 0),
            usage=manifest.usage,
            canaries=manifest.canaries,
            voices=voices(run) if "combine" in manifest.tools else [],
        )

    def headline(self) -> list[Row]:
        """The rows that are not variants."""
        return [row for row in self.rows if not self.cards[row.metric].variant]

    def variants(self) -> list[Row]:
        """The rows of literal readings kept beside the ruled ones."""
        return [row for row in self.rows if self.cards[row.metric].variant]

    def headline_groups(self, rows: list[Row] | None = None) -> dict[str, list[Row]]:
        """The rows of each group, or those given, that are not variants; groups in alphabetical order."""
        found = self.groups if rows is None else rows
        names = sorted({row.group for row in found})
        shown = [row for row in found if not self.cards[row.metric].variant]
        named = {name: [row for row in shown if row.group == name] for name in names}
        return {name: those for name, those in named.items() if those}

    def shown_gaps(self) -> tuple[list[str], str]:
        """A sentence for each of the first twenty gaps, and how many more there are."""
        rest = len(self.gaps) - SHOWN
        more = f"... and {rest} more, all in the .json report" if rest > 0 else ""
        return [gap.said(self.arms) for gap in self.gaps[:SHOWN]], more

    def bases(self) -> list[str]:
        """What values rest on where a metric knows several ways: a sentence for each."""
        metrics: dict[tuple[str, str], dict[str, list[str]]] = {}
        for row in self.rows:
            for basis, number in row.bases.items():
                often = "" if number == row.conversations else f" in {count(number, 'conversation')}"
                metrics.setdefault((basis, often), {}).setdefault(row.metric, []).append(row.arm)
        return [
            f"{basis}{often}: {self._whom(arms)}: {', '.join(names)}"
            for (basis, often), found in metrics.items()
            for arms, names in _by_arms(found).items()
        ]

    def _whom(self, arms: tuple[str, ...]) -> str:
        everyone = len(self.arms) > 1 and set(arms) == set(self.arms)
        return "all arms" if everyone else ", ".join(map(arm_name, arms))

    def explained(self, each: int) -> dict[tuple[str, str], list[Worst]]:
        """The worst conversations that say why, at most so many for each arm and metric."""
        found: dict[tuple[str, str], list[Worst]] = {}
        for one in self.worst:
            if one.why:
                found.setdefault((one.arm, one.metric), []).append(one)
        return {key: those[:each] for key, those in found.items()}

    def explained_once(self) -> dict[tuple[str, str], list[Worst]]:
        """The worst conversation of each metric that says why; of several as bad, that of the worst arm."""
        means = {(row.arm, row.metric): row.value or 0.0 for row in self.rows if not row.group}
        found: dict[str, list[Worst]] = {}
        for (_, metric), those in self.explained(1).items():
            found.setdefault(metric, []).extend(those)

        def badness(one: Worst) -> tuple[float, float]:
            sign = 1 if self.cards[one.metric].better == "lower" else -1
            return sign * one.value, sign * means[one.arm, one.metric]

        return {(one.arm, one.metric): [one] for one in (max(those, key=badness) for those in found.values())}

    def by_part(self) -> dict[str, list[Row]]:
        """The rows of each part of the system."""
        parts: dict[str, list[Row]] = {}
        for row in self.parts:
            parts.setdefault(row.part, []).append(row)
        return parts


def _by_arms(found: dict[str, list[str]]) -> dict[tuple[str, ...], list[str]]:
    """The metrics by the arms they hold for."""
    metrics: dict[tuple[str, ...], list[str]] = {}
    for metric, arms in found.items():
        metrics.setdefault(tuple(arms), []).append(metric)
    return metrics


def by_part(rows: list[Row], cards: dict[str, Card]) -> list[PartRow]:
    """The rows under each part their metrics probe, parts in the order the cards first name them."""
    shown = [row for row in rows if not cards[row.metric].variant]
    parts = dict.fromkeys(part for row in shown for part in cards[row.metric].probes)
    return [
        PartRow(part=part, **structs.asdict(row)) for part in parts for row in shown if part in cards[row.metric].probes
    ]


def gaps(rows: list[Row]) -> list[Gap]:
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
    found = [Gap(*key, tuple(names)) for key, names in metrics.items()]  # type: ignore[arg-type]
    return sorted(found, key=lambda gap: gap.conversations > 0)


def _kind(row: Row) -> str:
    if row.errors and row.skipped:
        return "skipped or error"
    return "error" if row.errors else "skipped"
