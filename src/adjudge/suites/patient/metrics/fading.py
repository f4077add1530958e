"""Whether confusion clears as the visit goes on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.english.normalise import plain_speech as plain
from adjudge.suites.patient.data import Consultation, PatientReply
from adjudge.suites.patient.lexicon.phrases import pattern

# Two replies in each third: a third of one reply says little.
FEWEST_REPLIES = 6


@metric(
    "Fades",
    formula="1 if the share of confused replies is lower in the last third than in the first",
    unit="conversation",
    better="higher",
    pool="conversations",
    probes=("role-play",),
    predicts=("a conversation", "a persona"),
    source="our own",
    english=True,
)
def confusion_fades(visit: Consultation) -> Iterator[Mark]:
    """Does a confused patient become clearer as the visit goes on?

    A table of phrases finds confused replies: the patient does not know the place, the people, the time, what happened
    or who they are, misses things, or does not follow. Answers that miss the question, and many wordings, are not
    found. Undefined for patients who are not meant to be confused, with fewer than 6 replies, and if neither third
    shows confusion. Whether the patient is confused at all is a question for the judged dimension.
    """
    replies = visit.replies
    if not visit.persona.has_confusion or len(replies) < FEWEST_REPLIES:
        return
    third = len(replies) // 3
    first, last = _count_confused(replies[:third]), _count_confused(replies[-third:])
    if first or last:
        why = f"{first} of the first {third} replies confused, {last} of the last {third}; expected fewer at the end"
        yield Mark(float(last < first), why=why)


def is_confused(reply: PatientReply) -> bool:
    """Whether a reply holds a phrase of a patient that has not found its bearings."""
    return any(pattern("confused").search(plain(sentence.text)) for sentence in reply.sentences)


def _count_confused(replies: Sequence[PatientReply]) -> int:
    return sum(map(is_confused, replies))
