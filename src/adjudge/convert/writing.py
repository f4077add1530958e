"""Converting files: every conversation is written as a line, and counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import msgspec
from msgspec import Struct

from adjudge.convert.fields import NOT_READ
from adjudge.convert.reading import ReadingOptions, read_conversations
from adjudge.core.conversation import Conversation
from adjudge.core.errors import BadInput, BadRecord, Complaint, Warnings, listing
from adjudge.core.record import Key
from adjudge.read.folders import input_files

ENCODER = msgspec.json.Encoder()


class ConversionRequest(Struct, frozen=True):
    """What to convert: files, the name of their format (empty: detected), and how bad input is handled."""

    files: tuple[Path, ...]
    format: str = ""
    skip_bad: bool = False
    lenient: bool = False
    delimiter: str | None = None
    encoding: str = "utf-8"


@dataclass
class ConversionSummary:
    """What was converted; `remarks` name what was not understood, and `refused` counts rows that were left out."""

    conversations: int = 0
    turns: int = 0
    calls: int = 0
    refused: int = 0
    speakers: set[str] = field(default_factory=set)
    remarks: list[str] = field(default_factory=list)
    not_understood: int = 0

    def add(self, conversation: Conversation) -> None:
        """Count a conversation."""
        self.conversations += 1
        self.turns += len(conversation.turns)
        self.calls += sum(turn.kind == "call" for turn in conversation.turns)
        self.speakers.update(turn.speaker for turn in conversation.turns)

    def __str__(self) -> str:
        parts = [
            _count(self.conversations, "conversation"),
            _count(self.turns, "turn"),
            _count(len(self.speakers), "speaker"),
            _count(self.calls, "call"),
        ]
        if self.not_understood:
            parts.append(f"{self.not_understood:,} not understood")
        if self.refused:
            parts.append(f"{self.refused} refused")
        return ", ".join(parts)


def convert_files(request: ConversionRequest, output: Path, file: IO[bytes]) -> ConversionSummary:
    """Write the conversations of files; raises BadInput with all that cannot be read, unless it is to be skipped."""
    warnings, summary = Warnings(), ConversionSummary()
    complaints: list[Complaint] = []
    keys: dict[Key, str] = {}
    inputs = input_files(request.files)
    reading = ReadingOptions(
        warnings, complaints.append, request.format, request.lenient, request.delimiter, request.encoding
    )
    for path in inputs.files:
        _refuse_output(path, output)
        try:
            for where, conversation in read_conversations(path, reading):
                _remark_duplicate(conversation, where, keys, warnings)
                summary.add(conversation)
                file.write(ENCODER.encode(conversation) + b"\n")
        except BadInput as fault:
            complaints.append(_complaint(fault))
    _settle(complaints, request.skip_bad, summary)
    summary.refused = len(complaints)
    unread = [kind for kind, example in warnings.examples.items() if example.endswith(NOT_READ)]
    summary.not_understood = sum(warnings.counts[kind] for kind in unread)
    summary.remarks = [*inputs.remarks, *warnings.lines(), *map(str, complaints)]
    return summary


def _settle(complaints: Sequence[Complaint], skip_bad: bool, summary: ConversionSummary) -> None:
    """Raise BadInput where something cannot be read, unless it is to be skipped and something else can."""
    if complaints and not skip_bad:
        raise BadInput(listing(complaints) + "\nnothing was written; fix these, or leave them out with --skip-bad")
    if not summary.conversations:
        raise BadInput(listing(complaints) or "no conversation in the files; expected at least one")


def _complaint(fault: BadInput) -> Complaint:
    return fault.complaint if isinstance(fault, BadRecord) else Complaint("", str(fault))


def _remark_duplicate(conversation: Conversation, where: str, keys: dict[Key, str], warnings: Warnings) -> None:
    """Remark on two conversations of the same case, arm and trial, which `score` takes for one."""
    first = keys.setdefault(conversation.key, where)
    if first != where:
        text = f"the same case, arm and trial as {first}: {conversation.key}; `score` needs --arm or --on-duplicate"
        warnings.add("duplicate key", f"{where}: {text}")


def _refuse_output(path: Path, output: Path) -> None:
    if output.exists() and path.exists() and output.samefile(path):
        raise BadInput(f"{path}: is also an input file; expected another file after -o")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
