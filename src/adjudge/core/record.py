"""Records: what is judged."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Kind = Literal["human", "simulated", "agent", "tool"]


class Participant(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One party of a conversation: its id in the turns, its role in the task, and what it is."""

    id: str
    role: str = ""
    kind: Kind = "agent"


class Turn(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """What one participant said at one point."""

    id: str
    speaker: str
    text: str = ""


class Key(Struct, frozen=True, gc=False, order=True):
    """What identifies a record within a run."""

    case: str
    arm: str
    trial: int = 0

    def __str__(self) -> str:
        trial = f" #{self.trial}" if self.trial else ""
        return f"{self.case} ({self.arm}){trial}"


class Record(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One conversation or decision under test.

    `case` is the task (the same for all arms that were given it; the id where it is left out), `arm` the
    system or condition under test, `trial` the how-manieth attempt. `facets` are properties of the whole
    record by which tables can be broken down (condition, persona, language). A `credentialed` record may be held under
    a data use agreement: it is sent to no judge and no embedding server unless the user allows that very one.
    """

    id: str
    case: str = ""
    arm: str = ""
    trial: int = 0
    participants: tuple[Participant, ...] = ()
    facets: dict[str, str] = {}
    credentialed: bool = False

    @property
    def key(self) -> Key:
        """Case, arm and trial: what identifies this record."""
        return Key(self.case or self.id, self.arm, self.trial)
