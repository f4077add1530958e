"""The folder of a play being written: turns are on disk before the engine waits for further answers."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import IO

import msgspec
from msgspec import Raw

from adjudge.core.errors import BadInput
from adjudge.core.play import End, PlayedTurn, Spent
from adjudge.core.record import Key
from adjudge.core.usage import Usage
from adjudge.play.conversation import OngoingConversation
from adjudge.play.replies import AnsweredRequest
from adjudge.play.state import PlayState
from adjudge.play.traces import TraceIdentity, identity_of, new_lines, trace_lines
from adjudge.run.append import lock, paths_to_create, remove_created, write_all
from adjudge.run.names import COLUMNS, MANIFEST, PARTS, PLAY, RECORDS, SCORES, TABLES
from adjudge.run.played import (
    CONVERSATIONS,
    ENDS,
    TRACES,
    TURNS,
    EndLine,
    Played,
    PlayManifest,
    TurnLine,
)
from adjudge.run.whole_file import write_whole

# Statuses that another attempt may change; a refusal or a malformed answer is the model's own.
_PASSING = ("not_cached", "not_allowed", "timeout", "rate_limited", "provider_error")

# Seconds for which lines are gathered if the engine never waits, as with rule-based systems.
_GATHERING = 0.05

_encode = msgspec.json.Encoder().encode


class PlayFolder:
    """A play being written: opened anew or where an earlier attempt stopped.

    `ended` are the conversations that are over, `turns` the committed turns of those that are not, and `spent` what
    these turns took. A conversation that ended because the budget was spent, an
    answer was not in the cache or the server failed is not over: another attempt may have what it needs.

    Lines are gathered and written together by `flush`. What a crash loses is played again, with answers that are kept.
    """

    def __init__(self, folder: Path, manifest: PlayManifest, fresh: bool = False) -> None:
        self.folder = folder
        self.manifest = manifest
        self.ended: set[Key] = set()
        self.turns: dict[Key, list[TurnLine]] = {}
        self.spent: dict[Key, Spent] = {}
        self.usage: dict[str, Usage] = {}
        self.started, self.seconds = manifest.started, 0.0
        self.on_change: Callable[[], None] = _do_nothing
        self._made = self._tokens = 0
        self._cost = 0.0
        self._traced: dict[Key, Counter[TraceIdentity]] = {}
        self._files = ExitStack()
        self._unwritten: dict[IO[bytes], list[bytes]] = {}
        self._flushed = monotonic()
        self._created = paths_to_create(folder, (PLAY, TURNS, TRACES, ENDS))
        try:
            self._begin(fresh)
        except OSError as error:
            self._remove()
            raise BadInput(f"{folder}: cannot write the run ({error.strerror}); choose another with -o") from error
        except BaseException:
            self._remove()
            raise

    def __enter__(self) -> PlayFolder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.flush()
        finally:
            self._files.close()
        if kind is not None and not (self.folder / TURNS).stat().st_size and not (self.folder / ENDS).stat().st_size:
            remove_created(self._created)

    def commit(
        self, conversation: OngoingConversation, turns: Sequence[PlayedTurn], answered: Sequence[AnsweredRequest]
    ) -> None:
        """Keep turns that were made at once, after the traces of what they took."""
        self._trace(conversation, answered, turns)
        key, first = conversation.key, turns[0].number
        self._append(self._turns, [_turn_line(key, turn, first, len(turns)) for turn in turns])
        self._made += len(turns)
        if monotonic() - self._flushed >= _GATHERING:
            self.flush()
        self.on_change()

    def end(self, conversation: OngoingConversation, end: End, answered: Sequence[AnsweredRequest]) -> None:
        """Keep how a conversation ended, after the traces of the step that failed, if one did."""
        self._trace(conversation, answered, ())
        key = conversation.key
        line = EndLine(case=key.case, arm=key.arm, trial=key.trial, turns=len(conversation.turns), end=end)
        self._append(self._ends, [line])
        self.ended.add(key)

    def flush(self) -> None:
        """Write what was gathered: a turn after its traces, an end after its turns."""
        unwritten, self._unwritten = self._unwritten, _no_lines(self._traces, self._turns, self._ends)
        for file, lines in unwritten.items():
            self._write(file, b"".join(lines))
        self._flushed = monotonic()

    def measure(self, state: PlayState) -> PlayState:
        """The state with the turns, tokens and cost of this attempt."""
        state.turns, state.tokens, state.cost = self._made, self._tokens, self._cost
        return state

    def finish(self, manifest: PlayManifest) -> None:
        """Write the manifest of the finished play."""
        self.manifest = manifest
        self._save()

    def _trace(
        self, conversation: OngoingConversation, answered: Sequence[AnsweredRequest], turns: Sequence[PlayedTurn]
    ) -> None:
        """Write traces, except those that an attempt wrote which stopped before it committed the turn."""
        key = conversation.key
        lines = trace_lines(key, len(conversation.turns), answered, turns)
        written = self._traced.pop(key, None)
        self._append(self._traces, new_lines(lines, written) if written else lines)
        for each in answered:
            self._tokens += each.reply.usage.input_tokens + each.reply.usage.output_tokens
            self._cost += each.reply.usage.cost or 0.0

    def _append(self, file: IO[bytes], lines: Iterable[object]) -> None:
        self._unwritten[file] += [_encode(line) + b"\n" for line in lines]

    def _write(self, file: IO[bytes], content: bytes) -> None:
        try:
            write_all(file, content)
        except OSError as error:
            _cut_to_whole_lines(file)
            raise BadInput(
                f"{self.folder}: {error.strerror}; what was played is intact: free some space and run the same "
                "command again to continue"
            ) from error

    def _begin(self, fresh: bool) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._turns, self._traces, self._ends = (
            self._files.enter_context((self.folder / name).open("ab", 0)) for name in (TURNS, TRACES, ENDS)
        )
        self._unwritten = _no_lines(self._traces, self._turns, self._ends)
        if not lock(self._turns):
            self._created = []  # What is there belongs to the other process.
            raise BadInput(f"{self.folder}: another process is writing this run; wait for it or choose another -o")
        if fresh and (self.folder / PLAY).exists():
            self._clear()
        self._resume()
        self._save()

    def _clear(self) -> None:
        """Remove an earlier play and its scores; answers of models are kept."""
        for file in (self._turns, self._traces, self._ends):
            file.truncate(0)
        for name in (MANIFEST, SCORES, RECORDS, COLUMNS, TABLES, CONVERSATIONS, PLAY):
            (self.folder / name).unlink(missing_ok=True)
        shutil.rmtree(self.folder / PARTS, ignore_errors=True)

    def _resume(self) -> None:
        """Go on from what an earlier attempt left, if it was the same play."""
        if not (self.folder / PLAY).exists():
            self._refuse_foreign_files()
            return
        for file in (self._turns, self._traces, self._ends):
            _cut_to_whole_lines(file)
        earlier = Played(self.folder)
        if differences := earlier.manifest.differences(self.manifest):
            raise BadInput(
                f"{self.folder}: holds a different play ({'; '.join(differences)}); "
                "choose another folder with -o, or start over with --fresh"
            )
        self.usage = earlier.manifest.usage
        self.started, self.seconds = earlier.manifest.started, earlier.manifest.seconds
        self.ended = {key for key, line in earlier.ends().items() if not _can_go_on(line.end)}
        self._restore_turns(earlier)
        self._restore_traces(earlier)

    def _refuse_foreign_files(self) -> None:
        for name in (TURNS, TRACES, ENDS, MANIFEST):
            path = self.folder / name
            if path.exists() and path.stat().st_size:
                raise BadInput(
                    f"{self.folder}: has {name} but no {PLAY}, so it is not the folder of this play; "
                    "choose another folder with -o"
                )

    def _restore_turns(self, earlier: Played) -> None:
        for line in earlier.turns():
            if line.key not in self.ended:
                self.turns.setdefault(line.key, []).append(line)
        for key, lines in self.turns.items():
            last = lines[-1]
            if (
                last.turn + 1 < last.first + last.together
            ):  # Turns that were to be committed together are at the end of the file.
                self._turns.truncate(self._turns.tell() - sum(len(_encode(line)) + 1 for line in lines[last.first :]))
                self.turns[key] = lines[: last.first]
        self._turns.seek(0, 2)

    def _restore_traces(self, earlier: Played) -> None:
        for line in earlier.traces():
            if line.key in self.ended:
                continue
            if line.turn < len(self.turns.get(line.key, ())):
                self.spent[line.key] = self.spent.get(line.key, Spent()) + line.took
            elif line.status == "ok" or line.kind == "call":  # What failed is asked again.
                self._traced.setdefault(line.key, Counter())[identity_of(line)] += 1

    def _save(self) -> None:
        write_whole(self.folder / PLAY, msgspec.json.format(_encode(self.manifest), indent=1))

    def _remove(self) -> None:
        self._files.close()
        remove_created(self._created)


def _no_lines(*files: IO[bytes]) -> dict[IO[bytes], list[bytes]]:
    """An empty list of lines for each file, in the order in which files are written."""
    return {file: [] for file in files}


def _do_nothing() -> None:
    """The default of `on_change`."""


def _turn_line(key: Key, turn: PlayedTurn, first: int, together: int) -> TurnLine:
    content = turn.content
    return TurnLine(
        case=key.case,
        arm=key.arm,
        trial=key.trial,
        turn=turn.number,
        speaker=turn.speaker,
        text=content.text,
        to=content.to,
        passes=content.passes,
        ends=content.ends,
        facts=Raw(_encode(content.facts)),
        notes=Raw(_encode(content.notes)),
        decisions=content.decisions,
        first=first,
        together=together,
    )


def _can_go_on(end: End) -> bool:
    """Whether the same command continues the conversation when it has more budget, a permission or a sound server."""
    return end.reason == "budget" or end.status in _PASSING


def _cut_to_whole_lines(file: IO[bytes]) -> None:
    """Cut off a last line that was not written to its end."""
    content = Path(file.name).read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        file.truncate(whole)
    file.seek(0, 2)
