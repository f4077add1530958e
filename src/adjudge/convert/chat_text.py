"""Chats as text: exports of WhatsApp, and lines of the form `Name: text`.

Shapes: `[12/05/2023, 10:11:12] Ann: Hello` (iOS), `12/05/2023, 10:11 - Ann: Hello` (Android), dates with dots, slashes
or dashes, times with AM or PM; `[10:11] Ann: Hello` without a date; or `Ann: Hello` without a time. Names may be bold
(`**Ann:** Hello`) or in angle brackets after a time (`[10:11] <ann> Hello`).
Quirks: a line without a beginning continues the message before it; lines without a name (somebody joined, messages are
encrypted) are counted and left out; `<Media omitted>` stays as text. Whether day or month comes first is told by the
numbers above 12 in the file; if there are none, days come first, which a remark says. Invisible marks of direction are
removed.
Version: none. Console prints of AutoGen and streams of server-sent events are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from adjudge.convert.executors import kind_of_name
from adjudge.convert.fields import ReadingNotes
from adjudge.convert.format import FileRow, Format, by_row, place_id
from adjudge.convert.transcript import ConversationBuilder, with_time
from adjudge.core.conversation import Conversation
from adjudge.core.record import ParticipantKind

# [12/05/2023, 10:11:12 PM]  or  12.05.23, 10:11 -
STAMP = re.compile(
    r"\[?(?P<a>\d{1,4})[./-](?P<b>\d{1,2})[./-](?P<c>\d{1,4}),? (?P<hour>\d{1,2})[:.](?P<minute>\d{2})"
    r"(?:[:.](?P<second>\d{2}))?(?: ?(?P<half>[AaPp])\.?[Mm]\.?)?(?:\]| -) ?"
)
# [10:11:12]
CLOCK = re.compile(r"\[\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: ?[AaPp]\.?[Mm]\.?)?\] ?")
# **Ann:** Hello, **Ann**: Hello
BOLD = re.compile(r"\A\*\*([^*:\n]{1,40})(?::\*\*|\*\*:) ?")
# <ann> Hello
BRACKETED = re.compile(r"\A<[ @+]?([^<>:\n]{1,40})> ")
# Ann: Hello
NAMED = re.compile(r"(?P<name>[^:\n\d\"'{}\[\]<>=/][^:\n\"{}<>=/]{0,40}): ?(?P<text>.*)", re.DOTALL)
INVISIBLE = str.maketrans({"\u200e": "", "\u200f": "", "\ufeff": "", "\u202f": " ", "\u00a0": " "})
# As many lines tell what a text is, and of those that are not blank this share must begin with a name.
SAMPLE = 200
SHARE = 0.5
# A text with more names is prose with colons, such as a play or a list of definitions.
MOST_NAMES = 30


class ChatLine(Struct, frozen=True):
    """A line that begins a message: its stamp, if it has one, its speaker, and its text."""

    speaker: str
    text: str
    stamp: dict[str, str] = {}


def recognise(value: Any) -> bool:
    """Whether a text is a chat: stamped lines, or lines that begin with names which come again."""
    if not isinstance(value, str):
        return False
    lines = [line for line in value.translate(INVISIBLE).splitlines()[:SAMPLE] if line.strip()]
    if sum(_stamp(line) is not None for line in lines) >= 2 or (len(lines) == 1 and _stamp(lines[0])):
        return True
    names = [match["name"] for line in lines if (match := NAMED.match(BOLD.sub(r"\1: ", line)))]
    return (
        len(names) >= max(2, SHARE * len(lines)) and 1 < len(set(names)) <= MOST_NAMES and len(set(names)) < len(names)
    )


def read(row: FileRow, notes: ReadingNotes) -> Iterator[Conversation]:
    """The conversation of a text."""
    transcript = ConversationBuilder(row.where, notes)
    messages = list(_messages(row, notes))
    dates = _Dates([line.stamp for line in messages if line.stamp], row.where, notes)
    for place, line in enumerate(messages):
        kind: ParticipantKind = "human" if line.stamp else kind_of_name(line.speaker)
        speaker = transcript.participant(line.speaker, kind)
        transcript.add(with_time([transcript.say(speaker, line.text)], dates.time(line.stamp)), place)
    yield transcript.conversation(place_id(row.where).rpartition("-")[0])


def _messages(row: FileRow, notes: ReadingNotes) -> Iterator[ChatLine]:
    """The messages of a text, each with the lines that continue it."""
    stamped = any(_stamp(line) for line in row.value.translate(INVISIBLE).splitlines()[:SAMPLE])
    current: ChatLine | None = None
    for text in row.value.translate(INVISIBLE).splitlines():
        line = _begin(text, stamped)
        if line is None and current is not None and not (stamped and _stamp(text)):
            current = ChatLine(current.speaker, f"{current.text}\n{text}", current.stamp)
            continue
        if line is None:
            if text.strip():
                notes.unread(row.where, "a line without a speaker", repr(text[:60]))
            continue
        if current is not None:
            yield _strip_line(current)
        current = line
    if current is not None:
        yield _strip_line(current)


def _begin(text: str, stamped: bool) -> ChatLine | None:
    """The message that a line begins; None where it begins none."""
    stamp = _stamp(text) if stamped else None
    if stamped and stamp is None:
        return None
    rest = BRACKETED.sub(r"\1: ", text[stamp.end() :]) if stamp else text
    name = NAMED.match(BOLD.sub(r"\1: ", rest))
    if name is None:
        return None
    return ChatLine(name["name"].strip(), name["text"], stamp.groupdict("") if stamp else {})


def _stamp(line: str) -> re.Match[str] | None:
    """The time that a line begins with; without a date, its parts are not kept."""
    return STAMP.match(line) or CLOCK.match(line)


def _strip_line(line: ChatLine) -> ChatLine:
    return ChatLine(line.speaker, line.text.rstrip(), line.stamp)


class _Dates:
    """Reads stamps once it is known whether days or months come first in them."""

    def __init__(self, stamps: Sequence[dict[str, str]], where: str, notes: ReadingNotes) -> None:
        self.where, self.notes = where, notes
        first = max((int(stamp["a"]) for stamp in stamps if len(stamp["a"]) < 3), default=0)
        second = max((int(stamp["b"]) for stamp in stamps), default=0)
        self.month_first = second > 12 >= first
        if stamps and first and first <= 12 and second <= 12:
            notes.remark(where, "dates can be read with the day or the month first: days are taken as first")

    def time(self, stamp: dict[str, str]) -> datetime | None:
        """The time of a stamp; None where it has none, or where it is no date."""
        if not stamp:
            return None
        a, b, c = stamp["a"], stamp["b"], stamp["c"]
        day, month = (b, a) if self.month_first else (a, b)
        year, month, day = (a, b, c) if len(a) == 4 else (c if len(c) == 4 else f"20{c:0>2}", month, day)
        hour = int(stamp["hour"]) % 12 + 12 * (stamp["half"].lower() == "p") if stamp["half"] else int(stamp["hour"])
        try:
            return datetime(int(year), int(month), int(day), hour, int(stamp["minute"]), int(stamp["second"] or 0))
        except ValueError:
            self.notes.unread(self.where, "a time", f"{a}/{b}/{c} {stamp['hour']}:{stamp['minute']}")
            return None


FORMAT = Format(
    name="whatsapp",
    title="chats as text (WhatsApp, `Name: text`)",
    kept="names as people, times",
    recognises=recognise,
    read=by_row(read),
    content=("text",),
)
