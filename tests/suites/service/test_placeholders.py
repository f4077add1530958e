import pytest
from service_wordings import wordings

from adjudge.suites.service.rules.placeholders import domains_in, is_delexicalised, tokens, unknown


@pytest.mark.parametrize(("reply", "expected"), wordings("placeholders"))
def test_placeholders_stand_for_tokens(reply: str, expected: list[str]):
    assert tokens(reply) == set(expected)


def test_unknown_placeholders_are_named():
    assert unknown("[hotel_colour] [value_name] [zoo_name] [1]") == ["hotel_colour", "zoo_name", "1"]


def test_a_reply_is_delexicalised_by_any_known_placeholder():
    assert is_delexicalised("it has [value_stars] stars")
    assert is_delexicalised("arrives at [value_arrive by]")
    assert not is_delexicalised("see note [1] and [nothing]")
    assert not is_delexicalised("the acorn guest house")


def test_domains_come_from_prefixes_only():
    assert domains_in("[hotel_name] [value_area] [taxi_phone] [hotel_phone] [entrance_fee]") == (
        "hotel",
        "taxi",
    )
    assert domains_in("no placeholder") == ()
