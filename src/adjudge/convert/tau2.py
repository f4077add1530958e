"""Results of tau2-bench: simulations of an agent, a simulated user and the tools of both.

Shape: `{timestamp, info, tasks: [...], simulations: [{id, task_id, trial, messages, reward_info, termination_reason,
agent_cost, user_cost}]}`. A message is `{role, content, tool_calls: [{id, name, arguments, requestor}], cost, usage,
timestamp}`; the answer of a tool has the `id` of its call, and `error`.
Quirks: content is null beside calls; the user calls tools, too; the markers ###STOP### and ###TRANSFER### end the last
text and stay in it; times have no zone; the first turn of the agent is a fixed greeting.
The goal is what the user was told; the outcome is the reward, reached where it is 1.
Version: tau2-bench 0.1 and 0.2. Voice simulations (`ticks`) carry no text and are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from adjudge.convert.fields import ObjectFields, ReadingNotes, number_of
from adjudge.convert.format import FileRow, Format, by_row, file_stem
from adjudge.convert.genai import tool_names
from adjudge.convert.message import DefaultSpeakers, add_messages
from adjudge.convert.transcript import ConversationBuilder
from adjudge.core.conversation import Conversation, Outcome
from adjudge.core.errors import BadRecord, bad_record
from adjudge.core.usage import Usage

CAST = DefaultSpeakers(assistant="agent", user="user", user_kind="simulated")


def recognise(value: Any) -> bool:
    """Whether a row has simulations, or is one."""
    return isinstance(value, dict) and (isinstance(value.get("simulations"), list) or is_simulation(value))


def is_simulation(value: Any) -> bool:
    """Whether a value is one simulation."""
    return isinstance(value, dict) and {"task_id", "termination_reason", "messages"} <= value.keys()


def read(row: FileRow, notes: ReadingNotes) -> Iterator[Conversation]:
    """The conversations of a file of results; a simulation that cannot be read is refused by itself."""
    if is_simulation(row.value):
        yield _conversation(f"{row.where}", row.value, {}, ObjectFields({}, "info", row.where, notes), notes)
        return
    fields = ObjectFields(row.value, "results", row.where, notes)
    fields.leave("timestamp")
    tasks = {str(task.get("id")): task for task in fields.objects("tasks")}
    info = fields.object("info")
    for place, simulation in enumerate(fields.items("simulations")):
        where = f"{row.where}: simulations[{place}]"
        try:
            if not is_simulation(simulation):
                raise bad_record(where, _no_simulation(simulation))
            yield _conversation(where, simulation, tasks, info, notes)
        except BadRecord as fault:
            notes.complain(fault.complaint)
    fields.close()


def _no_simulation(value: Any) -> str:
    if isinstance(value, dict) and "ticks" in value:
        return "a voice simulation, whose ticks carry no text; expected messages"
    return f"expected a simulation with task_id, termination_reason and messages, found {value!r:.60}"


def _conversation(
    where: str, simulation: dict[str, Any], tasks: Mapping[str, Any], info: ObjectFields, notes: ReadingNotes
) -> Conversation:
    transcript = ConversationBuilder(where, notes)
    messages = simulation["messages"]
    if not isinstance(messages, list):
        raise bad_record(where, f"expected a list, found {messages!r:.60}", "messages")
    add_messages(transcript, messages, CAST)
    fields = ObjectFields(simulation, "a simulation", where, notes)
    case = fields.text("task_id")
    return transcript.conversation(
        fields.text("id") or f"{file_stem(where.partition(':')[0])}-{case}-{simulation.get('trial', 0)}",
        case=case,
        arm=_model(info),
        trial=int(fields.number("trial") or 0),
        goal=_goal(tasks.get(case)),
        outcome=_outcome(fields),
        tools=tuple(tool_names(info.object("environment_info").take("tool_defs"))),
        usage=_costs(transcript, fields),
    )


def _model(info: ObjectFields) -> str:
    agent = info.mapping("agent_info")
    name = agent.get("llm") or agent.get("implementation")
    return name if isinstance(name, str) else ""


def _goal(task: Any) -> str:
    """What the user was told to want, or what the task is for."""
    scenario = task.get("user_scenario") if isinstance(task, dict) else None
    given = scenario.get("instructions") if isinstance(scenario, dict) else None
    if isinstance(given, dict):
        parts = (given.get(key) for key in ("reason_for_call", "task_instructions", "known_info", "unknown_info"))
        given = "\n".join(part.strip() for part in parts if isinstance(part, str) and part.strip())
    if isinstance(given, str) and given:
        return given
    description = task.get("description") if isinstance(task, dict) else None
    purpose = description.get("purpose") if isinstance(description, dict) else description
    return purpose if isinstance(purpose, str) else ""


def _outcome(fields: ObjectFields) -> Outcome:
    reward = fields.object("reward_info").number("reward")
    reason = fields.text("termination_reason")
    if reward is None:
        return Outcome(text=reason)
    return Outcome(reward >= 1 - 1e-9, {"reward": reward}, reason)


def _costs(transcript: ConversationBuilder, fields: ObjectFields) -> Usage | None:
    """What the simulation cost, where the messages do not say it."""
    costs = [number_of(fields.take(name)) for name in ("agent_cost", "user_cost")]
    if any(turn.usage for turn in transcript.turns) or all(cost is None for cost in costs):
        return None
    return Usage(0, 0, 0, sum(cost or 0.0 for cost in costs))


FORMAT = Format(
    name="tau2",
    title="tau2-bench results",
    kept="calls and results with ids and status, tokens, cost and times, task, goal, reward, reason of the end",
    recognises=recognise,
    read=by_row(read),
)
