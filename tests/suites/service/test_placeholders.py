import pytest

from adjudge.suites.service.rules.placeholders import domains_in, is_delexicalised, tokens, unknown


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ("[phone]", {"PHONE"}),
        ("[value_phone] and [Hotel_Name]", {"PHONE", "NAME"}),
        ("[train_id] or [value_id] or [trainid] or [train_trainid]", {"TRAINID"}),
        ("[restaurant_id] [hospital_id] [attraction_id]", set()),
        ("[value_name]s, [value_postcode] -s", {"NAME", "POST"}),
        ("[hotel_reference] [ref] [restaurant_address]", {"REFERENCE", "ADDRESS"}),
        ("[value_price range] [leave at] [value_choice]", set()),
        ("their NAME and PHONE", set()),
        ("", set()),
    ],
)
def test_placeholders_stand_for_tokens(reply: str, found: set[str]):
    assert tokens(reply) == found


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
