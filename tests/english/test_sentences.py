"""Sentences of clinical and ordinary text, against splits made by hand."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudge.core.errors import BadInput
from adjudge.english import sentences as module

GOLDEN = json.loads((Path(__file__).parent / "sentences_golden.json").read_text("utf-8"))


@pytest.fixture
def _sentencex() -> None:
    pytest.importorskip("sentencex", reason="the extra `embed` is not installed")


@pytest.mark.usefixtures("_sentencex")
@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["text"][:40])
def test_a_text_is_split_as_by_hand(case: dict[str, Any]) -> None:
    assert module.sentences(case["text"]) == case["sentences"]


def test_there_are_enough_cases() -> None:
    assert len({case["text"] for case in GOLDEN}) >= 60


@pytest.mark.usefixtures("_sentencex")
@given(st.lists(st.sampled_from(["No.", "Dr.", "mg", "b.i.d.", "3.5/10", "I", "\n", "1.", "?", '"', "ok", "."])))
def test_nothing_but_white_space_is_lost(words: list[str]) -> None:
    text = " ".join(words)
    parts = module.sentences(text)
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert all(sentence == sentence.strip() and sentence for sentence in parts)


def test_without_sentencex_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentencex", None)
    module._sentencex.cache_clear()
    with pytest.raises(BadInput, match="needs sentencex: pip install"):
        module.sentences("One. Two.")
