from __future__ import annotations

import contextlib
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from adjudge.core.errors import BadRecord
from adjudge.read.decode import check_depth, decode, duplicate_keys, replace_surrogates
from adjudge.read.files import ReadLimits
from growth import assert_linear


class Turn(Struct, forbid_unknown_fields=True):
    frames: list[str] = []
    kind: Literal["human", "agent"] = "human"


class Sum(Struct):
    parts: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if sum(self.parts) > 1:
            raise ValueError("parts sum to more than 1")


class Dialogue(Struct, forbid_unknown_fields=True):
    id: str
    turns: list[Turn] = []
    trial: int = 0
    state: dict[str, str | tuple[str, ...]] | None = None
    by_turn: dict[str, Turn] = {}
    pair: tuple[int, int] = (0, 0)
    weight: Annotated[float, msgspec.Meta(ge=0)] = 1.0
    value: int | str | None = None
    sum: Sum | None = None
    counts: dict[int, int] = {}


DIALOGUE = msgspec.json.Decoder(Dialogue)
ANYTHING = msgspec.json.Decoder()


def complaint(raw: bytes, decoder: msgspec.json.Decoder[Any] = DIALOGUE) -> str:
    with pytest.raises(BadRecord) as caught:
        decode("x.jsonl:17", raw, decoder)
    text = str(caught.value)
    assert text.startswith("x.jsonl:17: ")
    return text.removeprefix("x.jsonl:17: ")


def test_a_good_row_is_decoded() -> None:
    assert decode("x.jsonl:1", b'{"id": "a"}', DIALOGUE) == Dialogue(id="a")


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b'{"id": 1}', "id: expected a string, found 1"),
        (b'{"id": null}', "id: expected a string, found null"),
        (b'{"id": true}', "id: expected a string, found true"),
        (b"[1, 2]", "expected an object, found [1, 2]"),
        (b'{"id": "a", "turns": "Ann"}', "turns: expected a list, found 'Ann'"),
        (b'{"id": "a", "turns": [{"frames": 3}]}', "turns[0].frames: expected a list, found 3"),
        (
            b'{"id": "a", "turns": [{}, {"frames": ["x", 4]}]}',
            "turns[1].frames[1]: expected a string, found 4",
        ),
        (b'{"id": "a", "trial": 1.5}', "trial: expected a whole number, found 1.5"),
        (b'{"id": "a", "value": 1.5}', "value: expected a whole number, a string or null, found 1.5"),
        (b'{"id": "a", "pair": [1]}', "pair: expected a list of length 2, found [1]"),
        (b'{"id": "a", "weight": "x"}', "weight: expected a number, found 'x'"),
        (b'{"id": "a", "weight": -1}', "weight: expected a number >= 0.0, found -1"),
        (b'{"id": "a", "weight": 1e999}', "weight: Number out of range"),
        (b'{"id": "a", "counts": {"x": 1}}', "counts: a key: expected a whole number, found a string"),
        (
            b'{"id": "a", "turns": [{"kind": "cat"}]}',
            "turns[0].kind: expected one of 'human', 'agent', found 'cat'",
        ),
    ],
)
def test_a_wrong_type_names_field_expected_and_found(raw: bytes, text: str) -> None:
    assert complaint(raw) == text


def test_the_found_value_is_cut_to_forty_characters() -> None:
    results = complaint(b'{"id": "a", "turns": "%s"}' % (b"x" * 100)).partition("found ")[2]
    assert len(results) == 40
    assert results.endswith("...")


def test_a_wrong_type_in_a_row_cut_later_still_names_the_field() -> None:
    assert complaint(b'{"id": 1, "turns": [') == "id: expected a string, found a whole number"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b'{"id": "a", "state": {"x": "1", "y": 2}}', "state.y: expected a string or a list, found 2"),
        (
            b'{"id": "a", "by_turn": {"1": {}, "2": {"frames": 3}}}',
            "by_turn.2.frames: expected a list, found 3",
        ),
    ],
)
def test_the_key_of_a_wrong_value_in_a_mapping_is_named(raw: bytes, text: str) -> None:
    assert complaint(raw) == text


