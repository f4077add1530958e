"""Every real log is read, or refused by name with the reason; the numbers are those that were counted in the files."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from adjudge.convert.reading import ReadingOptions, read_conversations
from adjudge.core.conversation import Conversation
from adjudge.core.errors import Warnings
from mutation import Outcome, read_file

LOGS = Path(__file__).parents[3] / "shared" / "data" / "logs"
ABOUT = ("LICENSE", "SOURCES")
FILES = sorted(path for path in LOGS.glob("*/*") if not path.name.startswith(ABOUT)) if LOGS.is_dir() else []
# Files without a conversation, and the reason that is given.
REFUSED = {
    "console_": "a console print of AutoGen",
    "_sse.txt": "a stream of server-sent events",
    ".annotations.json": "labels of a trace without the trace",
    "voice_ticks": "a voice simulation of tau2, whose ticks carry no text",
    "voice_results_index": "an index of tau2 results without simulations",
    "strands_bedrock_spans": "none of which carries a message",
}
# Conversations and turns that are not instructions, from the files themselves.
COUNTS = {
    "who_and_when/algorithm_generated.jsonl.gz": (126, 1099),
    "meetings_qmsum/Bed016.json.gz": (1, 724),
    "meetings_qmsum/ES2004a.json": (1, 320),
    "openai_chat/drone_training.jsonl.gz": (103, 206),
    "openai_chat/toy_chat_fine_tuning.jsonl": (5, 15),
    "tau2/gpt-4.1_airline_default_gpt-4.1_1trials.json.gz": (20, 568),
    "tau2/gpt-4.1_telecom_no-user_first6.json.gz": (6, 180),
    "autogen/result_swarm.jsonl": (1, 27),
    "otel_genai/pydantic_ai_live_spans.json": (1, 4),
    "otel_genai/tempo_export_kagent.json": (1, 4),
}
needs_logs = pytest.mark.skipif(not FILES, reason="no logs in the shared data")


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def read(path: str) -> Outcome:
    if not (LOGS / path).exists():
        pytest.skip(f"no {path} in the shared data")
    return read_file(LOGS / path)


@needs_logs
@pytest.mark.parametrize("path", FILES, ids=name)
def test_a_real_log_is_read_or_refused_with_the_reason(path: Path) -> None:
    outcome = read_file(path)
    reason = next((reason for part, reason in REFUSED.items() if part in path.name), "")
    if reason:
        assert reason in outcome.complaints[0]
        assert str(path) in outcome.complaints[0]
        assert not outcome.conversations
    else:
        assert outcome.conversations
        assert not [text for text in outcome.complaints if "expected an object with a role" not in text]


@needs_logs
@pytest.mark.parametrize("path", FILES, ids=name)
def test_what_is_written_is_read_back_the_same(path: Path, tmp_path: Path) -> None:
    conversations = read_file(path).conversations
    written = tmp_path / "records.jsonl"
    written.write_bytes(b"\n".join(map(msgspec.json.encode, conversations)))
    if conversations:
        again = [placed.conversation for placed in read_conversations(written, ReadingOptions(Warnings(), raise_fault))]
        assert again == conversations


def raise_fault(complaint: object) -> None:
    raise AssertionError(str(complaint))


@pytest.mark.parametrize(("path", "counts"), COUNTS.items())
def test_the_numbers_of_conversations_and_turns(path: str, counts: tuple[int, int]) -> None:
    conversations = read(path).conversations
    assert (len(conversations), sum(len(conversation.turns) for conversation in conversations)) == counts


@needs_logs
def test_turns_have_ids_of_their_own_and_known_speakers() -> None:
    for path in FILES:
        for conversation in read_file(path).conversations:
            ids = [turn.id for turn in conversation.turns]
            assert len(set(ids)) == len(ids), path
            known = {participant.id for participant in conversation.participants}
            assert {turn.speaker for turn in conversation.turns} <= known, path


def test_labels_of_who_and_when_are_faults_and_stand_in_no_turn() -> None:
    conversations = read("who_and_when/algorithm_generated.jsonl.gz").conversations
    assert sum(len(conversation.faults) for conversation in conversations) == 126
    named = [conversation for conversation in conversations if conversation.faults[0].turn]
    assert len(named) == 126
    agrees = [speaker_at(conversation) == conversation.faults[0].agent for conversation in named]
    assert agrees.count(False) == 3
    for conversation in conversations:
        assert conversation.goal
        assert conversation.outcome is not None
        assert conversation.outcome.reached is False
        why = conversation.faults[0].why
        assert not any(why and why in turn.text for turn in conversation.turns)


def speaker_at(conversation: Conversation) -> str:
    turn = conversation.faults[0].turn
    return next(entry.speaker for entry in conversation.turns if entry.id == turn)


def test_tau2_keeps_rewards_costs_and_who_calls() -> None:
    conversations = read("tau2/gpt-4.1_telecom_default_first12.json.gz").conversations
    rewards = [conversation.outcome.scores["reward"] for conversation in conversations if conversation.outcome]
    assert (rewards.count(1.0), rewards.count(0.0)) == (5, 7)
    calls = [turn for conversation in conversations for turn in conversation.turns if turn.kind == "call"]
    assert len(calls) == 176
    assert sum(turn.speaker == "user" for turn in calls) == 112
    results = [turn for conversation in conversations for turn in conversation.turns if turn.kind == "result"]
    assert all(turn.call is not None and turn.call.status in ("ok", "error") for turn in results)
    assert all(turn.to for turn in results)


def test_a_history_that_every_event_repeats_is_read_once() -> None:
    conversation = read("otel_genai/strands_bedrock_event_logs.json.gz").conversations[0]
    speech = [(turn.speaker, turn.text) for turn in conversation.turns if turn.kind == "speech"]
    assert [text for speaker, text in speech if speaker == "user"].count("Hello") == 3
    answers = [text for speaker, text in speech if speaker == "assistant"]
    assert len(set(answers)) == len(answers)
