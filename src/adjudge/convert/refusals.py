"""Files of known tools that hold no conversation, with the reason why they are refused and what to give instead."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from msgspec import Struct

# ---------- TextMessage (user) ----------
CONSOLE = re.compile(r"^-{10} .{1,80} -{10}$", re.MULTILINE)
# user_proxy (to chat_manager):  with ANSI colours around the name
OLD_CONSOLE = re.compile(r"^(?:\x1b\[\d+m)*[^\n]{1,60} \(to [^\n)]{1,60}\):", re.MULTILINE)
# event: response.created
STREAM = re.compile(r"^(?:event|data): ?\S", re.MULTILINE)


class RefusedKind(Struct, frozen=True):
    """A kind of file without a conversation: how it is recognised, and why it is refused."""

    name: str
    applies: Callable[[Any], bool]
    reason: str


def _is_dict(*keys: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, dict) and all(key in value for key in keys)


REFUSALS = (
    RefusedKind(
        "tau2 voice simulation",
        _is_dict("ticks", "task_id"),
        "a voice simulation of tau2, whose ticks carry no text; expected a simulation with messages",
    ),
    RefusedKind(
        "tau2 index of results",
        lambda value: _is_dict("info", "tasks", "timestamp")(value) and "simulations" not in value,
        "an index of tau2 results without simulations; expected the file that holds the simulations",
    ),
    RefusedKind(
        "TRAIL labels",
        lambda value: _is_dict("errors", "scores")(value) and len(value) <= 3,
        "labels of a trace without the trace; expected the trace, which is in a file of its own",
    ),
    RefusedKind(
        "server-sent events",
        lambda value: (
            isinstance(value, str) and value.lstrip().startswith(("event:", "data:", ": ")) and _matches(STREAM, value)
        ),
        "a stream of server-sent events; expected the whole response: save the object that the stream ends with",
    ),
    RefusedKind(
        "AutoGen console print",
        lambda value: isinstance(value, str) and (_matches(CONSOLE, value) or _matches(OLD_CONSOLE, value)),
        "a console print of AutoGen, in which texts and headings cannot be told apart; expected its result as JSON: "
        "TaskResult.model_dump_json(), or chat_history",
    ),
)


def refusal_of(value: Any) -> str:
    """Why a value is refused, empty where it is of no kind that is known to hold no conversation."""
    return next((f"{refusal.reason}" for refusal in REFUSALS if refusal.applies(value)), "")


def _matches(pattern: re.Pattern[str], text: str) -> bool:
    return pattern.search(text) is not None
