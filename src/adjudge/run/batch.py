"""Records that were scored, as the bytes that a run folder keeps of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

import msgspec

from adjudge.core.mark import Score, ScoreRow
from adjudge.core.record import Key, Record

Scored = tuple[Record, dict[str, Score]]

encode_lines = msgspec.json.Encoder().encode_lines


class ScoredBatch(NamedTuple):
    """Keys of records, and what the run keeps of them: records and scores as JSON lines.

    `columns` are the values of all records in columns, in runs that keep the lines of a few records only.
    """

    keys: list[Key]
    records: bytes
    scores: bytes
    columns: bytes = b""


class Keeper(Protocol):
    """What a run keeps of the records that were scored; `batch_size` is the number of records to hand over at a time.

    Each process that scores has one. It may hold state, such as the worst conversations that it has seen; batches from
    several keepers may be appended to one run.
    """

    batch_size: int

    def batch(self, scored: Iterable[Scored]) -> ScoredBatch:
        """What is kept of records, ready to be appended to the run."""


class KeepAll:
    """A keeper of all records with their scores; they may be appended one at a time."""

    batch_size = 1

    def batch(self, scored: Iterable[Scored]) -> ScoredBatch:
        """All records and their scores."""
        pairs = list(scored)
        return ScoredBatch(
            [record.key for record, _ in pairs],
            encode_lines([record for record, _ in pairs]),
            encode_lines([score_row(*pair) for pair in pairs]),
        )


def score_row(record: Record, scores: dict[str, Score]) -> ScoreRow:
    """The line of `scores.jsonl` for a record."""
    key = record.key
    return ScoreRow(key.case, key.arm, scores, key.trial, record.facets, record.fingerprints)


def join_lines(lines: Iterable[bytes]) -> bytes:
    """Lines as one text, each with its end."""
    return b"\n".join([*lines, b""])
