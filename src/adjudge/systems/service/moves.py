"""Moves: what the action part decided to do, before it is put into words."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Act = Literal["greet", "ask", "offer", "inform", "none", "book", "refuse", "close"]


class Move(Struct, frozen=True, omit_defaults=True):
    """One move of the system.

    `ask` asks for `slots`, `offer` names the venue or train `id`, `inform` gives facts of it, `none` says that nothing
    fits, `book` confirms a booking with its `reference`, `refuse` passes on that the venue is not free, `close` ends.
    `facts` are the slots to be told beside, with their values; `state` is the state of the dialogue with what the
    move settles, such as the name of the venue to be booked. `choices` is how many rows fit.
    """

    act: Act
    domain: str = ""
    id: str = ""
    slots: tuple[str, ...] = ()
    facts: dict[str, str] = {}
    state: dict[str, str] = {}
    reference: str = ""
    choices: int = 0
