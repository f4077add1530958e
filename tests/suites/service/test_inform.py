import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adjudge.core.errors import Unanswered
from adjudge.core.mark import Mark
from adjudge.suites.service.data import Annotation, Goal, ServiceDialogue, ServiceTurn
from adjudge.suites.service.metrics.inform import inform, success
from adjudge.suites.service.rules import offers as module
from adjudge.suites.service.rules.database import Venues

MULTIWOZ = Path(__file__).parents[4] / "shared" / "data" / "multiwoz"
HOTELS = [
    {"id": "0", "name": "blue house", "area": "east", "stars": "4", "phone": "01223000001"},
    {"id": "1", "name": "red lion hotel", "area": "west", "stars": "4", "phone": "01223000002"},
    {"id": "2", "name": "grey inn", "area": "west", "stars": "2", "phone": "01223000003"},
]
TRAINS = [
    {
        "trainID": f"TR{hour:04}",
        "departure": "cambridge",
        "destination": "ely",
        "day": "monday",
        "leaveAt": f"{hour:02}:35",
        "arriveBy": f"{hour:02}:52",
    }
    for hour in (5, 9)
]
WEST = Goal(informable={"area": "west"})


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Venues:
    folder = tmp_path_factory.mktemp("db")
    (folder / "hotel_db.json").write_text(json.dumps(HOTELS))
    (folder / "train_db.json").write_text(json.dumps(TRAINS))
    return Venues.load(folder)


def dialogue(goal: dict[str, Goal] | None, *turns: tuple[str, dict[str, Any]], **facts: Any) -> ServiceDialogue:
    """Turns are replies with the fields of the prediction; `booked` goes to the gold side."""
    pairs = []
    for reply, fields in turns:
        gold = Annotation(booked=fields.pop("booked", None))
        pairs.append(ServiceTurn("u", "user", gold=gold))
        pairs.append(ServiceTurn("s", "system", reply, predicted=Annotation(**fields)))
    return ServiceDialogue(id="d", goal=goal, turns=tuple(pairs), **facts)


def rates(marks: list[tuple[Mark, Mark]]) -> list[float]:
    return [sum(mark.value for mark in column) / len(marks) for column in zip(*marks, strict=True)]


def judged(record: ServiceDialogue, db: Venues) -> tuple[Mark, Mark]:
    (informed,), (succeeded,) = inform(record, db), success(record, db)
    return informed, succeeded


def west() -> dict[str, Any]:
    return {"state": {"hotel-area": "west"}}


def test_venues_of_the_state_that_fit_the_goal_inform(db: Venues):
    informed, succeeded = judged(dialogue({"hotel": WEST}, ("try [value_name]", west())), db)
    assert (informed.value, informed.at, informed.why) == (1.0, "placeholders", "")
    assert succeeded.value == 1.0


def test_a_venue_on_offer_that_does_not_fit_is_counted(db: Venues):
    goal = {"hotel": Goal(informable={"stars": "4"})}
    informed, succeeded = judged(dialogue(goal, ("try [value_name]", west())), db)
    assert informed.value == succeeded.value == 0.0
    assert informed.why == "hotel: 1 of 2 venues on offer do not fit the goal"


def test_no_offer_fails(db: Venues):
    informed, _ = judged(dialogue({"hotel": WEST}, ("[value_choice] hotels", west())), db)
    assert informed.why == "hotel: no offer"


def test_an_offer_stays_while_all_of_it_is_still_found(db: Venues):
    wide = ("[value_name]", {"state": {"hotel-stars": "4"}, "domains": ("hotel",)})
    narrow = ("[value_name]", {"state": {"hotel-stars": "4", "hotel-area": "east"}, "domains": ("hotel",)})
    goal = {"hotel": Goal(informable={"area": "east"})}
    assert judged(dialogue(goal, narrow, wide), db)[0].value == 1.0
    assert judged(dialogue(goal, ("[value_name]", west()), narrow), db)[0].value == 1.0


