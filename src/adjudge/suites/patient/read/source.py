"""Reads consultations from our own records, chats, published data sets and text transcripts."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

from adjudge.core.credentials import protection_of_name
from adjudge.core.errors import BadInput, Complaint, Warnings
from adjudge.core.shard import Shard
from adjudge.core.suite import Options, Refuse
from adjudge.read.arms import arm_at, arms_of
from adjudge.read.decode import lenient_row
from adjudge.read.encodings import fits
from adjudge.read.files import raise_complaint
from adjudge.read.shards import can_be_split, first_line, shard_rows
from adjudge.read.source import LIMITS, contents
from adjudge.read.spreadsheet import is_spreadsheet
from adjudge.read.tables import is_table
from adjudge.suites.patient.data import NO_PERSONA, Consultation, Persona
from adjudge.suites.patient.lexicon.fields import ProfileItems
from adjudge.suites.patient.read.drafts import ConsultationDraft
from adjudge.suites.patient.read.encodings import Encoding
from adjudge.suites.patient.read.formats import read_json
from adjudge.suites.patient.read.profile_files import Profiles
from adjudge.suites.patient.read.profiles import persona_of, profile_of
from adjudge.suites.patient.read.sheets import begins_table, sheets
from adjudge.suites.patient.read.speakers import turns_of
from adjudge.suites.patient.read.survey import PatientSurvey
from adjudge.suites.patient.read.transcript import read_transcript
from adjudge.suites.patient.rules.personas import AXES
from adjudge.tools.storage import input_path

# The arm of records that name none.
UNNAMED = "patient"
# The kinds of files, in the words of messages, and the number of bytes by which they are told apart.
JSON, TABLE, TEXT = "JSON", "a table", "text"
HEAD = 4096


class PatientSource:
    """The consultations of the files, each with its profile."""

    def __init__(self, files: list[Path], options: Options) -> None:
        self.options = options
        self.warnings = Warnings()
        self._given = files
        self._arms = arms_of(files, options)
        self._encoding = Encoding(options.get("encoding") or "utf-8", bool(options.get("lenient")))
        self._fields = ProfileItems.load(_path(options, "aliases"), self.warnings)
        self._profiles = Profiles(
            _path(options, "profiles"), self._fields, self.warnings, lenient=bool(options.get("lenient"))
        )

    @property
    def files(self) -> list[Path]:
        """Every file that is read, including those of `--profiles` and `--aliases`."""
        beside = (_path(self.options, name) for name in ("profiles", "aliases"))
        return [*self._given, *(path for path in beside if path)]

    def rows(self, warnings: Warnings, refuse: Refuse | None = None) -> Iterator[tuple[str, bytes]]:
        """The consultations in order, each as its place and its bytes: a row of JSON, or a whole transcript."""
        for path in self._given:
            yield from self._rows_of(Shard(str(path)), warnings, refuse)

    def shardable_files(self) -> dict[Path, bool]:
        """The files; only rows of JSON are split."""
        return {path: can_be_split(path) and _kind(path) == JSON and bool(first_line(path)) for path in self._given}

    def shard_rows(self, shard: Shard, warnings: Warnings, refuse: Refuse | None = None) -> Iterator[tuple[str, bytes]]:
        """The consultations of a shard."""
        return self._rows_of(shard, warnings, refuse)

    def _rows_of(self, shard: Shard, warnings: Warnings, refuse: Refuse | None) -> Iterator[tuple[str, bytes]]:
        path = input_path(shard.file)
        kind = JSON if shard.start else _kind(path)
        if kind == TABLE:
            return sheets(path, self._fields, self._encoding.name, warnings, refuse or raise_complaint)
        if kind == TEXT:
            return self._transcripts(path, warnings, refuse or raise_complaint)
        return shard_rows(shard, warnings, refuse, path)

    def records(self, where: str, row: bytes, warnings: Warnings) -> list[Consultation]:
        """The consultation of one row; its own items and persona take precedence over those of `--profiles`."""
        draft = self._draft(where, row, warnings)
        beside = self._profiles.of(draft.id, draft.case)
        persona = persona_of(draft.persona, warnings)
        persona = beside.persona if persona == NO_PERSONA else persona
        return [
            Consultation(
                id=draft.id,
                case=draft.case,
                arm=arm_at(where, self._arms) or draft.arm or UNNAMED,
                trial=draft.trial,
                participants=draft.participants,
                facets=_facets(persona) | draft.facets,
                credentialed=draft.credentialed or beside.credentialed or self._is_held(draft.id, warnings),
                profile=beside.profile | profile_of(where, draft.profile, self._fields, warnings),
                persona=persona,
                turns=turns_of(where, draft.utterances, self.options.get("patient") or "", warnings),
                note=draft.note,
                diagnoses=draft.diagnoses,
            )
        ]

    def survey(self) -> PatientSurvey:
        """An empty survey of these records."""
        return PatientSurvey(self._profiles)

    def _is_held(self, id: str, warnings: Warnings) -> bool:
        """Whether a record is credentialed by the user's option or by an id that looks like one of MIMIC."""
        if self.options.get("credentialed") == "all":
            return True
        if not protection_of_name(id):
            return False
        warnings.add("admission", f"{id}: looks like an admission of MIMIC, so that it is taken as credentialed")
        return True

    def _transcripts(self, path: Path, warnings: Warnings, refuse: Refuse) -> Iterator[tuple[str, bytes]]:
        """The transcripts of a file or of an archive's members, each with its place and re-encoded as UTF-8."""
        limit = LIMITS.line_bytes
        for name, reader in contents(path, warnings):
            raw = reader.read(limit + 1)
            if len(raw) > limit:
                refuse(Complaint(name, f"a text of more than {limit:,} bytes; expected one transcript; split it"))
            elif text := self._encoding.text(name, raw, warnings, refuse):
                yield f"{name}:1", text.encode()

    def _draft(self, where: str, row: bytes, warnings: Warnings) -> ConsultationDraft:
        # Transcripts come as UTF-8 (`_transcripts`), so a row of other bytes is a bad one of JSON.
        if not _is_json(row[:HEAD]) and fits(row, "utf-8"):
            return read_transcript(where, row.decode(), warnings, self.options.get("patient") or "")
        if self.options.get("lenient"):
            row = lenient_row(where, row, warnings)
        return read_json(where, row, warnings, self.options.get("patient") or "")


