"""Entailment of a patient's sentences by its profile without a judge: rules by item, and cosines.

It is a heuristic and must be called one wherever its results are shown: `quality` says how often it is right.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from adjudge.core.ask import Embedder, Relation, Unanswered
from adjudge.suites.patient.data import Consultation, Sentence
from adjudge.suites.patient.facts import Finding, Limits, Near, in_passing, pieces, relate
from adjudge.suites.patient.fields import Profile, group_of
from adjudge.suites.patient.kinds import kind_of
from adjudge.suites.patient.topics import Claim, claim_of

# The use of an embedder's threshold that the limits are multiples of.
USE = "same"


class Reading(Struct, frozen=True):
    """An information sentence and every item of the profile that it entails or contradicts."""

    sentence: Sentence
    findings: Mapping[str, Finding]

    @property
    def item(self) -> str:
        """The item that decides the sentence: one that it entails, else one that it contradicts; empty: none."""
        entailed = [name for name, found in self.findings.items() if found.relation == "entail"]
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


def told(consultation: Consultation) -> list[Sentence]:
    """The sentences of the patient that hold information."""
    return [
        sentence
        for reply in consultation.replies
        for sentence in reply.sentences
        if kind_of(sentence.text, sentence.asked) == "information"
    ]


def readings(
    consultation: Consultation, embed: Embedder, thresholds: Mapping[str, float], within: Limits | None = None
) -> list[Reading]:
    """Every information sentence, read against every item of the profile; none without a profile.

    `within` are the limits; None: those in use.
    """
    sentences = told(consultation) if consultation.profile else []
    if not sentences:
        return []
    if USE not in thresholds:
        raise Unanswered("no_tool", f"the embedder has no threshold for {USE!r}; run benchmarks/calibrate.py for it")
    claimed = {(one.text, one.asked): claim_of(one.text, one.asked) for one in sentences}
    closeness = Closeness([claim.text for claim in claimed.values()], consultation.profile, embed, thresholds[USE])
    reader = Reader(consultation.profile, within or limits())
    found = {key: reader.findings(claim, closeness.of(claim.text)) for key, claim in claimed.items()}
    return [Reading(one, found[one.text, one.asked]) for one in sentences]


class Reader(Struct, frozen=True):
    """Reads claims against a profile."""

    profile: Profile
    limits: Limits

    def findings(self, claim: Claim, near: Near) -> dict[str, Finding]:
        """The items that a claim entails or contradicts, each with the reason.

        Somebody mentioned in passing ("my wife drove me") counts only where the claim says nothing else.
        """
        related = {item: relate(claim, item, value, near, self.limits) for item, value in self.profile.items()}
        decided = {item: found for item, found in related.items() if found.relation != "neutral"}
        direct = {item: found for item, found in decided.items() if not in_passing(claim, item)}
        return direct or decided


class Closeness:
    """How close claims are to the values of a profile, in multiples of the embedder's threshold.

    Every distinct text is embedded once, all in one call.
    """

    def __init__(self, claims: Sequence[str], profile: Profile, embed: Embedder, threshold: float) -> None:
        import numpy as np

        values = dict.fromkeys(text for value in profile.values() for text in (value, *pieces(value)))
        texts = dict.fromkeys([*claims, *values])
        vectors = dict(zip(texts, embed(list(texts)), strict=True))
        rows = np.asarray([vectors[text] for text in claims]) @ np.asarray([vectors[text] for text in values]).T
        self._rows = dict(zip(claims, rows / threshold, strict=True))
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
        f"and {_right(sentences)} held-out information sentences of the sample (kappa {sentences['kappa']:.2f}; found "
        f"of {_shares(sentences['recall'])}; right where it says {_shares(sentences['precision'])})."
    )


def kind_quality() -> str:
    """How good the rules for kinds of sentences are, in a sentence for the pages of metrics that use them."""
    found = measured()["kinds"]
    return (
        f"Kinds of sentences are told by rules for English: {_right(found)} held-out sentences of the sample "
        f"(kappa {found['kappa']:.2f}; found of {_shares(found['recall'])})."
    )


def coverage_quality() -> str:
    """How good the heuristic is at telling which items were told, in a sentence."""
    found = measured()["coverage"]
    return (
        f"{quality()} On the sample it calls {100 * found['found']:.0f} % of the items told, the labels "
        f"{100 * found['labels']:.0f} %; they agree on {100 * found['agreement']:.0f} % of the items."
    )


@cache
def limits() -> Limits:
    """The limits in use."""
    return msgspec.convert(measured()["limits"], Limits)


@cache
def measured() -> Mapping[str, Any]:
    """What `offline.toml` holds: the limits in use and how good the heuristic is."""
    return tomllib.loads(files("adjudge.suites.patient").joinpath("offline.toml").read_text("utf-8"))


def _right(found: Mapping[str, Any]) -> str:
    low, high = found["interval"]
    return f"right on {100 * found['accuracy']:.0f} % [{100 * low:.0f}, {100 * high:.0f}] of {found['n']}"


def _shares(shares: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {100 * share:.0f} %" for name, share in shares.items())
