"""The record of this suite: the neutral conversation that every reader of logs gives."""

from __future__ import annotations

from adjudge.core.conversation import Conversation, Fault, Outcome

__all__ = ["Conversation", "Fault", "Outcome"]
