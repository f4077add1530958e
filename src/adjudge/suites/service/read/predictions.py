"""Prediction files in the MultiWOZ_Evaluation convention."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import msgspec
from msgspec import Struct

from adjudge.core.errors import BadInput, BadRecord, Complaint, Warnings
from adjudge.read.decode import decode, lenient_row
from adjudge.read.files import document
from adjudge.suites.service.data import DomainSource, PlaceholderStyle
from adjudge.suites.service.read.decoding import decode_with_texts
from adjudge.suites.service.read.names import dialogue_key, slot_key
from adjudge.suites.service.rules.placeholders import domains_in, is_delexicalised, tokens, unknown


class PredictedTurn(Struct, frozen=True, gc=False):
    """One entry of a prediction file: the reply of one system turn and what the system knew then.

    `intents`, `acts` and `action` are not part of the convention; an arm that predicts them may add them.
    """

    response: str | None = None
    state: dict[str, dict[str, str | tuple[str, ...]]] | None = None
    active_domains: tuple[str, ...] | None = None
    intents: tuple[str, ...] | None = None
    acts: dict[str, tuple[tuple[str, str], ...]] | None = None
    action: str | None = None


DIALOGUES = msgspec.json.Decoder(dict[str, msgspec.Raw])
TURNS = msgspec.json.Decoder(tuple[PredictedTurn, ...])
# If fewer replies have placeholders, these are taken as slips, and the file counts as natural text.
FEW = 0.05
# A key of the outermost object with what stands before and after it: `, "sng0073": `.
KEY = re.compile(rb'\s*[{,]\s*(?P<key>"(?:[^"\\]|\\.)*+")\s*:\s*', re.DOTALL)


@dataclass(frozen=True)
class Predictions:
    """The predictions of one arm by dialogue, ready to be joined.

    `lines` are the lines at which dialogues start; `refused` the faults of dialogues that could not be read; `domains`
    is where --domains says that the domains of replies come from (None: as the file suggests).
    """

    path: Path
    arm: str
    turns: Mapping[str, tuple[PredictedTurn, ...]]
    lines: Mapping[str, int]
    refused: Sequence[Complaint]
    domains: DomainSource | None = None

    @classmethod
    def load(cls, path: Path, arm: str, warnings: Warnings, lenient: bool = False) -> Predictions:
        """Read a prediction file; `lenient` replaces lone surrogates."""
        name, raw = document(path, warnings)
        if lenient:
            raw = lenient_row(name, raw, warnings)
        dialogues = decode(name, raw, DIALOGUES)
        lines = _lines(name, raw, dialogues)
        turns: dict[str, tuple[PredictedTurn, ...]] = {}
        refused: list[Complaint] = []
        for id, part in dialogues.items():
            key = dialogue_key(id)
            try:
                turns[key] = decode_with_texts(f"{name}:{lines[key]}: {id}", bytes(part), TURNS, warnings)
            except BadRecord as error:
                refused.append(error.complaint)
        return cls(path, arm, turns, lines, refused)

    @cached_property
    def has_states(self) -> bool:
        """Whether every turn has a state; by the convention, one turn without makes it a file without states."""
        return all(turn.state is not None for turn in self._every_turn)

    @cached_property
    def replies(self) -> list[str]:
        """All replies, even empty ones."""
        return [turn.response for turn in self._every_turn if turn.response is not None]

    @cached_property
    def placeholders(self) -> PlaceholderStyle:
        """How the replies write values."""
        return _style(self.replies)

    @cached_property
    def domain_source(self) -> DomainSource:
        """The source of a reply's domains, the same for the whole file."""
        if self.domains is not None:
            return self.domains
        turns = self._every_turn
        if turns and all(turn.active_domains is not None for turn in turns):
            return "predicted"
        return "placeholders" if self.placeholders == "prefixed" else "state"

    def with_domains(self, source: DomainSource) -> Predictions:
        """The predictions with the domains of replies from this source; BadInput if the file does not have it."""
        if source == "predicted" and not any(turn.active_domains for turn in self._every_turn):
            raise BadInput(f"{self.path}: --domains predicted: no turn names a domain in `active_domains`")
        if source == "placeholders" and not any(map(domains_in, self.replies)):
            raise BadInput(f"{self.path}: --domains placeholders: no reply has a placeholder such as [hotel_name]")
        return replace(self, domains=source)

    def remarks(self) -> list[str]:
        """How the replies are read, and which placeholders nobody knows."""
        return _reply_remarks(self.replies, self.placeholders)

    def slots(self) -> set[str]:
        """The full names of all slots in the predicted states."""
        pairs = {
            (domain.lower(), slot)
            for turns in self.turns.values()
            for turn in turns
            for domain, slots in (turn.state or {}).items()
            for slot in slots
        }
        return {slot_key(domain, slot) for domain, slot in pairs}

    @property
    def _every_turn(self) -> list[PredictedTurn]:
        return [turn for turns in self.turns.values() for turn in turns]


def _lines(name: str, raw: bytes, dialogues: Mapping[str, msgspec.Raw]) -> dict[str, int]:
    """The first line of each dialogue; BadInput if one appears twice, since the decoder silently keeps the last."""
    lines: dict[str, int] = {}
    line, place, end = 1, 0, 0
    while match := KEY.match(raw, end):
        id = msgspec.json.decode(match["key"], type=str)
        line += raw.count(b"\n", place, match.start("key"))
        place, key = match.start("key"), dialogue_key(id)
        value = bytes(dialogues[id])
        if key in lines or not raw.startswith(value, match.end()):
            raise BadInput(f"{name}:{lines.get(key, line)}: {id}: appears twice in the file; keep one of them")
        lines[key] = line
        end = match.end() + len(value)
    return lines


def _style(replies: list[str]) -> PlaceholderStyle:
    """How the replies of a file write values.

    Placeholders that name their domain tell which domain a reply is about, better than the state does.
    """
    if sum(map(is_delexicalised, replies)) < FEW * len(replies) or not replies:
        return "none"
    naming = [reply for reply in replies if "NAME" in tokens(reply)]
    prefixed = sum(bool(domains_in(reply)) for reply in naming)
    return "prefixed" if 2 * prefixed > len(naming) else "plain"


def _reply_remarks(replies: list[str], style: PlaceholderStyle) -> list[str]:
    """How replies are read, and which placeholders nobody knows."""
    if not replies:
        return []
    held = sum(map(is_delexicalised, replies))
    if style == "none":
        stray = f"; the placeholders in {held} of {len(replies)} are ignored" if held else ""
        remarks = [f"replies are natural text: venues and facts are linked against the database{stray}"]
    else:
        remarks = [f"replies hold placeholders ({held} of {len(replies)}): offers follow from the states"]
    if strange := Counter(name for reply in replies if "[" in reply for name in unknown(reply)):
        shown = ", ".join(f"[{name}] ({count})" for name, count in strange.most_common(5))
        remarks.append(f"unknown placeholders: {shown}")
    return remarks
