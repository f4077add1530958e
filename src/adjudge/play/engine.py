"""The engine: plays every case with every arm, many conversations at once, into a run folder."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import structs

from adjudge.core.ask import Answerer
from adjudge.core.play import Case, Spent
from adjudge.core.record import Key
from adjudge.core.usage import Usage
from adjudge.play.conversation import OngoingConversation, Stage
from adjudge.play.folder import PlayFolder
from adjudge.play.prepare import PreparedPlay
from adjudge.play.records import Archive, decode_turn, make_record
from adjudge.play.state import PlayProgress, PlayState, show_nothing
from adjudge.run.inputs import time_stamp
from adjudge.run.played import CONVERSATIONS, Played, PlayManifest
from adjudge.run.whole_file import whole_file
from adjudge.score.pending import PendingLoop

# Conversations in play for each request that may be under way: enough that requests never wait for conversations.
CONVERSATIONS_A_REQUEST = 2
# Rule-based systems send no request, so this many are in play even if requests go out one at a time.
FEWEST_IN_FLIGHT = 16


def play(prepared: PreparedPlay, folder: Path, fresh: bool = False, progress: PlayProgress = show_nothing) -> Played:
    """Play into a folder, or go on where an earlier attempt stopped, and write the records of all conversations."""
    started = time.perf_counter()
    with PlayFolder(folder, prepared.manifest, fresh) as journal:
        if not _is_complete(journal, prepared):
            with prepared.models.open(folder) as answerers:
                _play_remaining(prepared, journal, answerers, progress)
        journal.flush()
        write_records(prepared, folder)
        journal.finish(_finished_manifest(prepared, journal, time.perf_counter() - started))
    return Played(folder)


def write_records(prepared: PreparedPlay, folder: Path) -> None:
    """Write the records of all conversations that have ended, in the order of cases, arms and trials."""
    archive = Archive(Played(folder))
    encode = msgspec.json.Encoder().encode
    arms = {arm.label: arm for arm in prepared.assembly.arms}
    with whole_file(folder / CONVERSATIONS) as file:
        for case, key in _keys(prepared):
            if end := archive.ends.get(key):
                file.write(encode(make_record(prepared.setup, arms[key.arm], case, archive, end)) + b"\n")


def _play_remaining(
    prepared: PreparedPlay, journal: PlayFolder, answerers: Mapping[str, Answerer], progress: PlayProgress
) -> None:
    total = sum(1 for _ in _keys(prepared))
    state = PlayState(total, len(journal.ended))
    journal.on_change = lambda: progress(journal.measure(state))
    concurrency = prepared.models.settings.concurrency
    in_flight = max(FEWEST_IN_FLIGHT, CONVERSATIONS_A_REQUEST * concurrency)
    loop: PendingLoop[OngoingConversation] = PendingLoop(answerers, in_flight, journal.flush)
    for _ in loop.run(_conversations(prepared, journal, state)):
        state.in_flight -= 1
        state.ended += 1
        progress(journal.measure(state))


def _conversations(prepared: PreparedPlay, journal: PlayFolder, state: PlayState) -> Iterator[OngoingConversation]:
    """The conversations that are not over, each where it stopped."""
    limits = prepared.manifest.limits
    stage = Stage(prepared.setup, prepared.tools, prepared.plan.seed, limits, journal, prepared.models)
    arms = {arm.label: arm for arm in prepared.assembly.arms}
    for case, key in _keys(prepared):
        if key in journal.ended:
            continue
        conversation = OngoingConversation(stage, case, arms[key.arm], key.trial)
        roles = {participant.id: participant.role for participant in conversation.participants}
        lines = journal.turns.pop(key, [])
        turns = [decode_turn(line, prepared.setup, conversation.arm, roles[line.speaker]) for line in lines]
        conversation.restore(turns, journal.spent.get(key, Spent()))
        state.in_flight += 1
        yield conversation


def _keys(prepared: PreparedPlay) -> Iterator[tuple[Case, Key]]:
    """All conversations in order: by case, then by arm, then by trial."""
    for case in prepared.cases:
        for arm in prepared.assembly.arms:
            for trial in range(prepared.plan.trials):
                yield case, Key(case.id, arm.label, trial)


def _is_complete(journal: PlayFolder, prepared: PreparedPlay) -> bool:
    return all(key in journal.ended for _, key in _keys(prepared))


def _finished_manifest(prepared: PreparedPlay, journal: PlayFolder, seconds: float) -> PlayManifest:
    ends = Played(journal.folder).ends()
    stopped = any(line.end.reason == "budget" for line in ends.values())
    spent = prepared.models.usage
    return structs.replace(
        prepared.manifest,
        status="stopped" if stopped else "complete",
        usage={name: journal.usage.get(name, Usage()) + spent.get(name, Usage()) for name in journal.usage | spent},
        counts={"conversations": len(ends), "turns": sum(line.turns for line in ends.values())},
        started=journal.started,
        finished=time_stamp(),
        seconds=round(journal.seconds + seconds, 3),
    )
