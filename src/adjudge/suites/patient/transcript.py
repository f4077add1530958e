"""Consultations as text: a header, a profile, a persona, and who said what."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from adjudge.core.complaint import Warnings, bad_record
from adjudge.suites.patient.drafts import Draft, Said, Trait, file_of, stem
from adjudge.suites.patient.profiles import is_credentialed
from adjudge.suites.patient.speakers import DOCTORS, PATIENTS, plain

HEADER, PROFILE, PERSONA, TALK = "header", "profile", "persona", "talk"
TITLES = {
    **dict.fromkeys(("patient profile", "profile", "patient information"), PROFILE),
    **dict.fromkeys(("persona configuration", "persona config", "persona", "patient persona"), PERSONA),
    **dict.fromkeys(("conversation content", "conversation", "conversation history", "dialogue", "transcript"), TALK),
}
# These stand alone on a line where nothing else is meant; the others need a colon or the mark of a heading.
PLAIN_TITLES = ("patient profile", "persona configuration", "conversation content")
# The names of an id in a header, the best first.
HEADER_IDS = ("conversation id", "dialogue id", "record id", "case id", "id", "patient id", "hadm id")

CHATTING = ("user", "assistant", "human")
OTHERS = (
    *("nurse", "guest", "family", "relative", "companion", "caregiver", "carer", "interpreter", "paramedic"),
    *("mother", "father", "parent", "mom", "mum", "dad", "wife", "husband", "spouse", "partner", "son", "daughter"),
    *("brother", "sister", "friend"),
)
FOOTER = 10
SHOWN = 40

_SPEAKERS = [word for word in (*DOCTORS, *PATIENTS, *CHATTING, *OTHERS) if word != "provider"]
_NUMBERED = re.compile(
    r"\s*\**\[\s*turn\s*#?(?P<number>\d{1,9})\s*\]\s*(?P<speaker>[^:\[\]]{1,60}?)\**\s*:\**(?P<text>.*)", re.IGNORECASE
)
_SEPARATOR = re.compile(r"\s*[=\-_*~#\u2500\u2550]{3,}\s*")
_TITLE = re.compile(r"\s*(?P<heading>[#*]*)\s*(?P<title>[a-z][a-z ]{3,30}?)\s*(?P<colon>:?)\**\s*", re.IGNORECASE)
_ITEM = re.compile(r"\s*(?:[-*\u2022]\s+)?\**(?P<name>[^\W\d_][\w /&()'.-]{0,60}?)\**\s*:\**\s*(?P<value>.*)")
_BULLET = re.compile(r"\s*[-*\u2022]\s+")

Place = Callable[[int], str]


class Line(Struct, frozen=True, gc=False):
    """A line of a transcript with its number."""

    number: int
    text: str


class Item(Struct, frozen=True):
    """A `key: value` of a header, a profile or a persona; the line is where it begins."""

    name: str
    value: str
    line: int


class Label(Struct, frozen=True):
    """What says who speaks, the turn's number where it has one, and what is said on the same line."""

    speaker: str
    text: str
    number: int | None = None


@dataclass
class Speech:
    """One turn while its lines come in."""

    label: Label
    line: int
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """What was said, with at most one blank line between paragraphs."""
        return re.sub(r"\n{3,}", "\n\n", "\n".join([self.label.text, *self.lines])).strip()


class Labels:
    """How a transcript says who speaks: `[Turn 3] Doctor:` where it does so anywhere, else `Doctor:` or `[doctor]`.

    A patient that speaks under another name can be named.
    """

    def __init__(self, lines: Iterable[Line], patient: str = "") -> None:
        words = sorted([*_SPEAKERS, *([patient] if patient else [])], key=len, reverse=True)
        named = "|".join(re.escape(word).replace(r"\ ", "[ _]") for word in words)
        # Asides such as [sighs] stand in brackets too, so a tag has to be a speaker's.
        self._tagged = re.compile(rf"\s*\[(?P<speaker>(?:\w+_)?(?:{named})(?:_\w+)?)\]\s*:?(?P<text>.*)", re.IGNORECASE)
        self._named = re.compile(
            rf"\s*\**(?P<speaker>{named}|dr\.?(?: [^\s:]{{1,40}})?)\**\s*:\**(?P<text>.*)", re.IGNORECASE
        )
        lines = list(lines)
        self.numbered = any(_NUMBERED.fullmatch(line.text) for line in lines)
        self._once = self._said_once(lines)

    def of(self, line: str) -> Label | None:
        """What a line says about who speaks; None where it says nothing."""
        if self.numbered:
            found = _NUMBERED.fullmatch(line)
            return Label(found["speaker"].strip(), found["text"].strip(), int(found["number"])) if found else None
        found = self._tagged.fullmatch(line) or self._named.fullmatch(line)
        if found is None or plain(found["speaker"]) in self._once:
            return None
        return Label(found["speaker"].strip(), found["text"].strip())

    def _said_once(self, lines: Iterable[Line]) -> set[str]:
        """Relatives that are named once: "Mother: diabetes" is a line of a reply rather than a speaker."""
        found = Counter(plain(named["speaker"]) for line in lines if (named := self._named.fullmatch(line.text)))
        return {name for name, count in found.items() if count == 1 and name in OTHERS}


def read_transcript(where: str, text: str, warnings: Warnings, patient: str = "") -> Draft:
    """A text transcript as a draft; raises BadRecord for a text that is none."""
    file, lines = file_of(where), _lines(text)
    labels = Labels(lines, patient)
    sections = dict(_sections(lines, labels))
    header, about = _items(sections[HEADER]), _items(sections.get(PROFILE, ()))
    said = _said(sections.get(TALK, ()), labels, lambda number: f"{file}:{number}", warnings)
    id = _id([*header, *about])
    _check_spoken(where, text, sections, bool(said), bool(id))
    return Draft(
        id=id or stem(file),
        credentialed=is_credentialed(_by_name([*header, *about])),
        profile=_by_name(about),
        persona=tuple(Trait(one.name, one.value, f"{file}:{one.line}") for one in _items(sections.get(PERSONA, ()))),
        said=said,
    )