def test_an_active_domain_without_state_offers_nothing(db: Venues):
    turns = [("[value_name]", {"state": {"hotel-area": "west"}, "domains": ("hotel",)})]
    turns.append(("[value_name]", {"state": {}, "domains": ("hotel",)}))
    assert judged(dialogue({"hotel": WEST}, *turns), db)[0].why == "hotel: no offer"


def test_placeholders_without_any_predicted_state_are_skipped_with_the_reason(db: Venues):
    with pytest.raises(Unanswered, match="--state gold") as skipped:
        judged(dialogue({"hotel": WEST}, ("[value_name]", {})), db)
    assert skipped.value.status == "no_prediction"


@pytest.mark.parametrize("goal", [{"hotel": Goal(informable={"name": "x"})}, {"taxi": Goal()}, {"train": Goal()}])
def test_some_goals_need_no_offer(db: Venues, goal: dict[str, Goal]):
    assert judged(dialogue(goal, ("hello", {"state": {}})), db)[0].value == 1.0


def test_a_train_whose_id_is_requested_needs_an_offer(db: Venues):
    goal = {"train": Goal(informable={"arrive": "06:00"}, requestable=("TRAINID",))}
    state = {"train-destination": "ely", "train-arriveby": "6:00"}
    assert judged(dialogue(goal, ("hello", {"state": state})), db)[0].why == "train: no offer"
    informed, succeeded = judged(dialogue(goal, ("take [value_id]", {"state": state})), db)
    assert informed.value == succeeded.value == 1.0


def test_requested_slots_must_be_given(db: Venues):
    goal = {"hotel": Goal(informable={"area": "west"}, requestable=("PHONE", "POST"))}
    informed, succeeded = judged(dialogue(goal, ("[value_name], [value_phone]", west())), db)
    assert informed.value == 1.0
    assert (succeeded.value, succeeded.why) == (0.0, "hotel: POST not given")


@pytest.mark.parametrize(("booked", "value"), [((), 0.0), (("hotel",), 1.0), (None, 1.0)])
def test_a_reference_counts_where_the_domain_is_booked_or_bookings_are_unknown(
    db: Venues, booked: tuple[str, ...] | None, value: float
):
    goal = {"hotel": Goal(informable={"area": "west"}, requestable=("REFERENCE",))}
    record = dialogue(goal, ("[value_name], [value_reference]", west() | {"booked": booked}))
    assert judged(record, db)[1].value == value


def test_without_goal_the_question_does_not_arise(db: Venues):
    assert list(inform(dialogue(None, ("[value_name]", west())), db)) == []
    assert list(success(dialogue({}, ("[value_name]", west())), db)) == []


def test_an_arm_that_only_replies_is_judged_by_its_replies(db: Venues):
    turns = (ServiceTurn("0", "user"), ServiceTurn("1", "system", "the red lion hotel"))
    record = ServiceDialogue(id="d", goal={"hotel": WEST}, turns=turns)
    assert judged(record, db)[0].value == 1.0


def test_prefixed_placeholders_name_the_active_domain(db: Venues):
    state = {"hotel-area": "west", "train-day": "monday", "train-destination": "ely"}
    turn = ("[hotel_name]", {"state": state})
    assert judged(dialogue({"hotel": WEST}, turn, placeholders="prefixed"), db)[0].value == 1.0
    assert judged(dialogue({"hotel": WEST}, turn, placeholders="plain"), db)[0].value == 0.0


def test_the_active_domain_is_estimated_from_changes_of_the_state():
    hotel, both = {"hotel": {"area": "west"}}, {"hotel": {"area": "east"}, "train": {"day": "monday"}}
    actual = module._estimated_domains([{}, hotel, hotel, both, both, both])
    assert actual == [(), ("hotel",), ("hotel",), ("hotel",), ("train",), ("train",)]


def test_the_changed_domain_with_most_slots_becomes_active():
    state = {"hotel": {"area": "west"}, "train": {"day": "monday", "leave": "05:35"}}
    assert module._estimated_domains([state]) == [("train",)]


