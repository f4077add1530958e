"""Read the requirements in a request in plain English."""

from __future__ import annotations

import re
from datetime import date
from typing import Literal

from adjudge.english.clauses import split_sentences
from adjudge.english.negation import NEGATION
from adjudge.english.numbers import UNITS, number_of
from adjudge.suites.trip.data import LARGEST_GROUP, TripRequest

# "3", "twelve"; larger groups and longer trips are written in digits.
COUNT = rf"(\d{{1,6}}|{'|'.join(word for word, value in UNITS.items() if 1 <= value <= 12)})"
MONTHS = "january february march april may june july august september october november december".split()
# "March", "Mar".
MONTH = "|".join(f"{month[:3]}(?:{month[3:]})?" if len(month) > 3 else month for month in MONTHS)
# "March 16th", "16 of March", "the 18th".
DATE = re.compile(
    rf"\b(?P<month>{MONTH})\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)"
    rf"|\b(?P<first>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<then>{MONTH})\b"
    r"|\b(?P<alone>\d{1,2})(?:st|nd|rd|th)\b",
    re.IGNORECASE,
)
# "St. Louis", "Isle of Palms", "Winston-Salem"; not a month.
CITY = r"((?!(?:January|February|March|April|May|June|July|August|September|October|November|December)\b)" + (
    r"[A-Z](?:[\w'’]|-(?![A-Z]))*+(?:(?<=St)\.|(?<=Ste)\.|(?<=Ft)\.|(?<=Mt)\.)?"
    r"(?:[ -](?:of |de |la )?[A-Z](?:[\w'’]|-(?![A-Z]))*+"
    r"(?:(?<=St)\.|(?<=Ste)\.|(?<=Ft)\.|(?<=Mt)\.)?){0,4})"
)
# "departing", "leaves", "a trip".
SETTING_OUT = (
    r"(?:depart\w*|start\w*|leav\w*|begin\w*|originat\w*|setting off|set off|taking off|commenc\w*|travel\w*|trip|out)"
)
# "departing from Ames", "a trip from Ames".
ORIGIN = (rf"\b{SETTING_OUT}(?: out)?(?: from| in| at)? {CITY}", rf"\bfrom {CITY}")
# "heading to Bend", "from Ames to Bend", "visit Bend".
GOAL = (
    rf"\b(?:head\w*|go\w*|mov\w*) (?:to|towards?|for) {CITY}",
    rf"\bfrom {CITY} to {CITY}",
    rf"\b(?:to|visit\w*|end\w* in|arriv\w* (?:in|at)|towards?|explor\w*) {CITY}",
)
# "a family of five".
GROUP = rf"\b(?:group|party|family|team) of {COUNT}\b"
# "two adults", "3 elderly parents".
ADULTS = rf"\b{COUNT} (?:\w+ )?(?:adults?|parents?|grandparents?|seniors?)\b"
# "kids", "a baby".
YOUNG = r"(?:children|child|kids?|infants?|toddlers?|bab(?:y|ies)|teenagers?|teens?)"
# Not followed by an age ("under ten", "aged 6"): house rules may apply to such children.
OF_AGE = r"(?!,? (?:\w+ ){0,3}?(?:under|below|younger than|less than|aged?|ages)\b)"
# "two small kids", "a baby".
MINORS = rf"\b(?:{COUNT}|an?) (?:\w+ )?{YOUNG}\b"
# "4 people", "for two" but not "for two days".
PEOPLE = (
    rf"\b{COUNT}[ -](?:\w+ )?(?:people|persons?|individuals?|travell?ers?|adults?|friends|members|guests|of us)\b",
    rf"\bfor {COUNT}\b(?!-)(?! (?:\w+ )?(?:days?|nights?|weeks?|cit(?:y|ies)))",
)
# "a solo traveler", "by myself".
ALONE = r"\b(?:solo|alone|(?:single|an)[ -](?:person|individual|travell?er)|by myself|on my own)\b"
# "a couple", "my wife and I"; not "a couple of days".
PAIR = r"(?i)\b(?:a|the) (?:couple|pair|duo)\b(?! of)|\bmy (?:wife|husband|partner) and (?:I|me)\b"
# A sentence about food has one of these: "We would like to taste Thai cuisine".
FOOD = r"cuisine|food|dining|dine|meal|culinary|restaurant|eat|taste"
CUISINES = (
    "American Chinese French Greek Indian Italian Japanese Korean Lebanese Mediterranean Mexican Spanish Thai Turkish "
    "Vietnamese African Caribbean Cajun Ethiopian German British Asian European Vegetarian Vegan Halal Kosher Seafood "
    "BBQ Barbecue"
).split()
CUISINE = rf"\b(?:{'|'.join(CUISINES)})\b"
# Phrases for things that a lodging must allow: "pet-friendly", "smoking is fine".
NEEDS: dict[Literal["children", "pets", "smoking", "parties", "visitors"], str] = {
    "children": r"\b(?:children|child|kids?)\b",
    "pets": r"\bpets?\b",
    "smoking": r"\bsmok(?:ing|ers?|e)\b",
    "parties": r"\bparties\b",
    "visitors": r"\bvisitors\b|\bvisitor-friendly",
}
# "no flights", "don't drive", "avoid flying".
NOT = rf"(?:{NEGATION}|\b(?:non|avoid\w*|exclud\w*|rather than)\b)"
# After these a negation rules nothing out: "do not need a flight", "cannot wait", "non-stop".
HARMLESS = (
    r"[ -](?:needs?|minds?|have to|require\w*|necessarily|opposed|against|averse|wait|"
    r"stop|more than|less than|fewer than|problems?|issues?|objections?|preferences?|miss\w*)\b"
)
# "not" in "not a flight", but not in "not only by flight".
REFUSAL = rf"{NOT}(?!{HARMLESS})"
# A negation does not reach beyond these: "no flights, but driving is fine".
TURN = r"\b(?:but|however|though|although|instead|whereas|while|because|since)\b"
# Not before these: "no bus, and flights are fine" does not rule flights out.
AFFIRMED = r"(?! (?:is|are|was|would|will|works?|sounds?|seems?|instead|preferred)\b)"
# The ways of travel that a request may rule out: "no flights", "without self-driving".
RULED_OUT: dict[Literal["flight", "self-driving"], str] = {
    "flight": r"\bfl(?:ights?|y|ying)\b",
    "self-driving": r"\b(?:self[- ]?driv\w*|driv(?:e|ing)\b)",
}
# How far a negation reaches, in characters.
REACH = 60
# Room types in the words of requests, the refusal first.
ROOMS_ASKED = (
    ("no shared room", rf"(?:{NEGATION}|\bnon)[ -](?:be )?(?:in )?(?:a )?shared\b|\bunshared\b"),
    ("entire home", r"\bentire (?:rooms?|homes?|apartments?|houses?|places?|units?)"),
    ("private room", r"\bprivate rooms?"),
    ("shared room", r"\bshared rooms?"),
)


