"""Which claims a place meets and which it rules out, by the rules with which the suite judges a plan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from adjudge.suites.trip.data import ACTIONABLE, KIND_OF_SLOT, CatalogueEntry
from adjudge.suites.trip.rules.channels import WishPair, is_untold
from adjudge.suites.trip.rules.dialogue import SlotPreference, join_statements
from adjudge.suites.trip.rules.offers import Offer
from adjudge.suites.trip.rules.targets import judge_pair
from adjudge.suites.trip.rules.vocabulary import CategoryPhrases, with_categories
from adjudge.suites.trip.rules.wishes import ParsedWish, read_wish
from adjudge.systems.trip.data import SpokenWish

# Verdicts of a wish on a place that are kept: those of some hundred groups.
VERDICTS = 1 << 17


class PlaceVerdict(NamedTuple):
    """What one place does for a wish: it meets it, or it rules out that any place meets it."""

    meets: bool
    bars: bool


class Want(NamedTuple):
    """All that a member wants in a slot, as the suite makes one pair of it."""

    member: str
    slot: str
    preference: SlotPreference
    wish: ParsedWish


class Matcher:
    """Holds the wishes of a group against the places of a catalogue."""

    def __init__(self, catalogue: Sequence[CatalogueEntry]) -> None:
        self._categories = {slot: _categories(catalogue, kind) for slot, kind in KIND_OF_SLOT.items()}

    def verdict(self, want: Want, entry: CatalogueEntry) -> PlaceVerdict:
        """What a place does for a wish for its own slot."""
        return _verdict(want.slot, want.wish, entry, self._categories[want.slot])

    def is_met(self, want: Want, entries: Iterable[CatalogueEntry]) -> bool:
        """Whether a plan with these places satisfies a wish, as satisfaction_strict says without an embedder."""
        kind = KIND_OF_SLOT[want.slot]
        offers = tuple(Offer(entry.name, entry) for entry in entries if entry.kind == kind)
        return judge_pair(
            WishPair(want.preference, want.wish, offers, _lexicon(want.slot, self._categories[want.slot]))
        ).strict.passed


def wants_of(claims: Iterable[SpokenWish]) -> list[Want]:
    """What each member wants in each slot that a plan can satisfy; those who want nothing there are left out."""
    statements: dict[tuple[str, str], list[SlotPreference]] = {}
    for claim in claims:
        if claim.slot in ACTIONABLE:
            spoken = SlotPreference(claim.member, claim.slot, claim.text, claim.strength, "spoken")
            statements.setdefault((claim.member, claim.slot), []).append(spoken)
    preferences = [join_statements(group) for group in statements.values()]
    wants = [Want(each.member, each.slot, each, read_wish(each)) for each in preferences]
    return [want for want in wants if not want.wish.indifferent]


def _categories(catalogue: Sequence[CatalogueEntry], kind: str) -> frozenset[str]:
    return frozenset(name for entry in catalogue if entry.kind == kind for name in (*entry.cuisines, *entry.categories))


@lru_cache(maxsize=256)
def _lexicon(slot: str, categories: frozenset[str]) -> CategoryPhrases:
    return with_categories(slot, categories)


@lru_cache(maxsize=VERDICTS)
def _verdict(slot: str, wish: ParsedWish, entry: CatalogueEntry, categories: frozenset[str]) -> PlaceVerdict:
    spoken = SlotPreference("", slot, "")
    pair = WishPair(spoken, wish, (Offer(entry.name, entry),), _lexicon(slot, categories))
    judgement = judge_pair(pair)
    # A refusal that no rule of the lodging speaks of is left open by the suite, and so by the planner.
    return PlaceVerdict(judgement.strict.passed and not is_untold(pair), bool(judgement.barred))
