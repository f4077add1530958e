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
        Option(
            "arm", "the arm of all files, or one for each file (default: as in the log)", metavar="NAME", repeat=True
        ),
        Option("delimiter", "the delimiter of a table (default: comma; tab for .tsv)", metavar="CHAR"),
        Option("encoding", "the encoding of tables and text chats", metavar="NAME", default="utf-8"),
        Option("arm-by", "where the arm comes from without --arm", choices=("log", "file"), default="log"),
        Option(
            "rubric",
            "a question of your own to the judge (Markdown, or TOML)",
            metavar="FILE",
            repeat=True,
            is_path=True,
        ),
        Option("blame", "how a judge is asked which step caused the failure", choices=tuple(WAYS), default="whole"),
    ),
    canaries=canaries,
    own_metrics=own_metrics,
    example="messages.jsonl -o runs/mine",
)
