"""Two small dialogues in the layout of MultiWOZ 2.2 with predictions, and a way to run commands on them."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from workspace import CommandResult, Workspace


def user(id: str, text: str, intent: str, state: dict[str, Any]) -> dict[str, Any]:
    services = dict.fromkeys(slot.partition("-")[0] for slot in state)
    return {
        "turn_id": id,
        "speaker": "USER",
        "utterance": text,
        "frames": [
            {
                "service": service,
                "actions": [],
                "slots": [],
                "state": {
                    "active_intent": intent if intent.endswith(service) else "NONE",
                    "requested_slots": [],
                    "slot_values": {slot: value for slot, value in state.items() if slot.startswith(f"{service}-")},
                },
            }
            for service in services
        ],
    }


def system(id: str, text: str, acts: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"turn_id": id, "speaker": "SYSTEM", "utterance": text, "frames": [], "dialog_act": acts or {}}


_HOTEL: dict[str, Any] = {
    "dialogue_id": "TST0001.json",
    "services": ["hotel"],
    "turns": [
        user("0", "A hotel in the north, please.", "find_hotel", {"hotel-area": ["north"]}),
        system("1", "For how many people?", {"Hotel-Request": [["bookpeople", "?"]]}),
        user("2", "Two.", "book_hotel", {"hotel-area": ["north"], "hotel-bookpeople": ["2"]}),
        system("3", "It is booked.", {"Booking-Book": [["none", "none"]]}),
    ],
}
_TRAIN: dict[str, Any] = {
    "dialogue_id": "TST0002.json",
    "services": ["train"],
    "turns": [
        user("0", "A train to Ely.", "find_train", {"train-destination": ["ely"]}),
        system("1", "When do you travel?", {"Train-Request": [["leaveat", "?"]]}),
    ],
}
_PREDICTIONS: dict[str, Any] = {
    "tst0001": [
        {"response": "How many?", "state": {"hotel": {"area": "north"}}, "active_domains": ["hotel"]},
        {"response": "Done.", "state": {"hotel": {"area": "north", "bookpeople": "2"}}, "active_domains": ["hotel"]},
    ],
    "tst0002": [{"response": "When?", "state": {"train": {"destination": "ely"}}, "active_domains": ["train"]}],
}


def hotel() -> dict[str, Any]:
    return copy.deepcopy(_HOTEL)


def train() -> dict[str, Any]:
    return copy.deepcopy(_TRAIN)


def predictions() -> dict[str, Any]:
    return copy.deepcopy(_PREDICTIONS)


def lines(*dialogues: Any) -> str:
    return "".join(json.dumps(dialogue) + "\n" for dialogue in dialogues)


class Desk(Workspace):
    """A folder with the two dialogues and their predictions in which commands are run."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        super().__init__(folder, capsys)
        self.gold = self.write("gold.jsonl", lines(hotel(), train()))
        self.mine = self.write("mine.json", json.dumps(predictions(), indent=1))

    def score(self, *arguments: object) -> CommandResult:
        return self.adjudge("score", "service", *arguments, "-o", self.run)

    def refused(self, *arguments: object) -> str:
        """The message of a scoring that is refused and leaves nothing behind."""
        before = set(self.folder.rglob("*"))
        done = self.score(*arguments)
        assert done.code == 2
        assert set(self.folder.rglob("*")) == before
        return done.err

    def rows(self, name: str = "scores.jsonl") -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.run / name).read_text().splitlines()]

    def scores(self, metric: str) -> dict[str, Any]:
        """The scores of one metric by case."""
        return {row["case"]: row["scores"][metric] for row in self.rows()}

    def manifest(self) -> dict[str, Any]:
        result: dict[str, Any] = json.loads((self.run / "run.json").read_text())
        return result
