"""Files beside the dialogues: dialogue acts, user goals and booked domains, by dialogue."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import structs

from adjudge.core.errors import BadInput, Warnings
from adjudge.core.suite import Options
from adjudge.read.decode import decode
from adjudge.read.files import document, documents
from adjudge.suites.service.data import Annotation, Goal, ServiceDialogue, ServiceTurn
from adjudge.suites.service.read.booked_domains import BookedDomains, is_reply, refuse_foreign_bookings
from adjudge.suites.service.read.names import dialogue_key
from adjudge.tools.storage import input_path

ACTS_FILE = "dialog_acts"

T = TypeVar("T")
# The slot-value pairs of each act type of a turn.
Acts = dict[str, tuple[tuple[str, str], ...]]


class DialogActs(msgspec.Struct):
    """The acts of one turn in `dialog_acts.json`."""

    dialog_act: Acts = {}


GOALS = msgspec.json.Decoder(dict[str, dict[str, Goal]])
BOOKED = msgspec.json.Decoder(dict[str, BookedDomains])
ACTS = msgspec.json.Decoder(dict[str, dict[str, DialogActs]])


class DialogueFiles:
    """The content of the files beside the dialogues, by dialogue.

    `acts` has the dialogue's own id as key and then the turn's; `goals` and `booked` have the id in the form of
    prediction files.
    """

    def __init__(self, files: list[Path], options: Options, warnings: Warnings) -> None:
        self.acts_files = [path for path in files if is_acts_file(path)] or _acts_beside(files)
        archives = [path for path in files if not is_acts_file(path) and path.suffix == ".zip"]
        self.acts = _read_acts([*self.acts_files, *archives])
        self.goals = _read_by_dialogue(options.get("goals"), GOALS, warnings)
        self.booked = _read_by_dialogue(options.get("booked"), BOOKED, warnings)

    def acts_of(self, id: str) -> Mapping[str, Acts]:
        """The acts of a dialogue by turn."""
        return self.acts.get(id, {})

    def goal_of(self, id: str) -> dict[str, Goal] | None:
        """The goal of a dialogue; None where the file of goals does not have it."""
        return self.goals.get(dialogue_key(id)) if self.goals else None

    def attach(self, where: str, dialogue: ServiceDialogue) -> ServiceDialogue:
        """The dialogue with its goal and its bookings; raises BadRecord where the bookings are not this dialogue's."""
        goal = self.goal_of(dialogue.id)
        if goal is not None and dialogue.goal is not goal:
            dialogue = structs.replace(dialogue, goal=goal)
        booked = self.booked.get(dialogue_key(dialogue.id)) if self.booked else None
        if booked is not None:
            refuse_foreign_bookings(where, dialogue, booked)
            dialogue = structs.replace(dialogue, turns=_with_bookings(dialogue.turns, booked))
        return dialogue


def is_acts_file(path: Path) -> bool:
    """Whether a file holds dialogue acts rather than dialogues, by its name."""
    return path.name.startswith(ACTS_FILE)


def _acts_beside(files: list[Path]) -> list[Path]:
    """`dialog_acts.json` beside the files or one folder up, as the official data set has it."""
    folders = dict.fromkeys(folder for path in files for folder in (path.parent, path.parent.parent))
    paths = [folder / f"{ACTS_FILE}.json" for folder in folders]
    return [path for path in paths if os.path.isfile(path)][:1]


def _read_acts(files: list[Path]) -> dict[str, dict[str, Acts]]:
    """The acts by dialogue and turn, of files of acts and of members of zip files with that name."""
    return {
        id: {turn: acts.dialog_act for turn, acts in turns.items()}
        for path in files
        for name, raw in documents(path, Warnings(), prefix=ACTS_FILE)
        for id, turns in decode(name, raw, ACTS).items()
    }


def _read_by_dialogue(
    path: str | None, decoder: msgspec.json.Decoder[dict[str, T]], warnings: Warnings
) -> dict[str, T]:
    if not path:
        return {}
    name, raw = document(input_path(path), warnings)
    items = decode(name, raw, decoder)
    spellings: dict[str, str] = {}
    for id in items:
        if (known := spellings.setdefault(dialogue_key(id), id)) != id:
            raise BadInput(
                f"{name}: found {id!r} beside {known!r}; they differ only in case or .json; keep one of them"
            )
    return {dialogue_key(id): item for id, item in items.items()}


def _with_bookings(turns: tuple[ServiceTurn, ...], booked: BookedDomains) -> tuple[ServiceTurn, ...]:
    """The turns with the domains booked by each reply in its gold annotation."""
    per_reply = iter(booked)
    return tuple(
        turn
        if not is_reply(turn) or (domains := next(per_reply, None)) is None
        else structs.replace(
            turn, gold=structs.replace(turn.gold or Annotation(), booked=tuple(map(str.lower, domains)))
        )
        for turn in turns
    )
