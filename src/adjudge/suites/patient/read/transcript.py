"""Reads text transcripts: a header, a profile, a persona, and the turns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from adjudge.core.credentials import protection_of
from adjudge.core.errors import Warnings, bad_record
from adjudge.suites.patient.read.drafts import ConsultationDraft, DraftTurn, Trait, file_of, stem
from adjudge.suites.patient.read.labels import OTHERS, SpeakerLabel, SpeakerLabels, TextLine
from adjudge.suites.patient.read.speakers import plain

HEADER, PROFILE, PERSONA, TALK = "header", "profile", "persona", "talk"
TITLES = {
    **dict.fromkeys(("patient profile", "profile", "patient information"), PROFILE),
    **dict.fromkeys(("persona configuration", "persona config", "persona", "patient persona"), PERSONA),
    **dict.fromkeys(("conversation content", "conversation", "conversation history", "dialogue", "transcript"), TALK),
}
# Titles that are clear wherever they stand alone on a line. Other titles may be part of a value of several lines.
CLEAR_TITLES = ("patient profile", "persona configuration", "conversation content")
# The names of an id in a header, the best first.
HEADER_IDS = ("conversation id", "dialogue id", "record id", "case id", "id", "patient id", "hadm id")
# A separator of at least this many characters ends a conversation.
FOOTER = 10
# The number of characters of a line that a message shows.
SHOWN = 40
# "=====", "---".
_SEPARATOR = re.compile(r"\A\s*[=\-_*~#\u2500\u2550]{3,}\s*")
# "## Patient profile:", "PERSONA CONFIGURATION", "**Conversation**".
_TITLE = re.compile(
    r"\A\s*(?:(?P<heading>[#*]+)\s*)?(?P<title>[a-z][a-z ]{3,30}?)\s*(?:(?P<colon>:)\**\s*|\*+\s*)?", re.IGNORECASE
)
# "- **Chief complaint**: cough".
_ITEM = re.compile(r"\A\s*(?:[-*\u2022]\s+)?\**(?P<name>[^\W\d_][\w /&()'.-]{0,60}?)\**\s*:\**\s*(?P<value>.*)")
# "- cough", the point of a list.
_BULLET = re.compile(r"\A\s*[-*\u2022]\s+")

Place = Callable[[int], str]


class KeyValue(Struct, frozen=True):
    """A `key: value` of a header, profile or persona, with the number and the indentation of its first line."""

    name: str
    value: str
    line: int
    inset: int


@dataclass
class Speech:
    """A turn while its lines are being collected."""

    label: SpeakerLabel
    line: int
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """What was said, with at most one blank line between paragraphs."""
        return re.sub(r"\n{3,}", "\n\n", "\n".join([self.label.text, *self.lines])).strip()


def read_transcript(where: str, text: str, warnings: Warnings, patient: str = "") -> ConsultationDraft:
    """A draft from a text transcript; raises BadRecord for a text that is not a transcript."""
    file, lines = file_of(where), _lines(text)
    labels = SpeakerLabels(lines, patient)
    sections = dict(_sections(lines, labels))

    def at(number: int) -> str:
        return f"{file}:{number}"

    about, traits = (_items(sections.get(part, ()), at, warnings) for part in (PROFILE, PERSONA))
    utterances = _utterances(sections.get(TALK, ()), labels, at, warnings)
    id = _id([*_items(sections[HEADER], at, Warnings()), *about])
    _check_spoken(where, text, sections, bool(utterances), bool(id))
    return ConsultationDraft(
        id=id or stem(file),
        credentialed=any(protection_of({item["name"]: item["value"]}) for item in _all_items(lines)),
        profile=_by_name(about),
        persona=tuple(Trait(trait.name, trait.value, at(trait.line)) for trait in traits),
        utterances=utterances,
    )


def utterances_in(where: str, text: str, field: str, warnings: Warnings, patient: str = "") -> tuple[DraftTurn, ...]:
    """The turns of a conversation that is one text in a field of a record."""
    lines = _lines(text)
    utterances = _utterances(
        lines, SpeakerLabels(lines, patient), lambda number: f"{where}: {field}, line {number}", warnings
    )
    return tuple(
        DraftTurn(utterance.speaker, utterance.text, where, f"{field}, turn {place}")
        for place, utterance in enumerate(utterances, 1)
    )


def items_in(where: str, text: str, field: str, warnings: Warnings) -> Mapping[str, list[str]]:
    """The values by key of a text in a field of a record, which has lines of `key: value`."""
    return _by_name(_items(_lines(text), lambda number: f"{where}: {field}, line {number}", warnings))


def _check_spoken(where: str, text: str, sections: Mapping[str, object], spoken: bool, named: bool) -> None:
    """Raise BadRecord if nobody speaks, unless the transcript has an id or a section and an empty conversation."""
    talk = sections.get(TALK)
    silent = isinstance(talk, list) and any(line.text.strip(" =-_*#~") for line in talk)
    if not spoken and (silent or not (named or sections.keys() - {HEADER})):
        raise bad_record(
            where,
            f"starts {text.strip()[:SHOWN]!r}, and no line says who speaks; expected JSON, or a transcript with lines "
            "such as 'Doctor: ...' and 'Patient: ...'; a patient of another name is named with --patient",
        )


def _lines(text: str) -> list[TextLine]:
    parts = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [TextLine(number, part) for number, part in enumerate(parts, 1)]


def _sections(lines: list[TextLine], labels: SpeakerLabels) -> Iterator[tuple[str, list[TextLine]]]:
    """The sections of a transcript; the header is all text before the conversation that is in no other section."""
    titles = _titles(lines, labels)
    start = _start(lines, labels, titles)
    parts: dict[str, list[TextLine]] = {HEADER: []}
    part = HEADER
    for place, line in enumerate(lines[:start]):
        if title := titles.get(place):
            # The title "Conversation" above the real start is the title of the whole text, so the header goes on.
            part = HEADER if title == TALK else title
            parts.setdefault(title, [])
        elif _SEPARATOR.fullmatch(line.text):
            part = HEADER if any(above.text.strip() for above in parts[part]) else part
        else:
            parts[part].append(line)
    yield from parts.items()
    if start < len(lines) or TALK in parts:
        yield TALK, lines[start:]


def _start(lines: list[TextLine], labels: SpeakerLabels, titles: Mapping[int, str]) -> int:
    """The index of the first line of the conversation: below its title, or the first label of a speaker."""
    last = max((place for place, title in titles.items() if title != TALK), default=-1)
    begun = next((place for place, title in titles.items() if title == TALK and place > last), None)
    if begun is not None and not labels.numbered:
        return begun + 1
    # A header may have a line such as "Nurse: Ann Lee", which does not begin the conversation.
    first = next((place for place, who in _speakers(lines, labels) if place > last or who not in OTHERS), len(lines))
    return first if begun is None else min(begun + 1, first)


def _speakers(lines: list[TextLine], labels: SpeakerLabels) -> Iterator[tuple[int, str]]:
    """The indices of the lines with a label, each with its speaker."""
    labelled = ((place, labels.of(line.text)) for place, line in enumerate(lines))
    return ((place, plain(label.speaker)) for place, label in labelled if label)


def _titles(lines: list[TextLine], labels: SpeakerLabels) -> dict[int, str]:
    """The sections that lines are titles of, by line index; lines after the start of the talk are never titles."""
    titles: dict[int, str] = {}
    above = 0
    for place, line in enumerate(lines[: _surely_begun(lines, labels)]):
        inset = _inset(line.text)
        if title := _title(line.text, set_in=inset > above):
            titles[place] = title
        above = inset if line.text.strip() else above
    return titles


def _surely_begun(lines: list[TextLine], labels: SpeakerLabels) -> int:
    """The index of a line that is certainly in the conversation.

    It is the first numbered turn or the first repeated speaker, because a header names each person once.
    """
    seen: set[str] = set()
    for place, speaker in _speakers(lines, labels):
        if labels.numbered or speaker in seen:
            return place
        seen.add(speaker)
    return len(lines)


def _title(line: str, set_in: bool) -> str | None:
    """The section that a line is the title of, or None; an indented line may continue the value above it."""
    match = _TITLE.fullmatch(line)
    if match is None:
        return None
    words, title = match["title"], " ".join(match["title"].lower().split())
    marked = match["colon"] or match["heading"] or words.isupper() or title in CLEAR_TITLES
    return TITLES.get(title) if marked or (not set_in and words[0].isupper()) else None


def _utterances(
    lines: Sequence[TextLine], labels: SpeakerLabels, at: Place, warnings: Warnings
) -> tuple[DraftTurn, ...]:
    """The turns of a conversation; a line without a label continues the turn above it."""
    speeches: list[Speech] = []
    ended = False
    for line in lines:
        words = line.text.strip()
        if label := labels.of(line.text):
            speeches.append(Speech(label, line.number))
            ended = False
        elif _SEPARATOR.fullmatch(line.text):
            ended = ended or (len(words) >= FOOTER and bool(speeches) and _has_words(speeches[-1]))
        elif not speeches or ended:
            _remark_outside(at(line.number), words, ended, warnings)
        else:
            _remark_continued(at(line.number), words, speeches[-1].label, warnings)
            speeches[-1].lines.append(words)
    return tuple(
        DraftTurn(speech.label.speaker, speech.text, at(speech.line), number=speech.label.number) for speech in speeches
    )


def _has_words(speech: Speech) -> bool:
    return bool(speech.label.text) or any(speech.lines)


def _remark_outside(where: str, words: str, ended: bool, warnings: Warnings) -> None:
    if words and ended:
        warnings.add("footer", f"{where}: {words[:SHOWN]!r} stands below a separator and names no speaker; left out")
    elif words:
        warnings.add("before", f"{where}: {words[:SHOWN]!r} stands before the first speaker; left out")


def _remark_continued(where: str, words: str, label: SpeakerLabel, warnings: Warnings) -> None:
    """Warn about a line without a label, unless the label above it stands on a line of its own."""
    if words and label.text:
        warnings.add(
            "continued", f"{where}: {words[:SHOWN]!r} names no speaker; taken as more of what {label.speaker} says"
        )


def _items(lines: Iterable[TextLine], at: Place, warnings: Warnings) -> list[KeyValue]:
    """The items of a header, profile or persona; bullets and lines with more indentation continue an item."""
    items: list[KeyValue] = []
    margin: int | None = None
    for line in lines:
        words = line.text.strip()
        if not words or _SEPARATOR.fullmatch(line.text):
            continue
        inset = _inset(line.text)
        item = _ITEM.fullmatch(line.text)
        if item and (margin is None or inset <= margin):
            margin = inset if margin is None else margin
            items.append(KeyValue(item["name"].strip(), item["value"].strip(), line.number, inset))
        elif items and (inset > items[-1].inset or _BULLET.match(line.text)):
            items[-1] = _longer(items[-1], line.text)
        else:
            outside = f"{words[:SHOWN]!r} is not an item and not indented below one; left out"
            warnings.add("no item", f"{at(line.number)}: {outside}")
    return items


def _inset(line: str) -> int:
    return len(line) - len(line.lstrip())


def _all_items(lines: Iterable[TextLine]) -> Iterator[re.Match[str]]:
    """Every line of a transcript that looks like an item, in any section."""
    return (item for line in lines if (item := _ITEM.fullmatch(line.text)))


def _longer(item: KeyValue, line: str) -> KeyValue:
    """The item with one more line added to its value; bullets are joined by the separator of values."""
    bullet = _BULLET.match(line)
    more = line[bullet.end() :].strip() if bullet else line.strip()
    joint = "" if not item.value else "; " if bullet else " "
    return KeyValue(item.name, f"{item.value}{joint}{more}", item.line, item.inset)


def _by_name(items: Iterable[KeyValue]) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for item in items:
        values.setdefault(item.name, []).append(item.value)
    return values


def _id(items: Iterable[KeyValue]) -> str:
    values = {plain(item.name): item.value for item in items if item.value}
    return next((values[name] for name in HEADER_IDS if name in values), "")
