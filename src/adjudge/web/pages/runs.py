"""The page of all runs."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from adjudge.aggregate import Row
from adjudge.core.card import Card
from adjudge.core.errors import BadInput
from adjudge.report.page.bars import Bars, bars_of
from adjudge.report.words import count
from adjudge.web.catalogue import RunEntry
from adjudge.web.labels.files import label_files
from adjudge.web.live import PlayProgress, standing_of
from adjudge.web.opened import BeingIndexed, open_run

SORTS = ("name", "started", "suite", "records", "cost", "status")
# With more arms than so many, the bars of a list would be taller than everything else in it.
BARS = 8
NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")


class RunLine(Struct, frozen=True):
    """A run as the list shows it; `kept` is the number of conversations that can be opened, None where all can."""

    entry: RunEntry
    standing: PlayProgress
    card: Card | None = None
    bars: Bars | None = None
    damage: str = ""
    labels: int = 0
    waits: str = ""
    kept: int | None = None

    @property
    def note(self) -> str:
        """What is wrong with the run, or what to know of it."""
        return self.entry.problem or self.damage or self.waits or self.entry.warning

    @property
    def is_readable(self) -> bool:
        """Whether the run can be opened."""
        return not self.entry.problem


def runs_view(entries: list[RunEntry], asked: dict[str, str]) -> dict[str, Any]:
    """The list, filtered and sorted as the address says."""
    chosen = [entry for entry in entries if _fits(entry, asked)]
    lines = [run_line(entry) for entry in chosen]
    sort = asked.get("sort", "-started")
    name, down = sort.removeprefix("-"), sort.startswith("-")
    if name in SORTS:
        lines.sort(key=lambda line: _sort_key(line, name), reverse=down)
    return {
        "lines": lines,
        "asked": asked,
        "sort": sort,
        "suites": sorted({entry.suite for entry in entries if entry.suite}),
        "statuses": sorted({entry.status for entry in entries}),
        "heading": _heading(entries, len(lines)),
        "live": any(line.waits or line.entry.status in ("running", "playing") for line in lines),
    }


def run_line(entry: RunEntry) -> RunLine:
    """A run with its first primary metric, as far as it can be read."""
    if entry.problem:
        return RunLine(entry, PlayProgress())
    try:
        with open_run(entry) as run:
            standing = standing_of(entry, run.records)
            labels = sum(file.count for file in label_files(entry.folder))
            card = next((card for card in run.primary if card.better != "neither"), None)
            rows = _rows_of(run.index.rows(run.arms), card, run.arms)
            bars = bars_of(card, rows) if card and any(rows) and len(rows) <= BARS else None
            kept = None if run.keeps_all else run.index.count
            return RunLine(entry, standing, card, bars, run.index.damage, labels, kept=kept)
    except BeingIndexed as state:
        return RunLine(entry, PlayProgress(), waits=str(state))
    except (BadInput, OSError, ValueError) as error:
        return RunLine(entry, PlayProgress(), damage=str(error))


def _rows_of(rows: list[Row], card: Card | None, arms: list[str]) -> list[Row | None]:
    if card is None:
        return []
    by_arm = {row.arm: row for row in rows if row.metric == card.name and row.value is not None}
    return [by_arm.get(arm) for arm in arms] if by_arm else []


def _fits(entry: RunEntry, asked: dict[str, str]) -> bool:
    inputs = [file.path for file in entry.manifest.inputs] if entry.manifest else []
    texts = " ".join([entry.name, *entry.arms, *inputs]).casefold()
    return (
        asked.get("q", "").casefold() in texts
        and asked.get("suite", "") in ("", entry.suite)
        and asked.get("status", "") in ("", entry.status)
    )


def _sort_key(line: RunLine, name: str) -> tuple[bool, Any]:
    entry = line.entry
    keys: dict[str, Any] = {
        "name": entry.name,
        "started": entry.started,
        "suite": entry.suite,
        "records": line.standing.finished,
        "cost": entry.cost or 0.0,
        "status": entry.status,
    }
    return False, keys[name]


def _heading(entries: list[RunEntry], shown: int) -> str:
    total = len(entries)
    running = sum(entry.status in ("running", "playing") for entry in entries)
    broken = sum(bool(entry.problem) for entry in entries)
    number = NUMBERS[total] if total < len(NUMBERS) else f"{total:,}"
    parts = [f"{number} {'run' if total == 1 else 'runs'}" if shown == total else f"{shown} of {count(total, 'run')}"]
    parts += [f"{running} still going"] if running else []
    parts += [f"{broken} that cannot be read"] if broken else []
    return ", ".join(parts)
