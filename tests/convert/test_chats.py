"""Tables of messages and chats as text."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from adjudge.convert.reading import ReadingOptions, read_conversations
from adjudge.core.errors import Warnings
from logs import kinds, lines, only, read_log
from mutation import read_file


def test_a_table_is_split_by_its_conversations(tmp_path: Path) -> None:
    table = (
        "Conversation ID,Sender,Message,Timestamp,To,Mood\n"
        "a,Ann,Hello,2025-01-01 10:00,Bob,good\n"
        'b,user,"Two\nlines",,,\n'
        "a,Bob,Hi Ann,2025-01-01 10:01,,\n"
    )
    outcome = read_log(tmp_path, table, "chat.csv")
    first, second = outcome.conversations
    assert (first.id, lines(first)) == ("a", [("speech", "Ann", "Hello"), ("speech", "Bob", "Hi Ann")])
    assert first.turns[0].time == datetime(2025, 1, 1, 10)
    assert first.turns[0].to == ("Bob",)
    assert lines(second) == [("speech", "user", "Two\nlines")]
    assert kinds(second) == {"user": "human"}
    assert outcome.remarks == {"table: the column 'Mood'": 1}


def test_the_same_conversation_by_two_arms_is_two(tmp_path: Path) -> None:
    table = "conversation,arm,speaker,text\na,old,desk,Hello\na,new,desk,Hi\na,,Ann,A room\na,old,desk,Yes\n"
    first, second = read_log(tmp_path, table, "chat.csv").conversations
    assert (first.id, first.arm, [text for _, _, text in lines(first)]) == ("a", "old", ["Hello", "Yes"])
    assert (second.id, second.arm, [text for _, _, text in lines(second)]) == ("a", "new", ["Hi", "A room"])


def test_a_conversation_with_two_models_is_one(tmp_path: Path) -> None:
    table = "conversation,model,speaker,text\na,,Ann,Hello\na,small,desk,Hi\na,large,judge,Fine\n"
    conversation = only(read_log(tmp_path, table, "chat.csv"))
    assert (conversation.arm, len(conversation.turns)) == ("small", 3)


def test_rows_of_json_are_a_table(tmp_path: Path) -> None:
    rows = [{"user": "U1", "text": "Hello", "ts": "1700000000.5"}, {"user": "U2", "text": "Hi", "ts": "1700000001"}]
    conversation = only(read_log(tmp_path, rows))
    assert lines(conversation) == [("speech", "U1", "Hello"), ("speech", "U2", "Hi")]
    assert conversation.turns[0].time is not None


def test_a_table_is_told_by_its_header_and_not_by_its_name(tmp_path: Path) -> None:
    assert lines(only(read_log(tmp_path, "speaker,text\nAnn,Hello\n", "chat.txt"))) == [("speech", "Ann", "Hello")]
    assert lines(only(read_log(tmp_path, '[{"role": "user", "content": "Hi"}]', "chat.csv"))) == [
        ("speech", "user", "Hi")
    ]


def test_a_spreadsheet_is_a_table(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (("speaker", "text"), ("Ann", "Hello"), ("Bob", "Hi")):
        book.active.append(row)
    book.save(tmp_path / "chat.xlsx")
    assert lines(only(read_file(tmp_path / "chat.xlsx"))) == [("speech", "Ann", "Hello"), ("speech", "Bob", "Hi")]


def test_a_table_with_semicolons_asks_for_the_delimiter(tmp_path: Path) -> None:
    outcome = read_log(tmp_path, "speaker;text\nAnn;Hello\n", "chat.csv")
    assert "--delimiter ';'" in outcome.complaints[0]
    reading = ReadingOptions(Warnings(), raise_fault, delimiter=";")
    assert len(list(read_conversations(tmp_path / "chat.csv", reading))) == 1


def raise_fault(complaint: object) -> None:
    raise AssertionError(str(complaint))


WHATSAPP = {
    "iOS": "[13/05/23, 10:11:12] Ann: Hello\nsecond line\n\u200e[13/05/23, 22:12:00] Bob B.: <Media omitted>\n",
    "Android": "13/05/2023, 10:11 - Ann: Hello\nsecond line\n13/05/2023, 22:12 - Bob B.: <Media omitted>\n",
    "American": "5/13/23, 10:11\u202fAM - Ann: Hello\nsecond line\n5/13/23, 10:12\u202fPM - Bob B.: <Media omitted>\n",
    "German": "13.05.23, 10:11 - Ann: Hello\nsecond line\n13.05.23, 22:12 - Bob B.: <Media omitted>\n",
}


@pytest.mark.parametrize("text", WHATSAPP.values(), ids=WHATSAPP)
def test_whatsapp_chats_of_every_kind_of_telephone(tmp_path: Path, text: str) -> None:
    conversation = only(read_log(tmp_path, text, "chat.txt"))
    assert lines(conversation) == [("speech", "Ann", "Hello\nsecond line"), ("speech", "Bob B.", "<Media omitted>")]
    times = [turn.time for turn in conversation.turns]
    assert [time.replace(second=0) for time in times if time] == [
        datetime(2023, 5, 13, 10, 11),
        datetime(2023, 5, 13, 22, 12),
    ]
    assert set(kinds(conversation).values()) == {"human"}


def test_lines_without_a_name_are_counted(tmp_path: Path) -> None:
    text = "13/05/2023, 10:11 - Messages are encrypted.\n13/05/2023, 10:12 - Ann: Hello\n"
    outcome = read_log(tmp_path, text, "chat.txt")
    assert lines(only(outcome)) == [("speech", "Ann", "Hello")]
    assert outcome.remarks == {"whatsapp: a line without a speaker": 1}


def test_dates_that_can_be_read_in_two_ways_are_remarked(tmp_path: Path) -> None:
    outcome = read_log(tmp_path, "1/2/23, 10:11 - Ann: Hello\n1/2/23, 10:12 - Bob: Hi\n", "chat.txt")
    assert only(outcome).turns[0].time == datetime(2023, 2, 1, 10, 11)
    assert any("days are taken as first" in remark for remark in outcome.remarks)


def test_lines_with_names_are_a_chat_and_prose_is_not(tmp_path: Path) -> None:
    assert len(only(read_log(tmp_path, "Ann: Hello\nBob: Hi\nAnn: Bye\n", "chat.txt")).turns) == 3
    outcome = read_log(tmp_path, "Once upon a time\nthere was a fox.\n", "chat.txt")
    assert "expected JSON, a table, or a chat" in outcome.complaints[0]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("---------- TextMessage (user) ----------\nHello\n", "console print of AutoGen"),
        ("\x1b[33muser_proxy\x1b[0m (to assistant):\n\nSort this.\n", "console print of AutoGen"),
        ('event: response.created\ndata: {"type": "response.created"}\n', "server-sent events"),
    ],
)
def test_prints_and_streams_are_refused_by_name(tmp_path: Path, text: str, reason: str) -> None:
    outcome = read_log(tmp_path, text, "print.txt")
    assert reason in outcome.complaints[0]
    assert "print.txt" in outcome.complaints[0]


def test_rows_that_name_an_agent_and_its_message_are_a_chat(tmp_path: Path) -> None:
    rows = [{"agent": "planner", "message": "Start.", "step": 1}, {"agent": "coder", "message": "Done.", "step": 2}]
    outcome = read_log(tmp_path, rows)
    assert lines(only(outcome)) == [("speech", "planner", "Start."), ("speech", "coder", "Done.")]


def test_messages_in_a_list_take_conversation_goal_and_arm_from_around_it(tmp_path: Path) -> None:
    said = [{"sender": "Ann", "message": "A room?"}, {"sender": "Bob", "message": "Yes."}]
    chats = [
        {"session_id": "s1", "arm": "new", "goal": "a room", "messages": said},
        {"id": 7, "title": "A room", "messages": said},
    ]
    outcome = read_log(tmp_path, chats)
    first, second = outcome.conversations
    assert (first.id, first.arm, first.goal) == ("s1", "new", "a room")
    assert (second.id, lines(second)) == ("7", [("speech", "Ann", "A room?"), ("speech", "Bob", "Yes.")])
    assert outcome.remarks == {"table: the field 'title' around a list of messages": 1}


def test_messages_on_lines_are_split_by_the_conversations_they_name(tmp_path: Path) -> None:
    rows = [
        {"conversation_id": "a", "role": "user", "content": "A room?"},
        {"conversation_id": "b", "role": "user", "content": "A taxi?"},
        {"conversation_id": "a", "role": "assistant", "content": "Yes."},
    ]
    outcome = read_log(tmp_path, rows)
    assert [(each.id, [text for _, _, text in lines(each)]) for each in outcome.conversations] == [
        ("a", ["A room?", "Yes."]),
        ("b", ["A taxi?"]),
    ]
    assert outcome.remarks == {}


@pytest.mark.parametrize(
    "text",
    [
        "[10:15] Ann: Hello\n[10:16] Bob: Hi\nthere\n",
        "[10:15:01] <Ann> Hello\n[10:16:05 PM] <@Bob> Hi\nthere\n",
        "**Ann:** Hello\n\n**Bob**: Hi\nthere\n\n**Ann:** Bye\n",
    ],
    ids=["clock", "brackets", "bold"],
)
def test_chats_with_a_clock_with_brackets_and_with_bold_names(tmp_path: Path, text: str) -> None:
    said = [(speaker, text) for _, speaker, text in lines(only(read_log(tmp_path, text, "chat.txt")))]
    assert said[:2] == [("Ann", "Hello"), ("Bob", "Hi\nthere")]
