"""Tables of consultations: a conversation in each row, or a turn in each row, the rows of one conversation together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from adjudge.core.errors import BadInput, Complaint, Warnings
from adjudge.core.suite import Refuse
from adjudge.suites.patient.lexicon.fields import Fields, key_of
from adjudge.suites.patient.read.credentials import is_number_of_patient, is_origin
from adjudge.suites.patient.read.drafts import file_of, stem
from adjudge.suites.patient.read.profiles import IDS, is_trait
from adjudge.suites.patient.read.table_cells import Cells, cells_of, header_of

# The names of columns, without case and punctuation.
TALKS = tuple(
    map(key_of, ("dialogue", "dialog", "conversation", "transcript", "dialogue_history", "src", "conversation_text"))
)
SPEAKERS = ("speaker", "role", "speakerrole", "from", "who")
TEXTS = ("text", "utterance", "content", "message", "said", "value")
NUMBERS = ("turn", "turnid", "turnnumber", "turnindex")
NOTES = ("note", "tgt", "clinicalnote", "soapnote", "referencesummary", "summary")
NAMES = tuple(map(key_of, (*IDS, "encounter_id", "visit_id", "session_id", "dialogueid", "file")))
# Columns that keep their names in a record.
KEPT = ("case", "arm", "trial", "sectiontext", "sectionheader")
KEPT_NAMES = {"sectiontext": "section_text", "sectionheader": "section_header"}

ENCODE = msgspec.json.Encoder().encode


class Layout(Struct, frozen=True):
    """The columns of a table by their meaning: whole conversations in `talk`, or turns in `speaker` and `text`."""

    talk: str | None
    speaker: str | None
    text: str | None
    number: str | None
    note: str | None
    id: str | None

    @classmethod
    def of(cls, columns: Sequence[str]) -> Layout:
        """The layout of a table with these columns."""
        by_key = {key_of(name): name for name in columns}

        def first(keys: Iterable[str]) -> str | None:
            return next((by_key[key] for key in keys if key in by_key), None)

        speaker, text = first(SPEAKERS), first(TEXTS)
        talk = None if speaker and text else first(TALKS)
        return cls(talk, speaker, text, first(NUMBERS), first(NOTES), first(NAMES))

    @property
    def is_known(self) -> bool:
        """Whether the table holds conversations."""
        return bool(self.talk or (self.speaker and self.text))

    @property
    def used(self) -> set[str | None]:
        """The columns that have a meaning here."""
        return {self.talk, self.speaker, self.text, self.number, self.note, self.id}


def begins_table(head: str) -> bool:
    """Whether a text begins with the header of a table of conversations.

    >>> begins_table("id,speaker,text\\n"), begins_table("Doctor: Hello, text me.\\n")
    (True, False)
    """
    return Layout.of(header_of(head)).is_known


def sheets(
    path: Path, fields: Fields, encoding: str, warnings: Warnings, refuse: Refuse
) -> Iterator[tuple[str, bytes]]:
    """The consultations of a table as rows of JSON, each with the place of its first row; raises BadInput."""
    gathered = _Gatherer(fields, warnings, refuse)
    for where, cells in cells_of(path, encoding, warnings, gathered.refuse):
        yield from gathered.take(where, cells)
    yield from gathered.finish()
    if not gathered.layouts and not gathered.refused:
        raise BadInput(f"{path}: no row below the header; expected a row for each conversation or each turn")


class _Gatherer:
    """Collects the rows of one conversation after the other."""

    def __init__(self, fields: Fields, warnings: Warnings, refuse: Refuse) -> None:
        self.fields = fields
        self.warnings = warnings
        self.refused = 0
        self.layouts: dict[str, Layout] = {}
        self._refuse = refuse
        self._seen: set[tuple[str, ...]] = set()
        self._key: tuple[str, ...] = ()
        self._where = ""
        self._turns: list[Cells] = []
        self._spoiled = False

    def refuse(self, complaint: Complaint) -> None:
        """Refuse a row that cannot be read, and with it the conversation before it and the one after it."""
        self._refuse(complaint)
        self.refused += 1
        self._spoiled = True

    def take(self, where: str, cells: Cells) -> Iterator[tuple[str, bytes]]:
        """Take a row; gives the conversation before it if that is complete, or that of the row itself."""
        file = file_of(where)
        layout = self.layouts.get(file) or self._layout(where, list(cells))
        if layout.talk:
            yield from self.finish()
            yield where, ENCODE(_record(cells, layout, self.fields))
            return
        key = (file, cells[layout.id] if layout.id else "", *(cells.get(name, "") for name in ("arm", "trial")))
        if key != self._key:
            yield from self.finish()
            self._begin(where, key)
        self._turns.append(cells)

    def finish(self) -> Iterator[tuple[str, bytes]]:
        """The conversation whose rows have been taken, unless one of them was refused."""
        if self._turns and not self._spoiled:
            layout = self.layouts[self._key[0]]
            first = _record(self._turns[0], layout, self.fields)
            first.setdefault("id", stem(self._key[0]))
            messages = [_message(cells, layout) for cells in self._turns]
            yield self._where, ENCODE({**first, "messages": messages})
        self._turns = []

    def _begin(self, where: str, key: tuple[str, ...]) -> None:
        if key in self._seen:
            expected = "expected its rows together; sort the table"
            self.refuse(Complaint(where, f"conversation {key[1]!r} begins a second time; {expected}"))
        else:
            self._spoiled = False
        self._seen.add(key)
        self._key, self._where = key, where

    def _layout(self, where: str, columns: list[str]) -> Layout:
        """The layout of a table by its columns; raises BadInput if it holds no conversations."""
        layout = Layout.of(columns)
        names = ", ".join(map(repr, columns[:12]))
        if not layout.is_known:
            raise BadInput(
                f"{file_of(where)}: the columns are {names}; expected whole conversations in a column 'dialogue', "
                "'conversation' or 'transcript', or a turn a row with columns 'speaker' and 'text'; rename the columns"
            )
        unread = [name for name in columns if name not in layout.used and not _is_read(name, self.fields)]
        if unread:
            self.warnings.add("columns", f"{file_of(where)}: columns not read: {', '.join(map(repr, unread[:8]))}")
        self.layouts[file_of(where)] = layout
        return layout


def _is_read(name: str, fields: Fields) -> bool:
    return key_of(name) in KEPT or fields.knows(name) or is_trait(name, "B") or _is_origin(name)


def _is_origin(name: str) -> bool:
    return is_number_of_patient(name) or is_origin(name)


def _record(cells: Cells, layout: Layout, fields: Fields) -> dict[str, Any]:
    """A row as a record: the conversation if the row holds it, and what it says about the patient."""
    rest = {name: cell for name, cell in cells.items() if cell and name not in layout.used}
    traits = {name: cell for name, cell in rest.items() if is_trait(name, cell)}
    kept = {KEPT_NAMES.get(key_of(name), key_of(name)): cell for name, cell in rest.items() if key_of(name) in KEPT}
    record: dict[str, Any] = {
        "id": cells[layout.id] if layout.id else "",
        "dialogue": cells[layout.talk] if layout.talk else "",
        "note": cells[layout.note] if layout.note else "",
        "persona": traits,
        "profile": {name: cell for name, cell in rest.items() if name not in traits and fields.knows(name)},
        **{name: cell for name, cell in rest.items() if _is_origin(name)},
        **kept,
    }
    if "trial" in record and record["trial"].isdecimal():
        record["trial"] = int(record["trial"])
    return {name: value for name, value in record.items() if value or name == "section_text"}


def _message(cells: Mapping[str, str], layout: Layout) -> dict[str, str]:
    columns = {"speaker": layout.speaker, "text": layout.text, "turn": layout.number}
    return {name: cells[column] for name, column in columns.items() if column}
