from __future__ import annotations

from pathlib import Path

import msgspec

from adjudge.core.card import Card
from adjudge.core.coverage import ArmCoverage, Coverage
from adjudge.core.mark import Mark, Score, ScoreRow
from adjudge.run import MANIFEST, RECORDS, SCORES, InputFile, Manifest, Run

HOSTILE = "<script>alert(1)</script> | pipe `tick` \x1b[31m\n[link](http://x) ![i](http://y) www.z.org [red]a@b.org"
FORMULA = "=cmd()|'/c calc'!A1"


def card(name: str, **changes: object) -> Card:
    facts: dict[str, object] = {
        "symbol": name[0].upper(),
        "question": f"How often is {name} right?",
        "formula": "right / all",
        "unit": "turn",
        "better": "higher",
        "scale": (0.0, 1.0),
        "pool": "marks",
        "source": "this test",
    }
    return Card(name=name, **{**facts, **changes})  # type: ignore[arg-type]


CARDS = {
    found.name: found
    for found in (
        card("joint_goal_accuracy", probes=("memory",)),
        card("hallucination", better="lower", unit="reply", probes=("policy", "supervisor")),
        card("intent_accuracy", predicts=("intents",), probes=("triage",)),
        card("success", pool="conversations", unit="conversation", probes=("policy",)),
        card("turns_taken", better="neither", scale=(0.0, None), pool="conversations", unit="conversation"),
        card("success_strict", pool="conversations", unit="conversation", probes=("policy",), variant=True),
    )
}

# By arm and conversation: the values of joint goal accuracy by turn, in the domains of GROUPS.
GOALS = {
    "ubar": [[1, 1, 0], [1, 0], [0, 0, 0], [1], [1, 1, 1, 1], [1, 0, 1]],
    "galaxy": [[1, 1, 1], [1, 1], [0, 1, 0], [1], [1, 1, 0, 1], [1, 0, 1]],
}
GROUPS = ("hotel", "train", "taxi", "hotel")
HALLUCINATED = {"ubar": [0.5, 0.0, 1.0, 0.0, 0.0, 0.25], "galaxy": [0.0] * 6}
SUCCESS = {"ubar": [1, 0, None, 1, 1, 0], "galaxy": [1, 1, 0, 1, 1, 0]}


def scores(arm: str, place: int) -> dict[str, Score]:
    goals = [
        Mark(float(value), at="belief", turn=str(turn), why="" if value else HOSTILE, group=GROUPS[turn])
        for turn, value in enumerate(GOALS[arm][place])
    ]
    stated = HALLUCINATED[arm][place]
    success = SUCCESS[arm][place]
    known = [] if success is None else [Mark(float(success), why="" if success else FORMULA)]
    intent = Score.of([Mark(1.0)]) if arm == "galaxy" else Score.skip("no_prediction", "never predicts intents")
    strict = Score.of(known)
    if arm == "galaxy" and place == 5:
        strict = Score.skip("error", "ZeroDivisionError: [bold]division\x1b[2J")
    return {
        "joint_goal_accuracy": Score.of(goals),
        "hallucination": Score.of([Mark(stated, at="09:15", why=FORMULA if stated else "", weight=2.0)]),
        "intent_accuracy": intent,
        "success": Score.of(known),
        "turns_taken": Score.of([Mark(float(len(goals)))]),
        "success_strict": strict,
    }


def make_run(folder: Path, rows: list[ScoreRow], manifest: Manifest) -> Run:
    folder.mkdir(parents=True)
    (folder / MANIFEST).write_bytes(msgspec.json.encode(manifest))
    (folder / SCORES).write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    (folder / RECORDS).write_bytes(
        b"".join(msgspec.json.encode({"id": row.case, "arm": row.arm}) + b"\n" for row in rows)
    )
    return Run(folder)


def manifest(**changes: object) -> Manifest:
    facts: dict[str, object] = {
        "suite": "service",
        "adjudge": "0.1.0",
        "cards": CARDS,
        "options": {"map": ["people=bookpeople"]},
        "settings": {"match": "fuzzy 0.9"},
        "inputs": [InputFile("data/gold|1.json", 120, "ab" * 32), InputFile("ubar.json", 80, "cd" * 32)],
        "status": "complete",
        "coverage": Coverage(
            arms={
                "ubar": ArmCoverage(5, 6, 13, 16, {"state", "reply"}, ["`people` never meets `bookpeople`"]),
                "galaxy": ArmCoverage(6, 6, 16, 16, {"state", "reply", "intents"}),
            },
            warnings=["2 turns do not align"],
        ),
    }
    return Manifest(**{**facts, **changes})  # type: ignore[arg-type]


ROWS = [
    ScoreRow(case=f"MUL{place:04}.json", arm=arm, scores=scores(arm, place))
    for place in range(6)
    for arm in ("ubar", "galaxy")
]
