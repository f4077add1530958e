"""Turns that say again what was said before."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from msgspec import Struct
from rapidfuzz import fuzz, process

from adjudge.core.conversation import Conversation
from adjudge.core.memo import once
from adjudge.suites.team.rules.parties import speeches
from adjudge.suites.team.rules.wording import wordings

# Shorter turns ("Yes, please do that") come again in every conversation.
FEWEST_WORDS = 5
# The ratio of rapidfuzz, of 100.
ALIKE = 90.0
# Turns further back count only if they are the same word for word.
LOOK_BACK = 30


class Repeat(Struct, frozen=True):
    """A turn long enough to be a repetition: its place, and the place of an earlier turn like it, None if new."""

    place: int
    earlier: int | None


@once
def repeats(conversation: Conversation) -> tuple[Repeat, ...]:
    """All turns of parties with at least five words, with the earlier turn that each repeats."""
    words = wordings(conversation)
    texts: dict[str, int] = {}
    recent: deque[str] = deque(maxlen=LOOK_BACK)
    judged = []
    for place, _ in speeches(conversation):
        if len(words[place]) >= FEWEST_WORDS:
            text = " ".join(words[place])
            judged.append(Repeat(place, _earlier(text, texts, recent)))
            texts.setdefault(text, place)
            recent.append(text)
    return tuple(judged)


def _earlier(text: str, texts: dict[str, int], recent: Iterable[str]) -> int | None:
    """The place of a text that is the same, or nearly the same and not far back."""
    if text in texts:
        return texts[text]
    alike = process.extractOne(text, recent, scorer=fuzz.ratio, score_cutoff=ALIKE)
    return texts[alike[0]] if alike and _same_numbers(text, alike[0]) else None


def _same_numbers(text: str, other: str) -> bool:
    """Whether two texts have the same words with digits: a list with other numbers is no repetition."""
    return _numbers(text) == _numbers(other)


def _numbers(text: str) -> list[str]:
    return [word for word in text.split() if not word.isalpha()]
