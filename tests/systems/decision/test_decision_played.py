"""What participants know of a case, and the records of played decisions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from experts import FAST, SAFE, crossing

from adjudge.core.play import End, PlayedConversation, PlayedTurn, Said, Spent
from adjudge.systems.decision.data import COORDINATOR, Expert
from adjudge.systems.decision.expert import assess_by_rule
from adjudge.systems.decision.played import effort_of, participants, record, view
from workspace import Workspace

SECRETS = (0.123457, 0.765431)


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return Workspace(tmp_path, capsys)


def records(folder: Path) -> dict[tuple[str, str], dict[str, Any]]:
    rows = [json.loads(line) for line in (folder / "records.jsonl").read_text("utf-8").splitlines()]
    return {(row["case"], row["arm"]): row for row in rows}


def shown(case: Any, name: str, turns: tuple[PlayedTurn, ...] = ()) -> str:
    """All that a participant may know, as text."""
    [participant] = [each for each in participants(case) if each.id == name]
    seen = view(case, participant, turns)
    return msgspec.json.encode([seen.facts, seen.turns]).decode()


def test_an_expert_sees_its_own_scores_and_neither_the_truth_nor_those_of_others() -> None:
    secret = {"bridge": {"speed": SECRETS[0]}, "ford": {"speed": SECRETS[1]}}
    matrix = {"bridge": {"safety": 0.111119, "speed": 0.2}, "ford": {"safety": 0.3, "speed": 0.9}}
    experts = (Expert("guide", scores=SAFE, lacks=("speed",)), Expert("rider", scores=secret, lacks=("safety",)))
    case = crossing(experts=experts, matrix=matrix)
    guide, rider, coordinator = (shown(case, name) for name in ("guide", "rider", COORDINATOR))
    for number in SECRETS:
        assert str(number) in rider
        assert str(number) not in guide + coordinator
    assert "0.111119" not in guide + rider + coordinator
    assert "truth" not in guide + rider + coordinator


def test_what_an_expert_has_said_is_known_to_all_from_the_next_round_on() -> None:
    case = crossing()
    seen = view(case, participants(case)[1], ())
    said = assess_by_rule(seen.facts, exchanges=True)
    turns = (PlayedTurn(0, "rider", Said(said.reasoning, facts=said)),)
    assert msgspec.json.encode(FAST).decode() not in shown(case, "guide")
    for name in ("guide", COORDINATOR):
        assert msgspec.json.encode(FAST).decode() in shown(case, name, turns)


def test_the_assessments_of_every_round_are_kept(desk: Workspace) -> None:
    assert desk.adjudge("play", "decision").code == 0
    kept = records(Path("runs/play"))["clinic-site", "deliberation"]
    rounds = {(each["agent"], each["round"]) for each in kept["assessments"]}
    assert rounds == {(name, number) for name in ("planner", "nurse", "treasurer", "architect") for number in (1, 2)}
    assert set(kept["assessments"][0]["matrix"]["station"]) == {"reach", "building", "noise"}
    assert set(kept["assessments"][-1]["matrix"]["station"]) == {"reach", "building", "noise", "staffing", "rent"}
    assert kept["recommended"] == kept["truth"] == "station"
    assert kept["effort"] == {"iterations": 2, "calls": 0, "tokens": 0, "cost": 0.0}
    assert kept["confidence"] == pytest.approx(0.6 * kept["stated"]["consensus"] + 0.4 * (0.7 + 0.65 + 0.7 + 0.8) / 4)


def test_single_is_the_first_expert_alone_with_the_confidence_it_states(desk: Workspace) -> None:
    desk.adjudge("play", "decision", "--arm", "single")
    kept = records(Path("runs/play"))["clinic-site", "single"]
    assert [each["agent"] for each in kept["assessments"]] == ["planner"]
    assert (kept["recommended"], kept["confidence"]) == ("old_mill", 0.7)


def test_all_arms_meet_the_same_experts(desk: Workspace) -> None:
    desk.adjudge("play", "decision", "--generate", "n=3")
    kept = records(Path("runs/play"))
    for case in ("independent-1-0000", "independent-1-0002"):
        first = [
            [each for each in kept[case, arm]["assessments"] if each["round"] == 1]
            for arm in ("majority", "group", "deliberation")
        ]
        assert first[0] == first[1] == first[2]
        assert kept[case, "single"]["assessments"] == first[0][:1]


def test_efforts_are_those_of_models_and_unknown_where_they_are_not_known() -> None:
    rule = effort_of(Spent(), 2)
    asked = effort_of(Spent(answers=8, input_tokens=900, output_tokens=100, seconds=12.5, cost=0.01), 2)
    untold = effort_of(Spent(answers=8, seconds=1.0, cost=None), 1)
    assert (rule.iterations, rule.calls, rule.seconds, rule.tokens, rule.cost) == (2, 0, None, 0, 0.0)
    assert (asked.calls, asked.seconds, asked.tokens, asked.cost) == (8, 12.5, 1000, 0.01)
    assert (untold.tokens, untold.cost) == (None, None)


def test_the_first_screen_tells_what_deliberation_finds(desk: Workspace) -> None:
    done = desk.adjudge("play", "decision")
    assert done.code == 0, done.err
    assert "single, group, group/average, group/best, deliberation, majority: 12 of 12 conversations" in done.out
    row = next(line for line in done.out.splitlines() if line.startswith("ground_truth_match"))
    assert row.split()[2:8] == ["0.292", "0.333", "0.417", "0.833", "0.917*", "0.417"]
    assert len(done.out.splitlines()) < 50


@pytest.mark.parametrize(
    ("text", "recommended"),
    [
        ("We take the bridge.", "bridge"),
        ("Option: FORD!", "ford"),
        ("The bridge, not the ford.", None),
        ("Bridgehead or fords, who knows?", None),
        ("", None),
    ],
)
def test_words_decide_if_they_name_exactly_one_alternative(text: str, recommended: str | None) -> None:
    case = crossing()
    turns = (PlayedTurn(0, COORDINATOR, Said(text)),)
    played = PlayedConversation("c", case, "mine", 0, participants(case), turns, End("protocol"))
    assert record(played).recommended == recommended


def test_an_own_system_that_names_an_alternative_decides(desk: Workspace) -> None:
    desk.write(
        "mine.py",
        "def decide(messages):\n"
        "    lines = messages[0]['content'].splitlines()\n"
        "    return 'I recommend ' + lines[2].split()[1].rstrip(':') + ', since nothing speaks against it.'\n",
    )
    done = desk.adjudge("play", "decision", "--arm", "mine=py:mine.py:decide", "--arm", "group", "-o", desk.run)
    assert done.code == 0, done.err
    kept = records(desk.run)
    assert kept["clinic-site", "mine"]["recommended"] == "old_mill"
    assert all(record["recommended"] for (_, arm), record in kept.items() if arm == "mine")
