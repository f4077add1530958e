"""What participants of a scenario may know, who speaks next, and the record of a played conversation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adjudge.core.conversation import Conversation, Criterion
from adjudge.core.play import Floor, PlayedConversation, PlayedTurn, Spent
from adjudge.core.record import Participant, Turn
from adjudge.core.system import Seen, hear
from adjudge.core.usage import Usage
from adjudge.systems.team.checks import outcome_of
from adjudge.systems.team.data import ScenarioCase

USER = Participant("user", "user", "simulated")


def participants(case: ScenarioCase) -> tuple[Participant, ...]:
    """The user and the agents."""
    return (USER, *(Participant(name, "agent", "agent") for name in case.agents))


def view(case: ScenarioCase, participant: Participant, turns: tuple[PlayedTurn, ...]) -> Seen:
    """The user knows the scenario; an agent knows only what is said, and who the other agents are."""
    if participant.role == "user":
        return Seen(case, hear(turns))
    return Seen({"agents": case.agents}, hear(turns))


def in_turn(floor: Floor) -> tuple[str, ...]:
    """The user, then each agent in order, without end."""
    return (floor.participants[len(floor.turns) % len(floor.participants)].id,)


def record(played: PlayedConversation) -> Conversation:
    """The conversation, with the uses of tools as turns of their own."""
    case: ScenarioCase = played.case
    turns = tuple(turn for each in played.turns for turn in _turns_of(each))
    return Conversation(
        id=played.id,
        participants=(*played.participants, *_tools_of(turns)),
        turns=turns,
        goal=case.goal,
        outcome=outcome_of(case, turns),
        tools=case.tools,
        usage=_usage(played.spent),
        criteria=(*map(Criterion, case.must), *(Criterion(text, must=False) for text in case.must_not)),
    )


def _turns_of(played: PlayedTurn) -> Iterator[Turn]:
    """The calls that a participant made before it spoke, each with its result, and what it said."""
    content, number = played.content, played.number
    used = [decision for decision in content.decisions if decision.call is not None]
    for place, decision in enumerate(used):
        call = decision.call
        assert call is not None
        yield Turn(f"{number}.{2 * place + 1}", played.speaker, kind="call", call=call)
        to = (played.speaker,)
        yield Turn(f"{number}.{2 * place + 2}", call.name, decision.text, to=to, kind="result", call=call)
    if not content.passes:
        yield Turn(str(number), played.speaker, content.text, to=content.to)


def _tools_of(turns: Iterable[Turn]) -> list[Participant]:
    """The tools that were used, which speak in the results of their calls."""
    names = dict.fromkeys(turn.speaker for turn in turns if turn.kind == "result")
    return [Participant(name, "tool", "tool") for name in names]


def _usage(spent: Spent) -> Usage | None:
    if not spent.answers:
        return None
    return Usage(spent.answers, spent.input_tokens, spent.output_tokens, spent.cost)
