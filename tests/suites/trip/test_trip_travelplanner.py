"""Plans, catalogues and requests in the format of TravelPlanner and TripCraft."""

from __future__ import annotations

from typing import Any

import pytest
from trip_rows import rows_of

from adjudge.core.errors import Warnings
from adjudge.suites.trip.data import CatalogueEntry, Day, Leg, Place, Visit
from adjudge.suites.trip.read.catalogues import catalogue_of
from adjudge.suites.trip.read.itinerary import plan_in
from adjudge.suites.trip.read.query import request_of
from adjudge.suites.trip.read.records import entries_of


def day(**cells: Any) -> dict[str, Any]:
    return {"days": 1, "current_city": "Ames", **cells}


def days_of(*days: Any) -> tuple[Day, ...]:
    plan = plan_in("plan", list(days), Warnings())
    return plan.days if plan else ()


def dinner(text: str, city: str = "Ames") -> Place | None:
    return days_of({"days": 1, "current_city": city, "dinner": text})[0].dinner


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Blue Door, Ames", Place("Blue Door", "Ames")),
        ("Blue Door, Ames(Iowa)", Place("Blue Door", "Ames")),
        ("Blue Door, Ames, IA", Place("Blue Door", "Ames")),
        ("Quiet, sunny loft , Ames", Place("Quiet, sunny loft", "Ames")),
        ("Blue Door", Place("Blue Door")),
        ("Blue Door, Ames; Cost: 14", Place("Blue Door", "Ames", 14.0)),
        ("Blue Door, Ames, Cost: $1,014.50", Place("Blue Door", "Ames", 1014.5)),
        ("Blue Door, Ames - Average Cost: 80 for two", Place("Blue Door", "Ames")),
        ("Blue Door, Ames (other menu)", Place("Blue Door", "Ames")),
        ("Low Cost 7 Inn, Ames", Place("Low Cost 7 Inn", "Ames")),
        ("Blue Door, Boone", Place("Blue Door", "Boone")),
    ],
)
def test_a_place_is_a_name_a_city_and_perhaps_a_cost(text: str, place: Place) -> None:
    assert dinner(text) == place


def test_the_city_of_a_day_is_known_in_a_sentence() -> None:
    assert dinner("Quiet, sunny loft, Ames, IA", "You are in Ames") == Place("Quiet, sunny loft", "Ames")


@pytest.mark.parametrize(
    "text",
    [
        *("-", "", " ", "—", "N/A", "none", "No dinner", "no dinner planned", "Not specified", "On your own", "TBD"),
        *("Free time", "To be decided", "Free evening.", "On your own, Ames", "(none)", "Nothing planned", "Skip"),
    ],
)
def test_words_for_nothing_are_no_place(text: str) -> None:
    assert dinner(text) is None


@pytest.mark.parametrize("text", ["No Reservations", "Nona", "Free Range Kitchen", "No. 9 Dinner Club", "Own Kitchen"])
def test_names_that_begin_like_words_for_nothing_are_places(text: str) -> None:
    assert dinner(text) == Place(text)


def test_attractions_are_joined_by_semicolons_and_keep_their_costs() -> None:
    (planned,) = days_of(day(attraction="Old Mill, Ames;Cost: 5;Zoo, North Gate, Ames;"))
    assert planned.attractions == (Place("Old Mill", "Ames", 5.0), Place("Zoo, North Gate", "Ames"))


def test_a_plan_keeps_its_days_and_leaves_out_what_is_no_day() -> None:
    days: list[Any] = [{"day": "Day 2", "current_city": "from Ames to Boone", "transportation": "-"}, {}, None, day()]
    assert [(day.number, day.city, day.transport) for day in days_of(*days)] == [
        (2, "from Ames to Boone", ""),
        (1, "Ames", ""),
    ]
    assert days_of() == ()


def test_timed_visits_are_read_with_names_that_have_commas() -> None:
    text = (
        "Loft on 5th, stay from 8:00 to 09:00, nearest transit: Main St. (north), 841.96m away;"
        "Mill, East Wing, visit from 09:30 to 11:00, nearest transit: Dam, 12m away;"
        " Bar, Ames, visit from 22:00 to 00:30;"
        "No schedule found."
    )
    (planned,) = days_of(day(point_of_interest_list=text))
    assert days_of(day(point_of_interest_list="No schedule found."))[0].visits == ()
    assert planned.visits == (
        Visit("Loft on 5th", "08:00", "09:00"),
        Visit("Mill, East Wing", "09:30", "11:00"),
        Visit("Bar", "22:00", "00:30", "Ames"),
    )


