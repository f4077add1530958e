"""Strategies of social choice: their names, the operators behind them, and what those yield from ballots."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

from msgspec import Struct, structs

from adjudge.english.normalise import name_key
from adjudge.suites.trip.data import Ballot, Trip, TripTurn, Vote
from adjudge.suites.trip.lexicon import table_of
from adjudge.suites.trip.rules.dialogue import slot_of

TOP, ACCEPTABLE, NEUTRAL, HARD_NO = 2.0, 1.0, 0.0, -1.0
UNCHECKED = "unchecked"
INCLUDE_BOTH, COVERAGE = "include_both", "approval_vote_plus_coverage"

_NOT_A_NAME = frozenset(("", "n a", "na", "nan", "none", "null", "nil", "not applicable", "no strategy"))
_ARTICLE = re.compile(r"^(?:the|a|an) (?=.)")
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
    return _names().get(option_key(name).removesuffix(" strategy"), "")


def operator_of(name: str) -> str:
    """The operator that decides under a strategy or by a method; empty for a name that is not in the tables."""
    strategy = strategy_of(name)
    table = table_of("strategies")
    return str(table["strategies"][strategy] if strategy else table["methods"].get(option_key(name), ""))


@cache
def _names() -> dict[str, str]:
    ids = list(table_of("strategies")["strategies"])
    return {
        **{option_key(id).removesuffix(" hc"): id for id in ids},
        **{option_key(id): id for id in ids},
        **table_of("strategies")["aliases"],
    }


class Election(Struct, frozen=True):
    """The ballots on a set of options, all names made plain.

    `roles` says who is a parent or an elder; `scores` are the scores that the vote itself gives each option by member.
    """

    ballots: tuple[Ballot, ...]
    options: tuple[str, ...]
    roles: Mapping[str, frozenset[str]] = {}
    scores: Mapping[str, Mapping[str, float]] = {}

    def cast_by(self, role: str) -> list[Ballot]:
        """The ballots of the members in a role."""
        return [ballot for ballot in self.ballots if role in self.roles.get(ballot.member, ())]

    @property
    def weighs(self) -> bool:
        """Whether the vote's scores may be the ballots with weights: all options are there, in each ballot's order."""
        whole = bool(self.scores) and self.scores.keys() >= set(self.options)
        return whole and all(self._keeps(ballot) for ballot in self.ballots)

    def _keeps(self, ballot: Ballot) -> bool:
        """Whether the vote's scores rank any two options as a ballot does, where the ballot does."""
        given = {option: scores.get(ballot.member) for option, scores in self.scores.items()}
        ranked = [(score(ballot, option), own) for option, own in given.items() if own is not None]
        apart = (high > low for rank, high in ranked for lower, low in ranked if rank > lower)
        return len(ranked) == len(given) and all(apart)


Operator = Callable[[Election], frozenset[str]]


def score(ballot: Ballot, option: str) -> float:
    """What an option is worth to a member: 2 on top, 1 acceptable, 0 neither, -1 ruled out whatever else it is."""
    if option in ballot.hard_no:
        return HARD_NO
    if option == ballot.top_choice:
        return TOP
    return ACCEPTABLE if option in ballot.acceptable else NEUTRAL


def approves(ballot: Ballot, option: str) -> bool:
    """Whether an option is a member's top choice or acceptable to it."""
    return score(ballot, option) > NEUTRAL


def approval(election: Election) -> frozenset[str]:
    """The options that most members approve."""
    return _first(election.options, lambda option: (_approvals(election.ballots, option),))


def plurality(election: Election) -> frozenset[str]:
    """The options that most members have on top."""
    return _first(election.options, lambda option: (sum(ballot.top_choice == option for ballot in election.ballots),))


def least_misery(election: Election) -> frozenset[str]:
    """The options that fewest members rule out, and among those the ones whose least content member is best off."""
    return _first(election.options, lambda option: _least_misery(election.ballots, option))


def weighted_average(election: Election) -> frozenset[str]:
    """The options with the highest scores over all members, by the ballots.

    The vote's own scores stand for members' weights where they keep to the order of every ballot.
    """
    if election.weighs:
        return _first(election.scores, lambda option: (sum(election.scores[option].values()),))
    return _first(election.options, lambda option: (sum(score(ballot, option) for ballot in election.ballots),))


def hard_constraint(election: Election) -> frozenset[str]:
    """The options that nobody rules out."""
    return _without_veto(election.options, election.ballots)


def parent_veto(election: Election) -> frozenset[str]:
    """The options that no parent rules out; none where no parent votes."""
    parents = election.cast_by("parent")
    return _without_veto(election.options, parents) if parents else frozenset()


def elder_veto(election: Election) -> frozenset[str]:
    """The options that no elder rules out; none where no elder votes."""
    elders = election.cast_by("elder")
    return _without_veto(election.options, elders) if elders else frozenset()


