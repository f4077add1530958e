"""A tiny suite that is played: a user thinks of a number, and a system guesses it.

This is what a package of systems looks like: a case, a `setup`, and modules that declare systems.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.errors import Complaint, Warnings
from adjudge.core.play import Case, CaseRow, Limits, PlayedConversation, PlayedTurn
from adjudge.core.record import Participant, Record, Turn
from adjudge.core.suite import Options, Refuse, Suite, Survey
from adjudge.core.system import Generator, Role, Seen, Setup, hear
from adjudge.play.cases import read_cases
from adjudge.play.protocols import alternate
from adjudge.read.decode import decode
from adjudge.read.files import rows

HERE = Path(__file__).parent


class Secret(Case, frozen=True, kw_only=True):
    """A number from 1 to `most`, and what the user tells about it."""

    number: int
    most: int = 8
    hint: str = ""


class Guess(Struct, frozen=True):
    """What the system says in facts: the number it guesses."""

    number: int


class Answer(Struct, frozen=True):
    """What the user says in facts."""

    relation: Literal["", "lower", "higher", "right"] = ""


class Game(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The record of a played case."""

    turns: tuple[Turn, ...] = ()
    guesses: tuple[int, ...] = ()
    answers: int = 0
    tokens: int = 0


def cases(files: list[Path], options: Options) -> Iterator[CaseRow[Secret]]:
    return read_cases(files, Secret)


class Draws(Struct, frozen=True):
    """How many numbers to think of."""

    n: int = 3
    most: int = 8


def generate(draws: Draws) -> Iterator[Secret]:
    return (Secret(id=f"g{place}", number=1 + place % draws.most, most=draws.most) for place in range(draws.n))


def participants(case: Secret) -> tuple[Participant, ...]:
    return Participant("user", "user", "simulated"), Participant("system", "system", "agent")


def view(case: Secret, participant: Participant, turns: tuple[PlayedTurn, ...]) -> Seen:
    """The user knows the number, the system only how high it may be."""
    facts = case if participant.role == "user" else {"most": case.most}
    return Seen(facts, hear(turns))


def record(played: PlayedConversation) -> Game:
    return Game(
        id=played.id,
        case=played.case.id,
        arm=played.arm,
        trial=played.trial,
        participants=played.participants,
        turns=tuple(Turn(str(turn.number), turn.speaker, turn.content.text) for turn in played.turns),
        guesses=tuple(turn.content.facts.number for turn in played.turns if isinstance(turn.content.facts, Guess)),
        answers=played.spent.answers,
        tokens=played.spent.input_tokens + played.spent.output_tokens,
    )


setup = Setup(
    suite="guessing",
    package=__name__,
    case=Secret,
    roles=(
        Role("user", "simulated", default="honest", shared_draws=True, facts=Answer),
        Role("system", tested=True, facts=Guess, hidden=("number", "hint")),
    ),
    open=cases,
    participants=participants,
    view=view,
    protocol=alternate("user", "system"),
    record=record,
    sample=HERE / "cases.jsonl",
    arms=("bisection",),
    limits=Limits(turns=20),
    generator=Generator(Draws, generate),
)


class GameSource:
    """The games in files."""

    def __init__(self, files: list[Path], options: Options) -> None:
        self.files = files
        self.warnings = Warnings()

    def rows(self, warnings: Warnings, refuse: Refuse | None = None) -> Iterator[tuple[str, bytes]]:
        for path in self.files:
            yield from rows(path, warnings, refuse=refuse)

    def records(self, where: str, row: bytes, warnings: Warnings) -> list[Game]:
        return [decode(where, row, msgspec.json.Decoder(Game))]

    def survey(self) -> GameSurvey:
        return GameSurvey()


class GameSurvey(Survey):
    """Counts the games of each arm."""

    def __init__(self) -> None:
        self.arms: dict[str, ArmCoverage] = {}

    def add(self, record: Game) -> None:
        seen = self.arms.setdefault(record.arm, ArmCoverage())
        seen.expected += 1
        seen.conversations += 1

    def complaints(self) -> list[Complaint]:
        return []

    def coverage(self) -> Coverage:
        return Coverage(arms=self.arms)


suite = Suite(
    name="guessing",
    title="Guessing a number",
    record=Game,
    package=__name__,
    open=GameSource,
    tools=lambda options: {},
    sample=HERE / "cases.jsonl",
)
