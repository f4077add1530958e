"""Rules: what must hold of a run, written such as `lower(inform) >= 0.75`, and read without running anything."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from math import isclose, isfinite
from typing import Literal, cast

from msgspec import Struct

from adjudge.core.card import Card
from adjudge.core.errors import BadInput, did_you_mean
from adjudge.core.selection import ALL

Of = Literal["value", "lower", "upper", "every"]
Relation = Literal[">=", "<=", ">", "<", "not worse", "better"]

READINGS: tuple[Of, ...] = ("lower", "upper", "every")
SIGNS: tuple[Relation, ...] = (">=", "<=", ">", "<")
COMPARISONS: tuple[Relation, ...] = ("not worse", "better")

# A number such as 0.75, 1e-3 or .5; a name such as joint_goal_accuracy; a sign such as >= or (; else one character.
_TOKEN = re.compile(
    r"(?P<number>[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[^\W\d]\w*)"
    r"|(?P<sign>[<>=!]+|[()])"
    r"|(?P<other>\S)"
)


class BadRule(BadInput):
    """A rule that cannot be read or cannot be asked of this run; the message points at the column."""

    def __init__(self, text: str, column: int, what: str) -> None:
        line = re.sub(r"\s", " ", text)
        super().__init__(f"column {column} of the rule: {what}\n  {line}\n  {' ' * (column - 1)}^")


class Rule(Struct, frozen=True):
    """One thing that must hold of a metric.

    `of` is what is compared with the limit: the data set's value, the lower or upper bound of its 95 % interval, or the
    value of every conversation. The relations "not worse" and "better" are to a baseline; `limit` is then the margin,
    0 for "better".
    """

    metric: str
    of: Of
    relation: Relation
    limit: float

    def __str__(self) -> str:
        subject = self.metric if self.of == "value" else f"{self.of}({self.metric})"
        if self.relation == "better":
            return f"{subject} better"
        relation = "not worse by" if self.relation == "not worse" else self.relation
        return f"{subject} {relation} {number(self.limit)}"

    @property
    def compares(self) -> bool:
        """Whether the rule compares with a baseline."""
        return self.relation in COMPARISONS

    def holds(self, value: float) -> bool:
        """Whether a value keeps to the limit; rounding errors do not decide.

        >>> Rule("inform", "value", ">=", 0.3).holds(0.1 * 3), Rule("inform", "value", ">", 0.3).holds(0.1 * 3)
        (True, False)
        """
        if at_limit(value, self.limit):
            return self.relation in (">=", "<=")
        return value > self.limit if self.relation in (">=", ">") else value < self.limit


def at_limit(value: float, limit: float) -> bool:
    """Whether a value equals the limit, apart from rounding."""
    return isclose(value, limit, rel_tol=1e-9, abs_tol=1e-12)


def number(value: float) -> str:
    """A number in the shortest form that is read back the same.

    >>> number(1.0), number(0.05)
    ('1', '0.05')
    """
    return repr(value).removesuffix(".0")


def parse(text: str, cards: Mapping[str, Card]) -> Rule:
    """The rule that a text states about metrics with these cards; raises BadRule.

    RULE    = SUBJECT SIGN NUMBER | METRIC "not worse by" NUMBER | METRIC "better"
    SUBJECT = METRIC | ("lower" | "upper" | "every") "(" METRIC ")"
    SIGN    = ">=" | "<=" | ">" | "<"
    """
    words = _RuleWords(text)
    of, metric = _subject(words)
    relation = _relation(words, of)
    limit = None if relation.text == "better" else words.number()
    words.end()
    return _check_rule(words, _RuleParts(of, metric, relation, limit), cards)


def parse_all(texts: list[str], cards: Mapping[str, Card]) -> list[Rule]:
    """The rules of several texts, each once; raises BadInput with the faults of all."""
    rules: list[Rule] = []
    faults: list[str] = []
    for text in texts:
        try:
            rules.append(parse(text, cards))
        except BadRule as fault:
            faults.append(str(fault))
    if faults:
        raise BadInput("\n".join(faults))
    return list(dict.fromkeys(rules))


def rules_of(rules: list[Rule], metrics: Collection[str]) -> list[Rule]:
    """The rules about these metrics; all of them without a name, or for "all". A metric without a rule is refused."""
    if not metrics or ALL in metrics:
        return rules
    known = [rule.metric for rule in rules]
    for name in metrics:
        if name not in known:
            hint = did_you_mean(name, known) or f" (there are rules about: {', '.join(dict.fromkeys(known)) or 'none'})"
            raise BadInput(f"--metrics: no rule is about {name!r}{hint}")
    return [rule for rule in rules if rule.metric in metrics]


class _Token(Struct, frozen=True):
    """A word of a rule; its kind is a group of the pattern, or `end`."""

    kind: str
    text: str
    column: int


class _RuleWords:
    """The words of a rule, taken one by one."""

    def __init__(self, text: str) -> None:
        self.text = text
        tokens = [_Token(str(match.lastgroup), match.group(), match.start() + 1) for match in _TOKEN.finditer(text)]
        self._rest = [*tokens, _Token("end", "", len(text.rstrip()) + 1)]

    @property
    def next(self) -> _Token:
        return self._rest[0]

    def take(self) -> _Token:
        return self._rest.pop(0) if len(self._rest) > 1 else self.next

    def name(self, expected: str) -> _Token:
        return self.take() if self.next.kind == "name" else self._fail(expected)

    def number(self) -> _Token:
        return self.take() if self.next.kind == "number" else self._fail("a number")

    def word(self, text: str) -> _Token:
        return self.take() if self.next.text == text else self._fail(repr(text))

    def end(self) -> None:
        if self.next.kind != "end":
            self._fail("the end of the rule")

    def refuse(self, token: _Token, what: str) -> BadRule:
        return BadRule(self.text, token.column, what)

    def _fail(self, expected: str) -> _Token:
        raise self.refuse(self.next, f"found {_quote(self.next)}; expected {expected}")


class _RuleParts(Struct, frozen=True):
    """The words that make a rule; no limit is written after "better"."""

    of: Of
    metric: _Token
    relation: _Token
    limit: _Token | None


def _subject(words: _RuleWords) -> tuple[Of, _Token]:
    first = words.name(f"a metric, or one in {_list_words([f'{name}(...)' for name in READINGS])}")
    if words.next.text != "(":
        return "value", first
    if first.text not in READINGS:
        hint = did_you_mean(first.text, READINGS)
        raise words.refuse(first, f"no reading {first.text!r}{hint}; expected {_list_words(READINGS)} before '('")
    words.take()
    metric = words.name("a metric")
    words.word(")")
    return first.text, metric


def _relation(words: _RuleWords, of: Of) -> _Token:
    token = words.take()
    if token.text in SIGNS or (of == "value" and token.text == "better"):
        return token
    if of == "value" and token.text == "not":
        words.word("worse")
        words.word("by")
        return _Token(token.kind, "not worse", token.column)
    expected = [*SIGNS, "'not worse by'", "'better'"] if of == "value" else SIGNS
    raise words.refuse(token, f"found {_quote(token)}; expected {_list_words(expected)}")


def _check_rule(words: _RuleWords, parts: _RuleParts, cards: Mapping[str, Card]) -> Rule:
    """The rule, if it can be asked: the metric is there, has the direction it takes, and the limit is on its scale."""
    metric, relation, limit = parts.metric, parts.relation, parts.limit
    if metric.text not in cards:
        known = did_you_mean(metric.text, cards) or f"; there are {', '.join(cards)}"
        raise words.refuse(metric, f"no metric {metric.text!r} in the run{known}")
    card = cards[metric.text]
    rule = Rule(card.name, parts.of, cast(Relation, relation.text), float(limit.text) if limit else 0.0)
    if card.pool == "groups" and (rule.compares or rule.of == "every"):
        raise words.refuse(
            metric, f"{card.name!r} is not a mean over conversations; expected its value, lower or upper"
        )
    if card.better == "neither" and rule.compares:
        raise words.refuse(relation, f"neither direction of {card.name!r} is better; expected {_list_words(SIGNS)}")
    if limit and (fault := _fault(rule, card)):
        raise words.refuse(limit, fault)
    return rule


def _fault(rule: Rule, card: Card) -> str:
    """Why a limit makes no sense because no value, or every value, meets it; empty where it makes sense."""
    low, high = card.scale
    if not isfinite(rule.limit):
        return "found a number too large; expected a finite one"
    if rule.relation == "not worse":
        if rule.limit <= 0:
            return f"found a margin of {number(rule.limit)}; expected one above 0 (for a margin of 0 write 'better')"
        if low is not None and high is not None and rule.limit >= high - low:
            return f"found a margin of {number(rule.limit)}; expected one below {number(high - low)}, the whole scale"
    elif (low is not None and rule.limit < low) or (high is not None and rule.limit > high):
        ends = " to ".join("any" if end is None else number(end) for end in card.scale)
        return f"found {number(rule.limit)}; expected a number on the scale of {card.name!r}, {ends}"
    return ""


def _quote(token: _Token) -> str:
    return "the end" if token.kind == "end" else repr(token.text)


def _list_words(words: Collection[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} or {last}"
