"""Who is what by its name in AutoGen and AG2, where roles do not say it, and agents that run code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from adjudge.convert.transcript import ConversationBuilder
from adjudge.core.record import CallStatus, ParticipantKind, Turn

# Planner_Agent, Code_Expert, chat_manager
AGENT = re.compile(r"agent|assistant|expert|planner|critic|manager|coder|engineer|bot\Z|proxy", re.IGNORECASE)
# user, User_proxy, human, admin, user_2. One digit at a time: a run of digits in a repeated group takes endless time.
HUMAN = re.compile(r"(?:user|human|admin|customer|client|person)(?:[ _-]?(?:proxy|agent|\d))*\Z", re.IGNORECASE)
# exitcode: 1 (execution failed)
EXECUTION = re.compile(r"\s*exit ?code: (?P<code>-?\d+)", re.IGNORECASE)
# Computer_terminal, code_executor
EXECUTOR = re.compile(r"(?:computer[ _]?)?terminal\Z|(?:code[ _]?)?executor(?:[ _]?agent)?\Z", re.IGNORECASE)


def kind_of_name(name: str) -> ParticipantKind:
    """What a participant is by its name.

    >>> kind_of_name("user_proxy"), kind_of_name("Computer_terminal"), kind_of_name("Planner")
    ('human', 'tool', 'agent')
    """
    if HUMAN.match(name.strip()):
        return "human"
    return "tool" if EXECUTOR.match(name.strip()) else "agent"


def by_name(messages: Sequence[Any]) -> list[Any]:
    """Messages whose roles are those of their names, where the roles are relative as in group chats of AG2."""
    named = [message for message in messages if isinstance(message, dict) and isinstance(message.get("name"), str)]
    users = {message["name"] for message in named if message.get("role") == "user"}
    if len(users) < 2 or not any(AGENT.search(name) or kind_of_name(name) != "agent" for name in users):
        return list(messages)
    return [_with_role(message) if message in named else message for message in messages]


def _with_role(message: dict[str, Any]) -> dict[str, Any]:
    if message.get("role") not in ("user", "assistant"):
        return message
    kind = kind_of_name(message["name"])
    return {**message, "role": "user" if kind == "human" else "tool" if kind == "tool" else "assistant"}


def is_execution(text: str) -> bool:
    """Whether a text is what came out of running code.

    >>> is_execution("exitcode: 0 (execution succeeded)"), is_execution("The exit code was 0.")
    (True, False)
    """
    return EXECUTION.match(text) is not None


def executor_turn(transcript: ConversationBuilder, name: str, text: str) -> Turn:
    """The result of running code, under the name of who ran it."""
    match = EXECUTION.match(text)
    status: CallStatus | None = None if match is None else "ok" if match["code"] == "0" else "error"
    return transcript.result(text, name, status=status)
