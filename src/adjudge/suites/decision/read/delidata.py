"""Human groups in DeliData: every member's first and last answer to the card task, and the group's chat.

Wason's card task shows four cards: a vowel, a consonant, an even and an odd number. Which cards must be turned to test
the rule that every card with a vowel on one side has an even number on the other? The right answer is the vowel and
the odd number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from adjudge.core.errors import BadRecord, Warnings, bad_record
from adjudge.core.record import Participant
from adjudge.core.suite import Refuse
from adjudge.read.tables import table_rows
from adjudge.suites.decision.data import Assessment, Criterion, Decision, DecisionScenario, DecisionTurn

MEMBERS = ("group_id", "member", "cards", "correct", "initial", "final")
MESSAGES = ("group_id", "message_id", "message_type", "origin", "original_text")
SUMMARY = ("group_id", "n_members", "initial_mean", "final_mean")
# The data set writes this where a member gave no answer. Read as cards, it would name the card "A".
NO_ANSWER = "N / A"
NOTHING = "no card"
VOWELS = frozenset("AEIOU")
ROLES = {"vowel", "consonant", "even", "odd"}
# The rounds of a record: the answer before the discussion and the one after it.
BEFORE, AFTER = 1, 2


class Tables(NamedTuple):
    """The files of members and of messages, with their delimiter and encoding."""

    members: list[Path]
    messages: list[Path]
    delimiter: str | None = None
    encoding: str = "utf-8"

    def rows(
        self, paths: Sequence[Path], columns: tuple[str, ...], warnings: Warnings, refuse: Refuse | None
    ) -> Iterator[tuple[str, dict[str, str]]]:
        """The rows of some of the files, each with its place."""
        for path in paths:
            yield from table_rows(
                path,
                warnings,
                required=columns,
                delimiter=self.delimiter,
                encoding=self.encoding,
                refuse=refuse,
            )


class DeliMember(Struct, frozen=True):
    """One line of the table of members; `where` is its place."""

    where: str
    name: str
    cards: str
    correct: str
    initial: str
    final: str


class DeliGroup(NamedTuple):
    """The members of one group, and the place of the first member's row."""

    id: str
    where: str
    members: list[DeliMember]


def human_groups(tables: Tables, warnings: Warnings, refuse: Refuse | None) -> Iterator[tuple[str, Decision]]:
    """A decision for each group, with the place of its first member."""
    turns = _turns(tables, warnings, refuse)
    groups: dict[str, DeliGroup] = {}
    for where, row in tables.rows(tables.members, MEMBERS, warnings, refuse):
        group = groups.setdefault(row["group_id"], DeliGroup(row["group_id"], where, []))
        group.members.append(
            DeliMember(where, row["member"], row["cards"], row["correct"], row["initial"], row["final"])
        )
    for group in groups.values():
        try:
            decision = _decision(group, turns.get(group.id, ()), warnings)
        except BadRecord as fault:
            if refuse is None:
                raise
            refuse(fault.complaint)
        else:
            yield group.where, decision


def _turns(tables: Tables, warnings: Warnings, refuse: Refuse | None) -> dict[str, list[DecisionTurn]]:
    """The messages of each group; other events of the game are left out."""
    turns: dict[str, list[DecisionTurn]] = {}
    for _, row in tables.rows(tables.messages, MESSAGES, warnings, refuse):
        if row["message_type"] == "MESSAGE":
            turn = DecisionTurn(row["message_id"], row["origin"], row["original_text"])
            turns.setdefault(row["group_id"], []).append(turn)
    return turns


def _decision(group: DeliGroup, turns: Sequence[DecisionTurn], warnings: Warnings) -> Decision:
    first = group.members[0]
    cards, right = first.cards.split(), set(first.correct.split())
    roles = {card: role(card) for card in cards}
    _check(group, roles)
    before = {member.name: _answer(member.where, member.initial, cards, warnings) for member in group.members}
    after = {member.name: _answer(member.where, member.final, cards, warnings) for member in group.members}
    ended = Counter(answer for answer in after.values() if answer is not None)
    shares = {answer: count / ended.total() for answer, count in ended.items()}
    sole = next(iter(shares)) if len(shares) == 1 else None
    return Decision(
        id=group.id,
        arm="group",
        participants=tuple(Participant(member.name, "member", "human") for member in group.members),
        scenario=_scenario(cards, right, roles, [*before.values(), *after.values()]),
        assessments=(*_assessments(before, BEFORE), *_assessments(after, AFTER)),
        recommended=sole,
        lottery={} if sole else shares,
        truth=_name(right, cards),
        turns=tuple(turns),
    )


def _check(group: DeliGroup, roles: dict[str, str]) -> None:
    where, people = group.where, group.members
    first = people[0]
    if any(member.cards.split() != first.cards.split() or member.correct != first.correct for member in people):
        raise bad_record(where, f"the members of {group.id!r} have different cards; expected the same", "cards")
    if len(roles) != len(ROLES) or set(roles.values()) != ROLES:
        raise bad_record(
            where, f"found {first.cards!r}; expected a vowel, a consonant, an even and an odd number", "cards"
        )
    right = first.correct.split()
    if not right or not set(right) <= roles.keys():
        raise bad_record(where, f"found {first.correct!r}; expected some of the cards {first.cards}", "correct")
    names = [member.name for member in people]
    if twice := [name for place, name in enumerate(names) if name in names[:place]]:
        raise bad_record(where, f"{twice[0]!r} appears twice in group {group.id!r}; expected once", "member")


def role(card: str) -> str:
    """What a card shows: a vowel, a consonant, an even or an odd number.

    >>> role("A"), role("K"), role("4"), role("7")
    ('vowel', 'consonant', 'even', 'odd')
    """
    if card.isdigit():
        return "odd" if int(card) % 2 else "even"
    return "vowel" if card.upper() in VOWELS else "consonant"


def _answer(where: str, text: str, cards: Sequence[str], warnings: Warnings) -> str | None:
    """The alternative that an answer names; None where the member gave no answer."""
    if text.strip() == NO_ANSWER:
        warnings.add(
            "no answer", f"{where}: a member's answer is {NO_ANSWER!r}: taken as no answer, not as the card 'A'"
        )
        return None
    chosen = set(text.split())
    if not chosen - set(cards):
        return _name(chosen, cards)
    warnings.add("stray", f"{where}: the answer {text!r} names more than cards: kept apart, scored by the cards in it")
    return text


def _name(chosen: set[str], cards: Sequence[str]) -> str:
    return " ".join(card for card in cards if card in chosen) or NOTHING


def _scenario(
    cards: Sequence[str], right: set[str], roles: dict[str, str], answers: Iterable[str | None]
) -> DecisionScenario:
    """The scenario: the alternatives are all possible and all given answers, the criteria are the four cards.

    An answer scores 1 on a card that it rightly turns or rightly leaves, else 0.
    """
    subsets = chain.from_iterable(combinations(cards, size) for size in range(len(cards) + 1))
    turned = {_name(set(subset), cards): set(subset) for subset in subsets}
    turned |= {answer: set(answer.split()) for answer in answers if answer is not None and answer not in turned}
    return DecisionScenario(
        alternatives=tuple(turned),
        criteria=tuple(Criterion(roles[card]) for card in cards),
        matrix={
            name: {roles[card]: float((card in chosen) == (card in right)) for card in cards}
            for name, chosen in turned.items()
        },
    )


def _assessments(answers: dict[str, str | None], number: int) -> Iterator[Assessment]:
    for name, answer in answers.items():
        if answer is not None:
            yield Assessment(agent=name, beliefs={answer: 1.0}, round=number)
