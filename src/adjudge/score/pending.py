"""Work that waits for answers: it runs, asks in bulk, and runs again as soon as its own answers are there.

A piece of work is a `Resumable`: a record with its metrics, or a conversation in play. It runs until it needs answers
that are not there yet, notes the requests, and runs again after the last answer. It does not wait for other pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Generic, TypeVar

from adjudge.core.ask import Answerer, Reply
from adjudge.core.errors import Pending, Unanswered

# Pieces of work that may wait for answers at once. This bounds the memory; the tools limit their own concurrency.
IN_FLIGHT = 256
# Requests that are passed to a tool together. Each call takes a look into the cache and wakes the tool's thread; but
# the first request of many would wait for the work that asks the last one.
AT_ONCE = 8

# The name of a tool, a request to it, and what the answer is about. Equal questions about different things are separate
# inquiries, because a file of labels may answer them differently. A model is still asked only once.
Inquiry = tuple[str, Hashable, Hashable]
Replies = list[tuple[Hashable, Reply]]


class Resumable:
    """A piece of work that asks tools and can be run again.

    `withheld` holds the tools that may not see this work, with the reason. `replies` holds the replies so far, and
    `missing` the requests that the work waits for, with the name of who asked.
    """

    def __init__(self, withheld: Mapping[str, str]) -> None:
        self.withheld = withheld
        self.replies: dict[Inquiry, Reply] = {}
        self.missing: dict[Inquiry, str] = {}

    def advance(self) -> None:
        """Go on as far as the replies allow, and `note` what is needed beyond them; nothing noted means done."""
        raise NotImplementedError

    def ask(self, tool: str, requests: Sequence[Hashable]) -> list[Any]:
        """The answers to requests, in order; raises `Pending` where some are not known, `Unanswered` where one failed.

        A request to a tool from which this work is withheld fails at once.
        """
        if tool in self.withheld:
            raise Unanswered("not_allowed", f"the record is credentialed: {self.withheld[tool]}")
        inquiries = [_inquiry(tool, request) for request in requests]
        unknown = [inquiry for inquiry in dict.fromkeys(inquiries) if inquiry not in self.replies]
        if unknown:
            raise Pending(tool, [request for _, request, _ in unknown])
        answers = [self.replies[inquiry].answer for inquiry in inquiries]
        for answer in answers:
            if isinstance(answer, Unanswered):
                raise answer
        return answers

    def note(self, pending: Pending, asker: str) -> None:
        """Wait for what is pending; `asker` pays for it. If several ask the same, the first one pays."""
        for request in pending.requests:
            self.missing.setdefault(_inquiry(pending.tool, request), asker)


W = TypeVar("W", bound=Resumable)


class PendingLoop(Generic[W]):
    """Runs pieces of work, a limited number at once, against tools that answer in the background.

    `before_waiting` is called whenever all work waits for answers, just before the loop waits as well.
    """

    def __init__(
        self,
        answerers: Mapping[str, Answerer],
        in_flight: int = IN_FLIGHT,
        before_waiting: Callable[[], None] = lambda: None,
    ) -> None:
        self._answerers = answerers
        self._before_waiting = before_waiting
        self._in_flight = in_flight
        self._active = 0
        self._waiting: dict[Inquiry, list[W]] = {}
        self._waits: dict[str, Future[Replies]] = {}
        self._unsent: dict[tuple[str, str], list[Hashable]] = {}

    def run(self, works: Iterable[W]) -> Iterator[W]:
        """Each piece of work once it is done, in the order in which they get done."""
        source = iter(works)
        threads = ThreadPoolExecutor(max(1, len(self._answerers)))
        try:
            yield from self._start(source)
            while self._active:
                self._before_waiting()
                yield from self._resume(threads)
                yield from self._start(source)
        finally:
            # A thread may still wait for a reply that is no longer needed.
            threads.shutdown(wait=False, cancel_futures=True)

    def _start(self, source: Iterator[W]) -> Iterator[W]:
        """Start work until enough is in flight; what needs no answer is done at once."""
        while self._active < self._in_flight and (work := next(source, None)) is not None:
            self._active += 1
            if self._advance(work):
                yield work
        self._send()

    def _advance(self, work: W) -> bool:
        """Run a piece of work and ask what it waits for; return whether it is done."""
        work.advance()
        if not work.missing:
            self._active -= 1
            return True
        self._ask(work)
        return False

    def _ask(self, work: W) -> None:
        """Ask what nobody has asked yet, together with what other work asks at the same time."""
        for inquiry, asker in work.missing.items():
            if inquiry not in self._waiting:
                tool, request, _ = inquiry
                self._unsent.setdefault((tool, asker), []).append(request)
            self._waiting.setdefault(inquiry, []).append(work)
        if sum(map(len, self._unsent.values())) >= AT_ONCE:
            self._send()

    def _send(self) -> None:
        """Pass on what is asked, in one call for each tool and asker."""
        unsent, self._unsent = self._unsent, {}
        for (tool, asker), requests in unsent.items():
            self._answerers[tool].ask(requests, asker)

    def _resume(self, threads: ThreadPoolExecutor) -> Iterator[W]:
        """Wait for the first tool that has replies, and run the work again that now has all its answers."""
        for tool, replies in self._next_replies({tool for tool, _, _ in self._waiting}, threads):
            for request, reply in replies:
                yield from self._distribute(_inquiry(tool, request), reply)
        self._send()

    def _next_replies(self, tools: set[str], threads: ThreadPoolExecutor) -> list[tuple[str, Replies]]:
        """The replies of all tools that have some, after waiting for the first."""
        if len(tools) == 1 and not self._waits:  # Handing replies over from another thread would delay each of them.
            [tool] = tools
            return [(tool, list(self._answerers[tool].wait()))]
        for tool in tools - self._waits.keys():
            self._waits[tool] = threads.submit(_wait_for_replies, self._answerers[tool])
        ready, _ = wait(self._waits.values(), return_when=FIRST_COMPLETED)
        done = [tool for tool, replies in self._waits.items() if replies in ready]
        return [(tool, self._waits.pop(tool).result()) for tool in done]

    def _distribute(self, inquiry: Inquiry, reply: Reply) -> Iterator[W]:
        for work in self._waiting.pop(inquiry, []):
            work.replies[inquiry] = reply
            # What it took is counted once; for the others who asked the same, it is as if it had been in the cache.
            reply = reply.as_cached()
            work.missing.pop(inquiry, None)
            if not work.missing and self._advance(work):
                yield work


def _inquiry(tool: str, request: Hashable) -> Inquiry:
    return tool, request, getattr(request, "about", ())


def _wait_for_replies(answerer: Answerer) -> Replies:
    return list(answerer.wait())
