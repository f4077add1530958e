"""From the committed turns of a play to the suite's records, in the order of the cases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import structs

from adjudge.core.errors import BadInput
from adjudge.core.play import PlayedConversation, PlayedTurn, Said, Spent
from adjudge.core.record import Key, Record
from adjudge.core.system import Setup
from adjudge.play.arms import Arm
from adjudge.run.played import TURNS, EndLine, Played, TurnLine


def decode_turn(line: TurnLine, setup: Setup, arm: Arm, role: str) -> PlayedTurn:
    """A committed turn with its facts and notes in their own types."""
    try:
        facts = _decode(line.facts, setup.role(role).facts)
        notes = _decode(line.notes, arm.players[role].notes_type)
    except msgspec.MsgspecError as error:
        raise BadInput(
            f"{TURNS}: turn {line.turn} of {line.key}: {error}; the file or the system changed; start over with --fresh"
        ) from error
    content: Said[Any] = Said(line.text, line.to, line.passes, line.ends, facts, notes, line.decisions)
    return PlayedTurn(line.turn, line.speaker, content)


def _decode(raw: msgspec.Raw, kind: Any) -> Any:
    return None if bytes(raw) == b"null" else msgspec.json.decode(raw, type=kind)


class Archive:
    """The turns of all ended conversations, found by their places in the file, and what each conversation took."""

    def __init__(self, played: Played) -> None:
        self.played = played
        self.ends = played.ends()
        self.spent: dict[Key, Spent] = {}
        for trace in played.traces():
            if trace.kind == "answer":
                self.spent[trace.key] = self.spent.get(trace.key, Spent()) + trace.took
        self._places: dict[Key, list[tuple[int, int]]] = {}
        self._index()

    def lines(self, key: Key) -> Iterator[TurnLine]:
        """The turns of a conversation, in order."""
        with (self.played.folder / TURNS).open("rb") as file:
            for start, size in self._places.get(key, ()):
                file.seek(start)
                yield msgspec.json.decode(file.read(size), type=TurnLine)

    def _index(self) -> None:
        decoder, start = msgspec.json.Decoder(_RecordPlace), 0
        with (self.played.folder / TURNS).open("rb") as file:
            for line in file:
                place = decoder.decode(line)
                key = Key(place.case, place.arm, place.trial)
                self._places.setdefault(key, []).append((start, len(line)))
                start += len(line)


class _RecordPlace(msgspec.Struct):
    case: str
    arm: str
    trial: int = 0


def make_record(setup: Setup, arm: Arm, case: Any, archive: Archive, end: EndLine) -> Record:
    """The suite's record of a conversation that ended, from the lines of its archive."""
    participants = setup.participants(case)
    roles: Mapping[str, str] = {participant.id: participant.role for participant in participants}
    turns = tuple(decode_turn(line, setup, arm, roles[line.speaker]) for line in archive.lines(end.key))
    played = PlayedConversation(
        id=f"{end.case}/{end.arm}/{end.trial}",
        case=case,
        arm=end.arm,
        trial=end.trial,
        participants=participants,
        turns=turns,
        end=end.end,
        spent=archive.spent.get(end.key, Spent()),
        tools=frozenset(name for role in setup.roles if role.tested for name in arm.players[role.name].takes),
    )
    return suite_record(setup, played)


def suite_record(setup: Setup, played: PlayedConversation) -> Record:
    """The suite's record of a conversation, with its place; its facet `end` says why it ended."""
    record, case = setup.record(played), played.case
    return structs.replace(
        record,
        id=played.id,
        case=case.id,
        arm=played.arm,
        trial=played.trial,
        participants=record.participants or played.participants,
        facets={**case.facets, **record.facets, "end": played.end.reason},
        credentialed=case.credentialed,
    )
