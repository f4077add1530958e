"""A run as pages read it: its index, its cards, and single conversations with their scores and what they took."""

from __future__ import annotations

from pathlib import Path
from threading import Thread
from typing import Any

import msgspec
from msgspec import Struct, structs

from adjudge.core.card import Card
from adjudge.core.mark import Mark, Score, ScoreRow, Skipped
from adjudge.core.selection import primary_family
from adjudge.report.words import arm_letter
from adjudge.run import RECORDS, SCORES
from adjudge.run.played import TRACES, TURNS, TraceLine, TurnLine
from adjudge.web.catalogue import RunEntry
from adjudge.web.index import Index, open_index
from adjudge.web.index.build import LineSpan
from adjudge.web.index.reader import ListedConversation
from adjudge.web.index.store import is_ready, scores_size

Record = dict[str, Any]
# From so many bytes on the index is written in the background: a browser would not wait for it.
LARGE = 100_000_000
_being_read: set[Path] = set()


class ViewScore(Struct, frozen=True):
    """A score with its marks; fields of newer versions are left out."""

    value: float | None = None
    n: int = 0
    skipped: Skipped | None = None
    marks: tuple[Mark, ...] = ()
    unlabelled: int = 0


class _LenientMark(Struct, frozen=True):
    value: float
    at: str = ""
    turn: str = ""
    why: str = ""
    group: str = ""
    weight: float = 1.0
    spread: float = 0.0


class _LenientScore(Struct, frozen=True):
    value: float | None = None
    n: int = 0
    skipped: Skipped | None = None
    marks: tuple[_LenientMark, ...] = ()
    unlabelled: int = 0


class _LenientRow(Struct, frozen=True):
    scores: dict[str, _LenientScore] = {}


_ROWS: msgspec.json.Decoder[ScoreRow] = msgspec.json.Decoder(ScoreRow)
_LENIENT: msgspec.json.Decoder[_LenientRow] = msgspec.json.Decoder(_LenientRow)
Scores = dict[str, ViewScore]


class OpenedConversation(Struct, frozen=True):
    """A conversation: its line in lists, its record, its scores by metric, and the steps inside its turns."""

    listed: ListedConversation
    record: Record
    scores: Scores
    turn_lines: list[TurnLine]
    traces: list[TraceLine]


class OpenRun:
    """A run with its index, opened for one page."""

    def __init__(self, entry: RunEntry, index: Index) -> None:
        self.entry, self.index = entry, index
        self.cards: dict[str, Card] = entry.manifest.cards if entry.manifest else {}
        known = [arm for arm in index.words("arm") if arm not in entry.arms]
        used = set(index.column("arm").tolist()) if "" in known else set()
        self.arms: list[str] = [*entry.arms, *(arm for arm in known if arm or 0 in used)]

    def __enter__(self) -> OpenRun:
        return self

    def __exit__(self, *_: object) -> None:
        self.index.close()

    @property
    def keeps_all(self) -> bool:
        """Whether the run keeps every record; otherwise the index has the worst conversations, or none."""
        return self.entry.manifest is None or self.entry.manifest.keep == "all"

    @property
    def records(self) -> int:
        """The number of records that were scored, kept or not."""
        counts = self.entry.manifest.counts if self.entry.manifest else {}
        return self.index.count if self.keeps_all else counts.get("records", self.index.count)

    @property
    def primary(self) -> list[Card]:
        """The cards of the primary family; the first ones where none is marked."""
        names = primary_family(self.cards)
        cards = [self.cards[name] for name in names if not self.cards[name].variant]
        return cards if any(card.primary for card in cards) else cards[:8]

    def letter(self, arm: str) -> str:
        """The letter of an arm on every page of the run; empty where letters do not suffice."""
        return arm_letter(arm, self.arms)

    def conversation(self, place: int) -> OpenedConversation:
        """The conversation at a place."""
        (listed,) = self.index.list_conversations([place])
        turns, traces = self._steps(place)
        return OpenedConversation(listed, self.record(place), self.scores(place), turns, traces)

    def record(self, place: int) -> Record:
        """The record at a place, as JSON has it."""
        content = self.index.made_record(place)
        if content is None:
            content = read_span(self.entry.folder / RECORDS, self.index.span(place, "record"))
        return msgspec.json.decode(content, type=Record)

    def scores(self, place: int) -> Scores:
        """The scores at a place; none of a play that was not scored."""
        kept = self.index.kept_scores(place)
        if kept is not None:
            return read_scores(kept)
        span = self.index.span(place, "score")
        return read_scores(read_span(self.entry.folder / SCORES, span)) if span.size else {}

    def rivals(self, listed: ListedConversation) -> list[ListedConversation]:
        """The conversations of the same case by other arms or in other trials."""
        places = [place for place in self.index.places_of_case(listed.case) if place != listed.place]
        rivals = self.index.list_conversations(places[:200])
        return sorted(rivals, key=lambda rival: (rival.trial != listed.trial, self.arms.index(rival.arm)))

    def _steps(self, place: int) -> tuple[list[TurnLine], list[TraceLine]]:
        turns, traces = [], []
        for file, span in self.index.steps(place):
            content = read_span(self.entry.folder / file, span)
            if file == TURNS:
                turns.append(msgspec.json.decode(content, type=TurnLine))
            elif file == TRACES:
                traces.append(msgspec.json.decode(content, type=TraceLine))
        return turns, traces


class BeingIndexed(Exception):  # noqa: N818 - not an error: the run will be there in a while
    """A large run is being read for the first time; the message says so."""


def open_run(entry: RunEntry) -> OpenRun:
    """A run with its index as its files are now; raises BeingIndexed while a large one is read in the background."""
    cards, is_scored = entry.manifest.cards if entry.manifest else {}, entry.manifest is not None
    records = entry.folder / RECORDS
    size = (records.stat().st_size if records.is_file() else 0) + scores_size(entry.folder)
    if size >= LARGE and not is_ready(entry.folder, cards, is_scored):
        _read_in_background(entry, cards, is_scored)
        raise BeingIndexed(
            f"{entry.name} is being read for the first time ({size / 1e6:,.0f} MB, about a minute for each GB); "
            "the page appears by itself"
        )
    return OpenRun(entry, open_index(entry.folder, cards, is_scored))


def _read_in_background(entry: RunEntry, cards: dict[str, Card], is_scored: bool) -> None:
    """Write the index of a run in a thread, unless one is at it."""

    def read() -> None:
        try:
            open_index(entry.folder, cards, is_scored).close()
        finally:
            _being_read.discard(entry.folder)

    if entry.folder not in _being_read:
        _being_read.add(entry.folder)
        Thread(target=read, daemon=True).start()


def read_scores(line: bytes) -> Scores:
    """The scores of a line by metric."""
    try:
        scores: dict[str, Any] = dict(_ROWS.decode(line).scores)
    except msgspec.ValidationError:
        scores = dict(_LENIENT.decode(line).scores)
    return {name: _view(score) for name, score in scores.items()}


def read_span(path: Path, span: LineSpan) -> bytes:
    """The bytes of a line."""
    with path.open("rb") as file:
        file.seek(span.start)
        return file.read(span.size)


def _view(score: Score | _LenientScore) -> ViewScore:
    marks = tuple(mark if isinstance(mark, Mark) else Mark(**structs.asdict(mark)) for mark in score.marks)
    return ViewScore(score.value, score.n, score.skipped, marks, score.unlabelled)
