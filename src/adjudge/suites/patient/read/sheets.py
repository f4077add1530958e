"""Tables of consultations: a conversation in each row, or a turn in each row, the rows of one conversation together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from adjudge.core.credentials import ORIGINS, is_identifier
from adjudge.core.errors import BadInput, Warnings
from adjudge.core.suite import Refuse
from adjudge.read.grouping import Key, RowGroup, RowGrouping
from adjudge.suites.patient.lexicon.fields import ProfileItems, key_of
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
KEPT = {key_of(name): name for name in ("case", "arm", "trial", "section_text", "section_header")}

ENCODE = msgspec.json.Encoder().encode


class ConsultationColumns(Struct, frozen=True):
    """The columns of a table by their meaning: whole conversations in `talk`, or turns in `speaker` and `text`."""

    talk: str | None
    speaker: str | None
    text: str | None
    number: str | None
    note: str | None
    id: str | None

    @classmethod
    def of(cls, columns: Sequence[str]) -> ConsultationColumns:
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
    def used_columns(self) -> set[str | None]:
        """The columns that have a meaning here."""
        return {self.talk, self.speaker, self.text, self.number, self.note, self.id}


def begins_table(head: str) -> bool:
    """Whether a text begins with the header of a table of conversations.

    >>> begins_table("id,speaker,text\\n"), begins_table("Doctor: Hello, text me.\\n")
    (True, False)
    """
    return ConsultationColumns.of(header_of(head)).is_known


def sheets(
    path: Path, fields: ProfileItems, encoding: str, warnings: Warnings, refuse: Refuse
) -> Iterator[tuple[str, bytes]]:
    """The consultations of a table as rows of JSON, each with the place of its first row; raises BadInput."""
    groups = RowGrouping[Cells](warnings, refuse)
    by_file: dict[str, ConsultationColumns] = {}
    for where, cells in cells_of(path, encoding, warnings, groups.refuse):
        file = file_of(where)
        if file not in by_file:
            by_file[file] = _columns_of(file, list(cells), fields, warnings)
        columns = by_file[file]
        whole = groups.finish() if columns.talk else groups.take(where, _conversation_key(cells, columns), cells)
        for group in whole:
            yield _gathered_record(group, by_file, fields)
        if columns.talk:
            yield where, ENCODE(_record(cells, columns, fields))
    for group in groups.finish():
        yield _gathered_record(group, by_file, fields)
    if not by_file and not groups.refused:
        raise BadInput(f"{path}: no row below the header; expected a row for each conversation or each turn")


def _conversation_key(cells: Cells, columns: ConsultationColumns) -> Key:
    """What tells the conversation of a turn."""
    return (cells[columns.id] if columns.id else "", *(cells.get(name, "") for name in ("arm", "trial")))


def _gathered_record(
    group: RowGroup[Cells], by_file: Mapping[str, ConsultationColumns], fields: ProfileItems
) -> tuple[str, bytes]:
    """A conversation whose turns stand in rows of their own, as a row of JSON."""
    file = file_of(group.where)
    record = _record(group.rows[0], by_file[file], fields)
    record.setdefault("id", stem(file))
    return group.where, ENCODE({**record, "messages": [_message(cells, by_file[file]) for cells in group.rows]})


def _columns_of(file: str, names: list[str], fields: ProfileItems, warnings: Warnings) -> ConsultationColumns:
    """The columns of a table by their meaning; raises BadInput if it holds no conversations."""
    columns = ConsultationColumns.of(names)
    if not columns.is_known:
        raise BadInput(
            f"{file}: the columns are {', '.join(map(repr, names[:12]))}; expected whole conversations in a column "
            "'dialogue', 'conversation' or 'transcript', or a turn a row with columns 'speaker' and 'text'; rename the "
            "columns"
        )
    unread = [name for name in names if name not in columns.used_columns and not _is_read(name, fields)]
    if unread:
        warnings.add("columns", f"{file}: columns not read: {', '.join(map(repr, unread[:8]))}")
    return columns


def _is_read(name: str, fields: ProfileItems) -> bool:
    return key_of(name) in KEPT or fields.knows(name) or is_trait(name, "B") or _is_origin(name)


def _is_origin(name: str) -> bool:
    return is_identifier(name) or key_of(name) in ORIGINS


def _record(cells: Cells, columns: ConsultationColumns, fields: ProfileItems) -> dict[str, Any]:
    """A row as a record: the conversation if the row holds it, and what it says about the patient."""
    rest = {name: cell for name, cell in cells.items() if cell and name not in columns.used_columns}
    traits = {name: cell for name, cell in rest.items() if is_trait(name, cell)}
    kept = {KEPT[key_of(name)]: cell for name, cell in rest.items() if key_of(name) in KEPT}
    record: dict[str, Any] = {
        "id": cells[columns.id] if columns.id else "",
        "dialogue": cells[columns.talk] if columns.talk else "",
        "note": cells[columns.note] if columns.note else "",
        "persona": traits,
        "profile": {name: cell for name, cell in rest.items() if name not in traits and fields.knows(name)},
        **{name: cell for name, cell in rest.items() if _is_origin(name)},
        **kept,
    }
    if "trial" in record and record["trial"].isdecimal():
        record["trial"] = int(record["trial"])
    return {name: value for name, value in record.items() if value or name == "section_text"}


def _message(cells: Mapping[str, str], columns: ConsultationColumns) -> dict[str, str]:
    names = {"speaker": columns.speaker, "text": columns.text, "turn": columns.number}
    return {name: cells[column] for name, column in names.items() if column}
