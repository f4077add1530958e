"""The sentences of rule-based experts and of the coordinator, and the question for systems that read text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from adjudge.suites.decision.data import Criterion
from adjudge.systems.decision.data import DecisionQuestion, Expert, Scores

# Scores below this many parts of the scale are weak points, all others strong ones.
WEAK = 0.5
# Pairs of experts that the coordinator names.
NAMED_PAIRS = 3


def word_reasons(
    question: DecisionQuestion, beliefs: Mapping[str, float], scores: Scores, sources: Mapping[str, Sequence[str]]
) -> str:
    """Why an expert prefers what it prefers, what it does not know, and whose scores it took."""
    favourite = max(beliefs, key=beliefs.__getitem__)
    known = scores[favourite]
    strong = [each for each in question.criteria if each.id in known and each.satisfaction(known[each.id]) >= WEAK]
    weak = [each for each in question.criteria if each.id in known and each not in strong]
    unknown = [each.id for each in question.criteria if each.id not in known]
    sides = [_side("strong", strong, known), _side("weak", weak, known)]
    sentences = [f"I favour {favourite} (belief {beliefs[favourite]:.2f}): {' and '.join(filter(None, sides))}."]
    if unknown:
        sentences.append(f"I know nothing about {_list(unknown)}.")
    sentences += [f"I take {criterion} from {_list(names)}." for criterion, names in sources.items()]
    return " ".join(sentences)


def word_round(number: int, consensus: float | None, conflicts: Sequence[tuple[str, str, float]]) -> str:
    """How far experts agree after a round, and who disagrees most."""
    level = "no two experts can be compared" if consensus is None else f"consensus {consensus:.2f}"
    pairs = [f"{first} and {second} ({cosine:.2f})" for first, second, cosine in conflicts[:NAMED_PAIRS]]
    return f"Round {number}: {level}" + (f"; furthest apart: {'; '.join(pairs)}." if pairs else ".")


def word_decision(shares: Mapping[str, float], confidence: float | None) -> str:
    """What is decided."""
    if not shares:
        return "Nothing can be recommended: nobody states a belief."
    sure = "" if confidence is None else f", confidence {confidence:.2f}"
    return f"Recommended: {' or '.join(shares)}{sure}."


def word_question(question: DecisionQuestion, expert: Expert | None = None) -> str:
    """The question in words; for an expert, with itself and the scores that it sees."""
    lines = [f"{question.name}. {question.description}".strip(". ") or "A decision is to be made.", "Alternatives:"]
    lines += [f"- {name}{_scores_of(name, expert)}" for name in question.alternatives]
    lines.append(f"Criteria: {', '.join(map(_criterion, question.criteria))}.")
    if expert:
        unknown = [each.id for each in question.criteria if each.id not in next(iter(expert.scores.values()))]
        lines.append(f"You are {expert.role or expert.id}." + (f" You lack {_list(unknown)}." if unknown else ""))
    return "\n".join([*lines, "Which alternative do you recommend? Name it as it is written here."])


def _scores_of(alternative: str, expert: Expert | None) -> str:
    scores = expert.scores[alternative] if expert else {}
    return f": {', '.join(f'{name} {score:g}' for name, score in scores.items())}" if scores else ""


def _criterion(criterion: Criterion) -> str:
    weight = "" if criterion.weight is None else f", weight {criterion.weight:g}"
    return f"{criterion.id} ({'lower' if criterion.kind == 'cost' else 'higher'} is better{weight})"


def _side(word: str, criteria: Sequence[Criterion], scores: Mapping[str, float]) -> str:
    return f"{word} on {_list(f'{each.id} {scores[each.id]:.2f}' for each in criteria)}" if criteria else ""


def _list(names: Iterable[str]) -> str:
    """Names in words: "a, b and c"."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
