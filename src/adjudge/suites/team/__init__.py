"""Conversations of any kind between any number of parties: who took part, what was done, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from adjudge.core.suite import Option, Options, Suite
from adjudge.suites.team.data import Conversation
from adjudge.suites.team.read.source import TeamSource

HERE = Path(__file__).parent


def _tools(options: Options) -> Mapping[str, object]:
    return {}


suite = Suite(
    name="team",
    title="Any conversation between agents, people and tools: shares, hand-overs, tool calls, failures",
    record=Conversation,
    package=__name__,
    open=TeamSource,
    tools=_tools,
    sample=HERE / "sample" / "sample.jsonl",
    options=(
        Option("format", "the format of the files (default: detected in each)", metavar="NAME"),
        Option("arm", "the arm of all files or of each (else what the log says)", metavar="NAME", repeat=True),
        Option("arm-by", "what names the arm where --arm does not", choices=("log", "file"), default="log"),
    ),
    example="messages.jsonl -o runs/mine",
)
