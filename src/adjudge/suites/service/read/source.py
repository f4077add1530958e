"""Where service dialogues come from: gold files with prediction files beside them, or our own records."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from msgspec import structs

from adjudge.convert.chat import gather_messages, row_object
from adjudge.core.errors import BadInput, BadRecord, Warnings, bad_record
from adjudge.core.shard import Shard
from adjudge.core.suite import Options, Refuse
from adjudge.read.decode import lenient_row
from adjudge.read.files import rows
from adjudge.read.shards import can_be_split, first_line, shard_rows
from adjudge.suites.service.data import USER, DomainSource, ServiceDialogue
from adjudge.suites.service.read.attachments import ACTS_FILE, DialogueFiles, is_acts_file
from adjudge.suites.service.read.formats import Reader, is_lone_message, read_hub, read_official, reader_of
from adjudge.suites.service.read.joining import Joining
from adjudge.suites.service.read.names import arm_name, dialogue_key, slot_map
from adjudge.suites.service.read.predictions import Predictions
from adjudge.suites.service.read.survey import ServiceSurvey
from adjudge.suites.service.rules.actions import DEFAULT_ACTIONS, Actions
from adjudge.tools.storage import input_path

# Texts of more characters cause a warning. A row of fewer bytes cannot hold one, so it is not searched.
LONG = 100_000


class ServiceSource:
    """The dialogues of the files, joined with predictions, goals and bookings where these are given."""

    def __init__(self, files: list[Path], options: Options) -> None:
        self.options = options
        self.warnings = Warnings()
        self.has_database = bool(options.get("db"))
        self._gold_files = [path for path in files if not is_acts_file(path)]
        self._attachments = DialogueFiles(files, options, self.warnings)
        self.arms = _read_arms(options, self.warnings)
        self._readers: dict[str, Reader] = {}
        self._ids: dict[str, str] = {}
        self._joining = Joining(
            rename=self._renames(slot_map(options.get("map") or ())),
            gold_states=options.get("state") == "gold",
            missing_is_wrong=options.get("missing") == "wrong",
            domains=None if self.arms else _domain_sources(options, 1)[0],
        )

    @property
    def files(self) -> list[Path]:
        """Every file that is read."""
        named = [self.options.get(name) for name in ("goals", "booked", "policy", "actions")]
        return [
            *self._gold_files,
            *self._attachments.acts_files,
            *(arm.path for arm in self.arms),
            *(input_path(path) for path in named if path),
            *(sorted(Path(self.options["db"]).glob("*_db.json")) if self.options.get("db") else ()),
        ]

    def rows(self, warnings: Warnings, refuse: Refuse | None = None) -> Iterator[tuple[str, bytes]]:
        """The undecoded dialogues in order, each with its place in the file."""
        for complaint in itertools.chain.from_iterable(arm.refused for arm in self.arms):
            if refuse is None:
                raise BadRecord(complaint)
            refuse(complaint)
        for path in self._gold_files:
            for where, raw in gather_messages(rows(path, warnings, refuse=refuse), is_lone_message):
                if f"/{ACTS_FILE}" not in where:
                    yield where, raw

    def shardable_files(self) -> dict[Path, bool]:
        """The files, if they hold records of our own or chats; dialogues of gold are told apart by one process."""
        firsts = {path: first_line(path) for path in self._gold_files}
        if self.arms or not all(self._stands_alone(path, first) for path, first in firsts.items()):
            return {}
        return {path: can_be_split(path) and not is_lone_message(row_object(first)) for path, first in firsts.items()}

    def shard_rows(self, shard: Shard, warnings: Warnings, refuse: Refuse | None = None) -> Iterator[tuple[str, bytes]]:
        """The undecoded dialogues of a shard; they are read in the format of the first one in the file."""
        path = input_path(shard.file)
        if shard.start and shard.file not in self._readers:
            self._readers[shard.file] = reader_of(shard.file, first_line(path))
        return gather_messages(shard_rows(shard, warnings, refuse, path), is_lone_message)

    def _stands_alone(self, path: Path, first: bytes) -> bool:
        """Whether the dialogues of a file can be read apart from each other, by its first line."""
        if is_lone_message(row_object(first)):
            return True
        try:
            return bool(first) and reader_of(str(path), first) not in (read_official, read_hub)
        except BadRecord:
            return False  # Refused with its reason when the records are surveyed.

    def records(self, where: str, row: bytes, warnings: Warnings) -> list[ServiceDialogue]:
        """The records of one dialogue: one for each arm that has predictions for it."""
        gold = self.gold_dialogue(where, row, warnings)
        self._refuse_other_spelling(where, gold.id)
        _refuse_repeated_turns(where, gold)
        if gold.turns and gold.turns[0].speaker != USER:
            warnings.add("first", f"{where}: the first turn is the system's; what it says is not scored")
        if len(row) > LONG:
            _warn_of_long_texts(where, gold, warnings)
        if not self.arms:
            return [self._with_arm(self._joining.complete(gold), where)]
        records = (self._joining.join(gold, arm) for arm in self.arms)
        return [record for record in records if record is not None]

    def gold_dialogue(self, where: str, row: bytes, warnings: Warnings) -> ServiceDialogue:
        """The dialogue of a row with its goal and its bookings, without predictions from other files."""
        return self._attachments.attach(where, self._read(where, row, warnings))

    def survey(self) -> ServiceSurvey:
        """An empty survey of these records."""
        actions = Actions.load(Path(self.options.get("actions") or DEFAULT_ACTIONS))
        return ServiceSurvey(self, actions.actions)

    @property
    def goal_ids(self) -> Collection[str] | None:
        """The dialogues of the file of goals; None where no such file was given."""
        return self._attachments.goals.keys() if self.options.get("goals") else None

    @property
    def gold_arms(self) -> set[str]:
        """The arm names of gold dialogues without predictions."""
        if self.arms or self.options.get("arm"):
            return set()
        return {self._arm_of_file(file) for file in self._readers if self._is_gold(file)}

    def _read(self, where: str, row: bytes, warnings: Warnings) -> ServiceDialogue:
        if self.options.get("lenient"):
            row = lenient_row(where, row, warnings)
        file = where.rpartition(":")[0]
        reader = self._readers.get(file)
        if reader is None:
            reader = self._readers[file] = reader_of(where, row)
        return reader(where, row, warnings, self._attachments)

    def _refuse_other_spelling(self, where: str, id: str) -> None:
        """Refuse a second gold dialogue if prediction files cannot distinguish its id from that of the first."""
        if not self.arms and not self._is_gold(where.rpartition(":")[0]):
            return
        known = self._ids.setdefault(dialogue_key(id), id)
        if known != id:
            raise bad_record(
                where,
                f"found {id!r} beside {known!r}; they differ only in case or .json, and prediction files write both as "
                f"{dialogue_key(id)!r}; keep one of them",
                "dialogue_id",
            )

    def _with_arm(self, dialogue: ServiceDialogue, where: str) -> ServiceDialogue:
        """The dialogue with its arm: the one it names, else that of --arm, else that of its file."""
        if dialogue.arm:
            return dialogue
        names = self.options.get("arm")
        if names and (len(names) > 1 or not names[0]):
            raise BadInput(f"--arm: found {names}; expected one name, or one for each file of --predictions")
        return structs.replace(dialogue, arm=names[0] if names else self._arm_of_file(where.rpartition(":")[0]))

    def _arm_of_file(self, file: str) -> str:
        """The arm of the records of a file; a gold data set that is split over files is one arm."""
        is_split = len(self._gold_files) > 1 or file != str(self._gold_files[0])
        return "gold" if is_split and self._is_gold(file) else arm_name(file)

    def _is_gold(self, file: str) -> bool:
        return self._readers[file] in (read_official, read_hub)

    def _renames(self, given: Mapping[str, str]) -> dict[str, str]:
        """The renaming by full slot name; a name without domain applies in every domain where gold lacks the slot."""
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


def _read_arms(options: Options, warnings: Warnings) -> list[Predictions]:
    paths = [input_path(path) for path in options.get("predictions") or ()]
    names = list(options.get("arm") or ())
    if paths and names and len(names) != len(paths):
        raise BadInput(f"--arm: found {len(names)} names for {len(paths)} prediction files; expected one for each")
    names = names if paths and names else [arm_name(str(path)) for path in paths]
    if repeated := [name for name in names if names.count(name) > 1]:
        raise BadInput(
            f"two prediction files for the arm {repeated[0]!r}; name the arms with --arm, once for each file"
        )
    lenient = bool(options.get("lenient"))
    arms = [Predictions.load(path, name, warnings, lenient) for path, name in zip(paths, names, strict=True)]
    sources = _domain_sources(options, len(arms))
    return [arm.with_domains(source) if source else arm for arm, source in zip(arms, sources, strict=True)]


def _domain_sources(options: Options, arms: int) -> list[DomainSource | None]:
    """The source of domains that --domains names for each arm; None where it names none."""
    given = list(options.get("domains") or (None,))
    if len(given) not in (1, arms):
        raise BadInput(
            f"--domains: found {len(given)} sources for {arms} prediction files; expected one for all or one for each"
        )
    return given * arms if len(given) == 1 else given


def _warn_of_long_texts(where: str, dialogue: ServiceDialogue, warnings: Warnings) -> None:
    for turn in dialogue.turns:
        if len(turn.text) > LONG:
            warnings.add("long", f"{where}: turn {turn.id}: a text of {len(turn.text):,} characters")


def _refuse_repeated_turns(where: str, dialogue: ServiceDialogue) -> None:
    ids = [turn.id for turn in dialogue.turns]
    if len(set(ids)) < len(ids):
        repeated = next(id for place, id in enumerate(ids) if id in ids[:place])
        raise bad_record(
            where,
            f"turn {repeated!r} appears twice in dialogue {dialogue.id!r}; expected ids that differ",
            "turns",
        )
