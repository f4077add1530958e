"""What the tests of play share: a model that guesses numbers, and run folders compared."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tools.judge.chat_server import Body, chat


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def guess_body(body: Body) -> str:
    """A lawful answer to the prompt of the guessing game, by what stands in the transcript."""
    transcript = body["messages"][-1]["content"]
    low, high = 1, 8
    for guessed, relation in re.findall(r"system: (\d+)\?\nuser: It is (\w+)", transcript):
        low, high = (low, int(guessed) - 1) if relation == "lower" else (int(guessed) + 1, high)
    return json.dumps({"reasoning": f"{low} to {high}", "number": (low + high) // 2})


def thinks(body: Body, number: int) -> Body:
    """The script of a server that answers every prompt of the guessing game."""
    return chat(guess_body(body))


VARYING = ("calls", "input_tokens", "output_tokens", "cost", "seconds", "cached", "attempts")


def contents(folder: Path) -> dict[str, object]:
    """What must be the same in two plays: records and scores byte for byte, turns, traces and ends as sets.

    What an answer took when it was first asked is the same but for its time, which is measured.
    """
    traces = [
        {key: value for key, value in line.items() if key not in VARYING}
        | {"took": {**line.get("took", {}), "seconds": 0}}
        for line in lines(folder / "traces.jsonl")
    ]
    return {
        "records": (folder / "records.jsonl").read_bytes(),
        "scores": (folder / "scores.jsonl").read_bytes(),
        "turns": sorted(json.dumps(line) for line in lines(folder / "turns.jsonl")),
        "traces": sorted(json.dumps(line) for line in traces),
        "ends": sorted(json.dumps(line) for line in lines(folder / "ends.jsonl")),
    }