@pytest.mark.parametrize(
    ("text", "visit"),
    [
        ("Mill, visit from 10:00 AM to 1:30 PM", Visit("Mill", "10:00", "13:30")),
        ("Mill, visit from 12:00 a.m. to 12:15 p.m.", Visit("Mill", "00:00", "12:15")),
        ("Mill, visit from 10:00:00 to 11:00:00", Visit("Mill", "10:00", "11:00")),
        ("Mill, Ames, visit from 10.00 to 11.30", Visit("Mill", "10:00", "11:30", "Ames")),
        ("Mill (10:00-11:00)", Visit("Mill", "10:00", "11:00")),
        ("Mill: 9 AM - 11 AM", Visit("Mill", "09:00", "11:00")),
        ("10:00 - 11:00: Mill", Visit("Mill", "10:00", "11:00")),
        ("Mill at 10:00", Visit("Mill", "10:00")),
        ("Mill", Visit("Mill")),
        ("Route 66 to 70 Museum", Visit("Route 66 to 70 Museum")),
        ("Mill, visit from 10:00 to 11:00, nearest transit: Dam, 12m away", Visit("Mill", "10:00", "11:00")),
    ],
)
def test_times_of_a_visit_are_read_however_they_are_written(text: str, visit: Visit) -> None:
    assert days_of(day(point_of_interest_list=text))[0].visits == (visit,)


def test_visits_without_times_are_kept_and_pieces_of_timed_ones_are_not() -> None:
    assert days_of(day(poi_list="Mill; Zoo; Free time"))[0].visits == (Visit("Mill"), Visit("Zoo"))
    torn = "Mill, visit from 10:00 to 11:00, nearest transit: A;B, 3m away"
    assert days_of(day(poi_list=torn))[0].visits == (Visit("Mill", "10:00", "11:00"),)


def test_a_catalogue_holds_the_records_and_skips_texts() -> None:
    reference = {
        "Attractions in Ames": [{"Name": "Old Mill", "City": "Ames", "Phone": "1"}],
        "Restaurants in Ames": [
            {"Name": "Blue Door", "Average Cost": 21, "Cuisines": "Tea, BBQ", "Aggregate Rating": 4.5, "City": "Ames"}
        ],
        "Accommodations in Boone": [
            {
                "NAME": "Loft",
                "price": "$1,100.0",
                "room type": "Private room",
                "house_rules": "No pets & No parties",
                "minimum nights": 2.0,
                "maximum occupancy": 3,
                "review rate number": 5.0,
                "city": "Boone",
            }
        ],
        "Events in Ames from 2024-11-01 to 2024-11-03": [
            {"name": "Jazz", "segmentName": "Music", "date": "2024-11-02"}
        ],
        "Restaurants in Boone": "No valid information.",
        "Flight from Ames to Boone on 2022-03-01": [],
    }
    assert catalogue_of(reference).entries == (
        CatalogueEntry("attraction", "Old Mill", "Ames"),
        CatalogueEntry("restaurant", "Blue Door", "Ames", 21.0, ("Tea", "BBQ"), rating=4.5),
        CatalogueEntry(
            "lodging",
            "Loft",
            "Boone",
            1100.0,
            room_type="Private room",
            rules=("No pets", "No parties"),
            occupancy=3,
            minimum_nights=2,
            rating=5.0,
        ),
        CatalogueEntry("event", "Jazz", "Ames", categories=("Music",), date="2024-11-02"),
    )


def test_tripcraft_spellings_and_odd_records_are_taken() -> None:
    records: list[Any] = [
        {
            "name": "Loft",
            "roomType": "Entire home",
            "max_occupancy": "4 guests",
            "pricing": {"price": "$90"},
            "house_rules": "['No smoking', 'No pets']",
            "rating": "4.8",
        },
        {"name": None},
        "Loft",
        {"name": "Bare", "price": float("nan"), "max_occupancy": "many"},
        {"name": "Odd", "price": "-50", "max_occupancy": -1},
    ]
    assert entries_of("lodging", records, "Ames(Iowa)") == (
        CatalogueEntry(
            "lodging",
            "Loft",
            "Ames",
            90.0,
            room_type="Entire home",
            rules=("No smoking", "No pets"),
            occupancy=4,
            rating=4.8,
        ),
        CatalogueEntry("lodging", "Bare", "Ames"),
        CatalogueEntry("lodging", "Odd", "Ames"),
    )
    cooks: list[Any] = [{"name": "Wok", "avg_cost": "12", "cuisines": ["Thai", "Tea"], "city": "Ames"}]
    assert entries_of("restaurant", cooks) == (CatalogueEntry("restaurant", "Wok", "Ames", 12.0, ("Thai", "Tea")),)
    sights: list[Any] = [{"name": "Mill", "subcategories": "['Museums', 'Parks']", "visit_duration": 2}]
    assert entries_of("attraction", sights) == (
        CatalogueEntry("attraction", "Mill", categories=("Museums", "Parks"), about="visit duration: 2"),
    )
    shows: list[Any] = [
        {"name": "Jazz", "dateTitle": "Nov 23, 2024"},
        {"name": "Fair", "date": "2024-11-01/2024-11-05"},
    ]
    assert [entry.date for entry in entries_of("event", shows)] == ["2024-11-23", ""]


