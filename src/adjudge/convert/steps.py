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

from adjudge.convert.fields import ReadingNotes, json_text, parse_json
from adjudge.convert.format import PlacedConversation, place_id
from adjudge.convert.message import DefaultSpeakers, message_turns
from adjudge.convert.transcript import ConversationBuilder
from adjudge.core.conversation import Outcome
from adjudge.core.errors import BadRecord, bad_record
from adjudge.core.record import CallStatus, Turn
from adjudge.core.usage import Usage

ASSISTANT, USER = "assistant", "user"


class TraceToolUse(Struct, frozen=True):
    """The use of a tool in a step; a `result` of None is not known."""

    name: str
    arguments: Any = None
    result: Any = None
    id: str = ""
    status: CallStatus | None = None


class TraceStep(Struct, frozen=True, kw_only=True):
    """One call of a model, a tool, or of something around them, in any format of traces.

    A step of the kind `other` counts only in traces without any call of a model or an agent. `thread` names the
    conversation, `agent` who acts, where the step says it. `tools` are the tools that were offered. What a step puts
    out may be a repetition where `loose` says so, because it is not known which step is inside which.
    """

    where: str
    trace: str
    id: str
    parent: str = ""
    kind: Literal["model", "tool", "agent", "other"] = "other"
    thread: str = ""
    agent: str = ""
    inputs: Sequence[Any] = ()
    outputs: Sequence[Any] = ()
    instructions: Sequence[str] = ()
    tool: TraceToolUse | None = None
    tools: Sequence[str] = ()
    usage: Usage | None = None
    start: datetime | None = None
    end: datetime | None = None
    error: str = ""
    loose: bool = False


def merge_steps(
    steps: Sequence[TraceStep], notes: ReadingNotes, outcomes: dict[str, Outcome] | None = None
) -> Iterator[PlacedConversation]:
    """The conversations of the steps of a file, in the order in which they begin."""
    tree = Tree(steps)
    threads: dict[str, list[TraceStep]] = defaultdict(list)
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
            yield PlacedConversation(
                where, merger.transcript.conversation(thread or place_id(where), tools=merger.tools, outcome=outcome)
            )
        except BadRecord as fault:
            notes.complain(fault.complaint)


class Tree:
    """Which step is inside which, and whose they are."""

    def __init__(self, steps: Sequence[TraceStep]) -> None:
        self.by_id = {(step.trace, step.id): step for step in steps if step.id}
        self.threads: dict[str, set[str]] = defaultdict(set)
        self.containers: set[tuple[str, str]] = set()
        self.speakers: set[str] = set()
        self.modelled = {step.trace for step in steps if step.kind in ("model", "agent") and step.outputs}
        for step in steps:
            if step.thread:
                self.threads[step.trace].add(step.thread)
            if step.outputs and not self.ignores(step) and step.kind != "tool":
                self.speakers.update(self.agents(step)[:1])
                self.containers.update((step.trace, above.id) for above in self.above(step))

    def above(self, step: TraceStep) -> Iterator[TraceStep]:
        """The steps around a step, from the inside out."""
        seen = {step.id}
        parent = self.by_id.get((step.trace, step.parent))
        while parent is not None and parent.id not in seen:
            yield parent
            seen.add(parent.id)
            parent = self.by_id.get((parent.trace, parent.parent))

    def thread(self, step: TraceStep) -> str:
        """The conversation of a step: its own, that of its trace, or the trace itself."""
        named = self.threads.get(step.trace, set())
        if len(named) == 1:
            return next(iter(named))
        return next((around.thread for around in (step, *self.above(step)) if around.thread), step.trace)

    def agents(self, step: TraceStep) -> list[str]:
        """The agents of a step and of those around it, from the inside out, each once."""
        return list(dict.fromkeys(around.agent for around in (step, *self.above(step)) if around.agent))

    def ignores(self, step: TraceStep) -> bool:
        """Whether a step is one around calls of models, such as a node of a graph, that says nothing of its own."""
        return step.kind == "other" and step.trace in self.modelled

    def repeats(self, step: TraceStep) -> bool:
        """Whether a step only repeats what steps inside it put out."""
        return self.ignores(step) or (step.trace, step.id) in self.containers


