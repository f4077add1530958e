"""The number of children that a patient states, and the number in its profile."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import inf

from adjudge.suites.patient.data import PatientReply
from adjudge.suites.patient.lexicon.phrases import last_question
from adjudge.suites.patient.rules.numbers import Figure, StatedNumber, ValueRange, digits, figures_of, lines_of
from adjudge.suites.patient.rules.quantities import asks_for, is_bare, is_filler

# A higher number is not read as the patient's own children; it may be a class of 25 kids.
_MOST_CHILDREN = 20

# "kids", "child".
_CHILD = r"(?:children|child|kids?)"
# "2 sons", "the twins"; not "a son-in-law".
_KIN = re.compile(rf"\b(?:{_CHILD}|sons?|daughters?|boys?|girls?|twins)\b(?![- ]in[- ]law)")
# "2 boys", "a little girl", "my only son", "no kids"; not "2 grandchildren", "a stepson", "2 of my kids".
_COUNTED = re.compile(
    rf"\b(\d{{1,2}}|an?|my|our|no|only)(?: (only|(?!step|foster|god|of\b|and\b)[a-z]+))? ({_KIN.pattern[2:]})"
)
# Words that make children the patient's own: "I have 2 sons", "my 2 sons", and as an answer "Yes, with 2 sons".
_OWN = re.compile(r"\b(?:(?:i|we) (?:have|got|had|raised)|my|our|all)\b|^(?:yes, |no, )?with(?= \d)")
# "I am a mother of [3]".
_PARENT_OF = re.compile(r"\b(?:mother|father|mum|mom|dad|parent) (?:of|to)$")
# "I never had any kids", "No children."; not "I have no kids with me".
_NO_CHILDREN = re.compile(
    rf"\b(?:i|we) (?:do not|never|did not|could not) (?:have|had)(?: any)? {_CHILD}\b(?! (?:with|at|here|in))"
    rf"|\b(?:i|we) have no {_CHILD}\b(?! (?:with|at|here|in))|^(?:no, )?no {_CHILD}\b"
)
# "No, none, doctor."
_NONE = re.compile(
    r"(?:no|nope|none|not yet|i do not|we do not)(?:,? (?:no|none|not yet|doctor|sadly|i do not|we do not|we could not"
    r" have any)){0,4}\W*"
)
# "Yes, of course."
_SOME_CHILDREN = re.compile(r"(?:yes|yeah|yep|i do|we do|of course)(?:,? (?:i do|we do|doctor|of course)){0,2}\W*")
# Nouns that give no number after "my" or "our": "my kids".
_MANY = ("children", "kids")
# Children of others, or only some of one's own: "my sister's kids", "2 of them", "one of our kids", "my oldest son".
_NOT_ALL = re.compile(
    r"\b(?:step\w+|nephews?|nieces?|brothers?|sisters?|cousins?|neighbou?rs?|parents|friends?|class|school|teach"
    r"|look after|his|her|their|he|she|they|were|[a-z]+est|older|elder|younger|other|first|lost|died|between|from"
    r"|at home|of (?:my|our|them|the))\b"
)


def children(reply: PatientReply) -> Iterator[StatedNumber]:
    """The numbers of own children that the patient states in a reply."""
    asked = asks_for("children", digits(last_question(reply.asked)))
    mentioned = len(_KIN.findall(digits(reply.text)))
    for line in lines_of(reply):
        span = (_answered_children(line.plain, mentioned) if asked and line.at == 0 else None) or _own_children(
            line.plain
        )
        if span is not None and span.low <= _MOST_CHILDREN:
            yield StatedNumber(span, reply.turn, line.text)


def children_of(value: str) -> list[ValueRange]:
    """The number of children in a profile's value; an empty list if it gives no number.

    >>> [str(span) for span in children_of("one son and two daughters")], children_of("yes")
    (['3'], [])
    """
    text = digits(value).removeprefix("yes").strip(" .,")
    if text in ("none", "no", "no children", "no kids", "denies", "childless"):
        return [ValueRange(0, 0)]
    if text.isdigit():
        return [ValueRange.between(text, None)]
    counted = [match for match in _COUNTED.finditer(text) if match[1] not in ("my", "our", "only")]
    total = _total(counted)
    return [ValueRange(total, total)] if counted else []


def _answered_children(text: str, mentioned: int) -> ValueRange | None:
    """The number of children in an answer; it is a lower bound if the reply mentions more children elsewhere."""
    if _NONE.fullmatch(text):
        return ValueRange(0, 0)
    figure = next(figures_of(text), None)
    if figure and _answers_how_many(figure):
        return figure.span
    if _SOME_CHILDREN.fullmatch(text):
        return ValueRange(1, inf)
    counted = _list_of_children(text)
    if not counted or _NOT_ALL.search(text):
        return None
    return ValueRange(_total(counted), _total(counted) if len(counted) >= mentioned else inf)


def _answers_how_many(figure: Figure) -> bool:
    """Whether a number stands alone in an answer: "Five of them", "Yes, just the one"."""
    first = is_filler(figure.before) and figure.earlier.strip(" ,") in ("", "yes", "no")
    return first and (is_bare(figure.after) or figure.after.startswith(("of them", "of each")))


def _own_children(text: str) -> ValueRange | None:
    """The number of own children that a sentence states, whatever the doctor asked."""
    if _NO_CHILDREN.search(text):
        return ValueRange(0, 0)
    parent = next((figure for figure in figures_of(text) if _PARENT_OF.search(figure.before)), None)
    if parent and not parent.after:
        return parent.span
    counted = _list_of_children(text)
    if not counted or _NOT_ALL.search(text) or not _OWN.search(text):
        return None
    exact = any(match[1].isdigit() or "only" in match.groups() for match in counted if re.match(_CHILD, match[3]))
    return ValueRange(_total(counted), _total(counted) if exact else inf) if _total(counted) else None


def _list_of_children(text: str) -> list[re.Match[str]]:
    """The phrases of a text that count children, such as "2 boys and a girl"; "my kids" gives no number."""
    return [
        match for match in _COUNTED.finditer(text) if match[1] not in ("my", "our") or not match[3].startswith(_MANY)
    ]


def _total(counted: list[re.Match[str]]) -> int:
    """The sum of a list of children; a stated total wins: "3 children, a son and 2 daughters" are 3."""
    whole = [match for match in counted if re.match(_CHILD, match[3]) and match[1].isdigit()][:1]
    return sum(int(match[1]) if match[1].isdigit() else 0 if match[1] == "no" else 1 for match in whole or counted)
