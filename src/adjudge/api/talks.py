"""A conversation as assertions see it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from adjudge.core.conversation import Conversation
from adjudge.core.record import Call, Turn


class Talk:
    """A conversation, or its beginning, with what assertions ask of it.

    >>> from adjudge import Call, Conversation, Talk, Turn
    >>> search = Turn("1.1", "agent", kind="call", call=Call("search", {"town": "Ely"}))
    >>> turns = (Turn("0", "user", "A hotel in Ely?"), search, Turn("1", "agent", "Two."))
    >>> talk = Talk(Conversation(id="a", turns=turns))
    >>> talk.called("search"), talk.called("search", town="Ely"), talk.called("book"), talk.last
    (True, True, False, 'Two.')
    """

    def __init__(self, conversation: Conversation, turns: Sequence[Turn] | None = None) -> None:
        self.conversation = conversation
        self.turns = tuple(conversation.turns if turns is None else turns)

    @property
    def calls(self) -> list[Call]:
        """The calls of tools, in order."""
        return [turn.call for turn in self.turns if turn.kind == "call" and turn.call is not None]

    @property
    def last(self) -> str:
        """What was said last, by whoever is not the user; empty if nobody has spoken."""
        return next((turn.text for turn in reversed(self._speech()) if turn.speaker != "user"), "")

    def has_call(self, tool: str, **arguments: Any) -> bool:
        """Whether a tool was called, with these arguments among others."""
        return any(call.name == tool and _includes(call.arguments, arguments) for call in self.calls)

    # Reads as a sentence: assert talk.called("search").
    called: Callable[..., bool] = has_call

    def says(self, text: str, speaker: str = "") -> bool:
        """Whether somebody, or this speaker, says a text; upper and lower case are the same."""
        wanted = text.casefold()
        return any(wanted in turn.text.casefold() for turn in self._speech() if not speaker or turn.speaker == speaker)

    def before_user_turn(self, number: int) -> Talk:
        """The beginning of the conversation, up to a turn of the user, counted from 0."""
        places = [place for place, turn in enumerate(self.turns) if turn.speaker == "user" and turn.kind == "speech"]
        return Talk(self.conversation, self.turns[: places[number]] if number < len(places) else self.turns)

    def _speech(self) -> list[Turn]:
        return [turn for turn in self.turns if turn.kind == "speech"]

    def __str__(self) -> str:
        return "\n".join(map(_line, self.turns))

    def __repr__(self) -> str:
        return f"<talk {self.conversation.id!r} with {len(self.turns)} turns>"


def _includes(given: dict[str, Any] | str, wanted: dict[str, Any]) -> bool:
    return not wanted or (isinstance(given, dict) and all(given.get(name) == value for name, value in wanted.items()))


def _line(turn: Turn) -> str:
    if turn.kind == "call" and turn.call is not None:
        return f"{turn.id:>5} {turn.speaker} calls {turn.call.name} {turn.call.arguments}"
    return f"{turn.id:>5} {turn.speaker}: {turn.text}"