def request_of(query: str) -> TripRequest:
    """What a request asks for; what it does not say stays empty.

    >>> asked = request_of("Plan a 3-day trip from Ames to Bend for two from May 3rd to May 5th, 2022, budget $900.")
    >>> asked.people, asked.budget, asked.origin, asked.cities, asked.start, asked.days
    (2, 900.0, 'Ames', ('Bend',), '2022-05-03', 3)
    """
    start, end = _dates(query)
    return TripRequest(
        text=query,
        budget=_budget(query),
        people=_people(query),
        origin=_city(query, ORIGIN),
        cities=_cities(query),
        start=start,
        end=end,
        days=_length(query, start, end),
        needs=tuple(need for need, word in NEEDS.items() if _is_needed(query, word)),
        room_type=next((kind for kind, words in ROOMS_ASKED if re.search(words, query, re.IGNORECASE)), ""),
        cuisines=_cuisines(query),
        without=tuple(
            way for way, words in RULED_OUT.items() if any(_rules_out(refusal, words) for refusal in _refusals(query))
        ),
    )


def _count(text: str) -> int:
    return number_of(text) or 0


def _budget(query: str) -> float | None:
    """The amount after the word budget, or else the first amount."""
    amount = r"\$\s?(\d[\d,]{0,14}(?:\.\d+)?)"
    match = (
        re.search(rf"budget[^$]{{0,80}}{amount}", query, re.IGNORECASE)
        or re.search(amount, query)
        or re.search(r"budget\D{0,40}(\d[\d,]{0,14}(?:\.\d+)?)", query, re.IGNORECASE)
    )
    return float(match[1].replace(",", "")) if match else None


def _refusals(text: str) -> list[str]:
    """What follows each negation, as far as it reaches: to the end of the sentence, or to "but" and its like."""
    tails = [text[match.end() : match.end() + REACH] for match in re.finditer(REFUSAL, text, re.IGNORECASE)]
    return [re.split(rf"[.;!?]|{TURN}", tail, maxsplit=1, flags=re.IGNORECASE)[0] for tail in tails]


def _rules_out(refusal: str, words: str) -> bool:
    """Whether a refusal names something: before its first comma, or at the end of a list."""
    at_once = rf"[^,]*?{words}"
    in_a_list = rf"[^,]+(?:,\s?[\w-]+){{0,4}},?\s(?:and|or|nor)\s(?:\w+\s)?{words}{AFFIRMED}"
    return re.match(f"{at_once}|{in_a_list}", refusal, re.IGNORECASE) is not None


def _people(query: str) -> int | None:
    count = _head_count(query)
    return count if count and count <= LARGEST_GROUP else None


