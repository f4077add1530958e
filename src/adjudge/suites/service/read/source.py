"""Where service dialogues come from: gold files with prediction files beside them, or our own records."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePath
from typing import Any, TypeVar

import msgspec
from msgspec import structs

from adjudge.core.errors import BadInput, BadRecord, Warnings, bad_record
from adjudge.core.suite import Options, Refuse
from adjudge.read.decode import decode, lenient_row
from adjudge.read.files import document, documents, rows
from adjudge.suites.service.data import USER, Annotation, Goal, ServiceDialogue, ServiceTurn
from adjudge.suites.service.read.formats import ActsOfDialogue, Reader, read_hub, read_official, reader_of
from adjudge.suites.service.read.predictions import Predictions, dialogue_key, joined
from adjudge.suites.service.read.survey import Gold, ServiceSurvey
from adjudge.suites.service.rules.actions import DEFAULT_ACTIONS, Actions

ACTS_FILE = "dialog_acts"
LONG = 100_000

T = TypeVar("T")

GOALS = msgspec.json.Decoder(dict[str, dict[str, Goal]])
BOOKED = msgspec.json.Decoder(dict[str, tuple[tuple[str, ...], ...]])


class DialogActs(msgspec.Struct):
    """The acts of one turn in `dialog_acts.json`."""

    dialog_act: dict[str, tuple[tuple[str, str], ...]] = {}


ACTS = msgspec.json.Decoder(dict[str, dict[str, DialogActs]])


class ServiceSource:
    """The dialogues of the files, joined with predictions, goals and bookings where these are given."""

    def __init__(self, files: list[Path], options: Options) -> None:
        self.options = options
        self.warnings = Warnings()
        self.gold = Gold()
        self._gold = [path for path in files if not path.name.startswith(ACTS_FILE)]
        self._acts_files = [path for path in files if path.name.startswith(ACTS_FILE)] or _acts_beside(files)
        self._acts = _acts([*self._acts_files, *self._gold], self.warnings)
        self._goals = _by_dialogue(options.get("goals"), GOALS, self.warnings)
        self._booked = _by_dialogue(options.get("booked"), BOOKED, self.warnings)
        self.arms = _arms(options, self.warnings)
        self._readers: dict[str, Reader] = {}
        self._rename: dict[str, str] = {}
        self._rename = self._renames(slot_map(options.get("map") or ()))

    @property
    def files(self) -> list[Path]:
        """Every file that is read."""
        named = [self.options.get(name) for name in ("goals", "booked", "policy", "actions")]
        return [
            *self._gold,
            *self._acts_files,
            *(arm.path for arm in self.arms),
            *(Path(path) for path in named if path),
            *(sorted(Path(self.options["db"]).glob("*_db.json")) if self.options.get("db") else ()),
        ]

    def rows(self, warnings: Warnings, refuse: Refuse | None = None) -> Iterator[tuple[str, bytes]]:
        """The undecoded dialogues in order, each with the place it stands at."""
        for complaint in itertools.chain.from_iterable(arm.refused for arm in self.arms):
            if refuse is None:
                raise BadRecord(complaint)
            refuse(complaint)
        for path in self._gold:
            for where, raw in rows(path, warnings, refuse=refuse):
                if f"/{ACTS_FILE}" not in where:
                    yield where, raw

    def records(self, where: str, row: bytes, warnings: Warnings) -> list[ServiceDialogue]:
        """The records of one dialogue: one for each arm that has predictions for it."""
        gold = self._complete(self._read(where, row, warnings), where)
        _refuse_repeated_turns(where, gold)
        if len(row) > LONG:
            _note_long_texts(where, gold, warnings)
        self._note(gold)
        if not self.arms:
            return [gold]
        missing_is_wrong = self.options.get("missing") == "wrong"
        gold_states = self.options.get("state") == "gold"
        records = (joined(gold, arm, self._rename, gold_states, missing_is_wrong) for arm in self.arms)
        return [record for record in records if record is not None]

    def survey(self) -> ServiceSurvey:
        """An empty survey of these records."""
        actions = Actions.load(Path(self.options.get("actions") or DEFAULT_ACTIONS))
        return ServiceSurvey(self.arms, self.gold, actions.actions)

    def _note(self, dialogue: ServiceDialogue) -> None:
        """Remember what gold holds, each dialogue once however often it is read."""
        key = dialogue_key(dialogue.id)
        if key in self.gold.turns:
            return
        self.gold.turns[key] = sum(turn.speaker == USER for turn in dialogue.turns)
        self.gold.slots.update({slot for turn in dialogue.turns if turn.gold for slot in turn.gold.state or ()})
        if self.options.get("goals"):
            self.gold.goals = (self.gold.goals or 0) + (key in self._goals)
        if self.options.get("db"):
            known = any(turn.gold is not None and turn.gold.booked is not None for turn in dialogue.turns)
            self.gold.booked = (self.gold.booked or 0) + known

    def _read(self, where: str, row: bytes, warnings: Warnings) -> ServiceDialogue:
        if self.options.get("lenient"):
            row = lenient_row(where, row, warnings)
        file = where.rpartition(":")[0]
        reader = self._readers.get(file)
        if reader is None:
            reader = self._readers[file] = reader_of(where, row)
        return reader(where, row, warnings, self._acts)

    def _complete(self, dialogue: ServiceDialogue, where: str) -> ServiceDialogue:
        """The dialogue with its arm, goal, bookings and mapped slots filled in."""
        changes: dict[str, Any] = {}
        if not dialogue.arm and not self.arms:
            changes["arm"] = self._unnamed_arm(where.rpartition(":")[0])
        key = dialogue_key(dialogue.id) if self._goals or self._booked else ""
        if key in self._goals:
            changes["goal"] = self._goals[key]
        turns = dialogue.turns
        if key in self._booked:
            turns = _with_bookings(turns, self._booked[key])
        if self._rename and not self.arms:
            turns = tuple([_renamed(turn, self._rename) for turn in turns])
        if self.options.get("missing") == "wrong" and not self.arms:
            turns = tuple([_answered(turn) for turn in turns])
        if turns is not dialogue.turns:
            changes["turns"] = turns
        return structs.replace(dialogue, **changes) if changes else dialogue

    def _unnamed_arm(self, file: str) -> str:
        """The arm of records that do not name it: their file's, but a data set split over files is one arm."""
        if named := self.options.get("arm"):
            if len(named) > 1 or not named[0]:
                raise BadInput(f"--arm: found {named}; expected one name, or one for each file of --predictions")
            return str(named[0])
        is_split = len(self._gold) > 1 or file != str(self._gold[0])
        is_gold = self._readers[file] in (read_official, read_hub)
        name = "gold" if is_split and is_gold else arm_name(file)
        if is_gold:
            self.gold.arms.add(name)
        return name

    def _renames(self, given: Mapping[str, str]) -> dict[str, str]:
        """The mapping by full slot name; a name without domain holds wherever gold lacks that slot."""
        full = {old: new for old, new in given.items() if "-" in old}
        bare = {old: new for old, new in given.items() if "-" not in old}
        if bare:
            gold, predicted = self._slot_names()
            for name in sorted(predicted - gold):
                domain, _, slot = name.partition("-")
                if slot in bare:
                    full.setdefault(name, f"{domain}-{bare[slot]}")
        return full

    def _slot_names(self) -> tuple[set[str], set[str]]:
        """All slots in gold states and all in predicted ones."""
        gold: set[str] = set()
        predicted = {slot for arm in self.arms for slot in arm.slots()}
        for where, row in self.rows(Warnings(), lambda complaint: None):
            try:
                turns = self._read(where, row, Warnings()).turns
            except BadRecord:
                continue  # Refused with its reason when the records are surveyed.
            for turn in turns:
                gold.update((turn.gold and turn.gold.state) or ())
                predicted.update((turn.predicted and turn.predicted.state) or ())
        return gold, predicted


