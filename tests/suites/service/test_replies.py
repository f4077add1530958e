"""Facts in replies that do not exist: example 3 of section 9 and the last row of the table of spec/service.md."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from dialogues import ACTIONS, Exchanged, acts, dialogue, marks
from msgspec import structs

from adjudge.core.errors import Warnings
from adjudge.core.mark import Mark
from adjudge.suites.service.data import Goal, ServiceDialogue, ServiceTurn
from adjudge.suites.service.metrics.completion import task_completion, task_completion_ceiling
from adjudge.suites.service.metrics.correctness import system_correctness, system_correctness_ceiling
from adjudge.suites.service.metrics.hallucination import reply_hallucination
from adjudge.suites.service.read.attachments import DialogueFiles
from adjudge.suites.service.read.formats import read_official
from adjudge.suites.service.rules.claims import claims_of
from adjudge.suites.service.rules.database import Venues
from adjudge.suites.service.rules.replies import checked_references
from growth import assert_linear

MULTIWOZ = Path(__file__).parents[4] / "shared" / "data" / "multiwoz"
RESTAURANTS = [
    {
        "id": "1",
        "name": "curry garden",
        "area": "centre",
        "food": "indian",
        "address": "106 Regent Street City Centre",
        "phone": "01223302330",
        "postcode": "cb21dp",
    },
    {
        "id": "2",
        "name": "the lovell lodge",
        "area": "north",
        "food": "british",
        "address": "365 Milton Road",
        "phone": "01223425478",
        "postcode": "C.B 4, 1 S.R",
    },
]
TRAIN = {
    "trainid": "TR1234",
    "departure": "cambridge",
    "destination": "ely",
    "day": "monday",
    "arrive": "05:52",
    "leave": "05:35",
}
DB = Venues({"restaurant": RESTAURANTS, "train": [TRAIN]})
SEARCH = {"intents": ("find_restaurant",), "state": {"restaurant-area": "centre"}}
FOUND = {"action": "search", "state": {"restaurant-area": "centre"}}
GOLDEN_DRAGON = "I recommend The Golden Dragon, phone: 123-456-7890"


def reply_marks(*exchanges: Exchanged, db: Venues = DB) -> list[Mark]:
    return marks(reply_hallucination, dialogue(*exchanges), db=db)


def reply_faults(reply: str, *before: Exchanged) -> str:
    """What is marked in a reply to a search; "-" where nothing is claimed."""
    given = [mark for mark in reply_marks(*before, (SEARCH, FOUND, reply)) if mark.turn == str(2 * len(before))]
    return given[0].why if given else "-"


def test_example_3_of_section_9_a_venue_and_a_phone_that_do_not_exist() -> None:
    (mark,) = reply_marks((SEARCH, FOUND, GOLDEN_DRAGON))
    assert mark.value == 1.0
    assert mark.why == "no phone 123-456-7890 in the database; no venue The Golden Dragon in the database"
    turn = (SEARCH, FOUND, GOLDEN_DRAGON)
    assert [mark.value for mark in marks(system_correctness, dialogue(turn), db=DB)] == [0.0]
    assert [mark.value for mark in marks(system_correctness, dialogue(turn))] == [1.0]


def test_last_row_of_the_table_a_hallucination_makes_the_task_incomplete() -> None:
    goal = {"restaurant": Goal(requestable=("PHONE",))}
    honest = dialogue((SEARCH, FOUND, "Call curry garden at 01223302330"), goal=goal)
    invented = dialogue((SEARCH, FOUND, GOLDEN_DRAGON), (SEARCH, FOUND, "call 01223302330"), goal=goal)
    assert [mark.value for mark in marks(task_completion, honest, db=DB)] == [1.0]
    (mark,) = marks(task_completion, invented, db=DB)
    assert (mark.value, "Golden Dragon" in mark.why) == (0.0, True)
    assert [mark.value for mark in marks(task_completion, invented, db=None)] == [1.0]


def test_the_ceilings_hold_gold_replies_to_the_same_rule() -> None:
    goal = {"restaurant": Goal(requestable=("PHONE",))}
    gold = {**SEARCH, "acts": {"Restaurant-Inform": (("phone", "01223302330"),)}}
    record = dialogue((gold, None, GOLDEN_DRAGON), goal=goal)
    for ceiling in (system_correctness_ceiling, task_completion_ceiling):
        assert [mark.value for mark in marks(ceiling, record, db=None)] == [1.0]
        assert [mark.value for mark in marks(ceiling, record, db=DB)] == [0.0]


@pytest.mark.parametrize(
    "reply",
    [
        "I recommend Curry Garden, 106 Regent St, CB2 1DP, call +44 1223 302-330",
        "I suggest The Lovell: it is at 365 Milton Road, cb41sr",
        "How about the Curry Gardn?",
        "I recommend Indian food in the Centre",
        "1. Curry Garden\n2. Lovell Lodge (British)",
        "TR1234 leaves at 05:35",
    ],
)
def test_what_the_database_holds_is_confirmed_in_any_spelling(reply: str) -> None:
    assert reply_faults(reply) == ""


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("1. Coe Fen\n2. Curry Garden", "no venue Coe Fen in the database"),
        ("I have booked you at Blue Moon House", "no venue Blue Moon House in the database"),
        ("They are at 12 Signey Street", "no address 12 Signey Street in the database"),
        ("Curry Garden has the postcode cd21dp", "no postcode cd21dp in the database"),
        ("Take TR9999", "no train TR9999 in the database"),
        ("Curry Garden: 01223425478", "phone 01223425478 is that of the lovell lodge, which nobody named"),
        ("Your reference number is ABCD1234", "reference ABCD1234 without a booking"),
    ],
)
def test_what_nothing_confirms_is_invented(reply: str, fault: str) -> None:
    assert reply_faults(reply) == fault


@pytest.mark.parametrize("reply", ["Anything else?", "There are 12 of them at 09:01", "Whether you like it, I can try"])
def test_a_reply_without_a_claim_is_undefined(reply: str) -> None:
    assert reply_faults(reply) == "-"


def test_replies_with_placeholders_claim_nothing() -> None:
    assert reply_marks((SEARCH, FOUND, "[value_name] has 01223999999"), (SEARCH, FOUND, "call [value_phone]")) == []


def test_the_share_of_claims_is_marked() -> None:
    (mark,) = reply_marks((SEARCH, FOUND, "Curry Garden has 01223302330 and cd21dp"))
    assert mark.value == 0.5


def test_what_the_user_said_is_not_invented() -> None:
    turns = (
        ServiceTurn("0", "user", "Is the Golden Dragon open?", gold=None),
        ServiceTurn("1", "system", "I cannot find a place called Golden Dragon."),
    )
    record = ServiceDialogue(id="d", turns=turns, goal={"restaurant": Goal()})
    (mark,) = marks(reply_hallucination, record, db=DB)
    assert mark.value == 0.0


def test_what_a_tool_returned_is_not_invented_and_is_no_reply() -> None:
    turns = (
        ServiceTurn("0", "user"),
        ServiceTurn("1", "tool", "name: Golden Dragon, phone: 123 456 7890", kind="result"),
        ServiceTurn("2", "system", "I recommend Golden Dragon, phone 123 456 7890"),
    )
    record = ServiceDialogue(id="d", turns=turns, goal={"restaurant": Goal()})
    assert [mark.value for mark in marks(reply_hallucination, record, db=DB)] == [0.0]
    assert record.exchanges[0].reply == turns[2].text


def test_gold_acts_of_the_reply_confirm_what_no_database_holds() -> None:
    gold = {**SEARCH, "acts": {"Restaurant-Inform": (("phone", "123-456-7890"), ("name", "golden dragon"))}}
    (mark,) = reply_marks((gold, FOUND, GOLDEN_DRAGON.replace("The ", "")))
    assert mark.value == 0.0


@pytest.mark.parametrize("booking", [{"action": "book"}, {"acts": acts("Booking-Book")}])
def test_a_reference_is_confirmed_by_a_booking_in_this_turn_or_before(booking: dict[str, Any]) -> None:
    booked = (SEARCH, {**booking, "state": {}}, "Done.")
    assert reply_faults("Your reference number is ABCD1234", booked) == ""


def test_a_reference_is_not_checked_where_nobody_annotates_bookings() -> None:
    turn = ({"state": {}}, {"state": {}}, "Your reference number is ABCD1234")
    assert reply_marks(turn) == []


def test_a_taxis_number_is_in_no_database() -> None:
    assert reply_faults("Your taxi is a black ford, contact number 07512345678") == ""


def test_a_domain_without_database_is_not_checked() -> None:
    hotel = {"intents": ("find_hotel",), "state": {}}
    assert reply_marks((hotel, FOUND, GOLDEN_DRAGON)) == []


def test_nothing_is_checked_where_no_domain_is_known() -> None:
    turns = (ServiceTurn("0", "user"), ServiceTurn("1", "system", GOLDEN_DRAGON))
    record = ServiceDialogue(id="d", turns=turns)
    assert marks(reply_hallucination, record, db=DB) == []
    about = structs.replace(record, goal={"restaurant": Goal()})
    assert [mark.value for mark in marks(reply_hallucination, about, db=DB)] == [1.0]


@pytest.mark.parametrize("part", ["1 ", "I recommend A", "A ", "\n", "1. ", "1 a ", "12 Street ", "tr ", "07 ", "+1 "])
def test_the_time_for_a_reply_grows_with_its_length(part: str) -> None:
    assert_linear(lambda size: claims_of(part * size), 5_000)


@pytest.mark.slow
@pytest.mark.skipif(not MULTIWOZ.is_dir(), reason=f"{MULTIWOZ} is not there")
def test_few_human_replies_are_marked() -> None:
    """The counts on the card: 40 replies for a venue or a fact, 20 references; 42 of 44 claims are real slips."""
    db, none = Venues.load(MULTIWOZ / "db"), DialogueFiles([], {}, Warnings())
    checked = []
    for split in ("dev", "test"):
        with gzip.open(MULTIWOZ / f"mwz21states_{split}.jsonl.gz") as lines:
            gold = [read_official("", line, Warnings(), none) for line in lines]
        checked += [reply for record in gold for reply in checked_references(_without_values(record), db, ACTIONS)]
    faults = [fault for reply in checked for fault in reply.invented]
    references = [fault for fault in faults if fault.startswith("reference")]
    others = [reply for reply in checked if not set(reply.invented) <= set(references)]
    assert (len(checked), len(others), len(faults) - len(references), len(references)) == (4614, 40, 44, 20)


def _without_values(record: ServiceDialogue) -> ServiceDialogue:
    """The dialogue with the types of its acts alone, so that they confirm nothing."""
    turns = [
        turn
        if turn.gold is None or turn.gold.acts is None
        else structs.replace(turn, gold=structs.replace(turn.gold, acts=acts(*turn.gold.acts)))
        for turn in record.turns
    ]
    return structs.replace(record, turns=tuple(turns))