def test_an_unknown_field_suggests_the_close_one() -> None:
    assert complaint(b'{"id": "a", "turn": []}') == "turn: unknown field; did you mean 'turns'?"
    assert complaint(b'{"id": "a", "turns": [{"frame": []}]}').startswith(
        "turns[0].frame: unknown field; did you mean 'frames'?"
    )


def test_an_unknown_field_in_a_mapping_of_records_suggests_the_close_one() -> None:
    raw = b'{"id": "a", "by_turn": {"one": {"frame": 3}}}'
    assert complaint(raw) == "by_turn.one.frame: unknown field; did you mean 'frames'?"


def test_an_unknown_field_without_a_close_one_lists_the_known() -> None:
    text = complaint(b'{"id": "a", "turns": [{"zzz": 1}]}')
    assert text == "turns[0].zzz: unknown field; expected 'frames', 'kind'"


def test_a_missing_field_is_named_beside_those_there_are() -> None:
    assert complaint(b'{"trial": 1}') == "id: required but missing; found only 'trial'"
    assert complaint(b"{}") == "id: required but missing"


def test_a_records_own_check_is_passed_on_with_its_field() -> None:
    assert complaint(b'{"id": "a", "sum": {"parts": [0.9, 0.9]}}').startswith("sum: parts sum to more than 1")


# Text that is not JSON


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b'{"id": "abc', "ends in the middle of a string (truncated at byte 11)"),
        (b'{"id": "abc\\', "ends in the middle of a string (truncated at byte 12)"),
        (b'{"id": "a"', "ends in the middle of an object (truncated at byte 10)"),
        (b'{"id": "a", "turns": [{}', "ends in the middle of a list (truncated at byte 24)"),
        (rb'{"id": "\ud83d', "ends in the middle of a string (truncated at byte 14)"),
        (rb'{"id": "\ud83d\ud', "ends in the middle of a string (truncated at byte 17)"),
        (b"", "empty; expected a JSON value"),
    ],
)
def test_a_truncated_row_says_in_what_and_where_it_ends(raw: bytes, text: str) -> None:
    assert complaint(raw) == text


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "nan", "-inf"])
def test_numbers_json_does_not_have_are_named_with_their_byte(word: str) -> None:
    raw = b'{"id": "NaN", "weight": %s}' % word.encode()
    assert complaint(raw).startswith(f"{word} at byte 24; JSON has no {word}; write null")


def test_python_words_are_named() -> None:
    assert complaint(b'{"id": None}') == "None at byte 7; JSON has no None; write null"


def test_other_faults_show_the_text_around_the_byte() -> None:
    raw = b'{"id": "0123456789", "turns" []}'
    assert complaint(raw) == """not JSON at byte 29, near ', "turns" []}': expected ':'"""


def test_a_control_character_is_named() -> None:
    assert "control character 0x09" in complaint(b'{"id": "a\tb"}')


def test_two_records_on_one_line_are_told() -> None:
    text = complaint(b'{"id": "a"}{"id": "b"}')
    assert text.startswith("more text after the JSON value at byte 11")


def test_a_cp1252_byte_is_named_with_the_command_that_converts() -> None:
    text = complaint(b'{"turns": [], "id": "it\x92s"}')
    assert text.startswith("byte 0x92 at byte 23 is not UTF-8")
    assert "probably cp1252 (there it is '’')" in text
    assert "iconv -f CP1252 -t UTF-8" in text


def test_a_byte_that_cp1252_lacks_is_not_called_cp1252() -> None:
    assert "cp1252" not in complaint(b'{"id": "\x81"}')


