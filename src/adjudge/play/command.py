"""A user's own command as the system under test: JSON lines over standard input and output."""

from __future__ import annotations

import os
import select
import shlex
import shutil
import subprocess
from typing import Any

import msgspec
from msgspec import Struct

from adjudge.core.errors import BadInput, Unanswered
from adjudge.core.play import Decision, Said
from adjudge.play.own import OwnTurn

# Bytes of a reply that are read; a longer line is no reply.
LONGEST = 1 << 20
# Characters of a reply that a message shows.
SHOWN = 80


class CommandReply(Struct, frozen=True, forbid_unknown_fields=True):
    """A line that the command prints for a turn; only `text` is required."""

    text: str
    ends: str = ""
    facts: Any = None
    notes: Any = None
    decisions: tuple[Decision, ...] = ()


_DECODER = msgspec.json.Decoder(CommandReply)


class OwnCommand:
    """A command that is started once for each worker, and gets a line for every turn.

    The line holds the whole conversation, so that any worker can answer any turn. A command that dies, hangs or prints
    nonsense is ended, and started again for the next turn.
    """

    def __init__(self, command: str) -> None:
        try:
            self.arguments = shlex.split(command)
        except ValueError as error:
            raise BadInput(f"cmd:{command}: {error}; expected a command line") from error
        if not self.arguments:
            raise BadInput("cmd: no command is named; expected cmd:COMMAND")
        if shutil.which(self.arguments[0]) is None:
            raise BadInput(f"cmd:{command}: no program {self.arguments[0]!r}; expected one that can be started")

    def worker(self) -> CommandWorker:
        """A process of its own."""
        return CommandWorker(self.arguments)


class CommandWorker:
    """One process of the command; it is started with the first turn."""

    def __init__(self, arguments: list[str]) -> None:
        self.arguments = arguments
        self._process: subprocess.Popen[bytes] | None = None

    def answer(self, turn: OwnTurn) -> Said[Any]:
        """What the command says in a turn."""
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        self._refuse_early_output(process.stdout)
        try:
            process.stdin.write(_request(turn))
            process.stdin.flush()
            output = _read_output(process.stdout)
        except OSError as error:
            self.abandon()
            raise Unanswered("provider_error", f"{self.arguments[0]} does not take input: {error}") from None
        if not output.endswith(b"\n"):
            self.abandon()
            raise Unanswered("provider_error", f"{self.arguments[0]} ended with exit code {process.wait()}")
        return self._parse(output)

    def abandon(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                _close(pipe)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            try:
                self._process = subprocess.Popen(self.arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            except OSError as error:
                raise BadInput(f"cmd:{shlex.join(self.arguments)}: cannot be started: {error.strerror}") from error
        return self._process

    def _refuse_early_output(self, output: Any) -> None:
        """Raise `Unanswered` where the command has printed more than it was asked for, which answers no turn."""
        has_output = os.name == "posix" and select.select([output], [], [], 0)[0]
        if has_output and (early := output.read1(SHOWN)):
            self.abandon()
            shown = early.decode(errors="replace").strip()
            raise Unanswered("parse_error", f"printed {shown!r} before it was asked; expected one line for each turn")

    def _parse(self, line: bytes) -> Said[Any]:
        try:
            reply = _DECODER.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            self.abandon()  # What it prints next may belong to this turn.
            shown = line[:SHOWN].decode(errors="replace").strip()
            raise Unanswered("parse_error", f"printed {shown!r}: {error}; expected a line such as {EXAMPLE}") from None
        return Said(reply.text, ends=reply.ends, facts=reply.facts, notes=reply.notes, decisions=reply.decisions)


EXAMPLE = '{"text": "Hello"}'


def _request(turn: OwnTurn) -> bytes:
    view = turn.view
    request = {
        "case": view.case,
        "conversation": view.conversation,
        "trial": view.trial,
        "turn": view.turn,
        "messages": turn.messages,
        "facts": view.facts,
        "notes": view.notes,
    }
    return msgspec.json.encode(request) + b"\n"


def _read_output(pipe: Any) -> bytes:
    """What the command prints, up to the end of a line at least; less where it ends or prints too much."""
    output = b""
    while not output.endswith(b"\n") and len(output) < LONGEST and (more := pipe.read1(LONGEST)):
        output += more
    return output


def _close(pipe: Any) -> None:
    try:
        pipe.close()
    except OSError:
        return  # What was not written yet has no reader any more.
