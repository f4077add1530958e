"""A server that answers JSON with JSON: one request, sent again where the failure may pass."""

from __future__ import annotations

import http.client
import os
import time
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import msgspec

from adjudge.core.errors import BadInput, Unanswered
from adjudge.core.mark import Status

TRIES = 4
TIMEOUT = 60.0
LONGEST_PAUSE = 30.0
_QUOTED = 200
_PASSING = frozenset({408, 409, 429, 500, 502, 503, 504})


class _NoRedirect(HTTPRedirectHandler):
    """A redirect is a failure: following it would carry the key to another host."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


class _Setback(Exception):  # noqa: N818 - not yet a failure: most of them pass
    """A request without a reply: what to report if it stays so, and whether to try again."""

    def __init__(self, failure: Unanswered, passing: bool, retry_after: str | None = None) -> None:
        super().__init__(failure.why)
        self.failure = failure
        self.passing = passing
        self.retry_after = retry_after


class JsonEndpoint:
    """An address that takes JSON by POST; `name` is what messages call it, such as "the embeddings endpoint".

    The key is read from the environment variable `key_variable`, and from nowhere else.
    """

    def __init__(self, name: str, url: str, key_variable: str) -> None:
        self.url = url
        self.key_variable = key_variable
        self.where = f"{name} {url}"
        self._opener = build_opener(_NoRedirect())

    def post(self, content: object) -> bytes:
        """The reply to a request, sent again a few times where the failure may pass; raises Unanswered."""
        body = msgspec.json.encode(content)
        for attempt in range(1, TRIES):
            try:
                return self._send(body)
            except _Setback as setback:
                if not setback.passing:
                    raise setback.failure from None
                time.sleep(_pause(setback.retry_after, attempt))
        try:
            return self._send(body)
        except _Setback as setback:
            raise setback.failure from None

    def _send(self, body: bytes) -> bytes:
        headers = {"Content-Type": "application/json"}
        if key := self._key():
            headers["Authorization"] = f"Bearer {key}"
        try:
            with self._opener.open(Request(self.url, body, headers), timeout=TIMEOUT) as reply:
                content: bytes = reply.read()
                return content
        except HTTPError as error:
            with error:
                passing, told = error.code in _PASSING, error.headers.get("Retry-After")
                raise _Setback(self._refused(error), passing, told) from None
        except (OSError, http.client.HTTPException) as error:
            raise _Setback(self._unreached(error), passing=True) from None

    def _key(self) -> str:
        key = os.environ.get(self.key_variable, "").strip()
        # The library that sends it would repeat it in its complaint.
        if not (key.isascii() and key.isprintable()):
            raise Unanswered("provider_error", f"{self.key_variable} holds characters that no key has")
        return key

    def _refused(self, error: HTTPError) -> Unanswered:
        if error.code in (401, 403):
            known = "is set and was refused" if self._key() else "is not set"
            return Unanswered("provider_error", f"{self.where} answered {error.code}; {self.key_variable} {known}")
        status: Status = "rate_limited" if error.code == 429 else "provider_error"
        return Unanswered(status, f"{self.where} answered {error.code}: {self._quoted(error)}")

    def _quoted(self, error: HTTPError) -> str:
        try:
            text = error.read(10_000).decode("utf-8", "replace")
        except (OSError, http.client.HTTPException):
            text = ""
        if key := self._key():
            text = text.replace(key, "***")
        return repr(text[:_QUOTED])

    def _unreached(self, error: Exception) -> Unanswered:
        reason = error.reason if isinstance(error, URLError) else error
        if isinstance(reason, TimeoutError):
            return Unanswered("timeout", f"{self.where} did not answer within {TIMEOUT:g} s")
        return Unanswered("provider_error", f"{self.where} cannot be reached: {type(reason).__name__}")


def check_url(what: str, url: str, example: str) -> None:
    """Raise BadInput unless a URL is a plain address without a password."""
    parts = urlsplit(url)
    if "@" in parts.netloc:
        raise BadInput(f"{what} on {parts.hostname!r}: holds a password; expected the key in the environment")
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise BadInput(f"{what} {url.partition('?')[0]!r}: expected {example}")


def _pause(told: str | None, attempt: int) -> float:
    """Seconds to wait before the next attempt: what the server says, else twice as long each time."""
    asked = float(told) if told and told.strip().isdigit() else 0.5 * 2.0**attempt
    return min(asked, LONGEST_PAUSE)
