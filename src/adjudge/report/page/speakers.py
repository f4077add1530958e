"""Who speaks: a face of shape, initial and colour for each, and the name beside it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from adjudge.report.page.facts import objects

# The assistant has the first shape, the others get the next eight in turn.
SHAPES = 8
ASSISTANTS = ("assistant", "system", "agent", "bot", "chatbot", "planner", "doctor")


class Speaker(Struct, frozen=True):
    """A speaker: the name in the turns, the number of the face, its initial, and the role and kind in words."""

    name: str
    face: int
    initial: str
    role: str = ""

    @property
    def is_assistant(self) -> bool:
        """Whether this is the one who serves the others."""
        return self.face == 0


def speakers_of(record: dict[str, Any]) -> dict[str, Speaker]:
    """The speakers of a record by name, in the order in which they are listed or speak."""
    people = [*objects(record.get("participants")), *objects(record.get("members"))]
    roles = {str(person.get("id") or ""): _role(person) for person in people}
    for turn in objects(record.get("turns")):
        roles.setdefault(str(turn.get("speaker") or ""), "")
    assistant = _assistant(roles)
    speakers: dict[str, Speaker] = {}
    for name, role in roles.items():
        if name:
            number = 0 if name == assistant else (len(speakers) - (assistant in speakers)) % SHAPES + 1
            speakers[name] = Speaker(name, number, _initial(name, speakers), role)
    return speakers


def _assistant(roles: dict[str, str]) -> str | None:
    """The name of the one who serves the others; None where nobody is known to."""
    for word in ASSISTANTS:
        for name, role in roles.items():
            if name.casefold() == word or role.casefold().split(",")[0] == word:
                return name
    return None


def _role(person: dict[str, Any]) -> str:
    role, kind, name = (str(person.get(key) or "") for key in ("role", "kind", "id"))
    words = [role if role != name else "", kind if kind in ("human", "simulated", "tool") else ""]
    return ", ".join(filter(None, words))


def _initial(name: str, taken: dict[str, Speaker]) -> str:
    """The first letter of a name, or its first two where somebody before has the same first letter."""
    letters = [char for char in name if char.isalnum()] or ["?"]
    first = letters[0].upper()
    if all(speaker.initial != first for speaker in taken.values()):
        return first
    return first + (letters[-1] if letters[-1].isdigit() else letters[1] if len(letters) > 1 else "").lower()
