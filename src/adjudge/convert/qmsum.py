"""Meetings of QMSum (AMI, ICSI and parliamentary committees): transcripts of people who speak in turn.

Shape: `{meeting_transcripts: [{speaker, content}], topic_list, general_query_list, specific_query_list}`.
Quirks: no times; marks such as {vocalsound} stand in the texts and stay there; turn numbers in topics are text.
Questions about the meeting with their answers, and topics, are not part of it and are left out.
Version: as published in 2021.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudge.convert.fields import ObjectFields, ReadingNotes
from adjudge.convert.format import FileRow, Format, by_row, place_id
from adjudge.convert.transcript import ConversationBuilder
from adjudge.core.conversation import Conversation
from adjudge.core.errors import bad_record


def recognise(value: Any) -> bool:
    """Whether a row is a meeting."""
    return isinstance(value, dict) and isinstance(value.get("meeting_transcripts"), list)


def read(row: FileRow, notes: ReadingNotes) -> Iterator[Conversation]:
    """The conversation of a meeting."""
    fields = ObjectFields(row.value, "a meeting", row.where, notes)
    fields.leave("topic_list", "general_query_list", "specific_query_list")
    transcript = ConversationBuilder(row.where, notes)
    for place, value in enumerate(fields.items("meeting_transcripts")):
        turn = ObjectFields(value, "a turn", row.where, notes)
        speaker, text = turn.text("speaker"), turn.text("content")
        if not speaker:
            raise bad_record(row.where, f"a turn without a speaker: {value!r:.60}", f"meeting_transcripts[{place}]")
        turn.close()
        transcript.add([transcript.say(transcript.participant(speaker, "human"), text)], place)
    fields.close()
    yield transcript.conversation(place_id(row.where))


FORMAT = Format(
    name="qmsum",
    title="QMSum meetings",
    kept="the speakers as people",
    recognises=recognise,
    read=by_row(read),
)