def parent_vote(election: Election) -> frozenset[str]:
    """The options that most parents approve, among those the least miserable for all; none where no parent votes."""
    parents = election.cast_by("parent")
    if not parents:
        return frozenset()
    return _first(
        election.options,
        lambda option: (_approvals(parents, option), *_least_misery(election.ballots, option)),
    )


def unanimous(election: Election) -> frozenset[str]:
    """The options that every member approves."""
    return frozenset(
        option for option in election.options if all(approves(ballot, option) for ballot in election.ballots)
    )


WINNERS: dict[str, Operator] = {
    operator.__name__: operator
    for operator in (
        *(approval, plurality, least_misery, weighted_average, hard_constraint),
        *(parent_veto, elder_veto, parent_vote, unanimous),
    )
}


def _approvals(ballots: Iterable[Ballot], option: str) -> int:
    return sum(approves(ballot, option) for ballot in ballots)


def _least_misery(ballots: Iterable[Ballot], option: str) -> tuple[float, float]:
    scores = [score(ballot, option) for ballot in ballots]
    return -sum(value == HARD_NO for value in scores), min(scores)


def _without_veto(options: Iterable[str], ballots: Iterable[Ballot]) -> frozenset[str]:
    vetoed = {option for ballot in ballots for option in ballot.hard_no}
    return frozenset(option for option in options if option not in vetoed)


def _first(options: Iterable[str], rank: Callable[[str], tuple[float, ...]]) -> frozenset[str]:
    """The options that rank highest, all of them where several do."""
    ranks = {option: tuple(round(value, 9) for value in rank(option)) for option in options}
    highest = max(ranks.values(), default=())
    return frozenset(option for option, place in ranks.items() if place == highest)


class Poll(Struct, frozen=True):
    """A vote with the ballots it rests on: the last of every member about that slot, up to the vote."""

    turn: str
    slot: str
    vote: Vote
    election: Election
    names: tuple[str, ...]

    @property
    def selected(self) -> str:
        """The plain name of the option that was selected; empty where none was."""
        return option_key(self.vote.selected_option)

    @property
    def counted(self) -> bool:
        """Whether there are ballots and something was selected."""
        return bool(self.selected and self.election.ballots)

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
            return approves(ballot, self.selected)
        return any(approves(ballot, option) for option in (self.selected, *self.chosen))

    @property
    def chosen(self) -> list[str]:
        """The options that the selected one names, where it holds several ("Italian and Thai")."""
        return [option for option in self.election.options if f" {option} " in f" {self.selected} "]

    @property
    def minority(self) -> list[str]:
        """The members, by plain name, who do not approve what was selected."""
        return [ballot.member for ballot in self.election.ballots if not self.serves(ballot)]


def polls(trip: Trip) -> list[Poll]:
    """The votes of a trip, each once, with the ballots cast on its slot up to then.

    A synthesis without a vote is one that selects nothing: its strategy may still be one that promises something. What
    is as it was before on its slot is that again, as where the state of a dialogue is repeated in every turn.
    """
    roles = {option_key(member.id): frozenset(_roles_in(member.role or member.id)) for member in trip.members}
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
    """Whether a poll is the one before again: the same vote or, without one, the same strategy, on the same ballots."""
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
    """What was voted on; a ballot that says nothing is none."""
    ballots = tuple(ballot for ballot in box if ballot.top_choice or ballot.acceptable or ballot.hard_no)
    named = [name for ballot in ballots for name in (ballot.top_choice, *ballot.acceptable, *ballot.hard_no)]
    scores = {
        option_key(count.option): {option_key(member): own for member, own in count.member_scores.items()}
        for count in vote.option_details
    }
    options = tuple(dict.fromkeys(filter(None, [*named, *scores])))
    return Election(ballots, options, roles, scores if all(scores.values()) else {})


def _roles_in(text: str) -> Iterator[str]:
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
    """Whether a vote follows the operator it declares; None where that cannot be told from the ballots.

    It cannot be told without ballots, for an operator that is unknown or looks at more than ballots, where it leaves no
    option (all are vetoed, nobody has the role), and where members go separate ways and the vote names one option.
    """
    operator = poll.operator if poll.counted else ""
    if operator in WINNERS:
        winners = WINNERS[operator](poll.election)
        return VoteCheck(poll.selected in winners, operator, tuple(sorted(winners))) if winners else None
    tops = tuple(sorted({ballot.top_choice for ballot in poll.election.ballots} - {""}))
    several = len(poll.chosen) > 1
    if not tops or operator in ("", UNCHECKED) or (operator != INCLUDE_BOTH and not several):
        return None
    return VoteCheck(set(tops) <= {poll.selected, *poll.chosen}, operator, tops)
