"""Group travel planning: was everybody heard, is the plan real and sound, and is it fair?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from adjudge.core.suite import Option, Options, Suite
from adjudge.suites.trip.data import Trip
from adjudge.suites.trip.read.source import TripSource

HERE = Path(__file__).parent


def _tools(options: Options) -> Mapping[str, object]:
    return {}


suite = Suite(
    name="trip",
    title="Group travel planning: voices, conflicts, plans, and welfare under conditions C1 to C5",
    record=Trip,
    package=__name__,
    open=TripSource,
    tools=_tools,
    sample=HERE / "sample" / "sample.jsonl",
    options=(
        Option(
            "arm", "the arm of all files, or one for each file (default: the condition)", metavar="NAME", repeat=True
        ),
        Option("catalogue", "reference information for plans that have none: one for all, or by idx", is_path=True),
        Option("plan", "plans for trips that have none: one for all, or by id", is_path=True),
        Option("delimiter", "the delimiter of a table (default: comma; tab for .tsv)", metavar="CHAR"),
        Option("encoding", "the encoding of tables", metavar="NAME", default="utf-8"),
        Option("fix-mojibake", "repair texts that were written as UTF-8 and read as cp1252", flag=True),
    ),
    settings=("fix-mojibake",),
    example="plans.jsonl --catalogue reference.jsonl -o runs/mine",
)
