import pytest
from service_wordings import wordings

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


def named(links: Links) -> dict[str, list[str]]:
    return {domain: sorted(ids) for domain, ids in links.venues.items()}


@pytest.mark.parametrize(("reply", "venues"), wordings("names"))
def test_whole_names_are_linked_by_the_longest_match(linker: Linker, reply: str, venues: dict[str, list[str]]):
    assert named(linker.link(reply)) == venues


@pytest.mark.parametrize("reply", [reply for (reply,) in wordings("ordinary_words")])
def test_ordinary_words_name_no_venue(linker: Linker, reply: str):
    assert named(linker.link(reply)) == {}


@pytest.mark.parametrize(("reply", "venues"), wordings("words_as_names"))
def test_ordinary_words_written_as_names_do(linker: Linker, reply: str, venues: dict[str, list[str]]):
    assert named(linker.link(reply)) == venues


@pytest.mark.parametrize(("reply", "domain", "tokens"), wordings("facts"))
def test_facts_belong_to_the_domain_that_has_them(linker: Linker, reply: str, domain: str, tokens: list[str]):
    assert linker.link(reply).tokens == {domain: set(tokens)}


def test_a_shared_fact_belongs_to_the_venue_named_beside_it(linker: Linker):
    assert set(linker.link("it is on regent street").tokens) == {"restaurant", "hotel"}
    assert set(linker.link("Pizza Express is on regent street").tokens) == {"restaurant"}


@pytest.mark.parametrize(("reply", "is_given"), wordings("references"))
def test_references_are_codes_of_eight(linker: Linker, reply: str, is_given: bool):
    assert ("REFERENCE" in linker.link(reply).loose) is is_given


def test_a_phone_of_no_venue_is_loose(linker: Linker):
    links = linker.link("the number is 07218068540")
    assert links.loose == {"PHONE"}
    assert not links.tokens


def test_the_domain_named_last_is_kept(linker: Linker):
    assert linker.link("the acorn guest house is near christ's college").last == "attraction"
    assert linker.link("goodbye").last == ""