def slot_map(given: Iterable[str]) -> dict[str, str]:
    """The renaming in `--map old=new` arguments.

    >>> slot_map(["people=bookpeople", "hotel-day=hotel-bookday"])
    {'people': 'bookpeople', 'hotel-day': 'hotel-bookday'}
    """
    renames: dict[str, str] = {}
    for pair in given:
        old, sign, new = pair.partition("=")
        if not (old and sign and new) or ("-" in old) != ("-" in new):
            raise BadInput(
                f"--map {pair}: expected old=new, both with or both without their domain, such as people=bookpeople"
            )
        renames[old] = new
    return renames


def arm_name(path: str) -> str:
    """The name of an arm: its file's name without endings.

    >>> arm_name("predictions/ubar.json.gz"), arm_name("gpt-3.5.jsonl")
    ('ubar', 'gpt-3.5')
    """
    name = PurePath(path).name
    while (suffix := PurePath(name).suffix) in (".gz", ".zip", ".json", ".jsonl"):
        name = name.removesuffix(suffix)
    return name


def _arms(options: Options, warnings: Warnings) -> list[Predictions]:
    paths = [Path(path) for path in options.get("predictions") or ()]
    names = list(options.get("arm") or ())
    if paths and names and len(names) != len(paths):
        raise BadInput(f"--arm: found {len(names)} names for {len(paths)} prediction files; expected one for each")
    names = names if paths and names else [arm_name(str(path)) for path in paths]
    if repeated := [name for name in names if names.count(name) > 1]:
        raise BadInput(
            f"two prediction files for the arm {repeated[0]!r}; name the arms with --arm, once for each file"
        )
    lenient = bool(options.get("lenient"))
    return [Predictions.load(path, name, warnings, lenient) for path, name in zip(paths, names, strict=True)]


