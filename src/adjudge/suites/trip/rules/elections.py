"""Elections: the score of each option on a ballot, and the winners under each operator of social choice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from adjudge.suites.trip.data import Ballot

# The score of an option for a member: top choice, acceptable, neither, ruled out. Only weighted_average adds scores;
# the other operators use no more than their order.
TOP, ACCEPTABLE, NEUTRAL, HARD_NO = 2.0, 1.0, 0.0, -1.0


class Election(Struct, frozen=True):
    """The ballots on a set of options; all names are normalised.

    `roles` says who is a parent or an elder. `scores` are the vote's own scores for each option, by member.
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
        """Whether the vote's scores can be weighted ballots: they cover all options in the order of every ballot."""
        whole = bool(self.scores) and self.scores.keys() >= set(self.options)
        return whole and all(self._keeps(ballot) for ballot in self.ballots)

    def _keeps(self, ballot: Ballot) -> bool:
        """Whether the vote's scores keep the order in which a ballot ranks the options."""
        given = {option: scores.get(ballot.member) for option, scores in self.scores.items()}
        ranked = [(score(ballot, option), own) for option, own in given.items() if own is not None]
        apart = (high > low for rank, high in ranked for lower, low in ranked if rank > lower)
        return len(ranked) == len(given) and all(apart)


Operator = Callable[[Election], frozenset[str]]


def approval(election: Election) -> frozenset[str]:
    """The options that most members approve."""
    return _first(election.options, lambda option: (_approvals(election.ballots, option),))


def plurality(election: Election) -> frozenset[str]:
    """The options that are the top choice of most members."""
    return _first(election.options, lambda option: (sum(ballot.top_choice == option for ballot in election.ballots),))


def least_misery(election: Election) -> frozenset[str]:
    """The options that the fewest members rule out; ties are broken by the highest lowest score of a member."""
    return _first(election.options, lambda option: _least_misery(election.ballots, option))


def weighted_average(election: Election) -> frozenset[str]:
    """The options with the highest sum of scores over all members.

    The scores are the vote's own if they agree with the order of every ballot, since they may hold members' weights;
    otherwise they come from the ballots.
    """
    if election.weighs:
        return _first(election.scores, lambda option: (sum(election.scores[option].values()),))
    return _first(election.options, lambda option: (sum(score(ballot, option) for ballot in election.ballots),))


def hard_constraint(election: Election) -> frozenset[str]:
    """The options that nobody rules out."""
    return _without_veto(election.options, election.ballots)


def parent_veto(election: Election) -> frozenset[str]:
    """The options that no parent rules out; none if no parent votes."""
    parents = election.cast_by("parent")
    return _without_veto(election.options, parents) if parents else frozenset()


def elder_veto(election: Election) -> frozenset[str]:
    """The options that no elder rules out; none if no elder votes."""
    elders = election.cast_by("elder")
    return _without_veto(election.options, elders) if elders else frozenset()


def parent_vote(election: Election) -> frozenset[str]:
    """The options that most parents approve; ties are broken by least misery over all; none if no parent votes."""
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


def score(ballot: Ballot, option: str) -> float:
    """The score of an option for a member: 2 top choice, 1 acceptable, 0 neither; -1 if ruled out in any case."""
    if option in ballot.hard_no:
        return HARD_NO
    if option == ballot.top_choice:
        return TOP
    return ACCEPTABLE if option in ballot.acceptable else NEUTRAL


def approves(ballot: Ballot, option: str) -> bool:
    """Whether an option is a member's top choice or acceptable, and not ruled out."""
    return score(ballot, option) > NEUTRAL


def _approvals(ballots: Iterable[Ballot], option: str) -> int:
    return sum(approves(ballot, option) for ballot in ballots)


def _least_misery(ballots: Iterable[Ballot], option: str) -> tuple[float, float]:
    scores = [score(ballot, option) for ballot in ballots]
    return -sum(value == HARD_NO for value in scores), min(scores)


def _without_veto(options: Iterable[str], ballots: Iterable[Ballot]) -> frozenset[str]:
    vetoed = {option for ballot in ballots for option in ballot.hard_no}
    return frozenset(option for option in options if option not in vetoed)


def _first(options: Iterable[str], rank: Callable[[str], tuple[float, ...]]) -> frozenset[str]:
    """The options with the highest rank; several if they tie."""
    ranks = {option: tuple(round(value, 9) for value in rank(option)) for option in options}
    highest = max(ranks.values(), default=())
    return frozenset(option for option, place in ranks.items() if place == highest)
