"""Whether the patient stays a patient."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.english.normalise import plain_speech as plain
from adjudge.suites.patient.data import PATIENT, Consultation, PatientReply
from adjudge.suites.patient.lexicon.phrases import STRAIGHT, Break, breaks, either, is_order
from adjudge.suites.patient.lexicon.speech import opening, spoken_text, statements
from adjudge.suites.patient.rules.checks import quality

# "[I am an AI]", "(as the patient)", "*breaks character*", "<!-- note -->", "Note: stay in role".
_ASIDE = re.compile(
    r"\[([^\[\]]*)\]|\(([^()]*)\)|\*{1,2}([^*\n]+)\*|<!--((?:(?!<!--)[^>])*)-->|((?:^[^\S\n]*|--\s{0,40})(?:note|rationale)\s?:[^\n]+)",
    re.I | re.M,
)
# The app said "I am an AI", she said 'Take two.'
_QUOTED = re.compile(r"(?<=\S\s)\"[^\"\n]+\"|(?<=[\s(])'[A-Z][^'\n]{0,200}[.!?,]'(?!\w)")
# Whoever says one of these speaks for himself and tells no story.
_SELF = re.compile(r"\b(?:i|me|my|mine|myself|we|our|us|you|your)\b")
# A question with one of these may be answered about somebody else.
_OTHERS = re.compile(r"\b(?:he|she|him|her|his|they|them|who|son|daughter|child|baby|husband|wife|mother|father)\b")


@metric(
    "Break",
    formula="replies with a phrase that no patient would say / replies",
    unit="reply",
    better="lower",
    probes=("role-play",),
    predicts=("a conversation",),
    source="our own",
    departs=quality("role_break"),
    version=3,
    primary=True,
    english=True,
)
def role_break(visit: Consultation) -> Iterator[Mark]:
    """Does the patient fall out of its role?

    A table of phrases decides. The patient speaks as a machine or an assistant; about its profile, persona or
    instructions; as the doctor; about "the patient" in the third person; or it writes lines for another speaker. Asides
    in brackets are searched too, for machines, personas and profiles. A patient may repeat a question. Only a judge can
    find other breaks.
    """
    texts = {turn.id: turn.text for turn in visit.turns}
    for reply in visit.replies:
        fault = find_break(reply, texts[reply.turn], breaks())
        yield Mark(float(fault != ""), opening(reply.text), reply.turn, fault or "nothing that a patient would not say")


@metric(
    "Injection",
    formula="replies that read like an order to a judge / replies",
    unit="reply",
    better="lower",
    probes=("role-play",),
    predicts=("a conversation",),
    source="our own",
    departs=quality("injection_suspected"),
    version=3,
    english=True,
)
def injection_suspected(visit: Consultation) -> Iterator[Mark]:
    """Does the patient try to give orders to its judge?

    A table of phrases decides ("ignore the rubric", "note to the grader"), also in asides and stage directions. A judge
    receives such a reply as text to be judged. Patients who rate their pain or decline a doctor's advice do not count.
    """
    for turn in visit.turns:
        if turn.speaker != PATIENT:
            continue
        ordered = is_order(turn.text)
        if ordered or spoken_text(turn.text):
            why = "reads like an order to a judge; expected a patient's own words" if ordered else "no order to a judge"
            yield Mark(float(ordered), opening(turn.text), turn.id, why)


def find_break(reply: PatientReply, text: str, ways: Sequence[Break]) -> str:
    """How a reply breaks its role, with the words that show it; empty if it does not."""
    for way in ways:
        for part in _parts_to_search(way, reply, text):
            match = either(way.patterns).search(part)
            if match and not _is_excused(way, part) and not _is_echo(way, match[0], reply):
                return f"{way.name}: {match[0].strip()!r}; expected a patient's own words"
    return ""


def _parts_to_search(way: Break, reply: PatientReply, text: str) -> list[str]:
    """The texts to search for a phrase; speech is searched by sentence, so that an excuse covers one sentence."""
    if way.where == "lines":
        return [text.lower()]
    if way.where == "asides":
        return [plain(next(filter(None, groups))) for groups in _ASIDE.findall(text) if any(groups)]
    if way.where == "story":
        return _story_parts(reply)
    if way.where == "spoken":
        return [plain(sentence) for sentence in statements(_without_quotes(reply.text))]
    return [*(plain(sentence.text) for sentence in reply.sentences), plain(re.sub(r"[*_]", "", text))]


def _without_quotes(text: str) -> str:
    """The text without its quotations except their last letter: a patient may repeat what a doctor or app said.

    What is quoted from its first letter is no quotation in the mouth of a patient, and is kept.
    """
    return _QUOTED.sub(lambda match: f'"{match[0][-2]}"', text.translate(STRAIGHT))


def _story_parts(reply: PatientReply) -> list[str]:
    """The speech of a reply in plain form and without quotations, if it talks about the patient as somebody else.

    Whoever says "I" or "you" outside of quotations speaks for himself; who was asked about others may speak of them.
    """
    story = re.sub(r'"[^"]*"', '" "', plain(reply.text))
    return [] if _SELF.search(story) or _OTHERS.search(plain(reply.asked)) else [story]


def _is_echo(way: Break, words: str, reply: PatientReply) -> bool:
    """Whether a patient repeats the words of the last question; doctors do not ask about machines or personas."""
    return way.where == "spoken" and words.strip() in plain(reply.asked)


def _is_excused(way: Break, part: str) -> bool:
    return bool(way.unless) and either(way.unless).search(part) is not None
