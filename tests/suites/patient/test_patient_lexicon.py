"""Every phrase of the vocabulary finds its own example, in time that grows with the text alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from adjudge.english.normalise import plain_speech as plain
from adjudge.english.normalise import write_out as written_out
from adjudge.suites.patient.lexicon import table_of
from adjudge.suites.patient.lexicon.phrases import either
from adjudge.suites.patient.lexicon.phrases import fill_phrase as fill
from adjudge.suites.patient.rules.diagnoses import Diagnosis, Illness
from adjudge.suites.patient.rules.quantities import asks_for

# A line that a reviewer can read in a diff.
LONGEST_LINE = 200


def phrases() -> Iterator[tuple[str, str, re.Pattern[str]]]:
    """Each example with what is searched of it and the pattern that must find it."""
    for way in table_of("phrases")["breaks"]:
        for example, phrase in way["patterns"].items():
            searched = example.lower() if way["where"] == "lines" else plain(example)
            yield example, searched, either((fill(phrase),))
    for example, phrase in table_of("phrases")["orders"].items():
        yield example, written_out(example), re.compile(fill(phrase))
    for disposition in table_of("phrases")["dispositions"]:
        for example, phrase in disposition["phrases"].items():
            yield example, plain(example), either((phrase,))
    for name in ("confused", "unasserted", "unsure", "fillers", "history", "others"):
        for example, phrase in table_of("phrases")[name].items():
            yield example, plain(example), either((phrase,))


def test_every_phrase_finds_its_example() -> None:
    assert [example for example, searched, phrase in phrases() if not phrase.search(searched)] == []


@pytest.mark.parametrize("quantity", ["age", "children", "pain", "other", "others"])
def test_every_question_asks_for_what_it_is_an_example_of(quantity: str) -> None:
    examples = table_of("numbers")["asks"][quantity]
    assert [example for example, phrase in examples.items() if not re.search(phrase, example)] == []
    assert all(asks_for(quantity, example) for example in examples)


def test_every_illness_is_told_by_each_of_its_names() -> None:
    for line in table_of("diagnoses")["illnesses"]:
        illness = Illness.of(line)
        for written in illness.written:
            diagnosis = Diagnosis.of(written.replace("*", ""))
            unheard = [name for name in illness.spoken if not diagnosis.find_in(f"I have {name}.")]
            assert unheard == [], (written, unheard)


def test_every_line_of_the_vocabulary_can_be_read_in_a_diff() -> None:
    for path in Path(str(files("adjudge.suites.patient").joinpath("lexicon"))).glob("*.toml"):
        long = [line[:60] for line in path.read_text("utf-8").splitlines() if len(line) > LONGEST_LINE]
        assert long == [], path.name
