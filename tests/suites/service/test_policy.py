"""Section 8 of spec/service.md: policy compliance; ruled as two names, violation and compliance."""

from pathlib import Path
from typing import Any

import pytest
from dialogues import POLICY, acts, dialogue, marks, values

from adjudge.core.errors import BadInput
from adjudge.core.mark import Score
from adjudge.suites.service.metrics.policy import policy_compliance, policy_violation, violations_per_dialogue
from adjudge.suites.service.rules.actions import Actions
from adjudge.suites.service.rules.policy import Policy

HOTEL = {"hotel-name": "acorn", "hotel-bookday": "friday", "hotel-bookpeople": "2", "hotel-bookstay": "3"}
TRAIN = {
    "train-destination": "ely",
    "train-departure": "cambridge",
    "train-day": "friday",
    "train-bookpeople": "2",
}
BOOK_HOTEL = {"intents": ("book_hotel",)}


def without(state: dict[str, str], slot: str) -> dict[str, str]:
    return {name: value for name, value in state.items() if name != slot}


def books(state: dict[str, Any] | None, domain: str = "hotel", **more: Any) -> dict[str, Any]:
    return {"intents": (f"book_{domain}",), "state": state, "action": "book", **more}


def test_worked_example_of_section_8_a_booking_without_bookstay_is_a_violation() -> None:
    turn = (BOOK_HOTEL, books(without(HOTEL, "hotel-bookstay")))
    assert values(policy_violation, turn) == [1.0]
    assert values(policy_compliance, turn) == [0.0]


def test_step_2_of_section_8_violations_are_counted_by_dialogue() -> None:
    broken = (BOOK_HOTEL, books(without(HOTEL, "hotel-bookstay")))
    (mark,) = marks(violations_per_dialogue, dialogue(broken, (BOOK_HOTEL, books(HOTEL)), broken))
    assert mark.value == 2.0
    assert mark.why == "turn 0: booked hotel without bookstay; turn 4: booked hotel without bookstay"
    assert values(violations_per_dialogue, (BOOK_HOTEL, books(HOTEL))) == [0.0]
    assert values(violations_per_dialogue, (BOOK_HOTEL, None)) == []


def test_a_booking_with_all_that_is_needed_complies() -> None:
    assert values(policy_violation, (BOOK_HOTEL, books(HOTEL))) == [0.0]
    assert values(policy_compliance, (BOOK_HOTEL, books(HOTEL))) == [1.0]


@pytest.mark.parametrize("slot", HOTEL)
def test_each_required_slot_is_required(slot: str) -> None:
    (mark,) = marks(policy_violation, dialogue((BOOK_HOTEL, books(without(HOTEL, slot)))))
    assert (mark.value, mark.why) == (1.0, f"booked hotel without {slot.partition('-')[2]}")


@pytest.mark.parametrize("nothing", ["", "none", "not mentioned"])
def test_a_required_slot_that_holds_nothing_is_missing(nothing: str) -> None:
    assert values(policy_violation, (BOOK_HOTEL, books({**HOTEL, "hotel-bookstay": nothing}))) == [1.0]


def test_dontcare_is_a_value_and_fills_a_slot() -> None:
    assert values(policy_violation, (BOOK_HOTEL, books({**HOTEL, "hotel-name": "dontcare"}))) == [0.0]


def test_without_a_booking_nothing_is_violated() -> None:
    asked = {"intents": ("book_hotel",), "state": {}, "action": "request"}
    assert values(policy_violation, (BOOK_HOTEL, asked)) == [0.0]


def test_the_act_booking_book_books_the_domain_of_the_turn() -> None:
    predicted = {"state": {}, "acts": acts("Booking-Book")}
    (mark,) = marks(policy_violation, dialogue((BOOK_HOTEL, predicted)))
    assert mark.why == "booked hotel without name, bookday, bookpeople, bookstay"


def test_the_act_train_offerbooked_books_a_train() -> None:
    predicted = {"state": {**TRAIN, "train-leaveat": "09:00"}, "acts": acts("Train-OfferBooked")}
    assert values(policy_violation, ({"intents": ("book_train",)}, predicted)) == [0.0]
    predicted = {"state": {}, "acts": acts("Train-OfferBooked")}
    assert values(policy_violation, ({"intents": ("book_train",)}, predicted)) == [1.0]


@pytest.mark.parametrize("time", ["train-leaveat", "train-arriveby"])
def test_a_train_needs_leaveat_or_arriveby(time: str) -> None:
    gold = {"intents": ("book_train",)}
    assert values(policy_violation, (gold, books({**TRAIN, time: "09:00"}, "train"))) == [0.0]


def test_a_train_with_neither_time_is_a_violation() -> None:
    (mark,) = marks(policy_violation, dialogue(({"intents": ("book_train",)}, books(TRAIN, "train"))))
    assert mark.why == "booked train without leaveat or arriveby"


def test_slots_of_another_domain_do_not_fill_a_booking() -> None:
    restaurant = {name.replace("hotel", "restaurant"): value for name, value in HOTEL.items()}
    assert values(policy_violation, (BOOK_HOTEL, books(restaurant))) == [1.0]


def test_a_booking_while_the_turn_has_no_predicted_state_is_a_violation() -> None:
    assert values(policy_violation, (BOOK_HOTEL, books(None))) == [1.0]


def test_a_domain_without_rule_cannot_be_violated() -> None:
    assert values(policy_violation, ({"intents": ("book_taxi",)}, books({}, "taxi"))) == [0.0]


def test_a_turn_without_prediction_gives_no_mark() -> None:
    assert values(policy_violation, (BOOK_HOTEL, None)) == []


def test_compliance_is_one_less_violation() -> None:
    turns = [(BOOK_HOTEL, books(HOTEL)), (BOOK_HOTEL, books({})), (BOOK_HOTEL, {"state": {}})]
    broken = Score.of(marks(policy_violation, dialogue(*turns))).value
    kept = Score.of(marks(policy_compliance, dialogue(*turns))).value
    assert broken == pytest.approx(1 / 3)
    assert kept == pytest.approx(2 / 3)
    assert (policy_violation.card.better, policy_compliance.card.better) == ("lower", "higher")


def test_the_policy_is_data_that_a_user_can_replace(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('[book.hotel]\nall = ["name"]\n', "utf-8")
    mine = Policy.load(tmp_path / "mine.toml")
    assert values(policy_violation, (BOOK_HOTEL, books({"hotel-name": "acorn"})), policy=mine) == [0.0]
    assert values(policy_violation, (BOOK_HOTEL, books({"hotel-name": "acorn"})), policy=POLICY) == [1.0]


def test_the_act_table_is_data_that_a_user_can_replace(tmp_path: Path) -> None:
    rest = "".join(f"{action} = []\n" for action in ("search", "request", "inform"))
    (tmp_path / "mine.toml").write_text(f'[actions]\nbook = ["Hotel-Reserve"]\n{rest}', "utf-8")
    predicted = {"state": {}, "acts": acts("Hotel-Reserve")}
    assert values(policy_violation, (BOOK_HOTEL, predicted)) == [0.0]
    assert values(policy_violation, (BOOK_HOTEL, predicted), actions=Actions.load(tmp_path / "mine.toml")) == [1.0]


def test_a_policy_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("[book.hotel]\nneeds = 3\n", "utf-8")
    with pytest.raises(BadInput, match=r"mine\.toml: .*needs"):
        Policy.load(tmp_path / "mine.toml")
    with pytest.raises(BadInput, match=r"none\.toml: No such file"):
        Policy.load(tmp_path / "none.toml")