def _kind(path: Path) -> str:
    """Whether a file holds JSON, a table or a transcript; raises BadInput for an archive that holds several kinds."""
    if is_spreadsheet(path):
        return TABLE
    kinds = {_kind_of(name, _head(name, reader)): name for name, reader in contents(path, Warnings())}
    if len(kinds) > 1:
        named = " and ".join(f"{kind} ({name!r})" for kind, name in kinds.items())
        raise BadInput(f"{path}: holds {named}; expected one kind; put each kind in files of its own")
    return next(iter(kinds), JSON)


def _kind_of(name: str, head: bytes) -> str:
    if is_table(Path(name)) or begins_table(head.decode("utf-8", "replace")):
        return TABLE
    return JSON if _is_json(head) else TEXT


def _head(name: str, reader: io.BufferedReader) -> bytes:
    head = reader.peek(1)[:HEAD]
    if not head or (head.isspace() and len(head) < HEAD):
        raise BadInput(
            f"{name}: empty; expected JSON records or a transcript; check that the program that wrote it finished"
        )
    return head


def _is_json(head: bytes) -> bool:
    """Whether a text begins like JSON; a transcript may begin with a square bracket too.

    >>> _is_json(b' [{"id": 1}]'), _is_json(b"[Turn 1] Doctor:"), _is_json(b"Doctor: Hello.")
    (True, False, False)
    """
    head = head.lstrip()
    return head.startswith(b"{") or (head.startswith(b"[") and not head[1:].lstrip()[:1].isalpha())


def _facets(persona: Persona) -> dict[str, str]:
    """The facets of a record, by which tables can be broken down: the known traits of its persona."""
    return {axis: value for axis in AXES if (value := getattr(persona, axis)) is not None}


def _path(options: Options, name: str) -> Path | None:
    given = options.get(name)
    return input_path(given) if given else None
