"""Entailment of a patient's sentences by its profile without a judge: rules by item, and cosines.

It is a heuristic and must be called one wherever its results are shown: `quality` says how often it is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from adjudge.core.ask import Embedder, Relation
from adjudge.core.errors import Unanswered
from adjudge.suites.patient.data import Consultation, Sentence
from adjudge.suites.patient.facts import Finding, Limits, Near, in_passing, pieces, read_as, relate
from adjudge.suites.patient.fields import Profile, group_of
from adjudge.suites.patient.kinds import Kind, kind_of
from adjudge.suites.patient.tables import table_of
from adjudge.suites.patient.topics import Claim, claim_of

# The use of an embedder's threshold that the limits are multiples of.
USE = "same"
# Items that are told together: of who is at home, one that is wrong decides.
_AT_HOME = frozenset({"marital_status", "children", "living_situation"})


class Reading(Struct, frozen=True):
    """An information sentence and every item of the profile that it entails or contradicts."""

    sentence: Sentence
    findings: Mapping[str, Finding]

    @property
    def item(self) -> str:
        """The item that decides the sentence: one that it entails, else one that it contradicts; empty: none.

        Where it tells only who is at home, one that it contradicts decides.
        """
        entailed = [name for name, found in self.findings.items() if found.relation == "entail"]
        contradicted = [name for name in self.findings if name not in entailed]
        if _AT_HOME.issuperset(entailed) and not _AT_HOME.isdisjoint(contradicted):
            return contradicted[0]
        return next(iter(entailed or self.findings), "")

    @property
    def relation(self) -> Relation:
        """How the sentence relates to the profile as a whole."""
        return self.findings[self.item].relation if self.item else "neutral"

    @property
    def why(self) -> str:
        """The deciding item, the relation and the reason."""
        return f"{self.item}: {self.relation}: {self.findings[self.item].why}" if self.item else "neutral"

    @property
    def group(self) -> str:
        """The group of the deciding item."""
        return group_of(self.item) if self.item else ""


def kinds(consultation: Consultation) -> tuple[tuple[Sentence, Kind], ...]:
    """Every sentence of the patient with its kind; told once for a record."""
    kept = consultation.__dict__
    if "kinds" not in kept:
        said = [sentence for reply in consultation.replies for sentence in reply.sentences]
        kept["kinds"] = tuple((one, kind_of(one.text, one.asked)) for one in said)
    found: tuple[tuple[Sentence, Kind], ...] = kept["kinds"]
    return found


def claims(consultation: Consultation) -> tuple[tuple[Sentence, Claim], ...]:
    """The sentences that hold information, each with what it claims; told once for a record."""
    kept = consultation.__dict__
    if "claims" not in kept:
        told = [sentence for sentence, kind in kinds(consultation) if kind == "information"]
        kept["claims"] = tuple((one, claim_of(one.text, one.asked)) for one in told)
    found: tuple[tuple[Sentence, Claim], ...] = kept["claims"]
    return found


def readings(
    consultation: Consultation, embed: Embedder, thresholds: Mapping[str, float], within: Limits | None = None
) -> tuple[Reading, ...]:
    """Every information sentence, read against every item of the profile; none without a profile.

    `within` are the limits; None: those in use. A record keeps its readings by the limits and by how close the
    embedder finds its texts.
    """
    claimed = claims(consultation) if consultation.known else ()
    if not claimed:
        return ()
    if USE not in thresholds:
        raise Unanswered("no_tool", f"the embedder has no threshold for {USE!r}; run benchmarks/calibrate.py for it")
    profile = {item: read_as(item, value) for item, value in consultation.known.items()}
    closeness = Closeness([claim.text for _, claim in claimed], profile, embed, thresholds[USE])
    reader = Reader(profile, within or limits())
    kept: dict[tuple[Limits, bytes], tuple[Reading, ...]] = consultation.__dict__.setdefault("readings", {})
    key = reader.limits, closeness.digest
    if key not in kept:
        kept[key] = tuple(_read(reader, claimed, closeness))
    return kept[key]


def _read(reader: Reader, claimed: Iterable[tuple[Sentence, Claim]], closeness: Closeness) -> Iterator[Reading]:
    """The sentences in order; the same sentence after the same question is read once."""
    found: dict[tuple[str, str], Mapping[str, Finding]] = {}
    for sentence, claim in claimed:
        key = sentence.text, sentence.asked
        if key not in found:
            found[key] = reader.findings(claim, closeness.of(claim.text))
        yield Reading(sentence, found[key])


class Reader(Struct, frozen=True):
    """Reads claims against a profile."""

    profile: Profile
    limits: Limits

    def findings(self, claim: Claim, near: Near) -> dict[str, Finding]:
        """The items that a claim entails or contradicts, each with the reason.

        Somebody mentioned in passing ("my wife says so") tells nothing, unless the profile says that there is nobody,
        and then only where the claim says nothing else.
        """
        related = {item: relate(claim, item, value, near, self.limits) for item, value in self.profile.items()}
        decided = {item: found for item, found in related.items() if found.relation != "neutral"}
        direct = {item: found for item, found in decided.items() if not in_passing(claim, item)}
        found = direct or {item: found for item, found in decided.items() if found.relation == "contradict"}
        return _settled(found)


def _settled(findings: dict[str, Finding]) -> dict[str, Finding]:
    """The findings without those that cosines alone tell, where a rule tells a contradiction."""
    if not any(found.relation == "contradict" and not found.by_sense for found in findings.values()):
        return findings
    return {item: found for item, found in findings.items() if not found.by_sense}


class Closeness:
    """How close claims are to the values of a profile, in multiples of the embedder's threshold.

    Every distinct text is embedded once, all in one call. `digest` tells one embedder's closeness from another's.
    """

    def __init__(self, claims: Sequence[str], profile: Profile, embed: Embedder, threshold: float) -> None:
        import numpy as np

        said = dict.fromkeys(claims)
        values = dict.fromkeys(text for value in profile.values() for text in (value, *pieces(value)))
        texts = dict.fromkeys([*said, *values])
        vectors = dict(zip(texts, embed(list(texts)), strict=True))
        cosines = np.asarray([vectors[text] for text in said]) @ np.asarray([vectors[text] for text in values]).T
        rows = cosines / threshold
        self.digest = sha256(rows.tobytes()).digest()
        self._rows = dict(zip(said, rows, strict=True))
        self._columns = {text: column for column, text in enumerate(values)}

    def of(self, claim: str) -> Near:
        """How close one claim is to each value or part of a value."""
        row = self._rows[claim]
        return lambda value: float(row[self._columns[value]])


def quality() -> str:
    """How good the heuristic is, in a sentence for the pages of metrics that use it."""
    pairs, sentences = measured()["pairs"], measured()["sentences"]
    return (
        f"Without a judge: a heuristic of rules and cosines, for English. With minilm it is {_right(pairs)} held-out "
        f"sentence-item pairs written by its authors (kappa {pairs['kappa']:.2f}; found of {_shares(pairs['recall'])}) "
        f"and {_right(sentences)} information sentences of held-out visits written by others (kappa "
        f"{sentences['kappa']:.2f}; found of {_shares(sentences['recall'])}; right where it says "
        f"{_shares(sentences['precision'])}); always saying entail is right on {100 * sentences['always']:.0f} %."
    )


def kind_quality() -> str:
    """How good the rules for kinds of sentences are, in a sentence for the pages of metrics that use them."""
    found = measured()["kinds"]
    return (
        f"Kinds of sentences are told by rules for English: {_right(found)} sentences of held-out visits "
        f"(kappa {found['kappa']:.2f}; found of {_shares(found['recall'])})."
    )


def coverage_quality() -> str:
    """How good the heuristic is at telling which items were told, in a sentence."""
    found = measured()["coverage"]
    return (
        f"{quality()} On those visits it calls {100 * found['found']:.0f} % of the items told, the labels "
        f"{100 * found['labels']:.0f} %; they agree on {100 * found['agreement']:.0f} % of the items."
    )


@cache
def limits() -> Limits:
    """The limits in use."""
    return msgspec.convert(measured()["limits"], Limits)


@cache
def measured() -> Mapping[str, Any]:
    """What `offline.toml` holds: the limits in use and how good the heuristic is."""
    return table_of("offline")


def _right(found: Mapping[str, Any]) -> str:
    low, high = found["interval"]
    return f"right on {100 * found['accuracy']:.0f} % [{100 * low:.0f}, {100 * high:.0f}] of {found['n']}"


def _shares(shares: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {100 * share:.0f} %" for name, share in shares.items())
