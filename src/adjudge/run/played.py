"""The files of a played run, beside those of its scores: its manifest, turns, traces and ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Raw, Struct, field

from adjudge.core.errors import BadInput
from adjudge.core.mark import Status
from adjudge.core.play import Decision, End, Limits, Spent
from adjudge.core.record import Key
from adjudge.core.system import SystemCard
from adjudge.core.usage import Usage
from adjudge.run.lines import read_lines
from adjudge.run.manifest import InputFile
from adjudge.run.names import PLAY

TURNS = "turns.jsonl"
TRACES = "traces.jsonl"
ENDS = "ends.jsonl"
CONVERSATIONS = "conversations.jsonl"


class PlayedArm(Struct, frozen=True, kw_only=True):
    """An arm: the system of each role, the parts that were left out, and the model of each part."""

    systems: dict[str, str]
    without: tuple[str, ...] = ()
    models: dict[str, str] = {}


class PlayManifest(Struct, kw_only=True):
    """The description of a play: its cases, arms, seed, limits and models.

    Two plays with the same suite, version, cards, arms, options, seed, limits, models, prompts and inputs make the
    same conversations. `cards` are those of the systems, by name. `models` says how each model is asked, and `prompts`
    is a hash over the prompt files. `usage` is what was spent, by arm and agent.
    """

    suite: str
    adjudge: str
    arms: dict[str, PlayedArm]
    cards: dict[str, SystemCard]
    options: dict[str, Any] = {}
    places: dict[str, Any] = {}
    inputs: list[InputFile] = []
    trials: int = 1
    seed: int = 0
    limit: int | None = None
    limits: Limits = Limits()
    models: dict[str, str] = {}
    prompts: str = ""
    status: Literal["running", "stopped", "complete"] = "running"
    usage: dict[str, Usage] = {}
    counts: dict[str, int] = {}
    started: str = ""
    finished: str = ""
    seconds: float = 0.0

    def differences(self, other: PlayManifest) -> list[str]:
        """What makes the other a different play, a sentence each; empty where it is the same."""
        compared = ("suite", "adjudge", "options", "trials", "seed", "limit", "limits", "models", "prompts")
        differences = [
            f"{name} was {getattr(self, name)!r}, now {getattr(other, name)!r}"
            for name in compared
            if getattr(self, name) != getattr(other, name)
        ]
        if self.arms != other.arms:
            differences.append(f"the arms were {', '.join(self.arms)}, now {', '.join(other.arms)}")
        if {file.sha256 for file in self.inputs} != {file.sha256 for file in other.inputs}:
            differences.append("the contents of the input files changed")
        versions, others = ({(card.name, card.version) for card in play.cards.values()} for play in (self, other))
        return [*differences, "the systems or their versions changed"] if versions != others else differences


def _null() -> Raw:
    return Raw(b"null")


class TurnLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A committed turn of a conversation.

    `first` and `together` say which turns were made at once: the number of the first of them, and how many they are.
    """

    case: str
    arm: str
    trial: int = 0
    turn: int
    speaker: str
    text: str = ""
    to: tuple[str, ...] = ()
    passes: bool = False
    ends: str = ""
    facts: Raw = field(default_factory=_null)
    notes: Raw = field(default_factory=_null)
    decisions: tuple[Decision, ...] = ()
    first: int
    together: int = 1

    @property
    def key(self) -> Key:
        """The conversation that the turn belongs to."""
        return Key(self.case, self.arm, self.trial)


class TraceLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An answer of a model or of a system under test, or the use of a tool, within a turn.

    `agent` is the part inside the system, or the participant itself. `status` is "ok", the status of a failure, or
    that of a tool. The numbers are what was paid now: all are 0 for a `cached` answer. `cost` is None where the price
    is unknown. `took` is what the answer took when it was first asked, cached or not.
    """

    case: str
    arm: str
    trial: int = 0
    turn: int
    participant: str
    agent: str
    kind: Literal["answer", "call"] = "answer"
    name: str = ""
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0
    seconds: float = 0.0
    cached: bool = False
    status: Status | Literal["ok"] = "ok"
    why: str = ""
    attempts: int = 0
    took: Spent = Spent()

    @property
    def key(self) -> Key:
        """The conversation that the trace belongs to."""
        return Key(self.case, self.arm, self.trial)


class EndLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a conversation ended, after how many turns. The last line of a conversation counts."""

    case: str
    arm: str
    trial: int = 0
    turns: int = 0
    end: End

    @property
    def key(self) -> Key:
        """The conversation that ended."""
        return Key(self.case, self.arm, self.trial)


class Played:
    """A played run opened for reading."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            self.manifest = msgspec.json.decode((folder / PLAY).read_bytes(), type=PlayManifest)
        except OSError as error:
            raise BadInput(f"{folder / PLAY}: {error.strerror}; expected the folder of a played run") from error
        except msgspec.MsgspecError as error:
            raise BadInput(f"{folder / PLAY}: not the manifest of a play ({error}); play it again") from error

    def turns(self) -> Iterator[TurnLine]:
        """All committed turns, in the order in which they were made."""
        return read_lines(self.folder / TURNS, msgspec.json.Decoder(TurnLine))

    def traces(self) -> Iterator[TraceLine]:
        """All answers and uses of tools."""
        return read_lines(self.folder / TRACES, msgspec.json.Decoder(TraceLine))

    def ends(self) -> dict[Key, EndLine]:
        """How each conversation ended."""
        return {line.key: line for line in read_lines(self.folder / ENDS, msgspec.json.Decoder(EndLine))}


def is_played(folder: Path) -> bool:
    """Whether a folder holds a played run."""
    return (folder / PLAY).is_file()
