"""What kind of sentence a patient says: information, politeness, emotion, inquiry or meta, told by rules."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Literal

from msgspec import Struct

from adjudge.suites.patient.phrases import in_order
from adjudge.suites.patient.tables import table_of
from adjudge.suites.patient.topics import has_fact, medical, plain, termed

Kind = Literal["information", "politeness", "emotion", "inquiry", "meta"]

# How a complaint behaves is told, whatever is felt about it.
_COURSE = re.compile(
    r"^(?>.*?\b(?:it|that|this) (?:gets?|got|is|goes|comes|hurts?|starts?|stops?)\b)"
    r".*\b(?:when|if|after|before|while|until)\b"
)
_OWN = re.compile(r"(?:i|my|we|it|there)\b")
_WONDERS = re.compile(r"i (?:was |am |'m )?wonder|i(?:'m|'d| would| want| need)\b.*\b(?:wondering|to know)\b")
# "Fine." tells something if it was asked how something is.
_HOW = re.compile(in_order(r"\bhow(?:'s| is| are| was| were| has) (?:your|the)\b", r"\?\s*$"))
_STATE = re.compile(r"(?:(?:that|it|they)(?:'s| is|'re| are) )?(?:fine|good|great|okay|ok|all ?right|alright|perfect)")
# "I'm afraid" and the like say how something is told, and not what is felt.
_HEDGE = re.compile(
    r",? i(?:'m| am) (?:afraid|glad to (?:say|report)|happy to (?:say|report)|sorry(?: to say)?|sad to say)$"
    r"|^i(?:'m| am) (?:afraid|sorry to say|glad to say|happy to say),? "
    r"(?=(?:i|it|he|she|we|that's|my|not|so|there|no|yes)\b)"
)
_PARTS = re.compile(r"[,;]\s*(?:and |but )?|\s+but\s+|[.!?]\s+")
_FROM_ONESELF = re.compile(r"\b(?:i|i'm|i've|my|we|maybe|perhaps|about)\b|^it(?:'s| is) an?\b")
_LEFT = re.compile(r"[a-z0-9]")


@lru_cache(maxsize=100_000)
def kind_of(sentence: str, asked: str = "") -> Kind:
    """The kind of a sentence that answers what the doctor asked; a sentence that also tells a fact is information.

    >>> kind_of("Thank you, doctor.", ""), kind_of("No.", "Do you smoke?"), kind_of("I'm so scared.", "")
    ('politeness', 'information', 'emotion')
    """
    words, text = _words(), plain(sentence).strip(" .,;:!-")
    if _only_polite(text):
        return "information" if _HOW.search(plain(asked)) and _STATE.match(_bare(text)) else "politeness"
    if words.answer.fullmatch(_bare(text)):
        return "information" if _informative(asked) else "meta"
    if _asks(sentence, text):
        return "inquiry"
    greeting = words.greeting.match(text)
    if greeting and not _tells(text[greeting.end() :]):
        return "politeness"
    return _told(_HEDGE.sub("", text))


def _told(text: str) -> Kind:
    """The kind of a sentence that is neither a bare answer nor a question."""
    words, bare = _words(), _bare(text)
    if _about_talk(bare):
        return "meta"
    if words.request.match(text) and not _first_person(text):
        return "inquiry"
    if words.fear.match(bare) or (words.emotion.search(text) and not has_fact(text) and not _COURSE.search(text)):
        return "emotion"
    return "information" if _LEFT.search(bare) else "meta"


def _about_talk(bare: str) -> bool:
    """Whether a sentence begins or ends with words about the talk or about not knowing, and tells nothing else."""
    meta, pieces = _words().meta, _PARTS.split(bare)
    first = meta.match(pieces[0])
    if first:
        unknown = pieces[0][first.end() :]
        return not _certain(unknown) and not any(_tells(piece) for piece in pieces[1:])
    return len(pieces) > 1 and meta.match(_bare(pieces[-1])) is not None and not any(map(has_fact, pieces[:-1]))


def _certain(text: str) -> bool:
    """Whether what is said not to be known holds a term or a number nevertheless."""
    return medical(termed(text)) or any(character.isdigit() for character in termed(text))


def _tells(piece: str) -> bool:
    """Whether a part of a sentence tells a fact about the patient."""
    return has_fact(piece) and (_FROM_ONESELF.search(piece) is not None or _certain(piece))


def _asks(sentence: str, text: str) -> bool:
    """Whether a sentence wants an answer; one that only wants to be confirmed does not."""
    if not sentence.rstrip(" \"')").endswith("?"):
        return False
    told, _, tag = text.rstrip("?").rpartition(",")
    confirmed = _words().tag.fullmatch(tag.strip()) is not None
    return not (confirmed and told and not _words().request.match(told))


def _informative(asked: str) -> bool:
    """Whether the doctor's last question asks for something about the patient; nothing asked is taken for yes."""
    questions = [one for one in re.split(r"(?<=[.?!])\s+", plain(asked)) if one.endswith("?")]
    return not questions or not _words().formal.match(_bare(questions[-1]))


def _first_person(text: str) -> bool:
    """Whether a text tells about the patient, and not that it wonders or wants to know."""
    return _OWN.match(text) is not None and not _WONDERS.match(text)


def _bare(text: str) -> str:
    """The text without fillers and forms of address at either end."""
    return _words().filler.sub("", text).strip(" .,;:!-")


def _only_polite(text: str) -> bool:
    """Whether a text is polite and nothing is left of it without that and forms of address."""
    polite, address = _words().polite, _words().address
    return polite.search(text) is not None and not _LEFT.search(address.sub(" ", polite.sub(" ", text)))


class _Words(Struct, frozen=True):
    """The patterns of `kinds.toml`."""

    filler: re.Pattern[str]
    address: re.Pattern[str]
    polite: re.Pattern[str]
    greeting: re.Pattern[str]
    fear: re.Pattern[str]
    answer: re.Pattern[str]
    formal: re.Pattern[str]
    meta: re.Pattern[str]
    emotion: re.Pattern[str]
    request: re.Pattern[str]
    tag: re.Pattern[str]


@cache
def _words() -> _Words:
    raw = table_of("kinds")
    filler = _either(raw["fillers"])
    return _Words(
        filler=re.compile(rf"^(?:(?:{filler})\b[ .,;:!-]*)+|(?<![ .,;:!-])(?:[ .,;:!-]+(?:{filler})){{1,40}}$"),
        address=re.compile(rf"\b(?:{filler})\b"),
        polite=re.compile(rf"\b(?:{_either(raw['politeness'])})(?!\w)"),
        greeting=re.compile(rf"(?:{_either(raw['greetings'])})\b"),
        fear=re.compile(rf"(?:{_either(raw['fears'])})\b"),
        answer=re.compile(rf"(?:(?:{_either(raw['answers'])})[ .,;:!-]*)+"),
        formal=re.compile(rf".*\b(?:{_either(raw['formal'])})\b"),
        meta=re.compile(rf"(?:{_either(raw['meta'])})(?!\w)"),
        emotion=re.compile(rf"\b(?:{_either(raw['emotion'])})\b"),
        request=re.compile(rf"(?:{_either(raw['requests'])})\b"),
        tag=re.compile(_either(raw["tags"])),
    )


def _either(phrases: Iterable[str]) -> str:
    """One of several phrases, the longest where several fit; what "..." stands for is not part of the phrase."""
    return "|".join(f"(?:{one.removesuffix('...')})" for one in sorted(phrases, key=len, reverse=True))
