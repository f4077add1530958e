"""Traces: a line for each answer of a model and each use of a tool."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from adjudge.core.errors import Unanswered
from adjudge.core.play import PlayedTurn
from adjudge.core.record import Key
from adjudge.play.replies import AnsweredRequest
from adjudge.run.played import TraceLine

# Turn, participant, agent, kind and name.
TraceIdentity = tuple[int, str, str, str, str]


def trace_lines(
    key: Key, turn: int, answered: Sequence[AnsweredRequest], turns: Sequence[PlayedTurn]
) -> list[TraceLine]:
    """The traces of a step: its answers, and the uses of tools that its decisions name."""
    answers = [_answer_line(key, turn, each) for each in answered]
    calls = [
        TraceLine(
            case=key.case,
            arm=key.arm,
            trial=key.trial,
            turn=made.number,
            participant=made.speaker,
            agent=decision.part,
            kind="call",
            name=decision.call.name,
            status="error" if decision.call.status == "error" else "ok",
        )
        for made in turns
        for decision in made.content.decisions
        if decision.call is not None
    ]
    return [*answers, *calls]


def _answer_line(key: Key, turn: int, answered: AnsweredRequest) -> TraceLine:
    reply = answered.reply
    failure = reply.answer if isinstance(reply.answer, Unanswered) else None
    return TraceLine(
        case=key.case,
        arm=key.arm,
        trial=key.trial,
        turn=turn,
        participant=answered.participant,
        agent=answered.part or answered.participant,
        name=answered.model,
        calls=reply.usage.calls,
        input_tokens=reply.usage.input_tokens,
        output_tokens=reply.usage.output_tokens,
        cost=reply.usage.cost if reply.usage.calls else 0.0,
        seconds=round(reply.seconds, 6),
        cached=reply.cached,
        status=failure.status if failure else "ok",
        why=failure.why if failure else "",
        attempts=reply.attempts,
        took=answered.took,
    )


def identity_of(line: TraceLine) -> TraceIdentity:
    """What tells a trace from others of its conversation."""
    return line.turn, line.participant, line.agent, line.kind, line.name


def new_lines(lines: list[TraceLine], traced: Counter[TraceIdentity]) -> list[TraceLine]:
    """The lines that are not there yet; equal ones are counted."""
    left, new = Counter(traced), []
    for line in lines:
        if left[identity_of(line)]:
            left[identity_of(line)] -= 1
        else:
            new.append(line)
    return new
