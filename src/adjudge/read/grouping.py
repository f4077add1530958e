"""Groups rows that belong together: the turns of one conversation, in rows that follow each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from msgspec import Struct

from adjudge.core.errors import BadInput, BadRecord, Complaint, Warnings
from adjudge.core.suite import Refuse

T = TypeVar("T")
Key = tuple[str, ...]


class RowGroup(Struct, Generic[T], frozen=True):
    """The rows of one conversation, with its key and the place of its first row."""

    key: Key
    where: str
    rows: tuple[T, ...]


class RowGrouping(Generic[T]):
    """Collects rows with the same key, one group after the other.

    A refused row spoils its group, because nobody knows what it held. If it stands between two groups of a file, it
    spoils both.
    """

    def __init__(self, warnings: Warnings, refuse: Refuse | None) -> None:
        self.warnings = warnings
        self.refused = 0
        self._refuse = refuse
        self._begun: set[tuple[str, Key]] = set()
        self._file = ""
        self._key: Key = ()
        self._where = ""
        self._rows: list[T] = []
        # The places of the refused row in the group, and of one since its last row; empty if there is none.
        self._spoiled = self._gap = ""

    @property
    def is_empty(self) -> bool:
        """Whether there was no row at all, refused or not."""
        return not self._begun and not self.refused

    def key_above(self, where: str) -> Key:
        """The key of the row above in the same file; empty for the first row."""
        return self._key if _file_of(where) == self._file else ()

    def refuse(self, complaint: Complaint) -> None:
        """Refuse a row that cannot be read; raises BadRecord if nobody collects complaints."""
        if self._refuse is None:
            raise BadRecord(complaint)
        self._refuse(complaint)
        self.refused += 1
        self._gap = complaint.where
        if _file_of(self._gap) == self._file:
            self._spoiled = self._gap

    def take(self, where: str, key: Key, row: T) -> Iterator[RowGroup[T]]:
        """Add a row; if it begins a group, the one before it is given."""
        file = _file_of(where)
        if not self._rows or (file, key) != (self._file, self._key):
            yield from self.finish()
            self._begin(where, key)
            self._spoiled = self._gap if _file_of(self._gap) == file else ""
        self._gap = ""
        self._rows.append(row)

    def finish(self) -> Iterator[RowGroup[T]]:
        """The group whose rows have been taken, unless it is spoiled."""
        rows, self._rows = tuple(self._rows), []
        if rows and self._spoiled:
            self.warnings.add("spoiled", f"{self._spoiled}: the dialogue of this row is left out with it")
        elif rows:
            yield RowGroup(self._key, self._where, rows)

    def _begin(self, where: str, key: Key) -> None:
        """Begin a group; raises BadInput if it was begun before, since it would be scored in pieces."""
        file = _file_of(where)
        if (file, key) in self._begun:
            name = ", ".join(filter(None, key))
            raise BadInput(
                f"{where}: rows of {name!r} already occur above, with another dialogue in between; "
                "expected the rows of one dialogue together; sort the table by dialogue"
            )
        self._begun.add((file, key))
        self._file, self._key, self._where = file, key, where


def _file_of(where: str) -> str:
    """The file of a place such as "visits.csv:3"."""
    return where.rpartition(":")[0]
