"""Transcripts: the length of a judged turn or conversation, and the position of a turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from adjudge.core.record import ParticipantKind

CUSTOMERS: tuple[ParticipantKind, ...] = ("human", "simulated")


class _Party(Struct, frozen=True):
    id: str
    kind: ParticipantKind = "agent"


class _Turn(Struct, frozen=True):
    id: str
    speaker: str = ""
    text: str = ""


class _Seen(Struct, frozen=True):
    participants: tuple[_Party, ...] = ()
    turns: tuple[_Turn, ...] = ()


_DECODER = msgspec.json.Decoder(_Seen)


class TurnTexts:
    """The turns of a record; empty if the record has no turns in the usual form."""

    def __init__(self, record: bytes) -> None:
        try:
            seen = _DECODER.decode(record)
        except msgspec.MsgspecError:  # A suite may use the name `turns` for something else.
            seen = _Seen()
        self._turns = seen.turns
        self._kinds = {party.id: party.kind for party in seen.participants}
        self._places = {turn.id: place for place, turn in enumerate(seen.turns)}

    def place(self, turn: str) -> int | None:
        """The position of a turn, counted from 1; None if there is no turn with this id."""
        place = self._places.get(turn)
        return None if place is None else place + 1

    def length(self, turn: str) -> int | None:
        """The number of characters judged at a turn; None if there is no text.

        For a turn of an agent this is its own text. For a turn of a human or simulated customer it is the agents'
        reply, because the reply is judged.
        """
        place = self._places.get(turn)
        if place is None:
            return None
        if not self._asks(self._turns[place]):
            return len(self._turns[place].text) or None
        return _characters(self._reply(place + 1))

    @property
    def whole(self) -> int | None:
        """The number of characters of all agents' turns; None if there is no text."""
        return _characters([turn for turn in self._turns if self._kind(turn) == "agent"])

    def _reply(self, start: int) -> Iterator[_Turn]:
        for turn in self._turns[start:]:
            if self._asks(turn):
                return
            if self._kind(turn) == "agent":
                yield turn

    def _asks(self, turn: _Turn) -> bool:
        return self._kind(turn) in CUSTOMERS

    def _kind(self, turn: _Turn) -> ParticipantKind:
        return self._kinds.get(turn.speaker, "agent")


def _characters(turns: Sequence[_Turn] | Iterator[_Turn]) -> int | None:
    return sum(len(turn.text) for turn in turns) or None
