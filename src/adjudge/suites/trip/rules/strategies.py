"""Strategies of social choice: their names, and whether a vote follows the one that it declares."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from msgspec import Struct, structs

from adjudge.english.normalise import name_key
from adjudge.suites.trip.data import Ballot, Trip, TripTurn, Vote
from adjudge.suites.trip.lexicon import table_of
from adjudge.suites.trip.rules.dialogue import member_names, slot_of
from adjudge.suites.trip.rules.elections import WINNERS, Election, approves

UNCHECKED = "unchecked"
INCLUDE_BOTH, COVERAGE = "include_both", "approval_vote_plus_coverage"

# The values of a field that names no strategy.
_NOT_A_NAME = frozenset(("", "n a", "na", "nan", "none", "null", "nil", "not applicable", "no strategy"))
# "the blue door" is "blue door".
_ARTICLE = re.compile(r"^(?:the|a|an) (?=.)")
# "least_misery + include_both".
_BETWEEN = re.compile(r"[,;+&|]|\band\b")


def option_key(name: str) -> str:
    """A name without case, punctuation, underscores and a leading article, so that spellings of one name are equal.

    >>> option_key("Parent-Veto_HC "), option_key("The Blue Door"), option_key("A"), option_key("-")
    ('parent veto hc', 'blue door', 'a', '')
    """
    return _ARTICLE.sub("", name_key(name)) if any(map(str.isalnum, name)) else ""


def is_strategy_named(strategy: str) -> bool:
    """Whether this is the name of a strategy at all; "N/A" and the like are none."""
    return option_key(strategy) not in _NOT_A_NAME


def names_in(strategy: str) -> list[str]:
    """The names of the strategies that a field holds: mostly one.

    >>> names_in("Least Misery + include_both"), names_in("N/A")
    (['Least Misery', 'include_both'], [])
    """
    return [part.strip() for part in _BETWEEN.split(strategy) if is_strategy_named(part)]


def strategy_of(name: str) -> str:
    """The id of the strategy that a name stands for; empty for one that is not in the table.

    >>> strategy_of("Parent Veto"), strategy_of("least-misery strategy"), strategy_of("Family Friendly")
    ('parent_veto_hc', 'least_misery', '')
    """
    return _strategy_ids().get(option_key(name).removesuffix(" strategy"), "")


def operator_of(name: str) -> str:
    """The operator that decides under a strategy or by a method; empty for a name that is not in the tables."""
    strategy = strategy_of(name)
    table = table_of("strategies")
    return str(table["strategies"][strategy] if strategy else table["methods"].get(option_key(name), ""))


@cache
def _strategy_ids() -> dict[str, str]:
    ids = list(table_of("strategies")["strategies"])
    return {
        **{option_key(id).removesuffix(" hc"): id for id in ids},
        **{option_key(id): id for id in ids},
        **table_of("strategies")["aliases"],
    }


class Poll(Struct, frozen=True):
    """A vote with the ballots it rests on: the last of every member about that slot, up to the vote."""

    turn: str
    slot: str
    vote: Vote
    election: Election
    names: tuple[str, ...]

    @property
    def selected_key(self) -> str:
        """The plain name of the option that was selected; empty where none was."""
        return option_key(self.vote.selected_option)

    @property
    def has_ballots(self) -> bool:
        """Whether there are ballots and something was selected."""
        return bool(self.selected_key and self.election.ballots)

    @property
    def operator(self) -> str:
        """The operator that the vote declares: by its strategy, its method, or its synthesis; empty for none known."""
        return next(filter(None, map(operator_of, self.names)), "")

    @property
    def strategy(self) -> str:
        """The id of the strategy that the vote declares; empty for none known."""
        return next(filter(None, map(strategy_of, self.names)), "")

    def serves(self, ballot: Ballot) -> bool:
        """Whether the selected option is one that the member approves; of several selected, one of them."""
        if self.operator in WINNERS or not self.operator:
            return approves(ballot, self.selected_key)
        return any(approves(ballot, option) for option in (self.selected_key, *self.options_in_selection))

    @property
    def options_in_selection(self) -> list[str]:
        """The options that the selected one names, where it holds several ("Italian and Thai")."""
        return [option for option in self.election.options if f" {option} " in f" {self.selected_key} "]

    @property
    def minority(self) -> list[str]:
        """The members, by plain name, who do not approve what was selected."""
        return [ballot.member for ballot in self.election.ballots if not self.serves(ballot)]


def polls(trip: Trip) -> list[Poll]:
    """The votes of a trip, each once, with the ballots cast on its slot up to then.

    A synthesis without a vote counts as a vote that selects nothing, since its strategy may still promise something.
    A vote that equals the previous one on its slot is not counted again: some files repeat the state in every turn.
    """
    stated = {member.id: member.role for member in trip.members}
    roles = {option_key(name): frozenset(roles_in(stated.get(name) or name)) for name in member_names(trip)}
    cast: dict[str, dict[str, Ballot]] = {}
    last: dict[tuple[str, bool], int] = {}
    made: list[Poll] = []
    for turn in trip.turns:
        slot = slot_of(turn.intent)
        box = cast.setdefault(slot, {})
        box.update({ballot.member: ballot for ballot in map(_plain_ballot, turn.ballots) if ballot.member})
        if turn.vote is not None or turn.synthesis is not None:
            poll = _poll(turn, slot, _election(list(box.values()), turn.vote or Vote(), roles))
            before = last.get((slot, turn.vote is None))
            if before is not None and _repeats(poll, made[before]):
                made[before] = structs.replace(made[before], names=(*made[before].names, *poll.names))
            else:
                last[slot, turn.vote is None] = len(made)
                made.append(poll)
    return made


def _poll(turn: TripTurn, slot: str, election: Election) -> Poll:
    vote, noted = turn.vote or Vote(), turn.synthesis.resolution_strategy if turn.synthesis else ""
    return Poll(turn.id, slot, vote, election, (vote.strategy_id, vote.method, noted))


def _repeats(poll: Poll, before: Poll) -> bool:
    """Whether a poll repeats the one before: equal ballots, and the same vote or, without a vote, the same strategy."""
    voted = poll.vote != Vote() or set(poll.names) <= set(before.names)
    return voted and (poll.vote, set(poll.election.ballots)) == (before.vote, set(before.election.ballots))


def _plain_ballot(ballot: Ballot) -> Ballot:
    return Ballot(
        option_key(ballot.member),
        option_key(ballot.top_choice),
        tuple(filter(None, map(option_key, ballot.acceptable))),
        tuple(filter(None, map(option_key, ballot.hard_no))),
    )


def _election(box: list[Ballot], vote: Vote, roles: Mapping[str, frozenset[str]]) -> Election:
    """The election behind a vote; empty ballots are left out."""
    ballots = tuple(ballot for ballot in box if ballot.top_choice or ballot.acceptable or ballot.hard_no)
    named = [name for ballot in ballots for name in (ballot.top_choice, *ballot.acceptable, *ballot.hard_no)]
    scores = {
        option_key(count.option): {option_key(member): own for member, own in count.member_scores.items()}
        for count in vote.option_details
    }
    options = tuple(dict.fromkeys(filter(None, [*named, *scores])))
    return Election(ballots, options, roles, scores if all(scores.values()) else {})


def roles_in(text: str) -> Iterator[str]:
    """The roles that count in votes, parent and elder, that a description of a member names."""
    words = set(re.findall(r"[^\W\d_]+", text.casefold()))
    for role, known in table_of("strategies")["roles"].items():
        if words & {*known, *(f"{word}s" for word in known)}:
            yield role


class VoteCheck(Struct, frozen=True):
    """Whether a vote selected what its operator yields, and what that is."""

    faithful: bool
    operator: str
    expected: tuple[str, ...]


def check_vote(poll: Poll) -> VoteCheck | None:
    """Whether a vote follows the operator it declares; None if the ballots cannot show it.

    They cannot show it if there are none, if the operator is unknown or uses more than ballots, if it leaves no option
    (all are vetoed, nobody has the role), or if members go separate ways and the vote names one option.
    """
    operator = poll.operator if poll.has_ballots else ""
    if operator in WINNERS:
        winners = WINNERS[operator](poll.election)
        return VoteCheck(poll.selected_key in winners, operator, tuple(sorted(winners))) if winners else None
    tops = tuple(sorted({ballot.top_choice for ballot in poll.election.ballots} - {""}))
    several = len(poll.options_in_selection) > 1
    if not tops or operator in ("", UNCHECKED) or (operator != INCLUDE_BOTH and not several):
        return None
    return VoteCheck(set(tops) <= {poll.selected_key, *poll.options_in_selection}, operator, tops)
