"""Conversations of any kind: who took part, what was said and done, what it was for, and how it ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from adjudge.core.record import Record, Turn
from adjudge.core.usage import Usage


class Outcome(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a conversation ended, as its log says it: reached or not, a score by name, and in words.

    `reached` is None where the log does not say whether the goal was reached.

    >>> from adjudge import Outcome
    >>> Outcome(reached=False, text="no refund was made").reached
    False
    """

    reached: bool | None = None
    scores: dict[str, float] = {}
    text: str = ""


class Fault(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The decisive error, as an annotator named it: whose it was, the id of its turn, and why."""

    agent: str
    turn: str = ""
    why: str = ""


class Criterion(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What must hold in a conversation, or must not, in words for a judge."""

    text: str
    must: bool = True


class Conversation(Record, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, dict=True):
    """A conversation between any number of parties, from the log of any tool.

    `goal` is what it was for, and `outcome` how it ended. `tools` names the tools that the parties could call; empty
    where the log does not list them. `faults` are decisive errors that annotators named. `usage` is what the whole
    conversation took where the log does not say it turn by turn. `instructions` are the system prompts by the id of the
    participant who got them; those of the empty id are for every agent. `criteria` are what a test of the conversation
    asks a judge.

    >>> from adjudge import Conversation, Turn
    >>> talk = Conversation(id="a", goal="a refund", turns=(Turn("0", "Ann", "I want a refund"),))
    >>> list(talk.prose)
    ['I want a refund']
    """

    turns: tuple[Turn, ...] = ()
    goal: str = ""
    outcome: Outcome | None = None
    tools: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    usage: Usage | None = None
    instructions: dict[str, str] = field(default_factory=dict)
    criteria: tuple[Criterion, ...] = ()

    @property
    def given_parts(self) -> Mapping[str, object]:
        """The goal."""
        return {"goal": self.goal}

    @property
    def prose(self) -> Iterable[str]:
        """What the parties said."""
        return (turn.text for turn in self.turns if turn.kind == "speech")