def said_in(where: str, text: str, field: str, warnings: Warnings) -> tuple[Said, ...]:
    """The turns of a conversation that stands as one text in a field of a record."""
    lines = _lines(text)
    found = _said(lines, Labels(lines), lambda number: f"{where}: {field}, line {number}", warnings)
    return tuple(Said(one.speaker, one.text, where, f"{field}, turn {place}") for place, one in enumerate(found, 1))


def items_in(text: str) -> Mapping[str, list[str]]:
    """The values of a text with lines of `key: value`, by key."""
    return _by_name(_items(_lines(text)))


def _check_spoken(where: str, text: str, sections: Mapping[str, object], spoken: bool, named: bool) -> None:
    """Raise BadRecord where nobody speaks, unless it is a transcript with a header and nothing below it."""
    talk = sections.get(TALK)
    silent = isinstance(talk, list) and any(line.text.strip(" =-_*#~") for line in talk)
    if not spoken and (silent or not (named or sections.keys() - {HEADER})):
        raise bad_record(
            where,
            f"starts {text.strip()[:SHOWN]!r}, and no line says who speaks; expected JSON, or a transcript with lines "
            "such as 'Doctor: ...' and 'Patient: ...'; a patient of another name is named with --patient",
        )


def _lines(text: str) -> list[Line]:
    parts = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [Line(number, part) for number, part in enumerate(parts, 1)]


def _sections(lines: list[Line], labels: Labels) -> Iterator[tuple[str, list[Line]]]:
    """The parts of a transcript; the header is everything before the conversation that is in no other."""
    start = _start(lines, labels)
    parts: dict[str, list[Line]] = {HEADER: []}
    part = HEADER
    for line in lines[:start]:
        if title := _title(line.text):
            part = title
            parts.setdefault(part, [])
        elif _SEPARATOR.fullmatch(line.text):
            part = HEADER if any(one.text.strip() for one in parts[part]) else part
        else:
            parts[part].append(line)
    yield from parts.items()
    if start < len(lines) or TALK in parts:
        yield TALK, lines[start:]


def _start(lines: list[Line], labels: Labels) -> int:
    """Where the conversation begins: below its title, or with the first that speaks."""
    titles = [(place, title) for place, line in enumerate(lines) if (title := _title(line.text))]
    last = max((place for place, title in titles if title != TALK), default=-1)
    begun = next((place for place, title in titles if title == TALK and place > last), None)
    if begun is not None and not labels.numbered:
        return begun + 1
    first = next((place for place, line in enumerate(lines) if labels.of(line.text)), len(lines))
    return first if begun is None else min(begun + 1, first)


def _title(line: str) -> str | None:
    """The part of a transcript that a line is the title of."""
    found = _TITLE.fullmatch(line)
    title = " ".join(found["title"].lower().split()) if found else ""
    marked = found is not None and (found["colon"] or found["heading"] or title in PLAIN_TITLES)
    return TITLES.get(title) if marked else None


def _said(lines: Sequence[Line], labels: Labels, at: Place, warnings: Warnings) -> tuple[Said, ...]:
    """The turns of a conversation; a line that names nobody goes on with what was said before it."""
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
    return tuple(Said(one.label.speaker, one.text, at(one.line), number=one.label.number) for one in speeches)


def _has_words(speech: Speech) -> bool:
    return bool(speech.label.text) or any(speech.lines)


def _remark_outside(where: str, words: str, ended: bool, warnings: Warnings) -> None:
    if words and ended:
        warnings.add("footer", f"{where}: {words[:SHOWN]!r} stands below a separator and names no speaker; left out")
    elif words:
        warnings.add("before", f"{where}: {words[:SHOWN]!r} stands before the first speaker; left out")


def _remark_continued(where: str, words: str, label: Label, warnings: Warnings) -> None:
    """Count lines that name nobody; where texts stand below their speakers, all of them do."""
    if words and label.text:
        warnings.add(
            "continued", f"{where}: {words[:SHOWN]!r} names no speaker; taken as more of what {label.speaker} says"
        )


def _items(lines: Iterable[Line]) -> list[Item]:
    """The items of a header, profile or persona; lines that are set in further go on with the one above."""
    found: list[Item] = []
    margin: int | None = None
    for line in lines:
        words = line.text.strip()
        if not words or _SEPARATOR.fullmatch(line.text):
            continue
        inset = len(line.text) - len(line.text.lstrip())
        item = _ITEM.fullmatch(line.text)
        if item and (margin is None or inset <= margin):
            margin = inset if margin is None else margin
            found.append(Item(item["name"].strip(), item["value"].strip(), line.number))
        elif found:
            found[-1] = _longer(found[-1], line.text)
    return found


def _longer(item: Item, line: str) -> Item:
    """The item with one more line of its value; points of a list are parted as values are."""
    bullet = _BULLET.match(line)
    more = line[bullet.end() :].strip() if bullet else line.strip()
    joint = "" if not item.value else "; " if bullet else " "
    return Item(item.name, f"{item.value}{joint}{more}", item.line)


def _by_name(items: Iterable[Item]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in items:
        found.setdefault(one.name, []).append(one.value)
    return found


def _id(items: Iterable[Item]) -> str:
    values = {plain(one.name): one.value for one in items if one.value}
    return next((values[name] for name in HEADER_IDS if name in values), "")
