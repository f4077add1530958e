import pytest

from adjudge.suites.service.rules.database import Venues
from adjudge.suites.service.rules.linking import Linker, Links

ROWS = {
    "restaurant": [
        {"id": "r1", "name": "pizza express", "address": "Regent Street City Centre", "postcode": "cb21db"},
        {"id": "r2", "name": "pizza express fen ditton", "address": "1 Jesus Lane", "phone": "01223324033"},
        {"id": "r3", "name": "ask", "address": "12 Bridge Street City Centre", "food": "italian"},
        {"id": "r4", "name": "nandos", "address": "", "food": "portuguese"},
        {"id": "r5", "name": "italian", "address": "", "food": "italian"},
    ],
    "hotel": [
        {"id": "h1", "name": "a and b guest house", "address": "124 tenison road", "postcode": "cb12dp"},
        {"id": "h2", "name": "acorn guest house", "address": "regent street", "phone": "01223353888"},
        {"id": "h3", "name": "rosa's bed and breakfast", "address": "53 roseford road"},
    ],
    "attraction": [
        {"id": "a1", "name": "the place", "address": "unit g6, cambridge leisure park, clifton road"},
        {"id": "a2", "name": "christ's college", "address": "saint andrew's street"},
        {"id": "a3", "name": "all saints church", "address": "10 king s parade"},
        {"id": "a4", "name": "the man on the moon", "address": "2 norfolk street"},
    ],
    "train": [{"trainid": "TR7075"}, {"trainid": "TR2289"}],
    "taxi": [{"taxi_types": "toyota\nskoda"}],
}


class Rows(Venues):
    """Databases without queries: a linker reads rows only."""

    def __init__(self):
        self.rows = ROWS


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker(Rows())


def named(links: Links) -> dict[str, set[str]]:
    return {domain: set(ids) for domain, ids in links.venues.items()}


@pytest.mark.parametrize(
    ("reply", "venues"),
    [
        ("How about Pizza Express ?", {"restaurant": {"r1"}}),
        ("pizza express fen ditton is cheap", {"restaurant": {"r2"}}),
        ("pizza expression", {}),
        ("The A & B guesthouse, or the Acorn Guest House", {"hotel": {"h1", "h2"}}),
        ("rosas b&b", {"hotel": {"h3"}}),
        ("Christ 's College 's phone", {"attraction": {"a2"}}),
        ("try christs college", {"attraction": {"a2"}}),
        ("All Saint 's Church", {"attraction": {"a3"}}),
        ("I like Man on the Moon", {"attraction": {"a4"}}),
        ("nando's then", {"restaurant": {"r4"}}),
        ("TR7075 leaves at 5 , tr 2289 at 7", {"train": {"TR7075", "TR2289"}}),
        ("TR70755", {}),
    ],
)
def test_whole_names_are_linked_by_the_longest_match(linker: Linker, reply: str, venues: dict[str, set[str]]):
    assert named(linker.link(reply)) == venues


@pytest.mark.parametrize(
    "reply",
    [
        "may i ask what area ? Ask me anything .",
        "the place is in the centre . The place is nice",
        "an italian restaurant",
        "it is a place to eat",
    ],
)
def test_ordinary_words_name_no_venue(linker: Linker, reply: str):
    assert named(linker.link(reply)) == {}


@pytest.mark.parametrize(
    ("reply", "venues"),
    [
        ("I recommend Ask on Bridge Street", {"restaurant": {"r3"}}),
        ("there is one called ask", {"restaurant": {"r3"}}),
        ("The Place is a nightclub", {"attraction": {"a1"}}),
        ('a club named "the place"', {"attraction": {"a1"}}),
    ],
)
def test_ordinary_words_written_as_names_do(linker: Linker, reply: str, venues: dict[str, set[str]]):
    assert named(linker.link(reply)) == venues


@pytest.mark.parametrize(
    ("reply", "domain", "tokens"),
    [
        ("call 01223 353888 .", "hotel", {"PHONE"}),
        ("postcode CB1 2DP", "hotel", {"POST"}),
        ("it is cb12dp", "hotel", {"POST"}),
        ("unit g6 , Cambridge Leisure Park , Clifton Road .", "attraction", {"ADDRESS"}),
        ("10 King's Parade", "attraction", {"ADDRESS"}),
        ("12 bridge street", "restaurant", {"ADDRESS"}),
        ("take TR7075", "train", {"TRAINID"}),
        ("your taxi is a red skoda , 07218068540", "taxi", {"PHONE"}),
    ],
)
def test_facts_belong_to_the_domain_that_has_them(linker: Linker, reply: str, domain: str, tokens: set[str]):
    assert linker.link(reply).tokens == {domain: tokens}


def test_a_shared_fact_belongs_to_the_venue_named_beside_it(linker: Linker):
    assert set(linker.link("it is on regent street").tokens) == {"restaurant", "hotel"}
    assert set(linker.link("Pizza Express is on regent street").tokens) == {"restaurant"}


@pytest.mark.parametrize(
    ("reply", "is_given"),
    [
        ("Reference number is : 7GAWK763 .", True),
        ("booked , 7gawk763", True),
        ("your reference is JFVBLWDN", True),
        ("JFVBLWDN", False),
        ("your reference is tomorrow", False),
        ("the reference number is 00000057", True),
        ("call 01223353888", False),
        ("the reference will be sent", False),
    ],
)
def test_references_are_codes_of_eight(linker: Linker, reply: str, is_given: bool):
    assert ("REFERENCE" in linker.link(reply).loose) is is_given


def test_a_phone_of_no_venue_is_loose(linker: Linker):
    links = linker.link("the number is 07218068540")
    assert links.loose == {"PHONE"}
    assert not links.tokens


def test_the_domain_named_last_is_kept(linker: Linker):
    assert linker.link("the acorn guest house is near christ's college").last == "attraction"
    assert linker.link("goodbye").last == ""