def _head_count(query: str) -> int | None:
    if match := re.search(GROUP, query, re.IGNORECASE):
        return _count(match[1])
    if adults := [_count(match[1]) for match in re.finditer(ADULTS, query, re.IGNORECASE)]:
        minors = [_count(match[1] or "one") for match in re.finditer(MINORS, query, re.IGNORECASE)]
        return sum(adults) + sum(minors)
    for pattern in PEOPLE:
        if match := re.search(pattern, query, re.IGNORECASE):
            return _count(match[1])
    if re.search(PAIR, query):
        return 2
    spoken_alone = re.search(r"\bI(?:['’]\w+)?\b", query) and not re.search(r"\b(?:we|our|us)\b", query, re.IGNORECASE)
    return 1 if re.search(ALONE, query, re.IGNORECASE) or spoken_alone else None


def _city(query: str, patterns: tuple[str, ...]) -> str:
    """The city in the last group of the first pattern that matches."""
    for pattern in patterns:
        if match := re.search(pattern, query):
            return match[match.lastindex or 1].strip()
    return ""


def _cities(query: str) -> tuple[str, ...]:
    """The destination; none if the request asks for several cities, since it then names their state."""
    if re.search(rf"\b{COUNT} (?:\w+ )?cities\b", query, re.IGNORECASE):
        return ()
    city = _city(query, GOAL)
    return (city,) if city else ()


def _dates(query: str) -> tuple[str, str]:
    """The first and last day, YYYY-MM-DD; empty where there are not two dates with a year."""
    whole = [day for day in re.findall(r"\b(\d{4})-(\d{2})-(\d{2})\b", query) if _iso(*map(int, day))]
    if len(whole) > 1:
        return "-".join(whole[0]), "-".join(whole[-1])
    years = re.findall(r"(?<![$,.\d])((?:19|20)\d{2})(?![,.]?\d)", query)
    dates = [(match["month"] or match["then"] or "", _day_of_month(match)) for match in DATE.finditer(query)]
    months = [_month(name) for name, _ in dates if name]
    if len(dates) < 2 or not years or not months:
        return "", ""
    first, last = (_month(dates[0][0]) or months[0], dates[0][1]), (_month(dates[-1][0]) or months[-1], dates[-1][1])
    year = int(years[-1])
    return _iso(year - (first > last), *first), _iso(year, *last)


def _day_of_month(match: re.Match[str]) -> int:
    return int(match["day"] or match["first"] or match["alone"])


def _month(name: str) -> int:
    return next((at for at, month in enumerate(MONTHS, 1) if name and month.startswith(name.lower()[:3])), 0)


def _iso(year: int, month: int, day: int) -> str:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""


def _length(query: str, start: str, end: str) -> int | None:
    if match := re.search(rf"\b{COUNT}[ -]days?\b", query, re.IGNORECASE):
        return _count(match[1])
    if re.search(r"\b(?:one|a|1)[ -]week\b|\bweek-long\b|\bweeklong\b", query, re.IGNORECASE):
        return 7
    return (date.fromisoformat(end) - date.fromisoformat(start)).days + 1 if start and end else None


def _is_needed(query: str, word: str) -> bool:
    """Whether a sentence speaks of what a lodging must allow, and does not rule it out.

    Children who are only counted may be of any age, and rules are about those under ten.
    """
    for match in re.finditer(word, _without_counted(query), re.IGNORECASE):
        before = match.string[max(0, match.start() - 24) : match.start()].split(".")[-1]
        if not re.search(rf"(?:\bno|\bnon|\bwithout|{NEGATION} allow)[ -](?:\w+ )?$", before, re.IGNORECASE):
            return True
    return False


def _without_counted(query: str) -> str:
    return re.sub(rf"{MINORS}{OF_AGE}", "", query, flags=re.IGNORECASE)


def _cuisines(query: str) -> tuple[str, ...]:
    """The cuisines named in sentences about food and not refused there, in their order."""
    sentences = [part for part in split_sentences(query) if re.search(FOOD, part, re.IGNORECASE)]
    asked = (
        match[0]
        for part in sentences
        for match in re.finditer(CUISINE, part)
        if not _is_refused(part[max(0, match.start() - REACH) : match.start()])
    )
    return tuple(dict.fromkeys(asked))


def _is_refused(before: str) -> bool:
    """Whether a negation before a cuisine reaches it, with nothing but other cuisines after a comma between."""
    refusals = list(re.finditer(REFUSAL, before, re.IGNORECASE))
    if not refusals:
        return False
    between = before[refusals[-1].end() :]
    _, comma, listed = between.partition(",")
    apart = comma and re.sub(rf"{CUISINE}|\b(?:and|or|nor|any|food|cuisine)\b|[\s,]", "", listed)
    return not apart and not re.search(TURN, between, re.IGNORECASE)
