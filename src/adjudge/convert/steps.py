"""Steps of a trace: calls of models and tools that repeat each other, put together as one conversation.

Every call of a model repeats the messages before it, calls of agents repeat those of their models, and traces of one
conversation continue each other. A message is new where it occurs more often in one list of messages than the
conversation holds it so far; results and calls with a known id are never new. What a model or tool puts out is new,
unless a step inside puts it out, too.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from msgspec import Struct, structs

from adjudge.convert.fields import Notes, json_text, parse_json
from adjudge.convert.format import Placed, place_id
from adjudge.convert.message import Cast, message_turns
from adjudge.convert.transcript import Transcript
from adjudge.core.conversation import Outcome
from adjudge.core.errors import BadRecord, bad_record
from adjudge.core.record import CallStatus, Turn
from adjudge.core.usage import Usage

ASSISTANT, USER = "assistant", "user"


class ToolUse(Struct, frozen=True):
    """The use of a tool in a step; a `result` of None is not known."""

    name: str
    arguments: Any = None
    result: Any = None
    id: str = ""
    status: CallStatus | None = None


class Step(Struct, frozen=True, kw_only=True):
    """One call of a model, a tool, or of something around them, in any format of traces.

    `thread` names the conversation, `agent` who acts, where the step says it. `tools` are the tools that were offered.
    """

    where: str
    trace: str
    id: str
    parent: str = ""
    kind: Literal["model", "tool", "other"] = "other"
    thread: str = ""
    agent: str = ""
    inputs: Sequence[Any] = ()
    outputs: Sequence[Any] = ()
    instructions: Sequence[str] = ()
    tool: ToolUse | None = None
    tools: Sequence[str] = ()
    usage: Usage | None = None
    start: datetime | None = None
    end: datetime | None = None
    error: str = ""


def merge_steps(steps: Sequence[Step], notes: Notes, outcomes: dict[str, Outcome] | None = None) -> Iterator[Placed]:
    """The conversations of the steps of a file, in the order in which they begin."""
    tree = Tree(steps)
    threads: dict[str, list[Step]] = defaultdict(list)
    for step in steps:
        threads[tree.thread(step)].append(step)
    for thread, members in threads.items():
        where = members[0].where
        try:
            merger = Merger(tree, where, notes)
            merger.add_all(members)
            if not merger.transcript.turns:
                raise bad_record(
                    where, f"{len(members)} spans of the trace {thread!r}, none of which carries a message"
                )
            outcome = (outcomes or {}).get(members[0].trace)
            yield Placed(
                where, merger.transcript.conversation(thread or place_id(where), tools=merger.tools, outcome=outcome)
            )
        except BadRecord as fault:
            notes.complain(fault.complaint)


class Tree:
    """Which step is inside which, and whose they are."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self.by_id = {(step.trace, step.id): step for step in steps}
        self.threads: dict[str, set[str]] = defaultdict(set)
        self.containers: set[tuple[str, str]] = set()
        for step in steps:
            if step.thread:
                self.threads[step.trace].add(step.thread)
            if step.outputs and step.kind != "tool":
                self.containers.update((step.trace, above.id) for above in self.above(step))

    def above(self, step: Step) -> Iterator[Step]:
        """The steps around a step, from the inside out."""
        seen = {step.id}
        parent = self.by_id.get((step.trace, step.parent))
        while parent is not None and parent.id not in seen:
            yield parent
            seen.add(parent.id)
            parent = self.by_id.get((parent.trace, parent.parent))

    def thread(self, step: Step) -> str:
        """The conversation of a step: its own, that of its trace, or the trace itself."""
        named = self.threads.get(step.trace, set())
        if len(named) == 1:
            return next(iter(named))
        return next((around.thread for around in (step, *self.above(step)) if around.thread), step.trace)

    def agents(self, step: Step) -> list[str]:
        """The agents of a step and of those around it, from the inside out, each once."""
        return list(dict.fromkeys(around.agent for around in (step, *self.above(step)) if around.agent))

    def repeats(self, step: Step) -> bool:
        """Whether a step only repeats what steps inside it put out."""
        return (step.trace, step.id) in self.containers


