"""The types of a play: cases, what participants see and say, requests to models, and the ends of conversations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

from msgspec import Struct

from adjudge.core.mark import Status
from adjudge.core.record import Call, Participant

A = TypeVar("A")
N = TypeVar("N")

EndReason = Literal["participant", "protocol", "turns", "time", "budget", "error"]
MessageRole = Literal["system", "user", "assistant"]


class Case(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The task of one conversation; each suite adds its own fields.

    `facets` are properties by which tables can be broken down. A `credentialed` case may be held under a data use
    agreement: it is sent only to models that the user has allowed by name.

    >>> from adjudge import Case
    >>> Case(id="refund-1", facets={"persona": "impatient"}).id
    'refund-1'
    """

    id: str
    facets: dict[str, str] = {}
    credentialed: bool = False


C = TypeVar("C", bound=Case)


class CaseRow(NamedTuple, Generic[C]):
    """A case, with the undecoded row that it was read from and its place in the file.

    The row shows what a suite leaves out of its cases, such as identifiers of data under an agreement.
    """

    where: str
    row: bytes
    case: C


class Message(Struct, frozen=True, gc=False):
    """One message of a prompt.

    `material` is data, such as a transcript as JSON, and never an instruction. It follows the text between
    unpredictable marks, and the model is told that what stands between them is data.

    >>> from adjudge import Message
    >>> Message("user", "Summarise this.", material='["Hello"]').role
    'user'
    """

    role: MessageRole
    text: str
    material: str = ""


class Tool(Struct, frozen=True, gc=False):
    """A tool that a model may call; `arguments` is the struct of its parameters.

    >>> from msgspec import Struct
    >>> from adjudge import Tool
    >>> class Search(Struct):
    ...     town: str
    >>> Tool("search", "find hotels in a town", Search).name
    'search'
    """

    name: str
    description: str
    arguments: type[Any]


