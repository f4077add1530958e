"""Rule-based triage: what a user turn is about, and the state of the dialogue after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from adjudge.suites.service.rules.database import Venues
from adjudge.suites.service.rules.linking import Links, linker_of
from adjudge.systems.service.catalogue import catalogue_of
from adjudge.systems.service.filling import TurnContext, is_negated, no_preferences, pairs_of
from adjudge.systems.service.lexicon import Lexicon, lexicon_of
from adjudge.systems.service.memory import DialogueMemory
from adjudge.systems.service.mentions import UserUtterance, read_utterance
from adjudge.systems.service.routing import Routing, route
from adjudge.systems.service.unlisted import unlisted_values

# The slots that a user may ask for about a venue, a train or a taxi.
_ASKED_FOR = frozenset(("phone", "address", "postcode", "fee", "ref", "duration", "cost", "trainid", "car"))
# The same of slots that a user may also fill: a question only where the turn asks.
_ALSO_FILLED = frozenset(("area", "pricerange", "stars", "type", "food", "leaveat", "arriveby", "internet", "parking"))


class TriagedTurn(Struct, frozen=True):
    """What triage makes of a user turn.

    `domains` are those the turn is about, the one in focus last. `state` is the state after the turn and `changed`
    the slots that the turn filled; `requested` are the slots that the user wants to know, and `offered` the venues
    last named in each domain. `books` says that a booking is wanted, `accepts` and `refuses` what the user thinks of
    the last offer, `another` that the user wants a different venue, `ends` that nothing more is wanted.
    """

    domains: tuple[str, ...] = ()
    state: dict[str, str] = {}
    offered: dict[str, str] = {}
    changed: tuple[str, ...] = ()
    requested: tuple[str, ...] = ()
    books: bool = False
    accepts: bool = False
    refuses: bool = False
    another: bool = False
    ends: bool = False

    @property
    def focus(self) -> str:
        """The domain that the reply is about."""
        return self.domains[-1] if self.domains else ""


def triage(memory: DialogueMemory, reply: str, text: str, db: Venues) -> TriagedTurn:
    """What a user turn says, given what is remembered and the system's reply before it."""
    lexicon = lexicon_of(db)
    named = names_of(linker_of(db).link(reply), db)
    known = TurnContext(memory, {**memory.offered, **named}, _asked_slots(reply, lexicon), lexicon)
    utterance = read_utterance(text, lexicon)
    routing = route(utterance, memory.focus, known.asked)
    filled: dict[str, str] = {}
    for mention in utterance.mentions:
        filled.update(pairs_of(mention, utterance, routing, known))
    filled.update(unlisted_values(text, routing.focus, {**memory.state, **filled}))
    filled.update(no_preferences(utterance, routing, known, filled))
    if name := _accepted_name(utterance, routing.focus, named, filled):
        filled[f"{routing.focus}-name"] = name
    stale = _stale_names(filled, memory.state, db)
    return _hear(utterance, routing, known, filled, stale)


def _asked_slots(reply: str, lexicon: Lexicon) -> frozenset[str]:
    """The slots that a reply asks for."""
    utterance = read_utterance(reply, lexicon)
    return frozenset(word.meaning.slot for word in utterance.of("words") if word.sentence in utterance.questions)


def names_of(links: Links, db: Venues) -> dict[str, str]:
    """The venue that a reply names in each domain, where it names one only."""
    names = lexicon_of(db).names
    named = {domain: {names.get((domain, key), key) for key in venues} for domain, venues in links.venues.items()}
    return {domain: next(iter(venues)) for domain, venues in named.items() if len(venues) == 1}


def _accepted_name(utterance: UserUtterance, domain: str, named: Mapping[str, str], filled: Mapping[str, str]) -> str:
    """The venue just offered, where the user takes it up; empty where there is none."""
    if domain not in named or f"{domain}-name" in filled or domain == "train":
        return ""
    kinds = {mention.meaning.slot for mention in utterance.of("yes")}
    wants_facts = any(mention.meaning.slot in _ASKED_FOR for mention in utterance.of("words"))
    books = any(slot.startswith(f"{domain}-book") for slot in filled) or "book" in kinds
    if "another" in kinds or not ("accept" in kinds or wants_facts or books):
        return ""
    return named[domain]


def _stale_names(filled: Mapping[str, str], state: Mapping[str, str], db: Venues) -> set[str]:
    """The names in the state that do not fit what the turn says of their domain."""
    catalogue, stale = catalogue_of(db), set()
    for domain in {slot.partition("-")[0] for slot in filled}:
        slot = f"{domain}-name"
        if slot in state and slot not in filled and not catalogue.fitting_ids(domain, {**state, **filled}):
            stale.add(slot)
    return stale


def _hear(
    utterance: UserUtterance, routing: Routing, known: TurnContext, filled: Mapping[str, str], stale: set[str]
) -> TriagedTurn:
    kinds = {mention.meaning.slot for mention in utterance.of("yes") if not is_negated(mention, utterance)}
    before = {slot: value for slot, value in known.memory.state.items() if slot not in stale}
    return TriagedTurn(
        domains=routing.domains,
        state={**before, **filled},
        offered=dict(known.offered),
        changed=tuple(slot for slot, value in filled.items() if before.get(slot) != value),
        requested=tuple(dict.fromkeys(_requested_slots(utterance, filled))),
        books="book" in kinds or any(slot.startswith(f"{routing.focus}-book") for slot in filled),
        accepts="accept" in kinds,
        refuses="refuse" in kinds,
        another="another" in kinds,
        ends="bye" in kinds and not filled and not any(cue.firm for cue in routing.cues),
    )


def _requested_slots(utterance: UserUtterance, filled: Mapping[str, str]) -> Iterator[str]:
    asking = utterance.questions | {
        word.sentence for word in utterance.of("yes") if word.meaning.slot in ("asks", "has")
    }
    filled_slots = {slot.partition("-")[2] for slot in filled}
    for word in utterance.of("words"):
        slot = word.meaning.slot
        if slot in _ASKED_FOR or (slot in _ALSO_FILLED and word.sentence in asking and slot not in filled_slots):
            yield slot
