"""Cases from files of JSON lines, with the place of every fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import structs

from adjudge.core.credentials import protection_of_place, protection_of_row
from adjudge.core.errors import BadInput, BadRecord, Complaint, Warnings, listing
from adjudge.core.play import Case, CaseRow
from adjudge.core.suite import Refuse
from adjudge.read.decode import decode, refuse_duplicate_keys
from adjudge.read.files import rows

C = TypeVar("C", bound=Case)


def read_cases(files: list[Path], kind: type[C]) -> Iterator[CaseRow[C]]:
    """The cases of files (.jsonl or .json, plain, .gz or .zip); raises BadInput with all that is broken."""
    decoder = msgspec.json.Decoder(kind)
    return gather_cases(partial(rows_of_files, files), lambda where, row: [_read_case(where, row, decoder)])


def rows_of_files(files: list[Path], refuse: Refuse) -> Iterator[tuple[str, bytes]]:
    """The undecoded rows of files in order, each with its place; refused rows go to `refuse`."""
    for path in files:
        yield from rows(path, Warnings(), refuse=refuse)


def gather_cases(
    read: Callable[[Refuse], Iterator[tuple[str, bytes]]], make: Callable[[str, bytes], Iterable[C]]
) -> Iterator[CaseRow[C]]:
    """The cases that `make` makes of the rows that `read` gives; raises BadInput with all that is broken."""
    complaints: list[Complaint] = []
    cases: list[CaseRow[C]] = []
    for where, row in read(complaints.append):
        try:
            cases += [CaseRow(where, row, case) for case in make(where, row)]
        except BadRecord as error:
            complaints.append(error.complaint)
    if complaints:
        raise BadInput(f"{listing(complaints)}\nnothing was played; fix these")
    return iter(cases)


def mark_protected(read: CaseRow[C], warnings: Warnings) -> C:
    """The case, marked as credentialed where any field of its row, its id or the name of its file looks so."""
    case = read.case
    why = "" if case.credentialed else protection_of_row(read.row) or protection_of_place(read.where, case.id)
    if not why:
        return case
    warnings.add("credentialed", f"{case.id}: taken as credentialed because of {why}")
    return structs.replace(case, credentialed=True)


def _read_case(where: str, row: bytes, decoder: msgspec.json.Decoder[C]) -> C:
    refuse_duplicate_keys(where, row)
    return decode(where, row, decoder)
