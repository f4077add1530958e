"""Rows of the same case, arm and trial: one of them is scored, never two."""

from __future__ import annotations

from typing import NamedTuple

from adjudge.core.errors import BadInput, BadRecord, Complaint, Warnings
from adjudge.core.record import Key
from adjudge.core.suite import Source


class _Row(NamedTuple):
    """A row that is used: its number, its place and a hash of its bytes."""

    number: int
    where: str
    content: int


class DuplicateRows:
    """Decides which rows of the same key are left out, by the plan's `on_duplicate`: error, first or last."""

    def __init__(self, on_duplicate: str, warnings: Warnings) -> None:
        self.on_duplicate = on_duplicate
        self.warnings = warnings
        self.excluded: set[int] = set()
        self._used: dict[Key, _Row] = {}

    def exclude_all_but_last(self, source: Source) -> None:
        """Read everything to learn which row of each key is the last one, and exclude the others."""
        last: dict[Key, _Row] = {}
        for number, (where, row) in enumerate(source.rows(Warnings(), _ignore)):
            try:
                records = source.records(where, row, Warnings())
            except BadRecord:
                continue  # Refused with its reason when everything is surveyed.
            if not records:
                continue
            key = records[0].key
            if earlier := last.get(key):
                self.warnings.add("duplicate", f"{earlier.where}: stands again at {where}, the first one left out")
                self.excluded.add(earlier.number)
            last[key] = _Row(number, where, hash(row))

    def excludes(self, key: Key, number: int, where: str, row: bytes) -> bool:
        """Whether a row is left out because another of its key is used; raises BadInput where that is unclear."""
        used = self._used.setdefault(key, _Row(number, where, hash(row)))
        if used.number == number:
            return False
        if used.content != hash(row) and self.on_duplicate != "first":
            raise BadInput(
                f"{where}: the same case stands at {used.where} with other content; expected one of each; "
                "remove one, or choose with --on-duplicate first|last"
            )
        self.warnings.add("duplicate", f"{where}: stands at {used.where} already, left out")
        self.excluded.add(number)
        return True


def _ignore(complaint: Complaint) -> None:
    """Refused rows are reported by the survey."""