def _acts_beside(files: list[Path]) -> list[Path]:
    """`dialog_acts.json` beside the files or one folder up, as the official data set has it."""
    folders = dict.fromkeys(folder for path in files for folder in (path.parent, path.parent.parent))
    paths = [folder / f"{ACTS_FILE}.json" for folder in folders]
    return [path for path in paths if os.path.isfile(path)][:1]


def _acts(files: list[Path], warnings: Warnings) -> dict[str, ActsOfDialogue]:
    """The acts by dialogue and turn, of files named so and of members named so in zip files."""
    found: dict[str, ActsOfDialogue] = {}
    for path in files:
        if not path.name.startswith(ACTS_FILE) and path.suffix != ".zip":
            continue
        for name, raw in documents(path, Warnings(), prefix=ACTS_FILE):
            for id, turns in decode(name, raw, ACTS).items():
                found[id] = {turn: acts.dialog_act for turn, acts in turns.items()}
    return found


def _by_dialogue(path: str | None, decoder: msgspec.json.Decoder[dict[str, T]], warnings: Warnings) -> dict[str, T]:
    if not path:
        return {}
    name, raw = document(Path(path), warnings)
    return {dialogue_key(id): item for id, item in decode(name, raw, decoder).items()}


def _with_bookings(turns: tuple[ServiceTurn, ...], booked: tuple[tuple[str, ...], ...]) -> tuple[ServiceTurn, ...]:
    """The turns with the domains booked by each reply in its gold annotation."""
    per_reply = iter(booked)
    return tuple(
        turn
        if turn.speaker == USER or (domains := next(per_reply, None)) is None
        else structs.replace(turn, gold=structs.replace(turn.gold or Annotation(), booked=domains))
        for turn in turns
    )


def _answered(turn: ServiceTurn) -> ServiceTurn:
    """The turn with an empty prediction where the user spoke and nothing was predicted."""
    if turn.speaker != USER or turn.predicted is not None:
        return turn
    return structs.replace(turn, predicted=Annotation())


def _renamed(turn: ServiceTurn, rename: Mapping[str, str]) -> ServiceTurn:
    said = turn.predicted
    if said is None or said.state is None:
        return turn
    state = {rename.get(slot, slot): value for slot, value in said.state.items()}
    return structs.replace(turn, predicted=structs.replace(said, state=state))


def _note_long_texts(where: str, dialogue: ServiceDialogue, warnings: Warnings) -> None:
    for turn in dialogue.turns:
        if len(turn.text) > LONG:
            warnings.add("long", f"{where}: turn {turn.id}: a text of {len(turn.text):,} characters")


def _refuse_repeated_turns(where: str, dialogue: ServiceDialogue) -> None:
    ids = [turn.id for turn in dialogue.turns]
    if len(set(ids)) < len(ids):
        repeated = next(id for place, id in enumerate(ids) if id in ids[:place])
        raise bad_record(
            where,
            f"turn {repeated!r} stands twice in dialogue {dialogue.id!r}; expected ids that differ",
            "turns",
        )
