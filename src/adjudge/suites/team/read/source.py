"""Where conversations come from: logs in any format that `adjudge convert` reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import structs

from adjudge.convert.format import file_stem
from adjudge.convert.reading import ReadingOptions, read_conversations
from adjudge.convert.registry import find_format
from adjudge.core.conversation import Conversation
from adjudge.core.errors import Warnings
from adjudge.core.shard import Shard
from adjudge.core.suite import Options, Refuse
from adjudge.read.arms import arm_at, arms_of
from adjudge.read.decode import decode
from adjudge.read.files import raise_complaint
from adjudge.suites.team.read.survey import TeamSurvey
from adjudge.tools.storage import input_path

DECODER = msgspec.json.Decoder(Conversation)
ENCODER = msgspec.json.Encoder()
# The arm of conversations whose log names none.
UNNAMED = "team"


class TeamSource:
    """The conversations of the files, each file in a format of its own."""

    def __init__(self, files: list[Path], options: Options) -> None:
        self.options = options
        self.warnings = Warnings()
        self._given = files
        self._arms = arms_of(files, options)
        if name := options.get("format"):
            find_format(name)

    @property
    def files(self) -> list[Path]:
        """Every file that is read."""
        return [*self._given]

    def rows(self, warnings: Warnings, refuse: Refuse | None = None) -> Iterator[tuple[str, bytes]]:
        """The conversations in order, each as its place and its JSON."""
        for path in self._given:
            yield from self._rows_of(path, warnings, refuse)

    def shardable_files(self) -> dict[Path, bool]:
        """The files; none is split, because conversations may go on from row to row."""
        return dict.fromkeys(self._given, False)

    def shard_rows(self, shard: Shard, warnings: Warnings, refuse: Refuse | None = None) -> Iterator[tuple[str, bytes]]:
        """The conversations of a file."""
        return self._rows_of(input_path(shard.file), warnings, refuse)

    def _rows_of(self, path: Path, warnings: Warnings, refuse: Refuse | None) -> Iterator[tuple[str, bytes]]:
        reading = ReadingOptions(
            warnings,
            refuse or raise_complaint,
            format=self.options.get("format") or "",
            lenient=bool(self.options.get("lenient")),
            delimiter=self.options.get("delimiter"),
            encoding=self.options.get("encoding") or "utf-8",
        )
        for where, conversation in read_conversations(path, reading):
            yield where, ENCODER.encode(conversation)

    def records(self, where: str, row: bytes, warnings: Warnings) -> list[Conversation]:
        """The conversation of one row, with its arm."""
        conversation = decode(where, row, DECODER)
        case = conversation.case or self._case(where, conversation)
        return [structs.replace(conversation, arm=self._arm(where, conversation), case=case)]

    def survey(self) -> TeamSurvey:
        """An empty survey of these records."""
        return TeamSurvey()

    def _case(self, where: str, conversation: Conversation) -> str:
        """The number in its file, where each file is an arm and conversations have no ids; else empty."""
        arms = len(set(self._arms.values()))
        is_arm = len(self._given) > 1 and (arms == len(self._given) or self.options.get("arm-by") == "file")
        number = conversation.id.removeprefix(f"{file_stem(where.rpartition(':')[0])}-")
        return number if is_arm and number.isdecimal() and number != conversation.id else ""

    def _arm(self, where: str, conversation: Conversation) -> str:
        file = file_stem(where.rpartition(":")[0])
        by_file = file if self.options.get("arm-by") == "file" else ""
        return arm_at(where, self._arms) or by_file or conversation.arm or UNNAMED
