import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz
from service_wordings import wordings

from adjudge.core.errors import BadInput
from adjudge.suites.service.rules.database import Venues, partial_ratio
from adjudge.suites.service.rules.spelling import canonical_time, database_value, minutes
from examples import few_examples

MULTIWOZ = Path(__file__).parents[3] / "shared" / "data" / "multiwoz"

HOTELS = [
    {
        "id": "0",
        "name": "blue house",
        "area": "east",
        "parking": "yes",
        "type": "guesthouse",
        "location": [1, 2],
    },
    {
        "id": "1",
        "name": "red lion hotel",
        "area": "west",
        "parking": "no",
        "type": "hotel",
        "location": [1, 2],
    },
    {"id": "2", "name": "grey inn", "area": "?", "parking": "yes", "type": "hotel", "location": [1, 2]},
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
    for hour in (5, 9, 13)
]


def venues(folder: Path, **tables: object) -> Venues:
    for domain, rows in tables.items():
        (folder / f"{domain}_db.json").write_text(json.dumps(rows))
    return Venues.load(folder)


@pytest.fixture
def db(tmp_path: Path) -> Venues:
    return venues(tmp_path, hotel=HOTELS, train=TRAINS)


def test_all_constraints_must_fit(db: Venues):
    assert db.query("hotel", {"parking": "yes", "type": "guesthouse"}) == {"0"}


def test_no_constraints_fit_everything(db: Venues):
    assert db.query("hotel", {}) == {"0", "1", "2"}


def test_an_unknown_cell_fits_every_value(db: Venues):
    assert db.query("hotel", {"area": "west"}) == {"1", "2"}


@pytest.mark.parametrize("value", ["dontcare", "not mentioned", "do n't care", "don't care"])
def test_not_caring_is_no_constraint(db: Venues, value: str):
    assert len(db.query("hotel", {"area": value})) == 3


def test_constraints_on_columns_the_database_lacks_or_ignores_are_no_constraints(db: Venues):
    assert len(db.query("hotel", {"people": "3", "book stay": "2", "location": "nowhere"})) == 3


def test_names_fit_when_they_are_nearly_contained(db: Venues):
    assert db.query("hotel", {"name": "the red lion"}) == frozenset()
    assert db.query("hotel", {"name": "Red Lion Hotl"}) == {"1"}
    assert db.query("hotel", {"name": "lion"}) == {"1"}


def test_other_columns_are_compared_as_they_are(db: Venues):
    assert db.query("hotel", {"type": "Hotel"}) == frozenset()
    assert db.query("hotel", {"type": "guest house"}) == {"0"}
    assert db.query("hotel", {"parking": "free"}) == {"0", "2"}


def test_trains_arrive_at_or_before_and_leave_at_or_after(db: Venues):
    assert db.query("train", {"arriveBy": "09:52"}) == {"TR0005", "TR0009"}
    assert db.query("train", {"leave at": "9:35"}) == {"TR0009", "TR0013"}
    assert db.query("train", {"leave": "09:36", "arrive": "13:52"}) == {"TR0013"}


def test_a_time_that_cannot_be_read_counts_as_midnight(db: Venues):
    assert db.query("train", {"leave": "soon"}) == {"TR0005", "TR0009", "TR0013"}
    assert db.query("train", {"arrive": "soon"}) == frozenset()


def test_a_domain_without_database_has_no_venues(db: Venues):
    assert db.query("restaurant", {}) == frozenset()
    assert db.query("taxi", {}) == frozenset()


def test_equal_queries_are_computed_once(db: Venues):
    first = db.query("hotel", {"area": "east", "parking": "free", "people": "2"})
    assert db.query("hotel", {"parking": "yes", "area": "east"}) is first


def test_a_folder_without_databases_is_refused_with_what_was_expected_and_found(tmp_path: Path):
    (tmp_path / "notes.txt").write_text("")
    with pytest.raises(BadInput, match=r"at least one of restaurant_db.json, hotel_db.json.*found notes.txt"):
        Venues.load(tmp_path)
    with pytest.raises(BadInput, match="not a folder"):
        Venues.load(tmp_path / "absent")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([HOTELS[0], "oops"], r"hotel_db.json: row 2: expected an object, found 'oops'"),
        ([{"id": "1"}], r"hotel_db.json: row 1: name: expected a text, found None"),
        ({"id": "1"}, r"hotel_db.json: expected a list of rows, found dict"),
    ],
)
def test_malformed_rows_are_refused_with_their_place(tmp_path: Path, rows: object, message: str):
    with pytest.raises(BadInput, match=message):
        venues(tmp_path, hotel=rows)


def test_a_file_that_is_not_json_is_refused(tmp_path: Path):
    (tmp_path / "hotel_db.json").write_text("[")
    with pytest.raises(BadInput, match=r"hotel_db.json: not JSON"):
        Venues.load(tmp_path)


@pytest.mark.parametrize(("written", "clock"), wordings("times"))
def test_times_are_brought_to_the_clock(written: str, clock: str):
    assert canonical_time(written) == clock


def test_minutes_need_two_digits_on_both_sides():
    assert [minutes(time) for time in ("09:30", "21:00airport", "9:30", "18:5")] == [570, 1260, 0, 0]


@pytest.mark.parametrize(("slot", "value", "spelling"), wordings("spellings"))
def test_values_take_the_spelling_of_the_databases(slot: str, value: str, spelling: str):
    assert database_value(slot, value) == spelling


def test_partial_ratio_of_equal_and_of_empty_texts():
    assert partial_ratio("ely", "ely") == 100
    assert partial_ratio("ely", "") == 0
    assert partial_ratio("", "") == 100


def test_partial_ratio_finds_the_shorter_text_in_the_longer_one():
    assert partial_ratio("nandos city centre", "nandos") == 100
    assert partial_ratio("nandos", "nando") == 100
    assert partial_ratio("cityroomz", "cityrooms") == 89


NAMES = (
    *(
        "pizza express Fen Ditton",
        "the cow pizza kitchen and bar",
        "nandos city centre",
        "a and b guest house",
    ),
    *("whipple museum of the history of science", "sheep's green and lammas land park fen causeway", "ely"),
    *(
        "people's portraits exhibition at girton college",
        "restaurant two two",
        "christ's college",
        "la mimosa",
    ),
)


@st.composite
def edited_names(draw: st.DrawFn) -> str:
    name = list(draw(st.sampled_from(NAMES)))
    for _ in range(draw(st.integers(0, 5))):
        place = draw(st.integers(0, max(len(name) - 1, 0)))
        name[place : place + draw(st.integers(0, 3))] = draw(st.text("aeinorst '&-", max_size=3))
    return "".join(name)


@few_examples(150, in_trials=500)
@given(st.sampled_from(NAMES) | edited_names(), edited_names() | st.text("abc ", max_size=64))
def test_the_prefilter_never_loses_a_match(cell: str, value: str):
    assert fuzz.partial_ratio(value, cell) >= partial_ratio(cell, value) - 0.5 - 1e-9


def test_real_names_are_never_lost_by_the_prefilter():
    if not MULTIWOZ.is_dir():
        pytest.skip(f"{MULTIWOZ} is not there")
    db = Venues.load(MULTIWOZ / "db")
    names = [row["name"] for domain in ("restaurant", "hotel", "attraction") for row in db.rows[domain]]
    for cell in names[::4]:
        for value in names[::3]:
            assert fuzz.partial_ratio(value, cell) >= partial_ratio(cell, value) - 0.5 - 1e-9
