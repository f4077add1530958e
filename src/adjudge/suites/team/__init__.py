"""Conversations of any kind between any number of parties: who took part, what was done, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from adjudge.core.suite import Option, Options, Suite
from adjudge.suites.team.data import Conversation
from adjudge.suites.team.read.source import TeamSource
from adjudge.suites.team.rules.attribution import WAYS
from adjudge.suites.team.rules.canaries import canaries
from adjudge.suites.team.rules.own_rubrics import OwnRubrics, own_metrics
from adjudge.tools.rubrics import Rubrics

HERE = Path(__file__).parent


def _tools(options: Options) -> Mapping[str, object]:
    rubrics = options.get("rubrics")
    return {
        "rubrics": Rubrics(HERE / "rubrics", Path(rubrics) if rubrics else None),
        "own_rubrics": OwnRubrics(options),
        "attributor": WAYS[options.get("blame") or "whole"],
    }


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
        Option("delimiter", "between the cells of a table (default: comma, in .tsv tab)", metavar="CHAR"),
        Option("encoding", "of tables and chats as text", metavar="NAME", default="utf-8"),
        Option("arm-by", "what names the arm where --arm does not", choices=("log", "file"), default="log"),
        Option(
            "rubric",
            "a question of your own to the judge (Markdown, or TOML)",
            metavar="FILE",
            repeat=True,
            is_path=True,
        ),
        Option("blame", "how a judge is asked who broke it", choices=tuple(WAYS), default="whole"),
    ),
    canaries=canaries,
    own_metrics=own_metrics,
    example="messages.jsonl -o runs/mine",
)
