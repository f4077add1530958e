"""Whether the assistant names a strategy, keeps its theory to itself, and does what the strategy says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from math import isclose
from statistics import fmean

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.trip.data import ACTIONABLE, OptionCount, Trip, TripTurn
from adjudge.suites.trip.lexicon import table_of
from adjudge.suites.trip.rules.dialogue import slot_of, syntheses, turns_with
from adjudge.suites.trip.rules.strategies import (
    Poll,
    check_vote,
    is_strategy_named,
    names_in,
    option_key,
    polls,
    strategy_of,
)

SOCIAL_THEORY = ("C4", "C5")
# Totals are written with two places, so they may be off by half of the last.
ROUNDED = 0.005

# "Strategy: least_misery.", "(strategy = Borda)", "**Resolution Strategy:** approval".
_MACHINE_LINE = re.compile(
    r"(?:\b(?:Resolution )?(?:Strategy|STRATEGY)|\bresolution_strategy|(?:^|[(\[])[ \t]*strategy)"
    r"\**\s*[:=]\s*\**\s*(?P<name>[^.;\n)\]]*)[.;]?",
    re.MULTILINE,
)

on_synthesis = partial(
    metric,
    unit="slot",
    better="higher",
    pool="conversations",
    probes=("strategy",),
    predicts=("a dialogue",),
)
on_texts = partial(
    metric,
    unit="turn",
    better="lower",
    pool="conversations",
    probes=("strategy",),
    predicts=("a dialogue",),
)
on_votes = partial(
    metric,
    unit="vote",
    better="higher",
    pool="conversations",
    probes=("vote",),
    predicts=("a dialogue",),
    source="our own",
)


@on_synthesis(
    "M4",
    formula="actionable slots whose synthesis names a strategy / actionable slots with a synthesis",
    source="Metric Reference: Data Sources & Calculations (group travel planning), M4 Theory Strategy Usage Rate",
    departs="Undefined, not 0, in conditions without social theory.",
)
def strategy_named(trip: Trip) -> Iterator[Mark]:
    """Does the assistant name a strategy for the slots that a plan can satisfy?

    "N/A" and similar entries name no strategy. Social theory belongs to C4 and C5. A record without a condition counts
    as using it if any synthesis names a strategy. strategy_faithfulness measures whether the strategy is followed.
    """
    made = syntheses(trip)
    if not _uses_theory(trip, made):
        return
    for slot in [slot for slot in made if slot in ACTIONABLE]:
        named = [turn for turn in made[slot] if is_strategy_named(_strategy(turn))]
        why = _strategy(named[0]) if named else f"found {_strategy(made[slot][0])!r}"
        yield Mark(float(bool(named)), at=slot, turn=(named or made[slot])[0].id, why=why, group=slot)


@metric(
    "StrategyKnown",
    formula="named strategies that are in the table of strategies / named strategies",
    unit="strategy",
    better="higher",
    pool="conversations",
    probes=("strategy",),
    predicts=("a dialogue",),
    source="our own",
    version=2,
)
def strategy_known(trip: Trip) -> Iterator[Mark]:
    """Are the strategies that the assistant names in the table of strategies?

    Underscores, hyphens, case and a final "hc" are ignored. Every synthesis counts, whatever its slot.
    """
    for slot, turns in syntheses(trip).items():
        for turn in turns:
            for name in names_in(_strategy(turn)):
                known = strategy_of(name)
                yield Mark(float(bool(known)), at=name, turn=turn.id, why=known or "not in the table", group=slot)


@on_texts(
    "M4b",
    formula="turns that contain a phrase of the theory / turns that combine wishes, take feedback or present the plan",
    source="Metric Reference: Data Sources & Calculations (group travel planning), M4b Theory Text Leakage Rate",
    departs='A machine-written line "Strategy: x." does not count here; strategy_line_leakage counts it.',
    english=True,
)
def theory_leakage(trip: Trip) -> Iterator[Mark]:
    """Does the assistant's text give away the theory behind it?

    The phrases are in a table (lexicon/leakage.toml): those of the source and the names of the strategies. Case does
    not matter, and `_`, `-` and space are equal. A name that is ordinary English ("include both", "alternate") counts
    only if it is used as a name. Turns without text are not judged.
    """
    for turn in _readable(trip):
        phrase = theory_phrase(_MACHINE_LINE.sub(" ", turn.text))
        yield _leak_mark(turn, phrase)


@on_texts(
    "StrategyLine",
    formula='turns that contain a line "Strategy: x." / turns that combine wishes, take feedback or present the plan',
    source="our own",
)
def strategy_line_leakage(trip: Trip) -> Iterator[Mark]:
    """Does the assistant's text contain a machine-written line that names the strategy?

    A line that names no strategy ("Strategy: N/A.") gives nothing away. Turns without text are not judged.
    """
    for turn in _readable(trip):
        names = (match["name"].strip(" *") for match in _MACHINE_LINE.finditer(turn.text))
        yield _leak_mark(turn, ", ".join(filter(is_strategy_named, names)))


@on_votes("Faithful", formula="votes that select what their declared operator yields from the ballots / votes")
def strategy_faithfulness(trip: Trip) -> Iterator[Mark]:
    """Does a vote select the option that its declared strategy yields from the ballots?

    The operator comes from the vote's strategy, or else its method, or else its synthesis (lexicon/strategies.toml).
    Each member's last ballot on the slot counts. Any of several tied options is right. A veto or hard constraint is
    respected by any option that it permits. include_both must select every member's top choice. If members go separate
    ways (subgroups, self_select, individual_choice, cluster, alternate), every top choice must be among the selected
    options, and a vote that names fewer than two options is undefined.

    Also undefined: votes without ballots or without a selection, unknown strategies, a veto that leaves no option or
    whose holder did not vote, and strategies that ballots cannot decide (budgets, log_roll, flexible_shared_first).
    """
    for poll in polls(trip):
        if check := check_vote(poll):
            why = f"{check.operator} yields {' or '.join(map(repr, check.expected))}, selected {poll.selected_key!r}"
            yield Mark(float(check.faithful), at=_place(poll), turn=poll.turn, why=why, group=poll.slot)


@metric(
    "VoteTotals",
    formula=(
        "options whose total and rejections agree with scores and ballots / options with a total or rejections to check"
    ),
    unit="option",
    better="higher",
    pool="conversations",
    probes=("vote",),
    predicts=("a dialogue",),
    source="our own",
)
def vote_totals(trip: Trip) -> Iterator[Mark]:
    """Do the totals that a vote declares add up?

    A total is right if it is the sum or the mean of the members' scores, rounded to two places. All totals of one vote
    must be sums, or all must be means. The rejections of an option are the ballots that list it as a hard no. Undefined
    for options with neither a total nor rejections.
    """
    for poll in polls(trip):
        adding = _adding(poll.vote.option_details)
        for count in poll.vote.option_details:
            checks = [*_total_faults(count, adding), *_rejection_faults(count, poll)]
            if checks:
                why = "; ".join(filter(None, checks))
                yield Mark(float(not why), at=count.option, turn=poll.turn, why=why, group=poll.slot)


@on_votes("Minority", formula="votes that name the same minority as the ballots / votes with a minority, named or not")
def minority_named(trip: Trip) -> Iterator[Mark]:
    """Does a vote name the members who get nothing they wanted?

    A member is in the minority if their ballot lists the selected option neither on top nor as acceptable. Undefined
    without ballots, and if nobody is in the minority and nobody is named.
    """
    for poll in polls(trip):
        expected = set(poll.minority) if poll.has_ballots else set()
        named = {option_key(member) for member in poll.vote.minority_members}
        if poll.has_ballots and (expected or named):
            why = "" if named == expected else f"named {_name_list(named)}, by the ballots {_name_list(expected)}"
            yield Mark(float(named == expected), at=_place(poll), turn=poll.turn, why=why, group=poll.slot)


def theory_phrase(text: str) -> str:
    """The first phrase of theory in a text; empty if there is none.

    >>> theory_phrase("We follow least-misery here."), theory_phrase("We include both of your wishes.")
    ('least misery', '')
    >>> theory_phrase("So I used include_both."), theory_phrase('By the "alternate" strategy')
    ('include_both', 'alternate strategy')
    """
    flat = re.sub(r"[\s_*\"'`\u201c\u201d\u2018\u2019-]+", " ", text).casefold()
    always, beside, as_name = _patterns()
    match = always.search(flat) or beside.search(flat) or as_name.search(text)
    return match[0] if match else ""


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Phrases that always count, everyday names next to a word such as "rule", and everyday names as written."""
    table = table_of("leakage")
    ordinary, words = _any(table["ordinary"]), _any(table["before"])
    several = [name for name in table["ordinary"] if " " in name]
    written = _any([*(name.replace(" ", "_") for name in several), *(name.title() for name in several)])
    return (
        re.compile(rf"\b(?:{_any([*table['phrases'], *table['strategies']])})s?\b"),
        re.compile(rf"\b(?:{ordinary}) (?:{words})\b|\bstrategy(?: is| called| named| of)?[ ,:]+(?:{ordinary})\b"),
        re.compile(rf"\b(?:{written})\b"),
    )


