"""Who&When: failed conversations of agents, with the agent and the step that annotators blame (arXiv 2505.00212).

Shape: `{question, ground_truth, history: [{content, role, name}], mistake_agent, mistake_step, mistake_reason,
is_correct, system_prompt: {name: text}}`. In the hand-made part there is no `name`: the speaker is in `role`, as in
`Orchestrator (-> WebSurfer)`, `Orchestrator (thought)`, `human`.
Quirks: `mistake_step` is text and counts `history` from 0; the roles user and assistant say nothing; a terminal that
ran code (`Computer_terminal`) answers as text `exitcode: 0 ...`, read as a result.
The goal is the question. The labels become `faults`, never part of a turn; the reference answer is not kept, because
a judge that reads the conversation must not see it.
Version: as published in 2025.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from adjudge.convert.executors import EXECUTOR, executor_turn, is_execution, kind_of_name
from adjudge.convert.fields import ObjectFields, ReadingNotes
from adjudge.convert.format import FileRow, Format, by_row, place_id
from adjudge.convert.transcript import ConversationBuilder
from adjudge.core.conversation import Conversation, Fault, Outcome
from adjudge.core.errors import bad_record
from adjudge.core.record import Turn

# Orchestrator (-> WebSurfer), Orchestrator (thought)
ROLE = re.compile(r"(?P<name>[^()]*[^() ]) *\((?P<note>[^()]*)\)\Z")
ARROW = "->"


def recognise(value: Any) -> bool:
    """Whether a row has a history and the fields of the labels."""
    return isinstance(value, dict) and isinstance(value.get("history"), list) and "mistake_agent" in value


def read(row: FileRow, notes: ReadingNotes) -> Iterator[Conversation]:
    """The conversation of a row."""
    fields = ObjectFields(row.value, "a log", row.where, notes)
    fields.leave("ground_truth", "level", "file", "groundtruth", "labels")
    transcript = ConversationBuilder(row.where, notes)
    for place, message in enumerate(fields.items("history")):
        transcript.add([_turn(transcript, message, place)], place)
    for name, prompt in fields.mapping("system_prompt").items():
        if isinstance(prompt, str):
            transcript.instruct(prompt, name)
    goal, reached = fields.text("question"), fields.flag("is_correct", "is_corrected")
    faults = _faults(fields, len(transcript.turns), notes)
    id = fields.text("question_ID", "question_id") or place_id(row.where)
    fields.close()
    yield transcript.conversation(id, goal=goal, outcome=None if reached is None else Outcome(reached), faults=faults)


def _turn(transcript: ConversationBuilder, message: Any, place: int) -> Turn:
    if not isinstance(message, dict):
        raise bad_record(transcript.where, f"expected a message, found {message!r:.60}", f"history[{place}]")
    fields = ObjectFields(message, "a message", transcript.where, transcript.notes)
    role, text = fields.text("role"), fields.text("content")
    name = fields.text("name") or role
    fields.close()
    if not name:
        raise bad_record(transcript.where, "expected a name or a role, found neither", f"history[{place}]")
    if is_execution(text) or EXECUTOR.match(name):
        return executor_turn(transcript, name, text)
    match = ROLE.match(name)
    note = match["note"].strip() if match else ""
    if match and (note.startswith(ARROW) or note == "thought" or "condition" in note):
        name = match["name"].strip()
    target = note.removeprefix(ARROW).strip() if note.startswith(ARROW) else ""
    speaker = transcript.participant(name, kind_of_name(name))
    to = (transcript.participant(target, kind_of_name(target)),) if target else ()
    return transcript.say(speaker, text, to=to, kind="thought" if note == "thought" else "speech")


def _faults(fields: ObjectFields, turns: int, notes: ReadingNotes) -> tuple[Fault, ...]:
    agent, step, why = fields.text("mistake_agent"), fields.text("mistake_step"), fields.text("mistake_reason")
    if not agent:
        return ()
    if not (step.isdecimal() and int(step) < turns):
        notes.unread(fields.where, "a mistake_step that is not a place in the history", repr(step))
        step = ""
    return (Fault(agent, step, why),)


FORMAT = Format(
    name="who-and-when",
    title="Who&When",
    kept="names, addressees, thoughts, runs of code with status, the question as the goal, outcome, faults, prompts",
    recognises=recognise,
    read=by_row(read),
)
