"""The coordinator: it combines what the experts say, measures how far they agree, and decides whether they go on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from msgspec import structs

from adjudge.core.play import Decision, Said, View
from adjudge.suites.decision.data import ROUNDING, Assessment, StatedScores
from adjudge.suites.decision.metrics.confidence import OF_AGENTS, OF_CONSENSUS
from adjudge.suites.decision.rules.beliefs import mean_confidence, pair_cosines
from adjudge.suites.decision.rules.preferences import equal_shares, leaders, votes
from adjudge.systems.decision.combination import combine_assessments
from adjudge.systems.decision.data import COORDINATOR, CoordinatorFacts, RoundVerdict
from adjudge.systems.decision.stopping import Stopping
from adjudge.systems.decision.wording import word_decision, word_round

DECIDED = "decided"


@dataclass(frozen=True)
class Agreement:
    """How far experts agree: the mean cosine of their beliefs, and the pairs below the wanted consensus.

    `confidence` is the group's, from its consensus and the confidences of its experts as the source says; None where
    one of both is not known.
    """

    consensus: float | None
    conflicts: list[tuple[str, str, float]]
    confidence: float | None

    @classmethod
    def of(cls, assessments: Sequence[Assessment], wanted: float) -> Agreement:
        """The agreement of these assessments; the pair that is furthest apart comes first."""
        cosines = pair_cosines(assessments)
        consensus, sure = fmean(cosines.values()) if cosines else None, mean_confidence(assessments)
        pairs = [(*pair, cosine) for pair, cosine in cosines.items() if cosine < wanted]
        confidence = None if consensus is None or sure is None else OF_CONSENSUS * consensus + OF_AGENTS * sure
        return cls(consensus, sorted(pairs, key=lambda pair: pair[2]), confidence)


def relay(view: View[None]) -> Said[None]:
    """Hand on what the only expert says, with its own confidence."""
    assessments = view.facts.assessments
    shares = equal_shares(assessments[0].choices) if assessments else {}
    confidence = assessments[0].confidence if assessments else None
    return Said(word_decision(shares, confidence), facts=_verdict(shares, confidence), ends=DECIDED)


def count_votes(view: View[None], stopping: Stopping) -> Said[None]:
    """Decide for what most experts prefer; a tie is shared equally."""
    facts: CoordinatorFacts = view.facts
    agreement = Agreement.of(facts.last_round, stopping.consensus)
    counts = votes(facts.last_round)
    return _close(facts, agreement, StatedScores(consensus=agreement.consensus, final_scores=counts), {})


def combine_round(view: View[None], parts: frozenset[str], stopping: Stopping) -> Said[None]:
    """Decide by what the experts say in the last round."""
    facts: CoordinatorFacts = view.facts
    agreement = Agreement.of(facts.last_round, stopping.consensus)
    combination = combine_assessments(facts.question, facts.last_round, parts)
    stated = StatedScores(
        consensus=agreement.consensus,
        final_scores=combination.scores,
        er_scores=combination.beliefs,
        mcda_scores=combination.closeness,
    )
    return _close(facts, agreement, stated, {"conflict": combination.conflict})


def chair(view: View[None], parts: frozenset[str], stopping: Stopping) -> Said[None]:
    """Open another round until the experts agree, nobody changes anything, or the rounds are over."""
    facts: CoordinatorFacts = view.facts
    agreement = Agreement.of(facts.last_round, stopping.consensus)
    reason = stop_reason(facts, agreement.consensus, stopping)
    if reason:
        return structs.replace(combine_round(view, parts, stopping), ends=f"{DECIDED}: {reason}")
    finding = _finding(facts, agreement, {})
    text = f"{finding.text} Tell each other your scores, and take over those that you lack."
    return Said(text, facts=RoundVerdict(again=True), decisions=(finding,))


def stop_reason(facts: CoordinatorFacts, consensus: float | None, stopping: Stopping) -> str:
    """Why a deliberation is over; empty to go on.

    Consensus counts only once the experts have heard each other: agreement before that says nothing about what each of
    them alone knows.
    """
    if facts.round > 1 and consensus is not None and consensus >= stopping.consensus:
        return "consensus"
    if facts.round > 1 and not _is_changed(facts.of_round(facts.round - 1), facts.last_round):
        return "no change"
    return "the last round" if facts.round >= stopping.rounds else ""


def _is_changed(before: Sequence[Assessment], after: Sequence[Assessment]) -> bool:
    """Whether somebody believes something else than in the round before."""
    earlier = {each.agent: each.beliefs for each in before}
    return any(_distance(earlier.get(each.agent, {}), each.beliefs) > ROUNDING for each in after)


def _distance(first: Mapping[str, float], second: Mapping[str, float]) -> float:
    return max((abs(first.get(name, 0.0) - second.get(name, 0.0)) for name in {**first, **second}), default=0.0)


def _close(
    facts: CoordinatorFacts, agreement: Agreement, stated: StatedScores, more: Mapping[str, object]
) -> Said[None]:
    """What the coordinator says in the end."""
    shares = equal_shares(leaders(stated.final_scores)) if stated.final_scores else {}
    finding = _finding(facts, agreement, more)
    text = f"{finding.text} {word_decision(shares, agreement.confidence)}"
    return Said(text, facts=_verdict(shares, agreement.confidence, stated), decisions=(finding,), ends=DECIDED)


def _finding(facts: CoordinatorFacts, agreement: Agreement, more: Mapping[str, object]) -> Decision:
    """How far the experts agree, and which pairs do not."""
    text = word_round(facts.round, agreement.consensus, agreement.conflicts)
    return Decision(
        COORDINATOR, text, {"consensus": agreement.consensus, "conflict_pairs": agreement.conflicts, **more}
    )


def _verdict(shares: Mapping[str, float], confidence: float | None, stated: StatedScores | None = None) -> RoundVerdict:
    sole = next(iter(shares)) if len(shares) == 1 else None
    return RoundVerdict(
        recommended=sole, lottery={} if sole else dict(shares), confidence=confidence if shares else None, stated=stated
    )