def _any(phrases: list[str]) -> str:
    return "|".join(sorted(map(re.escape, phrases), key=len, reverse=True))


def _leak_mark(turn: TripTurn, phrase: str) -> Mark:
    """The mark of a turn that gives away a phrase, or none."""
    why = f"found {phrase!r}" if phrase else ""
    return Mark(float(bool(phrase)), at=turn.intent, turn=turn.id, why=why, group=slot_of(turn.intent))


def _readable(trip: Trip) -> Iterator[TripTurn]:
    """The turns whose words could give the theory away."""
    turns = turns_with(trip, "sys_synthesize_", "sys_feedback_", "sys_present_plan")
    return (turn for turn in turns if turn.text.strip())


def _uses_theory(trip: Trip, made: dict[str, list[TripTurn]]) -> bool:
    if trip.condition:
        return trip.condition in SOCIAL_THEORY
    return any(is_strategy_named(_strategy(turn)) for turns in made.values() for turn in turns)


def _strategy(turn: TripTurn) -> str:
    return turn.synthesis.resolution_strategy if turn.synthesis else ""


def _place(poll: Poll) -> str:
    return poll.slot or f"vote in turn {poll.turn}"


def _name_list(members: set[str]) -> str:
    return ", ".join(sorted(members)) or "nobody"


def _adding(counts: tuple[OptionCount, ...]) -> Callable[[list[float]], float]:
    """How totals are computed from scores in a vote: sum or mean, whichever makes more of them right."""
    ways: tuple[Callable[[list[float]], float], ...] = (sum, fmean)
    return max(ways, key=lambda way: sum(not any(_total_faults(count, way)) for count in counts))


def _total_faults(count: OptionCount, way: Callable[[list[float]], float]) -> Iterator[str]:
    """The fault of each total, empty for a right one; options without a total are left out."""
    if count.total_score is not None and count.member_scores:
        right = way(list(count.member_scores.values()))
        fits = isclose(count.total_score, right, rel_tol=1e-9, abs_tol=ROUNDED + 1e-9)
        yield "" if fits else f"total {count.total_score:g}, the scores give {right:g}"


def _rejection_faults(count: OptionCount, poll: Poll) -> Iterator[str]:
    """The fault of each number of rejections, empty for a right one; options without a number are left out."""
    if count.strong_rejections is not None and poll.election.ballots:
        right = sum(option_key(count.option) in ballot.hard_no for ballot in poll.election.ballots)
        fits = count.strong_rejections == right
        yield "" if fits else f"{count.strong_rejections} strong rejections, the ballots have {right}"