class ToolCalls(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to a prompt with tools: what the model says, and the tools that it calls, with checked arguments.

    The participant runs the tools itself, and tells their results in the material of a further message.

    >>> from adjudge import Call, ToolCalls
    >>> ToolCalls(calls=(Call("search", {"town": "Ely"}),)).calls[0].name
    'search'
    """

    text: str = ""
    calls: tuple[Call, ...] = ()


class Prompt(Struct, Generic[A], frozen=True, gc=False):
    """A request of a participant to a model: messages, and the type of the answer.

    The answer type is a struct whose fields come in the order in which the model should think, `str` for plain text, or
    `ToolCalls` where the model may call `tools`. `part` names the part of the system that asks: it selects the model
    (`--model PART=MODEL`) and stands in the traces. `temperature` is None to use the model's own setting. `draw`
    numbers the answers to the same prompt.

    `trial` is set by the engine where the temperature is above 0, so that every trial has its own answers. `session`
    is set by the engine for servers under test: it is sent along, and no other session shares the answer.

    >>> from adjudge import Message, Prompt
    >>> Prompt((Message("user", "Hello"),), str, part="reply").part
    'reply'
    """

    messages: tuple[Message, ...]
    answer: type[A]
    part: str = ""
    temperature: float | None = None
    draw: int = 0
    tools: tuple[Tool, ...] = ()
    trial: int = 0
    session: tuple[tuple[str, str], ...] = ()


class Ask(Protocol):
    """The `ask` argument of a participant: prompts in, answers out, in the same order.

    It raises `Unanswered` where the model refuses, fails or answers nonsense. A participant may catch that and go on;
    otherwise the conversation ends with an error.

    A step is tested with any function of this type:

    >>> from adjudge import Message, Prompt
    >>> def ask(prompts):
    ...     return ["Which town?" for prompt in prompts]
    >>> ask([Prompt((Message("user", "I need a hotel"),), str)])
    ['Which town?']
    """

    def __call__(self, prompts: Sequence[Prompt[A]]) -> list[A]:
        """The answers, each of its prompt's type."""


class Utterance(Struct, frozen=True, gc=False, omit_defaults=True):
    """A turn as the other participants hear it. `number` is its place in the conversation, from 0."""

    number: int
    speaker: str
    text: str
    to: tuple[str, ...] = ()


class View(Struct, Generic[N], frozen=True):
    """All that a participant knows when it takes a step.

    `facts` are the facts of the case that this participant may know, `turns` the turns it hears; the setup's `view`
    function makes both. `notes` is what the participant itself returned as `Said.notes` in its last step, None at
    first. `turn` is the number of the turn that is to be made.

    >>> from adjudge import View
    >>> View("agent", facts=None, case="refund-1", turn=2).turn
    2
    """

    participant: str
    facts: Any
    turns: tuple[Utterance, ...] = ()
    notes: N | None = None
    case: str = ""
    conversation: str = ""
    trial: int = 0
    turn: int = 0


class Decision(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """What one part of a participant decided or did within a turn, shown under the turn.

    `text` says it in a sentence, `data` holds the typed hand-over as JSON. `attempt` counts from 1 where a part is
    sent back. `call` is the use of a tool, such as a search in a database.

    >>> from adjudge import Call, Decision
    >>> Decision("search", "2 hotels", call=Call("search", {"town": "Ely"})).call.arguments
    {'town': 'Ely'}
    """

    part: str
    text: str
    data: dict[str, Any] = {}
    attempt: int = 1
    call: Call | None = None


class Said(Struct, Generic[N], frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a participant says in one step.

    `to` names the participants it is addressed to (nobody: all). `passes` means that it says nothing this time.
    `ends` is the reason why it ends the conversation, empty to go on. `facts` are the suite's own (state, acts,
    ballots, plan), of the type that the participant's `Role` declares. `notes` is private memory: it comes back in the
    next view of this participant. `decisions` are what its parts did.

    Facts and notes are written to `turns.jsonl` and read again after an interruption, so they must be plain values or
    structs. The type of the notes is taken from the return annotation of the step (`-> Said[Memory]`).

    >>> from adjudge import Said
    >>> Said("Goodbye.", ends="the task is done").ends
    'the task is done'
    """

    text: str = ""
    to: tuple[str, ...] = ()
    passes: bool = False
    ends: str = ""
    facts: Any = None
    notes: N | None = None
    decisions: tuple[Decision, ...] = ()


class PlayedTurn(Struct, frozen=True):
    """A committed turn: its number in the conversation, who made it, and what it said."""

    number: int
    speaker: str
    content: Said[Any]


class End(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """Why a conversation ended.

    `by` is the participant who ended it or whose error it was, with its part where that is known ("system/triage").
    `status` says what kind of error it was, and `why` is a sentence.

    >>> from adjudge import End
    >>> End("participant", by="user").reason
    'participant'
    """

    reason: EndReason
    by: str = ""
    status: Status | None = None
    why: str = ""


class Limits(Struct, frozen=True, gc=False):
    """The limits of each conversation: turns, seconds, calls of models, and US dollars; None sets no limit."""

    turns: int = 40
    seconds: float | None = None
    calls: int | None = None
    cost: float | None = None


class Floor(Struct, frozen=True):
    """The input of a protocol: who takes part, and the turns so far, passes included."""

    participants: tuple[Participant, ...]
    turns: tuple[PlayedTurn, ...]


# Who takes the next step. Several participants step at once: each sees the same turns, and their turns are committed
# together in this order. Nobody: the conversation is over.
TurnTaking = Callable[[Floor], tuple[str, ...]]


class Spent(Struct, frozen=True, gc=False, omit_defaults=True):
    """What the answers in a conversation took when they were first asked, cached or not.

    `answers` counts those of models and of a user's own system; failures are not counted, but what they took is.
    `seconds` add up the time of each answer. `cost` is None where that of one of them is unknown, as it always is for a
    user's own system, whose tokens nobody counts.
    """

    answers: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    cost: float | None = 0.0

    def __add__(self, other: Spent) -> Spent:
        """The sum of both; its cost is unknown if one of the costs is."""
        return Spent(
            self.answers + other.answers,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.seconds + other.seconds,
            None if self.cost is None or other.cost is None else self.cost + other.cost,
        )


class PlayedConversation(Struct, frozen=True):
    """A conversation that has ended, as a suite makes a record of it.

    `tools` are the names of all that the arm's own steps take, such as `ask` or a tool of the setup.
    """

    id: str
    case: Any
    arm: str
    trial: int
    participants: tuple[Participant, ...]
    turns: tuple[PlayedTurn, ...]
    end: End
    spent: Spent = Spent()
    tools: frozenset[str] = frozenset()
