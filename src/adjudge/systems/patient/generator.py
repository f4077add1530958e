"""Generated cases: invented people with a complaint, a history and a life, in the items of the suite's profiles."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from adjudge.suites.patient.data import Persona
from adjudge.suites.patient.lexicon.fields import SEPARATOR, Profile
from adjudge.systems.patient.cases import case_of
from adjudge.systems.patient.data import PatientCase
from adjudge.systems.patient.tables import read_table

# Who is grown up may have a job, a marriage and children.
GROWN_UP, RETIRED = 20, 67
# Generated patients are plain, unless `--persona` varies them.
PLAIN = Persona("plain", "B", "high", "normal")
PRONOUNS = {
    "Male": {"he": "he", "He": "He", "his": "his", "His": "His", "him": "him"},
    "Female": {"he": "she", "He": "She", "his": "her", "His": "Her", "him": "her"},
}


class People(Struct, frozen=True, forbid_unknown_fields=True):
    """How many people to invent, and the seed of all draws."""

    n: Annotated[int, Meta(ge=1)] = 200
    seed: int = 1


class IllnessTemplate(Struct, frozen=True, forbid_unknown_fields=True):
    """An illness of `conditions.toml`."""

    diagnosis: str
    disposition: str
    complaint: str
    ages: tuple[int, int]
    pain: tuple[int, int]
    signs: tuple[str, ...]
    absent: tuple[str, ...]
    sex: Literal["male", "female", ""] = ""


class KnownIllness(Struct, frozen=True, forbid_unknown_fields=True):
    """An illness that a patient has had for long, with its medicine."""

    name: str
    medicine: str
    youngest: int = field(name="from")


class Pools(Struct, frozen=True, forbid_unknown_fields=True):
    """What `people.toml` holds."""

    occupations: tuple[str, ...]
    insurance: tuple[str, ...]
    transports: tuple[str, ...]
    tobacco: tuple[str, ...]
    alcohol: tuple[str, ...]
    drugs: tuple[str, ...]
    exercise: tuple[str, ...]
    allergies: tuple[str, ...]
    devices: tuple[str, ...]
    operations: tuple[str, ...]
    relatives: tuple[str, ...]
    family_illnesses: tuple[str, ...]
    illnesses: tuple[KnownIllness, ...]


def generate(people: People) -> Iterator[PatientCase]:
    """Invented patients; the same for the same parameters, and the first ones of any larger number."""
    for number in range(people.n):
        rng = Random(f"patient {people.seed} {number}")
        yield case_of(f"g{number + 1:03d}", invent_profile(rng), PLAIN)


def invent_profile(rng: Random) -> Profile:
    """The profile of an invented patient."""
    condition = rng.choice(_conditions())
    gender = condition.sex.capitalize() or rng.choice(("Female", "Male"))
    age = rng.randint(*condition.ages)
    return {
        "age": str(age),
        "gender": gender,
        **_social_items(age, gender, rng),
        **_history_items(age, rng),
        **_visit_items(condition, gender, rng),
    }


def _social_items(age: int, gender: str, rng: Random) -> Profile:
    pools = _pools()
    if age < GROWN_UP:
        return {"occupation": "Student", "living_situation": f"Lives with {PRONOUNS[gender]['his']} parents"}
    married = rng.random() < 0.6
    children = rng.choice((0, 0, 1, 2, 2, 3)) if age > GROWN_UP + 5 else 0
    return {
        "marital_status": "Married" if married else rng.choice(("Single", "Divorced", "Widowed")),
        "children": "None" if not children else f"{children} {'child' if children == 1 else 'children'}",
        "living_situation": _home(gender, married, children, rng),
        "occupation": "Retired" if age >= RETIRED else rng.choice(pools.occupations),
        "insurance": rng.choice(pools.insurance),
        "exercise": rng.choice(pools.exercise),
        "tobacco": rng.choice(pools.tobacco),
        "alcohol": rng.choice(pools.alcohol),
        "illicit_drug": rng.choice(pools.drugs),
    }


def _home(gender: str, married: bool, children: int, rng: Random) -> str:
    partner = "husband" if gender == "Female" else "wife"
    others = partner if married else "children" if children else ""
    place = rng.choice(("in a flat", "in a house", "on a farm"))
    return f"Lives with {PRONOUNS[gender]['his']} {others} {place}" if others else f"Lives alone {place}"


def _history_items(age: int, rng: Random) -> Profile:
    pools = _pools()
    fitting = [illness for illness in pools.illnesses if age >= illness.youngest]
    known = rng.sample(fitting, min(rng.choice((0, 1, 1, 2, 3)), len(fitting)))
    operations = rng.sample(pools.operations, rng.choice((0, 1, 1)))
    family = zip(
        rng.sample(pools.relatives, 2), rng.sample(pools.family_illnesses, rng.choice((0, 1, 2))), strict=False
    )
    return {
        "allergies": rng.choice(pools.allergies),
        "family_medical_history": _join_or_none([f"{who}: {illness}" for who, illness in family]),
        "medical_device": rng.choice(pools.devices),
        "medical_history": _join_or_none([*(illness.name for illness in known), *operations]),
        "medication": _join_or_none([illness.medicine for illness in known]),
    }


def _visit_items(condition: IllnessTemplate, gender: str, rng: Random) -> Profile:
    onset, *signs = (sign.format_map(PRONOUNS[gender]) for sign in condition.signs)
    for _ in range(rng.choice((0, 1, 2))):
        signs.pop(rng.randrange(len(signs)))
    reported = f"{PRONOUNS[gender]['He']} reports that {onset[0].lower()}{onset[1:]}"
    return {
        "chief_complaint": condition.complaint,
        "present_illness_positive": SEPARATOR.join([reported, *signs]),
        "present_illness_negative": SEPARATOR.join(condition.absent),
        "pain": str(rng.randint(*condition.pain)),
        "arrival_transport": rng.choice(_pools().transports),
        "disposition": condition.disposition,
        "diagnosis": condition.diagnosis,
    }


def _join_or_none(values: list[str]) -> str:
    return SEPARATOR.join(values) or "None"


@cache
def _conditions() -> tuple[IllnessTemplate, ...]:
    return read_table("conditions", dict[str, tuple[IllnessTemplate, ...]])["conditions"]


@cache
def _pools() -> Pools:
    return read_table("people", Pools)
