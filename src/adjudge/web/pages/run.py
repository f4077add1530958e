"""The overview of a run: the finding, values with intervals by arm, breakdowns, and what was not scored."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, structs

from adjudge.aggregate import Row
from adjudge.core.card import Card
from adjudge.report.page.bars import Bars, bars_of
from adjudge.report.run.answer import run_answer
from adjudge.report.run.summary import RunSummary, group_gaps, part_rows
from adjudge.report.run.words import (
    absent_lines,
    absent_parts,
    coverage_line,
    failed_canaries,
    interval_methods,
    judging_lines,
    warning_lines,
)
from adjudge.report.words import count
from adjudge.run.keep import Keep
from adjudge.web.address import Choice, Condition, ListState, worst_first
from adjudge.web.labels.files import label_files
from adjudge.web.live import standing_of
from adjudge.web.opened import OpenRun
from adjudge.web.pages.breakdown import breakdown_view
from adjudge.web.pages.contrasts import Verdict, contrasts_of
from adjudge.web.pages.pictures import distributions_of, pictures_of


class ArmCell(Struct, frozen=True):
    """The value of an arm, with the lists of conversations behind it: all, worst first, and those that are wrong."""

    arm: str
    row: Row | None
    state: ListState
    wrong: int | None
    wrong_state: ListState


class MetricLine(Struct, frozen=True):
    """A metric over all arms."""

    card: Card
    cells: list[ArmCell]
    bars: Bars
    state: ListState
    verdict: Verdict | None = None


class MetricPart(Struct, frozen=True):
    """The metrics that look at one part of the system."""

    name: str
    lines: list[MetricLine]


def run_view(run: OpenRun, asked: dict[str, str]) -> dict[str, Any]:
    """Everything on the overview."""
    summary = run_summary(run)
    lines = {line.card.name: line for line in _lines(run, summary.rows)}
    primary = [lines[card.name] for card in run.primary if card.name in lines]
    rest = [line for name, line in lines.items() if not line.card.variant and line not in primary]
    answer = run_answer(summary) if summary.rows else None
    standing = standing_of(run.entry, run.index.count)
    return {
        "run": run,
        "summary": summary,
        "standing": standing,
        "live": run.entry.status in ("running", "playing"),
        "heading": answer.sentence if answer else _plain_heading(run),
        "reach": answer.reach if answer else "",
        "coverage": [coverage_line(arm, covered) for arm, covered in summary.coverage.arms.items()],
        "warnings": _warnings(run, summary),
        "primary": primary,
        "valued": set(lines),
        "parts": _parts(rest),
        "variants": [line for line in lines.values() if line.card.variant],
        "breakdown": breakdown_view(run, asked),
        "pictures": pictures_of(run, summary),
        "distributions": distributions_of(run, summary.rows),
        "gaps": [gap.line(run.arms) for gap in group_gaps(summary.rows)],
        "judging": judging_lines(summary),
        "methods": interval_methods(summary.rows),
        "wrong": int((run.index.column("wrong") > 0).sum()),
        "labels": sum(file.count for file in label_files(run.entry.folder)),
    }


def run_summary(run: OpenRun) -> RunSummary:
    """The summary of a run as its reports have it, without what is read from the marks."""
    manifest, play = run.entry.manifest, run.entry.play
    rows = run.index.rows(run.arms)
    shared: dict[str, Any] = {"groups": [], "worst": [], "gaps": [], "rows": rows, "arms": run.arms}
    if manifest is None:
        from adjudge.core.coverage import Coverage

        return RunSummary(
            run=run.entry.name,
            suite=run.entry.suite,
            adjudge=play.adjudge if play else "",
            status=run.entry.status,
            settings={},
            options=play.options if play else {},
            tools=play.models if play else {},
            inputs=play.inputs if play else [],
            coverage=Coverage(),
            parts=[],
            cards={},
            **shared,
        )
    names = ("suite", "adjudge", "status", "settings", "options", "tools", "inputs", "coverage", "cards", "usage")
    facts = {name: getattr(manifest, name) for name in (*names, "canaries")}
    parts = part_rows(rows, manifest.cards)
    return RunSummary(run=run.entry.name, parts=parts, records=run.records, **facts, **shared)


def _plain_heading(run: OpenRun) -> str:
    return f"{count(run.index.count, 'conversation')}, not scored yet"


def _warnings(run: OpenRun, summary: RunSummary) -> list[str]:
    entry = run.entry
    lines = [entry.warning] if entry.warning else []
    lines += [run.index.damage] if run.index.damage else []
    if entry.manifest is not None:
        lines += failed_canaries(summary.canaries)
        lines += warning_lines("complete", summary.coverage)
        lines += absent_lines(absent_parts(Keep.parse(entry.manifest.keep)))
        expected = entry.manifest.counts.get("kept", entry.manifest.counts.get("records"))
        if entry.status == "complete" and expected not in (None, run.index.count) and not run.index.damage:
            lines.append(
                f"{run.index.count:,} of {expected:,} records can be shown: the files do not have a line for each "
                "record; run the same `adjudge score` command again"
            )
    return lines


def _lines(run: OpenRun, rows: list[Row]) -> list[MetricLine]:
    by_metric: dict[str, dict[str, Row]] = {}
    for row in rows:
        by_metric.setdefault(row.metric, {})[row.arm] = row
    verdicts = contrasts_of(run)
    return [
        structs.replace(_line(run, card, by_metric[name]), verdict=verdicts.get(name))
        for name, card in run.cards.items()
        if name in by_metric and any(row.value is not None for row in by_metric[name].values())
    ]


def _line(run: OpenRun, card: Card, rows: dict[str, Row]) -> MetricLine:
    wrong = ListState(conditions=(Condition(card.name, "wrong"),), sort=worst_first(card))
    judged = card.better != "neither" and None not in card.scale
    cells = []
    for arm in run.arms:
        choice = (Choice("arm", arm),)
        state = ListState(choices=choice, sort=worst_first(card))
        number = run.index.short(card.name, arm) if judged and run.keeps_all else None
        cells.append(ArmCell(arm, rows.get(arm), state, number, structs.replace(wrong, choices=choice)))
    bars = bars_of(card, [rows.get(arm) for arm in run.arms])
    return MetricLine(card, cells, bars, ListState(sort=worst_first(card)))


def _parts(lines: list[MetricLine]) -> list[MetricPart]:
    parts: dict[str, list[MetricLine]] = {}
    for line in lines:
        parts.setdefault(line.card.probes[0] if line.card.probes else "the whole conversation", []).append(line)
    return [MetricPart(name, members) for name, members in parts.items()]
