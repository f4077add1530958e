"""How much a run keeps: all records with their marks, those of the worst conversations, or none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from adjudge.core.card import Card
from adjudge.core.errors import BadInput
from adjudge.core.mark import ScoreRow
from adjudge.run.batch import KeepAll, Keeper, Scored, ScoredBatch, encode_lines, join_lines, score_row
from adjudge.run.chunking import ROWS
from adjudge.run.columns import encode_rows
from adjudge.run.manifest import Store
from adjudge.run.parquet import check_pyarrow
from adjudge.run.worst import WorstSelection

# Enough to see whether conversations fail in the same way; 30 metrics make at most 600 records of an arm.
MOST = 20


class Keep(Struct, frozen=True):
    """How much a run keeps; `most` is the number of worst conversations of each metric and arm.

    >>> Keep.parse("worst:50")
    Keep(kind='worst', most=50)
    >>> str(Keep.parse("worst"))
    'worst:20'
    """

    kind: Literal["all", "worst", "tallies"] = "all"
    most: int = MOST

    @classmethod
    def parse(cls, text: str) -> Keep:
        """What a word such as `all`, `tallies`, `worst` or `worst:50` says; raises BadInput for any other."""
        if text in ("all", "tallies"):
            return cls(text)  # type: ignore[arg-type]
        word, _, number = text.partition(":")
        if word != "worst" or (number and not (number.isdecimal() and int(number))) or text.endswith(":"):
            raise BadInput(
                f"--keep {text}: expected all, tallies, worst, or worst:N with the number of conversations for each "
                "metric and arm"
            )
        return cls("worst", int(number) if number else MOST)

    def __str__(self) -> str:
        return f"worst:{self.most}" if self.kind == "worst" else self.kind


EXPORT = ", or write the values as Parquet afterwards: adjudge export RUN --level conversations -o scores.parquet"


def check_store(keep: str, store: Store) -> None:
    """Raise BadInput where a run cannot be kept and stored in this way."""
    kept = Keep.parse(keep)
    if store == "parquet" and kept.kind != "all":
        raise BadInput(
            f"--store parquet: stores every score with its marks, and --keep {keep} does not keep them; "
            "leave one of them out" + (EXPORT if kept.kind == "worst" else "")
        )
    if store == "parquet":
        check_pyarrow()


def keeper_of(keep: Keep, cards: Sequence[Card]) -> Keeper:
    """What a process that scores with these metrics keeps."""
    return KeepAll() if keep.kind == "all" else KeepColumns(keep, cards)


class KeepColumns:
    """A keeper of the values of all records in columns, and of the worst conversations it has seen, if any, whole."""

    batch_size = ROWS

    def __init__(self, keep: Keep, cards: Sequence[Card]) -> None:
        self._cards = {card.name: card for card in cards}
        self._selection = WorstSelection(cards if keep.kind == "worst" else (), keep.most)

    def batch(self, scored: Iterable[Scored]) -> ScoredBatch:
        """The columns of records, with the lines of those that may be among the worst of the run."""
        pairs = [(record, score_row(record, scores)) for record, scores in scored]
        kept = [(record, row) for record, row in pairs if self._selection.admit(row)]
        return self._batch([row for _, row in pairs], encode_lines([record for record, _ in kept]), kept)

    def reduce(self, lines: Sequence[tuple[bytes, ScoreRow]]) -> ScoredBatch:
        """The same of records that are JSON already, with their scores."""
        kept = [(record, row) for record, row in lines if self._selection.admit(row)]
        return self._batch([row for _, row in lines], join_lines(record for record, _ in kept), kept)

    def _batch(self, rows: list[ScoreRow], records: bytes, kept: Sequence[tuple[object, ScoreRow]]) -> ScoredBatch:
        return ScoredBatch(
            [row.key for row in rows],
            records,
            encode_lines([row for _, row in kept]),
            encode_rows(rows, self._cards),
        )
