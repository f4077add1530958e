"""The spoken text of a patient, without asides and stage directions, and its sentences."""

from __future__ import annotations

import re
from functools import lru_cache

from adjudge.english.sentences import sentences

# "[sighs]", "{sighs}": brackets hold actions or notes that nobody says.
_BRACKETED = re.compile(r"\[[^\[\]]*\]|\{[^{}]*\}|\u3010[^\u3010\u3011]*\u3011")
# "*winces*", "**winces**", "_looks away_".
_STARRED = re.compile(
    r"(?<![\w*])(\*{1,2})(?!\s)([^*\n]+?)(?<!\s)\1(?![\w*])|(?<![\w_])(_{1,2})(?!\s)([^_\n]+?)(?<!\s)\3(?![\w_])"
)
# "(pauses)", "(10 mg)".
_PARENTHESIS = re.compile(r"\(([^()]*)\)")
# Parentheses and stars also hold speech ("Lisinopril (10 mg)", "*really* bad"), so an action is found by its words. It
# has a verb of gesture or voice, followed by nothing or by how, where and with what: "(slowly shakes her head)".
# "(coughing up blood)" is speech.
# "the patient (sighs)".
_WHO = r"(?:the patient|patient|he|she|i|they)\s+"
# "(slowly) shakes", "(with a) sigh".
_HOW = (
    r"(?:\w+ly|still|then|again|long|short|deep|brief|slight|small|weak|nervous|heavy|awkward|faint|soft|low|shaky|a|an|and|with"
    r"|in|my|his|her|their|the)\s+"
)
# "(winces)", "(clears) her throat".
_ACTS = (
    r"sigh\w*|paus\w+|winc\w+|cough\w*|nod\w*|shak\w+|shook|look\w*|glanc\w+|laugh\w*|chuckl\w+|smil\w+|frown\w*|groan\w*"
    r"|moan\w*|sniff\w*|cry|cries|crying|sob\w*|whisper\w*|mumbl\w+|mutter\w*|clear(?:s|ing)|rub\w*|hold(?:s|ing)"
    r"|clutch\w*|grip\w*|point(?:s|ing)|shift(?:s|ing)|fidget\w*|hesitat\w+|silen\w+|shrug\w*|gasp\w*|breath(?:e|es|s|ing)?"
    r"|tear(?:s|ing)|grimac\w+|lean\w*|star(?:e|es|ing)|clos(?:es|ing)|open(?:s|ing)|turn(?:s|ing)|touch(?:es|ing)"
    r"|press(?:es|ing)|wip(?:es|ing)|tak(?:es|ing) a|swallow(?:s|ing)|squint\w*|whimper\w*|trembl\w+|shiver\w*|scoff\w*"
    r"|snort\w*|blink\w*|rais(?:es|ing)|avoid(?:s|ing) eye|speak(?:s|ing)|voice(?: \w+ing)?|inaudible|crosstalk"
    r"|unclear|indistinct"
)
# "shakes (her head)", "looks (away)", and the end.
_TAIL = (
    r"(?:$|[.,;!?\u2026]|\s+(?:\w+ly|again|away|down|up at|around|back|at|for a|for some|for the|in pain|in discomfort"
    r"|in confusion|in silence|with|to (?:my|his|her|the|their)(?:self)?|over|through|into|off|his|her|my|their|the|its"
    r"|head|throat|hard|in\b|out\b|deep|breath|heavy|long|slow|voice|a|an|and|then|confused|worried|uncomfortable|upset"
    r"|anxious|tired|contact|up$)(?!\s+blood)(?:\W|$))"
)
# "she slowly shakes her head", as a whole.
_ACTION = re.compile(rf"\A\s*(?:{_WHO})?(?:{_HOW})*(?:{_ACTS}){_TAIL}", re.IGNORECASE)
# "*it really hurts*" is speech and not an action.
_SPEECH = re.compile(
    r"\A\s*(?:i|i['\u2019]\w+|it|it['\u2019]s|my|no|yes|you|please|doctor|that['\u2019]?s?)\b", re.IGNORECASE
)
# "* *": stars with nothing left between them.
_EMPTY = re.compile(r"(\*{1,2}|_{1,2})[ \t]+\1(?!\w)")
# A text without a letter or digit says nothing.
_ENOUGH = re.compile(r"\w")
# The text before stars in the middle of a sentence: "it is [*really*] bad".
_WITHIN = re.compile(r"[\w,] ?\Z")
# The number of words that a shortened reply shows.
_OPENING = 8


def spoken_text(text: str) -> str:
    """The text without bracketed asides and stage directions; empty if no letter or digit is left.

    >>> spoken_text("[sighs] I take lisinopril (10 mg). *winces* (pauses) It hurts.")
    'I take lisinopril (10 mg). It hurts.'
    """
    text = _STARRED.sub(_stressed_words, _BRACKETED.sub(" ", text))
    text = _PARENTHESIS.sub(lambda match: " " if _ACTION.match(match[1]) else match[0], text)
    text = re.sub(r"[ \t]+", " ", _EMPTY.sub(" ", text))
    text = re.sub(r" (?=[.,!?;:](?:\s|$))", "", text).strip()
    return text if _ENOUGH.search(text) else ""


@lru_cache(maxsize=100_000)
def statements(text: str) -> tuple[str, ...]:
    """The sentences of a spoken text; pieces without a letter or digit are dropped."""
    return tuple(sentence for sentence in sentences(text) if _ENOUGH.search(sentence))


def opening(text: str) -> str:
    """The first words of a reply, for people who look for it in the transcript.

    >>> opening("It began on Monday and it has been getting worse since.")
    'It began on Monday and it has been ...'
    """
    words = text.split()
    return " ".join(words) if len(words) <= _OPENING else f"{' '.join(words[:_OPENING])} ..."


def _stressed_words(match: re.Match[str]) -> str:
    """The words between stars if they are stressed speech, else a space.

    Words are stressed speech if they are no action and are one or two words, begin as speech, or continue a sentence.
    """
    inside = match[2] or match[4]
    within = _WITHIN.search(match.string, max(match.start() - 2, 0), match.start()) is not None
    stressed = within or len(inside.split()) <= 2 or _SPEECH.match(inside)
    return inside if stressed and not _ACTION.match(inside) else " "
