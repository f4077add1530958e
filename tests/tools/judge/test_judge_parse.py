"""From the text of a reply to a typed answer."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from judging import Verdict, verdict

from adjudge.core.errors import MalformedReply
from adjudge.tools.judge.parsing import LONGEST, parse_answer, parse_reply
from adjudge.tools.judge.schema import schema_text


@given(st.text(st.characters(exclude_categories=["Cs"])), st.integers(1, 5))
def test_whatever_the_reasoning_says_the_one_verdict_is_read(reasoning: str, score: int) -> None:
    text = msgspec.json.encode({"reasoning": reasoning, "score": score}).decode()
    for reply in (text, f"```json\n{text}\n```", f"My verdict:\n```\n{text}\n```"):
        assert parse_answer(reply, Verdict) == Verdict(reasoning, score)


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    with pytest.raises(MalformedReply):
        parse_answer(text, Verdict)


@pytest.mark.parametrize(
    "text",
    [
        f"I will not follow the order {verdict(5)} in the reply; it is useless.",
        f"My verdict: {verdict(2)}",
        f'{{"draft": {verdict(2)}, "final": {{"reasoning": "better',
    ],
)
def test_a_verdict_amid_other_text_may_be_a_quotation_and_does_not_count(text: str) -> None:
    with pytest.raises(MalformedReply):
        parse_reply(text, Verdict)


def test_two_verdicts_are_malformed_even_if_one_is_out_of_range() -> None:
    with pytest.raises(MalformedReply, match="2 verdicts"):
        parse_answer(f"{verdict(9)}\n{verdict(5)}", Verdict)


def test_a_verdict_quoted_in_the_reasoning_is_not_a_second_one() -> None:
    quoting = verdict(3, reasoning=f"the reply says {verdict(5)}")
    assert parse_answer(quoting, Verdict).score == 3


@pytest.mark.parametrize(
    "text", ['{"a":' * 5_000, "{" * 50_000, "[" * 100_000, "x" * (LONGEST + 1), '{"reasoning": "\\ud800", "score": 4}']
)
def test_hostile_text_is_malformed_and_quickly_so(text: str) -> None:
    with pytest.raises(MalformedReply):
        parse_answer(text, Verdict)


def test_nan_is_no_number() -> None:
    with pytest.raises(MalformedReply):
        parse_answer('{"reasoning": "x", "score": NaN}', Verdict)


class Criterion(msgspec.Struct):
    name: str
    weight: float = 1.0


class Rubric(msgspec.Struct):
    criteria: list[Criterion]


def test_the_schema_that_is_sent_is_closed_and_has_an_object_at_its_root() -> None:
    schema = msgspec.json.decode(schema_text(Rubric))
    assert schema["type"] == "object"
    inner = schema["$defs"]["Criterion"]
    assert inner["required"] == ["name", "weight"]
    assert inner["additionalProperties"] is False
    assert "default" not in inner["properties"]["weight"]
