"""A conversation while a reader builds it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from msgspec import structs

from adjudge.convert.fields import ReadingNotes, json_text, parse_json, short
from adjudge.core.conversation import Conversation
from adjudge.core.errors import bad_record
from adjudge.core.record import Call, CallStatus, Participant, ParticipantKind, Turn
from adjudge.core.usage import Usage


class ConversationBuilder:
    """The participants, turns and instructions of one conversation, in the order in which a reader adds them."""

    def __init__(self, where: str, notes: ReadingNotes) -> None:
        self.where = where
        self.notes = notes
        self.participants: dict[str, Participant] = {}
        self.turns: list[Turn] = []
        self.instructions: dict[str, list[str]] = {}
        self.calls: dict[str, Turn] = {}

    def participant(self, name: str, kind: ParticipantKind, role: str = "") -> str:
        """The id of a participant, who is listed when it first appears.

        A tool that is called like somebody else gets an id of its own.
        """
        known = self.participants.get(name)
        if known and (known.kind == "tool") != (kind == "tool"):
            name = f"{name} ({'tool' if kind == 'tool' else kind})"
        self.participants.setdefault(name, Participant(name, role, kind))
        return name

    def say(self, speaker: str, text: str, **more: Any) -> Turn:
        """A turn of speech, or of another `kind`; its id is given when it is added."""
        return Turn("", speaker, text, **more)

    def call(self, speaker: str, name: str, arguments: Any, id: str = "") -> Turn:
        """The turn of a call, which its result can find by the id."""
        turn = Turn("", speaker, kind="call", call=Call(name or "tool", arguments_of(arguments), id=id))
        if id:
            self.calls[id] = turn
        return turn

    def result(self, text: str, name: str = "", id: str = "", status: CallStatus | None = None) -> Turn:
        """The turn of a result: the tool speaks, to the caller where it is known."""
        made = self.calls.get(id)
        name = (made.call.name if made and made.call else name) or name or "tool"
        to = (made.speaker,) if made else ()
        tool = self.participant(name, "tool", "tool")
        return Turn("", tool, text, to=to, kind="result", call=Call(name, status=status, id=id))

    def instruct(self, text: str, who: str = "") -> None:
        """Keep an instruction to one participant, or to all of them."""
        texts = self.instructions.setdefault(who, [])
        if text and text not in texts:
            texts.append(text)

    def add(self, turns: Iterable[Turn], place: int | str) -> None:
        """Add the turns of the message at a place; the place is their id, with a number where there are several."""
        for number, turn in enumerate(turns):
            self.turns.append(structs.replace(turn, id=f"{place}.{number}" if number else str(place)))

    def conversation(self, id: str, **facts: Any) -> Conversation:
        """The conversation; one without any turn is kept, with a remark."""
        if not self.turns:
            self.notes.remark(self.where, "a conversation without any message")
        heard = {name for turn in self.turns for name in (turn.speaker, *turn.to)}
        instructions = {who: "\n\n".join(texts) for who, texts in self.instructions.items() if texts}
        return Conversation(
            id=id,
            participants=tuple(party for party in self.participants.values() if party.id in heard),
            turns=tuple(self.turns),
            instructions=instructions,
            **facts,
        )


def arguments_of(value: Any) -> dict[str, Any] | str:
    """The arguments of a call: an object where they are one or the JSON of one, else text.

    >>> arguments_of('{"city": "Rome"}'), arguments_of("Rome"), arguments_of(None)
    ({'city': 'Rome'}, 'Rome', {})
    """
    value = parse_json(value)
    if value is None:
        return {}
    return value if isinstance(value, dict) else json_text(value)


def with_time(turns: Iterable[Turn], time: datetime | None) -> Iterator[Turn]:
    """Turns with the time at which they happened."""
    return (structs.replace(turn, time=time) if time else turn for turn in turns)


def with_usage(turns: Sequence[Turn], usage: Usage | None) -> Sequence[Turn]:
    """Turns of one model call: the first has what the call took."""
    if usage is None or not turns:
        return turns
    return [structs.replace(turns[0], usage=usage), *turns[1:]]


def refuse_message(where: str, place: int, message: Any) -> Exception:
    """The complaint about something that is no message."""
    return bad_record(where, f"expected an object with a role, found {short(message)}", f"messages[{place}]")
