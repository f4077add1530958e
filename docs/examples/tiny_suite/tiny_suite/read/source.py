"""Where answers come from: JSON or JSONL files, plain, .gz or .zip."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.errors import Complaint, Warnings
from adjudge.core.suite import Options, Refuse, Survey
from adjudge.read.decode import decode
from adjudge.read.files import rows
from tiny_suite.data import QuizAnswer

DECODER = msgspec.json.Decoder(QuizAnswer)


class QuizSource:
    """The answers in the files."""

    def __init__(self, files: list[Path], options: Options) -> None:
        self.files = files
        self.warnings = Warnings()

    def rows(self, warnings: Warnings, refuse: Refuse | None = None) -> Iterator[tuple[str, bytes]]:
        """The undecoded answers, each with the place it stands at."""
        for path in self.files:
            yield from rows(path, warnings, refuse=refuse)

    def records(self, where: str, row: bytes, warnings: Warnings) -> list[QuizAnswer]:
        """The record of one row; a row that does not fit is refused with its place and field."""
        return [decode(where, row, DECODER)]

    def survey(self) -> "QuizSurvey":
        """An empty survey."""
        return QuizSurvey()


class QuizSurvey(Survey):
    """Counts questions and answers of each arm."""

    def __init__(self) -> None:
        self.arms: dict[str, ArmCoverage] = {}

    def add(self, record: QuizAnswer) -> None:
        """Look at one record."""
        seen = self.arms.setdefault(record.arm, ArmCoverage())
        seen.expected += 1
        seen.turns_expected += 1
        if record.given is not None:
            seen.conversations += 1
            seen.turns += 1
            seen.fields = ["given"]

    def complaints(self) -> list[Complaint]:
        """Nothing can be wrong with the answers as a whole."""
        return []

    def coverage(self) -> Coverage:
        """What was there and what was missing."""
        return Coverage(arms=self.arms)
