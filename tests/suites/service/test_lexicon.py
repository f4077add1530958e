"""Every line of the vocabulary in an example of its use."""

import tomllib

import pytest

from adjudge.suites.service.rules.claims import ReplyClaim, address_key, claims_of
from adjudge.suites.service.rules.database import Venues
from adjudge.suites.service.rules.linking import Linker
from adjudge.suites.service.rules.phrases import words_of
from adjudge.suites.service.rules.placeholders import KEPT, is_delexicalised, tokens, unknown
from adjudge.suites.service.rules.spelling import canonical_time, database_value
from adjudge.suites.service.rules.tables import LEXICON
from adjudge.suites.service.rules.values import canonical

HOTEL = {"id": "h1", "name": "acorn", "area": "north"}


def table(name: str) -> dict:
    return tomllib.loads((LEXICON / f"{name}.toml").read_text("utf-8"))


VALUES, PLACEHOLDERS, REPLIES, SPELLINGS = map(table, ("values", "placeholders", "replies", "spellings"))


@pytest.mark.parametrize("value", VALUES["dontcare"])
def test_a_value_that_does_not_matter_is_dontcare(value: str):
    assert canonical("hotel-area", value) == "dontcare"


@pytest.mark.parametrize("word", VALUES["before_times"])
def test_a_word_before_a_time_is_left_out_of_times_only(word: str):
    assert canonical("train-leaveat", f"{word} 5:15") == "05:15"
    assert canonical("hotel-area", f"{word} 5:15") == f"{word} 5:15"


@pytest.mark.parametrize("article", VALUES["articles"])
def test_an_article_is_left_out_of_names_only(article: str):
    assert canonical("hotel-name", f"{article} larkspur") == "larkspur"
    assert canonical("hotel-area", f"{article} north") == f"{article} north"


@pytest.mark.parametrize("kind", VALUES["venue_kinds"])
def test_the_kind_of_venue_is_left_out_of_names_only(kind: str):
    assert canonical("hotel-name", f"larkspur {kind}") == "larkspur"
    assert canonical("hotel-area", f"near the {kind}").endswith(canonical("hotel-type", kind))


@pytest.mark.parametrize(("text", "time"), VALUES["times"].items())
def test_a_time_in_words_is_a_time(text: str, time: str):
    assert canonical("train-leaveat", text) == time


@pytest.mark.parametrize(("spelling", "usual"), VALUES["spellings"].items())
def test_a_word_is_the_same_in_every_spelling_wherever_it_stands(spelling: str, usual: str):
    assert canonical("attraction-type", spelling) == canonical("attraction-type", usual) == usual
    assert canonical("attraction-type", f"old {spelling} here") == f"old {usual} here"
    assert canonical("attraction-type", f"{spelling}ish") == f"{spelling}ish"


@pytest.mark.parametrize(("name", "token"), PLACEHOLDERS["names"].items())
@pytest.mark.parametrize("prefix", ["", "value_", "hotel_"])
def test_a_placeholder_stands_for_its_token_after_any_prefix(prefix: str, name: str, token: str):
    reply = f"here: [{prefix}{name}]"
    if prefix + name not in PLACEHOLDERS["whole_names"]:
        assert tokens(reply) == {token} & KEPT
    assert is_delexicalised(reply)
    assert not unknown(reply)


@pytest.mark.parametrize("name", PLACEHOLDERS["whole_names"])
def test_an_id_that_nobody_asks_for_is_known_and_given_to_nobody(name: str):
    assert is_delexicalised(f"[{name}]")
    assert not tokens(f"[{name}]")


@pytest.mark.parametrize("word", REPLIES["taxi"])
def test_a_phone_of_no_venue_is_the_taxis_where_the_reply_speaks_of_one(word: str):
    linker = Linker(Venues({"hotel": [HOTEL]}))
    assert linker.link(f"The {word} has the number 07218068540").tokens == {"taxi": {"PHONE"}}


@pytest.mark.parametrize("word", REPLIES["ordinary"])
def test_an_ordinary_word_is_a_venue_only_where_it_is_written_as_a_name(word: str):
    linker = Linker(Venues({"hotel": [HOTEL | {"name": word}]}))
    assert not linker.link(f"there is a {word} there").venues
    assert linker.link(f"try a place called {word}").venues == {"hotel": {"h1"}}
    assert linker.link(f"we recommend {word.capitalize()} instead").venues == {"hotel": {"h1"}}


@pytest.mark.parametrize("words", REPLIES["introductions"])
def test_a_name_after_words_that_introduce_one_is_a_venue(words: str):
    assert claims_of(f"So {words} the Golden Dragon then") == (ReplyClaim("venue", "Golden Dragon"),)
    assert claims_of(f"So {words} the same thing") == ()


@pytest.mark.parametrize(("short", "long"), REPLIES["streets"].items())
def test_a_street_with_a_number_is_an_address_in_either_form(short: str, long: str):
    for kind in (short, long):
        (claim,) = claims_of(f"It is at 12 Golden {kind.title()}.")
        assert (claim.kind, address_key(claim.text)) == ("address", f"12 golden {long}")


@pytest.mark.parametrize(("first", "second"), [*REPLIES["words"].items(), *REPLIES["phrases"].items()])
def test_replies_may_write_words_in_several_ways(first: str, second: str):
    assert words_of(f"the old {first} here") == words_of(f"the old {second} here")


@pytest.mark.parametrize("value", SPELLINGS["no_constraint"])
def test_a_value_of_no_constraint_fits_every_venue(value: str):
    assert Venues({"hotel": [HOTEL]}).query("hotel", {"area": value}) == {"h1"}


@pytest.mark.parametrize("slot", ["name", "food", "type", "time"])
def test_a_misspelt_value_is_read_as_the_databases_write_it(slot: str):
    for wrong, right in SPELLINGS[slot].items():
        assert database_value(slot, wrong) == right


@pytest.mark.parametrize(("start", "time"), SPELLINGS["time_start"].items())
def test_a_time_is_known_by_how_it_begins(start: str, time: str):
    assert canonical_time(f"{start}. or so") == time
