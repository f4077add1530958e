"""Whether the patient tells what it cannot know."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.patient.data import Consultation
from adjudge.suites.patient.lexicon.speech import opening
from adjudge.suites.patient.rules.checks import quality
from adjudge.suites.patient.rules.hidden import Secrets, find_leak


@metric(
    "Revealed",
    formula="replies that state the hidden diagnosis or disposition / replies",
    unit="reply",
    better="lower",
    probes=("role-play",),
    predicts=("a conversation", "a profile"),
    source="our own",
    departs=quality("diagnosis_revealed"),
    version=3,
    english=True,
)
def diagnosis_revealed(visit: Consultation) -> Iterator[Mark]:
    """Does the patient state the diagnosis or the outcome of the visit, which it cannot know?

    Only assertions count. A question, a fear or a guess ("is it a heart attack?", "I worry that it might be") reveals
    nothing, and neither does a statement about the past or about other people. The patient may say what is elsewhere in
    the profile, such as a known illness, and what the doctor has said before. A diagnosis that is itself a complaint
    ("chest pain") is no secret. Undefined if the profile hides nothing.
    """
    secrets = Secrets.of(visit)
    for reply in visit.replies if secrets else ():
        secrets = secrets.without(reply.heard)
        leak = find_leak(reply, secrets)
        why = f"tells {leak[0]}, which the patient cannot know: {leak[1]!r}" if leak else "tells nothing hidden"
        yield Mark(float(leak is not None), opening(reply.text), reply.turn, why)
