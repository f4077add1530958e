"""Results of tau-bench (the first version): a list of trajectories of chat messages.

Shape: a list of `{task_id, trial, reward, info: {task: {instruction}, user_cost, reward_info}, traj: [messages]}`; the
messages are those of OpenAI's chat completions, with the system prompt.
Quirks: the user is simulated; no times and no tokens; only the cost of the user is known.
The goal is the instruction of the user; the outcome is the reward, reached where it is 1.
Version: tau-bench 0.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudge.convert.fields import ObjectFields, ReadingNotes
from adjudge.convert.format import FileRow, Format, by_row, file_stem
from adjudge.convert.message import DefaultSpeakers, add_messages
from adjudge.convert.transcript import ConversationBuilder
from adjudge.core.conversation import Conversation, Outcome

CAST = DefaultSpeakers(assistant="agent", user="user", user_kind="simulated")


def recognise(value: Any) -> bool:
    """Whether a row is a trajectory."""
    return isinstance(value, dict) and isinstance(value.get("traj"), list) and "task_id" in value


def read(row: FileRow, notes: ReadingNotes) -> Iterator[Conversation]:
    """The conversation of a trajectory."""
    fields = ObjectFields(row.value, "a trajectory", row.where, notes)
    transcript = ConversationBuilder(row.where, notes)
    add_messages(transcript, fields.items("traj"), CAST)
    case, trial, reward = fields.text("task_id"), int(fields.number("trial") or 0), fields.number("reward")
    info = fields.object("info")
    goal = info.object("task").text("instruction")
    fields.close()
    outcome = None if reward is None else Outcome(reward >= 1 - 1e-9, {"reward": reward})
    stem = file_stem(row.where.rpartition(":")[0])
    yield transcript.conversation(f"{stem}-{case}-{trial}", case=case, trial=trial, goal=goal, outcome=outcome)


FORMAT = Format(
    name="tau-bench",
    title="tau-bench results (first version)",
    kept="calls and results with ids, task, trial, goal, reward, system prompt",
    recognises=recognise,
    read=by_row(read),
)