def test_legs_are_flights_with_prices_and_drives_with_costs() -> None:
    reference = {
        "Flight from Ames to Boone on 2022-03-01": [{"Flight Number": "F1", "Price": 120, "FlightDate": "2022-03-01"}],
        "Flight from Boone to Ames on 2022-03-03": "There is no flight from Boone to Ames on 2022-03-03.",
        "Self-driving from Ames to Boone": "self-driving, from Ames to Boone, distance: 40 km, cost: 2",
        "Taxi from Ames to Boone": "taxi, from Ames to Boone, duration: 1 hour, distance: 1,040 km, cost: 1,040",
        "Taxi from Boone to Ames": "No valid information.",
    }
    assert catalogue_of(reference).legs == (
        Leg("flight", "Ames", "Boone", 120.0, "F1", "2022-03-01"),
        Leg("self-driving", "Ames", "Boone", 2.0),
        Leg("taxi", "Ames", "Boone", 1040.0),
    )


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("a trip for a group of 8", 8),
        ("a party of five with pets", 5),
        ("planned for a single person", 1),
        ("a trip for two, leaving soon", 2),
        ("for two people to 3 cities", 2),
        ("for a couple", 2),
        ("for a duo", 2),
        ("a solo trip", 1),
        ("I'm leaving from Ames", 1),
        ("for three days in 2 cities", None),
        ("We leave for a week", None),
        ("for 2 adults and 3 children", 5),
        ("two adults with a child and one infant", 4),
        ("a family of 5, 2 adults and 3 children", 5),
        ("4 people, 2 of them children", 4),
        ("for " + "9" * 5000 + " people", None),
    ],
)
def test_people_are_counted_in_figures_and_words(text: str, people: int | None) -> None:
    assert request_of(text).people == people


@rows_of("travelplanner")
def test_dates_are_found_in_any_order(text: str, dates: tuple[str, str]) -> None:
    asked = request_of(text)
    assert (asked.start, asked.end) == dates


def test_a_request_says_what_the_trip_must_keep_to() -> None:
    asked = request_of(
        "We are a group of 4 going from St. Ansgar to Fort Dodge for 3 days from May 3rd to May 5th, 2022. "
        "Our budget is about $2,150.50. We bring our pets, want entire rooms, and enjoy Thai and French cuisine. "
        "We prefer not to take any flights and do not plan on self-driving."
    )
    assert (asked.budget, asked.people, asked.days) == (2150.5, 4, 3)
    assert (asked.origin, asked.cities) == ("St. Ansgar", ("Fort Dodge",))
    assert (asked.needs, asked.room_type, asked.cuisines) == (("pets",), "entire home", ("Thai", "French"))
    assert asked.without == ("flight", "self-driving")


@rows_of("travelplanner")
def test_needs_are_what_a_lodging_must_allow(text: str, needs: tuple[str, ...]) -> None:
    assert request_of(text).needs == needs


@rows_of("travelplanner")
def test_a_refusal_reaches_to_the_end_of_its_clause(text: str, without: tuple[str, ...]) -> None:
    assert request_of(text).without == without


@rows_of("travelplanner")
def test_a_cuisine_that_is_refused_is_not_asked_for(text: str, cuisines: tuple[str, ...]) -> None:
    assert request_of(text).cuisines == cuisines


@rows_of("travelplanner")
def test_room_types_are_told_apart(text: str, room: str) -> None:
    assert request_of(text).room_type == room


def test_several_cities_of_a_state_name_no_city() -> None:
    asked = request_of("A week-long trip from Ames to Ohio, visiting 3 different cities, with $900.")
    assert (asked.origin, asked.cities, asked.days, asked.budget) == ("Ames", (), 7, 900.0)


def test_an_empty_request_asks_for_nothing() -> None:
    asked = request_of("")
    assert (asked.budget, asked.people, asked.days, asked.origin, asked.cities) == (None, None, None, "", ())
