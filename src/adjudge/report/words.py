"""The words and figures that all reports share, so that no two reports say the same thing differently."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from string import ascii_uppercase

from adjudge.core.card import Better

ARROWS: dict[Better, str] = {"higher": "↑", "lower": "↓", "neither": ""}
DIRECTIONS: dict[Better, str] = {
    "higher": "Higher is better.",
    "lower": "Lower is better.",
    "neither": "Neither direction is better.",
}
# Shown in place of a missing value.
NONE = "–"
INTERVAL = "95 % interval"
# A smaller p is shown as "<0.001": the approximations behind it do not support more digits.
SMALLEST_P = 0.001
VARIANTS = "Variants (literal readings of a source's definition, for reference)"
RETIRED = "retired metrics, which the installed suite no longer has"

# How a test or an interval was computed, in words, by the name of its method. A name that is not listed speaks for
# itself.
METHODS = {
    "score": "Wilson's score interval for as many independent 0/1 marks as the cases are worth, cluster-robust by case",
    "exact": "all cases lie at one end of the scale: Clopper and Pearson's interval, with each case as one mark",
    "cluster t": "cluster-robust by case, Student's t with one degree of freedom fewer than cases",
    "paired score": "Tango's score test and interval at the effective number of pairs, cluster-robust by case",
    "tango score": "Tango's score test and interval for cases with one 0/1 mark in both arms",
    "newcombe score": "Newcombe's interval for arms that share no case, from the score interval of each arm",
    "paired t": "Student's t over the differences of cases",
    "welch t": "Welch's t for arms that share no case",
    "percentile bootstrap": "percentiles of the difference over resampled cases, with a fixed seed",
    "redrawn groups": "the group means redrawn 2,000 times from their sampling distributions, with a fixed seed",
}


def figure(value: float) -> str:
    """A value with three decimals.

    >>> figure(-0.0001)
    '0.000'
    """
    text = f"{value:.3f}"
    return "0.000" if text == "-0.000" else text


def signed_figure(value: float) -> str:
    """A difference with its sign.

    >>> signed_figure(0.5), signed_figure(-0.0001)
    ('+0.500', '0.000')
    """
    return f"{value:+.3f}" if figure(value) != "0.000" else "0.000"


def bounds(low: float | None, high: float | None) -> str:
    """The bounds of an interval; a dash where there are none.

    >>> bounds(-0.1, 0.25)
    '-0.100 to 0.250'
    """
    return NONE if low is None or high is None else f"{figure(low)} to {figure(high)}"


def p_value(p: float | None) -> str:
    """A p with three decimals, or that it is smaller.

    >>> p_value(0.04), p_value(0.00001), p_value(None)
    ('0.040', '<0.001', '–')
    """
    if p is None:
        return NONE
    return f"<{SMALLEST_P}" if p < SMALLEST_P else f"{p:.3f}"


def plural(noun: str) -> str:
    """The plural of a noun.

    >>> plural("turn"), plural("reply"), plural("domain switch"), plural("slot of a turn")
    ('turns', 'replies', 'domain switches', 'slots of a turn')
    """
    # The head stands before the first preposition: "slot" in "slot of a turn".
    head, *rest = re.split(r" (?=(?:of|with|in|at|per|that) )", noun, maxsplit=1)
    if re.search(r"[^aeiou]y$", head):  # reply, but not day
        head = head[:-1] + "ies"
    else:
        head += "es" if re.search(r"(s|x|z|ch|sh)$", head) else "s"  # box, switch
    return " ".join([head, *rest])


def count(number: int, noun: str) -> str:
    """A number with its noun."""
    return f"{number} {noun if number == 1 else plural(noun)}"


def enumerate_names(names: Sequence[str], most: int) -> str:
    """The first names, and how many more there are.

    >>> enumerate_names(list("abcdef"), 4)
    'a, b, c, d and 2 more'
    """
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{rest}"


def arm_name(arm: str) -> str:
    """The arm's name, or what stands for an arm without one."""
    return arm or "(unnamed)"


def arm_letter(arm: str, arms: Sequence[str]) -> str:
    """The letter of an arm on all pages about its run; empty where letters do not suffice.

    >>> arm_letter("late", ["early", "late"])
    'B'
    """
    place = list(arms).index(arm) if arm in arms else len(ascii_uppercase)
    return ascii_uppercase[place] if place < len(ascii_uppercase) else ""


def unlinked_line(shown: int, named: int) -> str:
    """Why some of the conversations that a page names are not links; empty if all are.

    >>> unlinked_line(60, 152)
    'The page has 60 of the 152 conversations it names; one without a link is only in records.jsonl of its run.'
    """
    if shown >= named:
        return ""
    return (
        f"The page has {shown} of the {named} conversations it names; "
        "one without a link is only in records.jsonl of its run."
    )


def method_words(method: str) -> str:
    """A method by its name and in words; the name alone where it has no words."""
    return f"{method}: {METHODS[method]}" if method in METHODS else method


def retired_line(metrics: Iterable[str]) -> str:
    """Which metrics of a run its suite no longer has; empty where it has them all."""
    names = list(metrics)
    return f"{RETIRED}: {', '.join(names)}" if names else ""
