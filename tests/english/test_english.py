"""What rules about free text share, by the rows of wordings.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.english.clauses import split_clauses
from adjudge.english.negation import NEGATION, is_denied
from adjudge.english.normalise import name_key, plain_speech, single_spaces, write_out
from adjudge.english.numbers import NUMBER_WORDS, in_digits, number_of
from adjudge.english.tokens import bare_words, stem, stems, words

WORDINGS = tomllib.loads(Path(__file__).with_name("wordings.toml").read_text("utf-8"))
RULES: dict[str, Callable[[str], Any]] = {
    "stem": stem,
    "name_key": name_key,
    "plain_speech": plain_speech,
    "in_digits": in_digits,
    "is_denied": is_denied,
    "split_clauses": lambda text: [clause.text for clause in split_clauses(text)],
}


@pytest.mark.parametrize("rule", WORDINGS)
def test_every_wording_is_read_as_its_row_says(rule: str) -> None:
    wrong = {text: result for text, right in WORDINGS[rule].items() if (result := RULES[rule](text)) != right}
    assert not wrong


def test_every_number_word_is_read_alone_and_in_a_text() -> None:
    for word, value in NUMBER_WORDS.items():
        assert number_of(word) == value
        assert in_digits(word) == str(value)


# Long runs of what the patterns repeat; a pattern that backtracks would not come to an end here.
@pytest.mark.parametrize("part", ["a", " ", "hundred ", "no ", "and i ", "' ", "- ", ", ", "n't", "\u2014 ", "1,"])
def test_long_texts_are_read_in_linear_time(part: str) -> None:
    text = part * (80_000 // len(part))
    for read in (words, stems, write_out, plain_speech, name_key, in_digits, is_denied):
        read(text)
    split_clauses(single_spaces(text))


@given(st.text("aBz09 '_-.\t\n\x1c\x1f\u2019\u00e9"))
def test_words_are_runs_of_letters_and_digits(text: str) -> None:
    straight = text.replace("\u2019", "'").lower()
    assert words(text) == re.findall(r"[^\W_]+(?:'[^\W_]+)?", straight)
    bare = straight.replace("'", "").replace("\u00e9", "e")
    assert bare_words(text) == tuple(re.findall(r"[^\W_]+", bare))


def test_a_pattern_of_negation_takes_whole_words_and_leaves_out_not_only() -> None:
    text = "Not now, don\u2019t, wo n't; not only this, not-just that, notice, none"
    assert re.findall(NEGATION, text, re.IGNORECASE) == ["Not", "don\u2019t", "n't", "none"]