class Merger:
    """One conversation while its steps are put together."""

    def __init__(self, tree: Tree, where: str, notes: Notes) -> None:
        self.tree = tree
        self.notes = notes
        self.transcript = Transcript(where, notes)
        self.counts: Counter[str] = Counter()
        self.ids: set[str] = set()
        self.tools: tuple[str, ...] = ()

    def add_all(self, steps: Sequence[Step]) -> None:
        """Add steps in the order of time: what goes in when they start, what comes out when they end."""
        moments = [*((step.start, number, False, step) for number, step in enumerate(steps))]
        moments += [(step.end or step.start, number, True, step) for number, step in enumerate(steps)]
        if all(moment for moment, *_ in moments):
            moments.sort(key=lambda item: (_seconds(item[0]), item[2], item[1]))
        else:
            moments.sort(key=lambda item: (item[1], item[2]))
        for _, _, ends, step in moments:
            self.end(step) if ends else self.begin(step)

    def begin(self, step: Step) -> None:
        """Add what goes into a step, as far as it is new."""
        self.tools = tuple(dict.fromkeys([*self.tools, *step.tools]))
        agent = (self.tree.agents(step) or [""])[0]
        for text in step.instructions:
            self.transcript.instruct(text, agent)
        if step.kind == "tool" or self.tree.repeats(step):
            return
        met: Counter[str] = Counter()
        for turn in self.turns(step, step.inputs):
            key = turn_key(turn)
            met[key] += 1
            if not self.is_known(turn) and met[key] > self.counts[key]:
                self.add(turn)

    def end(self, step: Step) -> None:
        """Add what comes out of a step."""
        if step.tool is not None:
            self.use_tool(step, step.tool)
        elif not self.tree.repeats(step):
            turns = list(self.turns(step, step.outputs))
            if step.error and not turns:
                self.notes.remark(step.where, f"a call of a model failed and says nothing: {step.error[:60]!r}")
            for number, turn in enumerate(turns):
                usage = step.usage if not number else None
                self.add(structs.replace(turn, usage=turn.usage or usage, time=turn.time or step.end))

    def use_tool(self, step: Step, use: ToolUse) -> None:
        """Add the use of a tool: its call if no model made it, and its result."""
        speaker = self.transcript.participant((self.tree.agents(step) or [ASSISTANT])[0], "agent", ASSISTANT)
        call = self.transcript.call(speaker, use.name, use.arguments, use.id)
        if not self.is_known(call) and not self.counts[turn_key(call)]:
            self.add(structs.replace(call, time=step.start))
        if use.result is None and use.status != "error":
            return
        text = step.error if use.result is None else json_text(use.result)
        result = self.transcript.result(text, use.name, use.id, use.status)
        if not self.is_known(result):
            to = result.to or (speaker,)
            self.add(structs.replace(result, to=to, time=step.end, usage=step.usage))

    def turns(self, step: Step, messages: Sequence[Any]) -> Iterator[Turn]:
        """The turns of messages, under the names of the agents of a step."""
        agents = self.tree.agents(step)
        caller = agents[1] if len(agents) > 1 else USER
        cast = Cast(agents[0] if agents else ASSISTANT, caller, "agent" if len(agents) > 1 else "human")
        for place, message in enumerate(messages):
            before = set(self.transcript.calls)
            try:
                yield from message_turns(self.transcript, message, place, cast)
            except BadRecord as fault:
                self.notes.unread(step.where, "a message without a role", fault.complaint.text)
            for id in set(self.transcript.calls) - before:
                self.transcript.calls.setdefault(id, self.transcript.calls[id])

    def is_known(self, turn: Turn) -> bool:
        """Whether a call or result with this id was added before."""
        return turn.call is not None and bool(turn.call.id) and f"{turn.kind} {turn.call.id}" in self.ids

    def add(self, turn: Turn) -> None:
        """Add a turn, and remember it."""
        self.counts[turn_key(turn)] += 1
        if turn.call is not None and turn.call.id:
            self.ids.add(f"{turn.kind} {turn.call.id}")
        self.transcript.add([turn], len(self.transcript.turns))


def turn_key(turn: Turn) -> str:
    """What makes two turns the same message, whoever repeats it."""
    if turn.kind == "call" and turn.call is not None:
        return f"call {turn.call.name} {_canonical(turn.call.arguments)}"
    return f"{turn.kind} {_canonical(turn.text)}"


def _canonical(value: Any) -> str:
    """A value as text without differences of spaces and of the order of keys."""
    value = parse_json(value)
    if isinstance(value, str):
        return " ".join(value.split())
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _seconds(moment: datetime | None) -> float:
    assert moment is not None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
