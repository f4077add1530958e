"""Joining gold dialogues with the predictions of an arm."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from msgspec import structs

from adjudge.suites.service.data import (
    NO_PREDICTION,
    USER,
    Annotation,
    DomainSource,
    ServiceDialogue,
    ServiceTurn,
    Value,
)
from adjudge.suites.service.read.names import dialogue_key, slot_key
from adjudge.suites.service.read.predictions import PredictedTurn, Predictions


@dataclass(frozen=True)
class Joining:
    """How predictions are joined with gold, as the options ask.

    `rename` maps predicted slots to their names in gold; `gold_states` fills in gold states for an arm that predicts
    none; `missing_is_wrong` gives dialogues and turns without prediction an empty one; `domains` is where the domains
    of replies come from in records with predictions of their own (None: as the record says).
    """

    rename: Mapping[str, str]
    gold_states: bool
    missing_is_wrong: bool
    domains: DomainSource | None = None

    def join(self, gold: ServiceDialogue, predictions: Predictions) -> ServiceDialogue | None:
        """The record of an arm: the gold dialogue with its predictions; None where the arm has none for it."""
        entries = predictions.turns.get(dialogue_key(gold.id))
        if entries is None:
            if not self.missing_is_wrong:
                return None
            entries = ()
        fill = self.gold_states and not predictions.has_states
        return ServiceDialogue(
            id=gold.id,
            arm=predictions.arm,
            participants=gold.participants,
            turns=tuple(self._turns(gold.turns, entries, fill)),
            services=gold.services,
            goal=gold.goal,
            placeholders=predictions.placeholders,
            gold_state=fill,
            domain_source=predictions.domain_source,
        )

    def complete(self, dialogue: ServiceDialogue) -> ServiceDialogue:
        """A record that has its own predictions, with slots renamed and missing predictions filled in."""
        turns = dialogue.turns
        if self.rename:
            turns = tuple([self._with_renamed_slots(turn) for turn in turns])
        if self.missing_is_wrong:
            turns = tuple([_with_prediction(turn) for turn in turns])
        source = self.domains or dialogue.domain_source
        if turns is dialogue.turns and source == dialogue.domain_source:
            return dialogue
        return structs.replace(dialogue, turns=turns, domain_source=source)

    def _turns(
        self, turns: tuple[ServiceTurn, ...], entries: Sequence[PredictedTurn], fill: bool
    ) -> Iterator[ServiceTurn]:
        """The turns with what was predicted: one entry for each user turn and the reply that follows."""
        place = -1
        for turn in turns:
            if turn.speaker == USER:
                place += 1
                entry = entries[place] if place < len(entries) else None
                yield ServiceTurn(turn.id, USER, turn.text, turn.gold, self._prediction(turn, entry, fill))
            elif 0 <= place < len(entries):
                reply = entries[place].response
                predicted = None if reply is None else NO_PREDICTION
                yield ServiceTurn(turn.id, turn.speaker, reply or "", turn.gold, predicted, turn.text)
            else:
                yield ServiceTurn(turn.id, turn.speaker, "", turn.gold, None, turn.text)

    def _prediction(self, turn: ServiceTurn, entry: PredictedTurn | None, fill: bool) -> Annotation | None:
        if entry is None:
            return NO_PREDICTION if self.missing_is_wrong else None
        state = _first_gold_state(turn.gold) if fill else self._state(entry)
        return Annotation(
            domains=entry.active_domains,
            intents=entry.intents,
            state=state,
            acts=entry.acts,
            action=entry.action,
        )

    def _state(self, entry: PredictedTurn) -> dict[str, Value] | None:
        if entry.state is None:
            return None
        state: dict[str, Value] = {}
        for domain, slots in entry.state.items():
            domain = domain.lower()
            if not slots:
                state[f"{domain}-"] = ""
            for slot, value in slots.items():
                name = slot_key(domain, slot)
                state[self.rename.get(name, name)] = value
        return state

    def _with_renamed_slots(self, turn: ServiceTurn) -> ServiceTurn:
        predicted = turn.predicted
        if predicted is None or predicted.state is None:
            return turn
        state = {self.rename.get(slot, slot): value for slot, value in predicted.state.items()}
        return structs.replace(turn, predicted=structs.replace(predicted, state=state))


def _first_gold_state(gold: Annotation | None) -> dict[str, Value] | None:
    """The gold state as the convention of MultiWOZ_Evaluation fills it in: the first alternative, without dontcare."""
    if gold is None or gold.state is None:
        return None
    first = {slot: value if isinstance(value, str) else value[0] for slot, value in gold.state.items()}
    return {slot: value for slot, value in first.items() if value != "dontcare"}


def _with_prediction(turn: ServiceTurn) -> ServiceTurn:
    """The turn with an empty prediction where the user spoke and nothing was predicted."""
    if turn.speaker != USER or turn.predicted is not None:
        return turn
    return structs.replace(turn, predicted=NO_PREDICTION)