class Merger:
    """One conversation while its steps are put together."""

    def __init__(self, tree: Tree, where: str, notes: ReadingNotes) -> None:
        self.tree = tree
        self.notes = notes
        self.transcript = ConversationBuilder(where, notes)
        self.counts: Counter[str] = Counter()
        self.open_calls: Counter[str] = Counter()
        self.empty_results: dict[str, list[int]] = defaultdict(list)
        self.ids: set[str] = set()
        self.running: list[TraceStep] = []
        self.tools: tuple[str, ...] = ()
        self.trace = ""

    def add_all(self, steps: Sequence[TraceStep]) -> None:
        """Add steps in the order of time: what goes in when they start, what comes out when they end."""
        spoken = [step for step in steps if step.inputs or step.outputs or step.tool or step.instructions]
        moments = [(step, ends) for step in spoken for ends in (False, True)]
        if all(step.start for step in spoken):
            moments.sort(key=lambda moment: _order(*moment))
        else:
            self.notes.remark(steps[0].where, "spans without times are read in the order of the file")
        for step, ends in moments:
            self.end(step) if ends else self.begin(step)

    def begin(self, step: TraceStep) -> None:
        """Add what goes into a step, as far as it is new."""
        self.tools = tuple(dict.fromkeys([*self.tools, *step.tools]))
        agent = (self.tree.agents(step) or [""])[0]
        for text in step.instructions:
            self.transcript.instruct(text, agent)
        if step.kind == "tool" or self.tree.repeats(step):
            return
        self.running.append(step)
        turns = list(self.turns(step, step.inputs))
        # A trace that begins without any history continues the conversation, even with words that were used before.
        begins_anew = step.trace != self.trace and all(turn.speaker == USER for turn in turns)
        self.trace = step.trace
        met: Counter[str] = Counter()
        for turn in turns:
            key = turn_key(turn)
            met[key] += 1
            is_repetition = met[key] <= self.counts[key] and not begins_anew
            if not is_repetition and not self.is_known(turn) and not self.fill_empty_result(turn):
                self.add(turn)

    def end(self, step: TraceStep) -> None:
        """Add what comes out of a step."""
        if step.tool is not None:
            self.end_caller(step.tool)
            self.use_tool(step, step.tool)
        elif step in self.running:
            self.running.remove(step)
            turns = list(self.turns(step, step.outputs))
            if step.error and not turns:
                self.notes.remark(step.where, f"a call of a model failed and says nothing: {step.error[:60]!r}")
            met: Counter[str] = Counter()
            for number, turn in enumerate(turns):
                usage = step.usage if not number else None
                met[turn_key(turn)] += 1
                is_repetition = (step.loose or step.kind != "model") and met[turn_key(turn)] <= self.counts[
                    turn_key(turn)
                ]
                if not self.is_known(turn) and not is_repetition:
                    self.add(structs.replace(turn, usage=turn.usage or usage, time=turn.time or step.end))

    def end_caller(self, use: TraceToolUse) -> None:
        """End the call of a model that still runs while the tool that it called has ended, as in streams."""
        callers = [step for step in self.running if use.id and use.id in json_text(list(step.outputs))]
        for step in callers:
            self.end(step)

    def use_tool(self, step: TraceStep, use: TraceToolUse) -> None:
        """Add the use of a tool: its call if no model made it, and its result."""
        speaker = self.transcript.participant((self.tree.agents(step) or [ASSISTANT])[0], "agent", ASSISTANT)
        call = self.transcript.call(speaker, use.name, use.arguments, use.id)
        if self.open_calls[turn_key(call)]:
            self.open_calls[turn_key(call)] -= 1
        elif not self.is_known(call):
            self.add(structs.replace(call, time=step.start))
            self.open_calls[turn_key(call)] -= 1
        if use.result is None and use.status != "error":
            return
        text = step.error if use.result is None else json_text(use.result)
        result = self.transcript.result(text, use.name, use.id, use.status)
        if not self.is_known(result):
            to = result.to or (speaker,)
            if text in ("", "{}", "[]"):
                self.empty_results[result.speaker].append(len(self.transcript.turns))
            self.add(structs.replace(result, to=to, time=step.end, usage=step.usage))

    def turns(self, step: TraceStep, messages: Sequence[Any]) -> Iterator[Turn]:
        """The turns of messages, under the names of the agents of a step."""
        agents = self.tree.agents(step)
        # Who calls an agent is the agent around it, if that one speaks at all; a workflow around agents does not.
        caller = next((agent for agent in agents[1:] if agent in self.tree.speakers), "")
        actor = agents[0] if agents else ""
        cast = DefaultSpeakers(actor or ASSISTANT, caller or USER, "agent" if caller else "human", actor)
        for place, message in enumerate(messages):
            try:
                yield from message_turns(self.transcript, message, place, cast)
            except BadRecord as fault:
                self.notes.unread(step.where, "a message without a role", fault.complaint.text)

    def fill_empty_result(self, turn: Turn) -> bool:
        """Put a result in the place of an empty one of the same tool: the history may say more than the tool's step."""
        places = self.empty_results[turn.speaker] if turn.kind == "result" else []
        if not places:
            return False
        place = places.pop(0)
        self.transcript.turns[place] = structs.replace(self.transcript.turns[place], text=turn.text)
        self.counts[turn_key(turn)] += 1
        return True

    def is_known(self, turn: Turn) -> bool:
        """Whether a call or result with this id was added before."""
        return turn.call is not None and bool(turn.call.id) and f"{turn.kind} {turn.call.id}" in self.ids

    def add(self, turn: Turn) -> None:
        """Add a turn, and remember it."""
        self.counts[turn_key(turn)] += 1
        if turn.kind == "call":
            self.open_calls[turn_key(turn)] += 1
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


def _order(step: TraceStep, ends: bool) -> tuple[float, int]:
    """The place of the beginning or the end of a step in time.

    Where times are equal, what ends comes before what begins, and models before the tools that they call; the end of a
    step that takes no time, or that ends before it begins in a log with wrong clocks, comes after its beginning.
    """
    assert step.start is not None
    start = _seconds(step.start)
    if not ends:
        return start, 2
    end = start if step.end is None else max(start, _seconds(step.end))
    return end, 3 if end == start else 1 if step.kind == "tool" else 0


def _seconds(moment: datetime) -> float:
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
