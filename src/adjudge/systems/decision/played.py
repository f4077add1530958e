"""What participants may know of a case, and the record of a played decision."""

from __future__ import annotations

from collections.abc import Sequence

from adjudge.core.play import PlayedConversation, PlayedTurn, Spent, Utterance
from adjudge.core.record import Participant
from adjudge.core.system import Seen, hear
from adjudge.english.tokens import bare_words, has_phrase
from adjudge.suites.decision.data import Assessment, Decision, DecisionScenario, DecisionTurn, Effort
from adjudge.systems.decision.data import (
    COORDINATOR,
    Colleague,
    CoordinatorFacts,
    DecisionCase,
    DecisionQuestion,
    ExpertFacts,
    RoundVerdict,
)
from adjudge.systems.decision.wording import word_question


def participants(case: DecisionCase) -> tuple[Participant, ...]:
    """The experts of the case, and the coordinator."""
    return (*(Participant(expert.id, "expert") for expert in case.experts), Participant(COORDINATOR, COORDINATOR))


def view(case: DecisionCase, participant: Participant, turns: tuple[PlayedTurn, ...]) -> Seen:
    """An expert knows the question as it sees it, the coordinator only what is to be decided; both what was said.

    The first turn they hear is the question in words, for systems that read text.
    """
    question = DecisionQuestion(case.name, case.description, case.alternatives, case.criteria)
    assessments = assessments_of(turns)
    if participant.role == COORDINATOR:
        return Seen(CoordinatorFacts(question, assessments), _with_question(word_question(question), turns))
    me = next(expert for expert in case.experts if expert.id == participant.id)
    colleagues = tuple(Colleague(each.id, each.role, each.competence) for each in case.experts if each is not me)
    facts = ExpertFacts(question, me, colleagues, assessments)
    return Seen(facts, _with_question(word_question(question, me), turns))


def _with_question(text: str, turns: tuple[PlayedTurn, ...]) -> tuple[Utterance, ...]:
    return (Utterance(-1, "question", text), *hear(turns))


def assessments_of(turns: Sequence[PlayedTurn]) -> tuple[Assessment, ...]:
    """The assessments that experts gave, in order."""
    return tuple(turn.content.facts for turn in turns if isinstance(turn.content.facts, Assessment))


def record(played: PlayedConversation) -> Decision:
    """The decision with the assessments of every round, and the effort that it took."""
    case: DecisionCase = played.case
    assessments = assessments_of(played.turns)
    verdict = _verdict(case, played.turns)
    return Decision(
        id=played.id,
        scenario=DecisionScenario(case.alternatives, case.criteria, case.matrix, case.name, case.description),
        assessments=assessments,
        recommended=verdict.recommended,
        lottery=verdict.lottery,
        confidence=verdict.confidence,
        truth=case.truth,
        turns=tuple(DecisionTurn(str(turn.number), turn.speaker, turn.content.text) for turn in played.turns),
        effort=effort_of(played.spent, max((each.round for each in assessments), default=None)),
        stated=verdict.stated,
    )


def effort_of(spent: Spent, rounds: int | None) -> Effort:
    """The effort of a decision.

    A rule-based arm makes 0 calls, at no cost. Its time is not known: the seconds are those of models alone.
    """
    tokens = spent.input_tokens + spent.output_tokens
    return Effort(
        iterations=rounds,
        calls=spent.answers,
        seconds=spent.seconds if spent.answers or spent.seconds else None,
        tokens=tokens if tokens or not spent.answers else None,
        cost=spent.cost,
    )


def _verdict(case: DecisionCase, turns: Sequence[PlayedTurn]) -> RoundVerdict:
    """The coordinator's last verdict; without one, the only alternative that its last turn names."""
    last = next((turn for turn in reversed(turns) if turn.speaker == COORDINATOR), None)
    if last is None:
        return RoundVerdict()
    if isinstance(last.content.facts, RoundVerdict):
        return last.content.facts
    text = bare_words(last.content.text)
    names = [name for name in case.alternatives if (phrase := bare_words(name)) and has_phrase(text, phrase)]
    return RoundVerdict(recommended=names[0] if len(names) == 1 else None)
