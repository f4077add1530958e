"""Whether the decision is the right one, where that is known."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.core.card import metric
from adjudge.core.mark import Mark
from adjudge.suites.decision.data import Decision
from adjudge.suites.decision.rules.preferences import decision_text, is_choice, leaders, votes


@metric(
    "Match",
    formula="1 if the recommended alternative is the right one, else 0",
    unit="decision",
    better="higher",
    pool="conversations",
    probes=("decision",),
    predicts=("a decision",),
    source="Evaluation Methodology (repository kerbgr/crisis_mas_poc), Ground Truth Validation",
    primary=True,
)
def ground_truth_match(decision: Decision) -> Iterator[Mark]:
    """Is the recommended alternative the right one?

    Undefined if the truth is not known. For a decision that is a lottery, the value is the share of the right
    alternative.
    """
    if decision.truth is None or not decision.shares:
        return
    value = sum(share for name, share in decision.shares.items() if name == decision.truth)
    yield Mark(min(value, 1.0), why=f"decided {decision_text(decision)}, right is {decision.truth!r}")


@metric(
    "UnanimousWrong",
    formula=(
        "decisions whose agents all end with the same wrong preference / decisions whose agents all end with the same "
        "preference"
    ),
    unit="decision",
    better="lower",
    pool="conversations",
    probes=("consensus",),
    source="our own",
    primary=True,
)
def unanimous_wrong(decision: Decision) -> Iterator[Mark]:
    """When all agents agree in the end, are they wrong?

    Consensus does not make a decision right; this metric shows how often it is wrong. Undefined if agents disagree, and
    if the truth is not known.
    """
    counts = votes(decision.last)
    answered = len(decision.last) > 1 and all(assessment.choices for assessment in decision.last)
    if decision.truth is None or not answered or len(counts) != 1 or not is_choice(decision):
        return
    (shared,) = leaders(counts)
    wrong = shared != decision.truth
    yield Mark(
        float(wrong), why=f"all {len(decision.last)} say {shared!r}, right is {decision.truth!r}" if wrong else ""
    )
