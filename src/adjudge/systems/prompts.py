"""What the systems of all suites show to a model: a prompt file, the material as data, and the dialogue so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec

from adjudge.core.play import Message, Prompt, Utterance


class Prompts(Protocol):
    """The prompt files by name."""

    def text(self, name: str) -> str:
        """The text of a prompt file."""


def prompt_for(part: str, instructions: str, material: Mapping[str, Any], answer: type[Any]) -> Prompt[Any]:
    """A prompt: instructions, and the material as JSON data."""
    data = msgspec.json.encode(material).decode()
    messages = (Message("system", instructions), Message("user", "The material of this turn:", data))
    return Prompt(messages, answer, part=part)


def dialogue_of(turns: Sequence[Utterance]) -> list[dict[str, str]]:
    """The turns as data."""
    return [{"speaker": turn.speaker, "text": turn.text} for turn in turns]