def test_a_natural_reply_offers_the_venues_it_names(db: Venues):
    goal = {"hotel": Goal(informable={"area": "west"}, requestable=("PHONE",))}
    turns = [("try the Blue House", west()), ("or the red lion hotel , phone 01223000002", west())]
    informed, succeeded = judged(dialogue(goal, *turns), db)
    assert (informed.value, informed.at) == (1.0, "linked")
    assert succeeded.value == 1.0
    assert judged(dialogue(goal, *reversed(turns)), db)[0].value == 0.0


def test_linking_needs_no_state(db: Venues):
    goal = {"hotel": Goal(informable={"area": "west"}, requestable=("REFERENCE",))}
    record = dialogue(goal, ("Grey Inn it is", {}), ("done , reference 7GAWK763", {"booked": ("hotel",)}))
    assert judged(record, db)[1].value == 1.0


def test_the_taxi_phone_is_any_number_while_a_taxi_is_talked_about(db: Venues):
    goal = {"taxi": Goal(requestable=("PHONE",))}
    state = {"state": {"taxi-leaveat": "17:15"}}
    assert judged(dialogue(goal, ("contact number is 07218068540", state)), db)[1].value == 1.0
    assert judged(dialogue(goal, ("contact number to follow", state)), db)[1].value == 0.0


def test_both_metrics_share_one_computation(db: Venues, monkeypatch: pytest.MonkeyPatch):
    record = dialogue({"hotel": WEST}, ("[value_name]", west()))
    list(inform(record, db))
    monkeypatch.setattr(module, "_from_placeholders", None)
    assert [mark.value for mark in success(record, db)] == [1.0]


@pytest.fixture(scope="module")
def multiwoz() -> Path:
    if not MULTIWOZ.is_dir():
        pytest.skip(f"{MULTIWOZ} is not there")
    return MULTIWOZ


@pytest.fixture(scope="module")
def real_db(multiwoz: Path) -> Venues:
    return Venues.load(multiwoz / "db")


def load(path: Path) -> Any:
    return json.loads(gzip.decompress(path.read_bytes()))


def goals_of(multiwoz: Path) -> dict[str, dict[str, Goal]]:
    raw = load(multiwoz / "goals_dev_test.json.gz")
    return {
        key: {
            domain: Goal(goal["informable"], tuple(goal["requestable"]), goal["booking"])
            for domain, goal in goals.items()
        }
        for key, goals in raw.items()
    }


def natural(multiwoz: Path, *, silent: bool) -> Iterator[ServiceDialogue]:
    """The human dialogues of the test set with their gold states as predictions."""
    goals, booked = goals_of(multiwoz), load(multiwoz / "booked_domains_dev_test.json.gz")
    with gzip.open(multiwoz / "mwz21states_test.jsonl.gz", "rt") as lines:
        rows = [json.loads(line) for line in lines]
    for row in rows:
        key = row["dialogue_id"].lower().removesuffix(".json")
        users, systems = row["turns"][::2], row["turns"][1::2]
        turns = []
        for number, (user, system) in enumerate(zip(users, systems, strict=False)):
            frames = [frame["state"]["slot_values"] for frame in user["frames"]]
            state = {slot: tuple(values) for frame in frames for slot, values in frame.items()}
            fields = {"state": state, "booked": tuple(booked[key][number])}
            turns.append(("" if silent else system["utterance"], fields))
        yield dialogue(goals[key], *turns)


def test_human_replies_score_far_above_silence(multiwoz: Path, real_db: Venues):
    spoken = [judged(record, real_db) for record in natural(multiwoz, silent=False)]
    silent = [judged(record, real_db) for record in natural(multiwoz, silent=True)]
    assert {mark.at for pair in spoken for mark in pair} == {"linked"}
    assert rates(spoken) == pytest.approx([0.967, 0.957], abs=0.01)
    assert rates(silent) == pytest.approx([0.221, 0.025], abs=0.01)
