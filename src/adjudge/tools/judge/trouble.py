"""What goes wrong between us and a judge, what may be tried again, and how long to wait before that."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Awaitable, Callable, Collection, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from msgspec import Struct

from adjudge.core.errors import Unanswered
from adjudge.core.mark import Status
from adjudge.tools.judge.lane import Lane

T = TypeVar("T")

SHOWN = 200
SHORTEST_SECRET = 6
TRANSIENT = frozenset((408, 409, 425, 429))

_TOO_LONG = re.compile(
    r"context.?(length|window|size)|maximum context|prompt is too long|too many (input )?tokens"
    r"|exceeds? the (maximum|available) (number of tokens|context)|input (is )?too (long|large)",
    re.IGNORECASE,
)
_FILTERED = re.compile(r"content.?(filter|management policy|policy.?violation)", re.IGNORECASE)
# An account without credit answers 429 as well, and no waiting helps it.
_NO_CREDIT = re.compile(r"insufficient.?quota|billing|exceeded your current quota", re.IGNORECASE)


class Trouble(Exception):  # noqa: N818 - read as a fact: there was trouble with one request
    """One request failed. `again` says whether it may be tried again, `wait` the seconds the server asks to wait."""

    def __init__(self, status: Status, why: str, again: bool = False, wait: float | None = None) -> None:
        super().__init__(f"{status}: {why}")
        self.status: Status = status
        self.why = why
        self.again = again
        self.wait = wait


class Patience(Struct, frozen=True):
    """How often a request is tried, and the waits in between in seconds: the first, the longest, the longest obeyed."""

    attempts: int = 4
    first: float = 0.5
    longest: float = 30.0
    obeyed: float = 120.0

    def wait(self, attempt: int, asked: float | None) -> float:
        """How long to wait after the attempt of this number, counted from 0."""
        backoff = min(self.longest, self.first * 2.0**attempt) * random.uniform(0.5, 1.0)
        return backoff if asked is None else min(asked, self.obeyed) + random.uniform(0.0, 0.1) * backoff


def http_trouble(code: int, text: str, wait: float | None = None) -> Trouble:
    """What an HTTP reply that is not a success means; `text` is its body with all keys removed."""
    why = f"HTTP {code}: {shortened(text)}" if text.strip() else f"HTTP {code}"
    if code == 413 or (code in (400, 422) and _TOO_LONG.search(text)):
        return Trouble("too_long", why)
    if code == 400 and _FILTERED.search(text):
        return Trouble("refusal", why)
    if code == 429:
        return Trouble("provider_error", why) if _NO_CREDIT.search(text) else Trouble("rate_limited", why, True, wait)
    if code == 408:
        return Trouble("timeout", why, True, wait)
    return Trouble("provider_error", why, code >= 500 or code in TRANSIENT, wait)


async def persist(attempt: Callable[[], Awaitable[T]], lane: Lane, patience: Patience) -> T:
    """The result of the first attempt that succeeds; raises `Unanswered` when none does or trying again is useless.

    The caller has a place in the lane and keeps it, except while it waits to try again.
    """
    for number in range(patience.attempts):
        sent = asyncio.get_running_loop().time()
        try:
            result = await attempt()
        except Trouble as trouble:
            wait = patience.wait(number, trouble.wait)
            if trouble.status == "rate_limited":
                lane.slow(sent, wait)
            if not trouble.again or number + 1 == patience.attempts:
                raise Unanswered(trouble.status, _told(trouble, number + 1)) from None
            await lane.rest(wait)
        else:
            lane.succeed()
            return result
    raise ValueError(f"{patience.attempts!r} attempts; expected at least one")


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that a reply asks to wait, given as a number or as a date; None if it does not say."""
    text = headers.get("Retry-After", "").strip()
    if not text:
        return None
    try:
        return max(0.0, float(text)) if text.replace(".", "", 1).isdigit() else _seconds_to(parsedate_to_datetime(text))
    except ValueError:
        return None


def shortened(text: str) -> str:
    """Text in one line, cut to what fits a message."""
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else line[: SHOWN - 3] + "..."


def redacted(text: str, secrets: Collection[str]) -> str:
    """Text in which every secret is replaced by stars."""
    for secret in secrets:
        text = text.replace(secret, "***")
    return text


def secrets_in(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The values of environment variables whose names say that they are secret, longest first."""
    found = {value.strip() for name, value in environ.items() if _secret(name)}
    return tuple(sorted((value for value in found if len(value) >= SHORTEST_SECRET), key=len, reverse=True))


def _secret(name: str) -> bool:
    return name.upper().endswith(("KEY", "TOKEN", "SECRET", "PASSWORD"))


def _seconds_to(date: datetime) -> float:
    aware = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())


def _told(trouble: Trouble, attempts: int) -> str:
    return trouble.why if attempts == 1 else f"{trouble.why} (after {attempts} attempts)"
