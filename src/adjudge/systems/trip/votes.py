"""Votes by code: what can be voted on, how a member votes, and how ballots are counted under a strategy."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from adjudge.suites.trip.data import Ballot, OptionCount, Vote, Wish
from adjudge.suites.trip.rules.channels import WishPair
from adjudge.suites.trip.rules.dialogue import SlotPreference, join_statements
from adjudge.suites.trip.rules.elections import WINNERS, Election, score
from adjudge.suites.trip.rules.offers import Offer
from adjudge.suites.trip.rules.strategies import Poll, operator_of, option_key, roles_in
from adjudge.suites.trip.rules.targets import judge_pair
from adjudge.suites.trip.rules.vocabulary import lexicon
from adjudge.suites.trip.rules.wishes import read_wish
from adjudge.systems.trip.data import Person, SpokenWish
from adjudge.systems.trip.kinds import kind_label, kinds_in, refused_kinds

# How often a member accepts what somebody else proposes, where it neither wishes nor refuses it.
TOLERANCE = 0.5
# The rule that decides if a strategy leaves no option, or if ballots cannot decide under it.
OTHERWISE = "least_misery"
# Under these operators members go separate ways: every top choice is selected.
SEVERAL = ("include_both", "subgroups")


def options_of(claims: Sequence[SpokenWish], slot: str) -> tuple[str, ...]:
    """What members propose for a slot, each kind once.

    >>> ann = SpokenWish("Ann", "cuisine", "I'd like fresh pasta")
    >>> bo = SpokenWish("Bo", "cuisine", "Italian, no pizza")
    >>> options_of([ann, bo], "cuisine")
    ('italian',)
    """
    wishes = (read_wish(SlotPreference(claim.member, slot, claim.text, claim.strength)) for claim in claims)
    return tuple(dict.fromkeys(filter(None, (kind_label(wish.wanted, slot) for wish in wishes))))


def ballot_of(person: Person, slot: str, wishes: Sequence[Wish], options: Sequence[str], rng: Random) -> Ballot:
    """How a member votes by its own wishes: what meets them, what it could live with, what it rules out."""
    spoken = [SlotPreference(person.id, slot, wish.text, wish.strength) for wish in wishes if wish.slot == slot]
    verdicts = {option: _verdict(spoken, slot, option) for option in options}
    liked = [option for option, verdict in verdicts.items() if verdict == "meets"]
    others = [option for option, verdict in verdicts.items() if verdict == "open" and rng.random() < TOLERANCE]
    refused = [option for option, verdict in verdicts.items() if verdict == "bars"]
    return Ballot(person.id, next(iter(liked), ""), (*liked[1:], *others), tuple(refused))


def count_votes(
    strategy: str, slot: str, ballots: Sequence[Ballot], options: Sequence[str], people: Sequence[Person]
) -> Vote:
    """The outcome of a vote under a strategy, with the scores of every option and those who get nothing they wanted."""
    roles = {option_key(person.id): frozenset(roles_in(person.role or person.id)) for person in people}
    cast = [ballot for ballot in ballots if ballot.top_choice or ballot.acceptable or ballot.hard_no]
    election = Election(tuple(map(_plain_ballot, cast)), tuple(map(option_key, options)), roles)
    names = {option_key(ballot.member): ballot.member for ballot in ballots}
    vote = Vote(
        method="ballots",
        strategy_id=strategy,
        selected_option=_selection(election, operator_of(strategy)),
        option_details=tuple(_option_count(election, option, names) for option in election.options),
    )
    minority = Poll("", slot, vote, election, (strategy,)).minority
    return Vote(
        vote.method, strategy, vote.selected_option, vote.option_details, tuple(names[each] for each in minority)
    )


def _selection(election: Election, operator: str) -> str:
    tops = list(dict.fromkeys(ballot.top_choice for ballot in election.ballots if ballot.top_choice))
    if operator in SEVERAL and tops:
        return " and ".join(tops)
    winners = WINNERS[operator](election) if operator in WINNERS else frozenset()
    left = winners or WINNERS[OTHERWISE](election)
    return max(election.options, key=lambda option: (option in left, _total(election, option)))


def _option_count(election: Election, option: str, names: dict[str, str]) -> OptionCount:
    scores = {names[ballot.member]: score(ballot, option) for ballot in election.ballots}
    refusals = sum(option in ballot.hard_no for ballot in election.ballots)
    return OptionCount(option, sum(scores.values()), scores, refusals)


def _total(election: Election, option: str) -> float:
    return sum(score(ballot, option) for ballot in election.ballots)


def _plain_ballot(ballot: Ballot) -> Ballot:
    plain = [tuple(map(option_key, names)) for names in (ballot.acceptable, ballot.hard_no)]
    return Ballot(option_key(ballot.member), option_key(ballot.top_choice), *plain)


def _verdict(spoken: Sequence[SlotPreference], slot: str, option: str) -> str:
    """What an option is to a member: it meets the wish, it is ruled out, or neither."""
    if not spoken:
        return "open"
    preference = join_statements(list(spoken))
    wish = read_wish(preference)
    if kinds_in(option, slot) & refused_kinds(wish, slot):
        return "bars"
    judgement = judge_pair(WishPair(preference, wish, (Offer(option),), lexicon(slot)))
    if judgement.barred:
        return "bars"
    meets = wish.wanted and (judgement.strict.passed or kind_label(wish.wanted, slot) == option)
    return "meets" if meets else "open"
