"""Answers that differ slightly from the form asked for are accepted, and a verdict is never guessed."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import msgspec
import pytest
from judging import Verdict

from adjudge.core.errors import MalformedReply
from adjudge.tools.judge.parsing import parse_answer, parse_parts


class Relation(msgspec.Struct, frozen=True):
    item: Literal["tobacco", "alcohol", "own_1"]
    relation: Literal["entail", "contradict", "not_related"]


class Sentence(msgspec.Struct, frozen=True):
    reasoning: str
    kind: Literal["information", "small_talk"]
    related: tuple[Relation, ...]
    unsupported: Annotated[int, msgspec.Meta(ge=1, le=4)] | None
    certain: bool = True


class Sentences(msgspec.Struct, frozen=True):
    sentence_1: Sentence
    sentence_2: Sentence


def sentence(**changes: Any) -> dict[str, Any]:
    plain = {"reasoning": "so", "kind": "information", "related": [], "unsupported": None, "certain": True}
    return {**plain, **changes}


@pytest.mark.parametrize(
    "reply",
    [
        {"reasoning": "x", "score": "4"},
        {"reasoning": "x", "score": " 4 "},
        {"reasoning": "x", "score": "4.0"},
        {"reasoning": "x", "score": 4.0},
        {"reasoning": "x", "score": 4, "confidence": 0.9},
        {"reasoning": "x", "score": "4", "remark": "I am sure"},
        {"Reasoning": "x", "Score": 4},
        {"REASONING": "x", "SCORE": "4"},
    ],
)
def test_a_plain_score_is_taken(reply: Any) -> None:
    assert parse_answer(json.dumps(reply), Verdict) == Verdict("x", 4)
    assert parse_answer(f"```json\n{json.dumps(reply)}\n```", Verdict) == Verdict("x", 4)


@pytest.mark.parametrize(
    "reply",
    [
        *(
            {"reasoning": "x", "score": score}
            for score in ("four", "4/5", "4 or 5", "~4", "4.5", "9", "", "\uff14", "0")
        ),
        *({"reasoning": "x", "score": score} for score in (True, None, [4], {"value": 4}, 9, 4.5, 1e300, 10**30)),
        *(
            {"reasoning": "x", "score": 4, key: 2}
            for key in ("Score", "final_score", "overall score", "verdict", "rating")
        ),
        *({"reasoning": "x", "score": 4, key: 2} for key in ("", "SCORE", "revised", "s_c_o_r_e", "new")),
        {"reasoning": "x", "score": 4, "a": 1, "b": 2},
        {"reasoning": "x", "score": 4, "alternative": {"reasoning": "y", "score": 2}},
        {"reasoning": "x", "score": 4, "alternatives": [2, 3]},
        {"score": "4"},
    ],
)
def test_what_is_not_plain_is_malformed(reply: Any) -> None:
    with pytest.raises(MalformedReply):
        parse_answer(json.dumps(reply), Verdict)


def test_two_verdicts_are_two_in_whatever_letters() -> None:
    two = json.dumps({"reasoning": "x", "score": 4}) + "\n```\n" + json.dumps({"Reasoning": "y", "Score": 2}) + "\n```"
    with pytest.raises(MalformedReply, match="2 verdicts"):
        parse_answer(two, Verdict)


@pytest.mark.parametrize(
    ("changes", "name", "expected"),
    [
        ({"kind": "Information"}, "kind", "information"),
        ({"kind": "SMALL TALK"}, "kind", "small_talk"),
        ({"kind": " small-talk "}, "kind", "small_talk"),
        ({"unsupported": "3"}, "unsupported", 3),
        ({"unsupported": "None"}, "unsupported", None),
        ({"unsupported": "null"}, "unsupported", None),
        ({"certain": "True"}, "certain", True),
        ({"certain": "no"}, "certain", False),
        ({"related": [{"item": "Tobacco", "relation": "ENTAIL"}]}, "related", (Relation("tobacco", "entail"),)),
        (
            {"related": [{"item": "own-1", "relation": "Not related", "why": "?"}]},
            "related",
            (Relation("own_1", "not_related"),),
        ),
    ],
)
def test_words_in_other_letters_are_taken(changes: Any, name: str, expected: Any) -> None:
    assert getattr(parse_answer(json.dumps(sentence(**changes)), Sentence), name) == expected


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "informative"},
        {"kind": "information or small_talk"},
        {"kind": "info"},
        {"unsupported": "5"},
        {"certain": "maybe"},
        {"certain": 1},
        {"related": {"item": "tobacco", "relation": "entail"}},
        {"related": [{"item": "cigars", "relation": "entail"}]},
    ],
)
def test_other_words_are_malformed(changes: Any) -> None:
    with pytest.raises(MalformedReply):
        parse_answer(json.dumps(sentence(**changes)), Sentence)


def test_the_good_parts_of_an_answer_are_found() -> None:
    reply = {"sentence_1": sentence(kind="Information"), "sentence_2": sentence(kind="nonsense")}
    parts = parse_parts(json.dumps(reply), Sentences)
    assert parts is not None
    assert list(parts) == ["sentence_1"]
    assert parts["sentence_1"].kind == "information"


@pytest.mark.parametrize(
    "reply",
    [
        {"sentence_1": sentence()},
        {"sentence_1": sentence(), "sentence_2": sentence(kind="?"), "sentence_3": sentence()},
        {"sentence_1": sentence(), "sentence_3": sentence()},
        {"sentences": [sentence(), sentence()]},
    ],
)
def test_where_parts_are_missing_or_too_many_nobody_knows_which_is_which(reply: Any) -> None:
    assert parse_parts(json.dumps(reply), Sentences) is None


def test_an_answer_without_parts_has_no_good_parts() -> None:
    assert parse_parts('{"reasoning": "x", "score": 9}', Verdict) is None
