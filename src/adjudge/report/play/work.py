"""What happened inside the turns of played conversations: decisions of the parts, answers, and uses of tools."""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from msgspec import Struct

from adjudge.core.play import Decision
from adjudge.core.record import Key
from adjudge.report.text import Passage, passage
from adjudge.run.played import Played, TraceLine

# The longest text of a step that a page shows, in characters, and the most steps of a turn.
LONGEST = 600
MOST = 40


class WorkStep(Struct, frozen=True):
    """One step: which agent made it, what kind it is, what it came to, and what it took."""

    agent: str
    kind: str
    text: Passage
    took: str = ""


class TurnWork(Struct, frozen=True):
    """The steps of a turn, and how many more there are."""

    steps: list[WorkStep]
    omitted: int = 0


def read_work(played: Played, keys: Collection[Key]) -> dict[Key, dict[str, TurnWork]]:
    """The work behind the turns of some conversations, by conversation and number of the turn as text."""
    steps: dict[Key, dict[str, list[WorkStep]]] = {key: {} for key in keys}
    for line in played.turns():
        if line.key in steps and line.decisions:
            steps[line.key].setdefault(str(line.turn), []).extend(map(_decision_step, line.decisions))
    for trace in played.traces():
        if trace.key in steps and trace.kind == "answer":
            steps[trace.key].setdefault(str(trace.turn), []).append(_answer_step(trace))
    return {
        key: {turn: TurnWork(each[:MOST], max(len(each) - MOST, 0)) for turn, each in turns.items()}
        for key, turns in steps.items()
    }


def _decision_step(decision: Decision) -> WorkStep:
    data = msgspec.json.encode(decision.data).decode() if decision.data else ""
    call = f"{decision.call.name} {msgspec.json.encode(decision.call.arguments).decode()}" if decision.call else ""
    again = f"attempt {decision.attempt}" if decision.attempt > 1 else ""
    text = " ".join(filter(None, (decision.text, call, data)))
    return WorkStep(decision.part, "tool" if decision.call else "decision", passage(text, LONGEST), again)


def _answer_step(trace: TraceLine) -> WorkStep:
    text = trace.name if trace.status == "ok" else f"{trace.name}: {trace.status}: {trace.why}"
    return WorkStep(
        trace.agent, "answer", passage(text, LONGEST), "from the cache" if trace.cached else effort_text(trace)
    )


def effort_text(trace: TraceLine) -> str:
    """What an answer took, in words."""
    cost = "" if not trace.cost else f"{trace.cost:.4f} USD"
    tokens = f"{trace.input_tokens:,} tokens in, {trace.output_tokens:,} out" if trace.input_tokens else ""
    attempts = f"{trace.attempts} attempts" if trace.attempts > 1 else ""
    return ", ".join(filter(None, (tokens, f"{trace.seconds:.2f} s", cost, attempts)))
