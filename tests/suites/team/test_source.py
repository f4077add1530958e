"""The suite team reads logs of any format, each file in its own, and names the arms."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from adjudge.core.conversation import Conversation
from adjudge.core.errors import BadInput, Warnings
from adjudge.suites.team.read.source import TeamSource

CHAT = {"messages": [{"role": "user", "content": "Warm?"}, {"role": "assistant", "content": "Yes."}]}


def write(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content))
    return path


def read(*files: Path, **options: Any) -> list[Conversation]:
    source = TeamSource(list(files), options)
    return [record for where, row in source.rows(Warnings()) for record in source.records(where, row, Warnings())]


def test_each_file_may_have_a_format_of_its_own(tmp_path: Path) -> None:
    chat = write(tmp_path / "chat.json", CHAT)
    meeting = write(tmp_path / "meeting.json", {"meeting_transcripts": [{"speaker": "Ann", "content": "Hello."}]})
    assert [record.id for record in read(chat, meeting)] == ["chat-1", "meeting-1"]


def test_arms_come_from_the_option_the_file_or_the_log(tmp_path: Path) -> None:
    plain, named = write(tmp_path / "plain.json", CHAT), write(tmp_path / "named.json", CHAT | {"arm": "mine"})
    assert [record.arm for record in read(plain, named)] == ["team", "mine"]
    assert [record.arm for record in read(plain, named, **{"arm-by": "file"})] == ["plain", "named"]
    assert [record.arm for record in read(plain, named, arm=["a", "b"])] == ["a", "b"]


def test_files_of_one_arm_each_are_paired_by_their_place(tmp_path: Path) -> None:
    """Conversations without ids are told by their file; where each file is an arm, their number is the case."""
    a, b = write(tmp_path / "a.json", [CHAT, CHAT]), write(tmp_path / "b.json", [CHAT, CHAT])
    assert {record.key.case for record in read(a, b, arm=["x", "y"])} == {"1", "2"}
    assert {record.key.case for record in read(a, b)} == {"a-1", "a-2", "b-1", "b-2"}


def test_an_unknown_format_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="did you mean 'tau2'"):
        TeamSource([tmp_path / "none.json"], {"format": "tau3"})


def test_the_survey_names_what_the_conversations_lack(tmp_path: Path) -> None:
    source = TeamSource([write(tmp_path / "chat.json", CHAT)], {})
    survey = source.survey()
    for record in read(tmp_path / "chat.json"):
        survey.add(record)
    seen = survey.coverage().arms["team"]
    assert (seen.conversations, seen.turns) == (1, 2)
    assert any("without a goal" in remark for remark in seen.remarks)