@pytest.mark.parametrize(
    "raw",
    [rb'{"id": "\ud83d"}', rb'{"id": "\ud83d and more text"}', rb'{"id": "\ud83d\u0041 and more text"}'],
)
def test_a_lone_surrogate_is_named_with_its_byte(raw: bytes) -> None:
    assert complaint(raw).startswith(r"lone surrogate \ud83d at byte 8")


def test_a_lone_surrogate_in_bytes_is_named() -> None:
    assert complaint(b'{"id": "\xed\xa0\xbd"}').startswith("lone surrogate (bytes ed a0 bd) at byte 8")


def test_nesting_without_end_is_a_complaint() -> None:
    assert complaint(b"[" * 100_000 + b"]" * 100_000, ANYTHING).startswith("nested too deeply")


def test_depth_is_checked_against_the_limit() -> None:
    check_depth("x:1", b"[" * 100 + b"]" * 100)
    check_depth("x:1", b'["' + b"[" * 500 + b'"]')
    check_depth("x:1", b"[" + b"[]," * 500 + b"1]")
    with pytest.raises(BadRecord, match="nested 101 levels deep; expected at most 100"):
        check_depth("x:1", b"[" * 101 + b"]" * 101)
    with pytest.raises(BadRecord, match="nested 3 levels"):
        check_depth("x:1", b"[[[]]]", ReadLimits(depth=2))


@pytest.mark.parametrize(("start", "piece"), [(b'{"id": "', b'\\"'), (b'{"id": "', b'"'), (b"", b"{")])
def test_explaining_a_fault_takes_time_in_proportion_to_the_row(start: bytes, piece: bytes) -> None:
    assert_linear(lambda pieces: complaint(start + piece * pieces), 125_000)


@given(st.binary(max_size=60) | st.text(alphabet='{}[]",:\\ud83eNa1.- ', max_size=60).map(str.encode))
def test_any_bytes_are_decoded_or_refused(raw: bytes) -> None:
    for decoder in (DIALOGUE, ANYTHING):
        with contextlib.suppress(BadRecord):
            decode("x:1", raw, decoder)


# Surrogates and repeated keys


def test_lone_surrogates_are_replaced_and_counted() -> None:
    raw = rb'{"a": "\ud83d", "b": "\uDE00x", "c": "\ud83d\ude00"}'
    replaced, count = replace_surrogates(raw)
    assert count == 2
    assert msgspec.json.decode(replaced) == {"a": "\ufffd", "b": "\ufffdx", "c": "\U0001f600"}


def test_lone_surrogates_in_bytes_are_replaced_and_counted() -> None:
    assert replace_surrogates(b'"\xed\xa0\xbd"') == ('"\ufffd"'.encode(), 1)


def test_an_escaped_backslash_before_u_is_no_surrogate() -> None:
    assert replace_surrogates(rb'"\\ud83d"') == (rb'"\\ud83d"', 0)


def test_repeated_keys_are_found_with_their_path() -> None:
    raw = b'{"a": 1, "turns": [{}, {"id": 1, "id": 2, "x": {"k": 1, "k": 1, "k": 1}}], "a": 2}'
    assert duplicate_keys(raw) == ["a", "turns[1].id", "turns[1].x.k"]


@pytest.mark.parametrize("raw", [b'{"a": {"a": 1}, "b": [{"a": 1}, {"a": 1}]}', b"{", b"\xff", b"[" * 100_000])
def test_no_repeated_keys_are_none(raw: bytes) -> None:
    assert duplicate_keys(raw) == []


def test_escaped_quotation_marks_hide_no_repeated_key() -> None:
    assert duplicate_keys(rb'{"a": 1, "a": 2, "b": "\u0022\u0022"}') == ["a"]
    assert duplicate_keys(rb'{"a": 1, "a": 2, "b": "\"\""}') == ["a"]
    assert duplicate_keys(rb'{"a": "\u0022", "b": "\""}') == []
