"""A server that answers JSON with JSON, for callers outside an event loop."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from concurrent.futures import CancelledError
from functools import partial
from urllib.parse import urlsplit

import msgspec

from adjudge.core.errors import BadInput, FailedAttempt, Unanswered
from adjudge.tools.limit import ConcurrencyLimit
from adjudge.tools.loop import SeparateLoop
from adjudge.tools.retry import RetryPolicy, with_retries
from adjudge.tools.transport import Transport, is_sendable, require_http_client

# Requests in flight at once, and seconds to wait for a reply.
CONCURRENCY = 8
TIMEOUT = 60.0
# The longest body of a reply in bytes: 64 vectors of 4,096 numbers with 20 characters each are 5 MB.
LONGEST_BODY = 32 << 20
RETRY = RetryPolicy()


class JsonEndpoint:
    """An address that takes JSON by POST; `name` is what messages call it, such as "the embeddings endpoint".

    The key is read from the environment variable `key_variable`, and from nowhere else.
    """

    def __init__(self, name: str, url: str, key_variable: str) -> None:
        require_http_client(url)
        self.url = url
        self.key_variable = key_variable
        self.where = f"{name} {url}"
        self._transport: Transport | None = None
        self._loop = SeparateLoop()

    def post_all(self, contents: Sequence[object]) -> list[bytes]:
        """The replies to requests, in order. A request that fails is sent again if that can help.

        Raises Unanswered if one of them has no reply.
        """
        try:
            return self._loop.run(self._post_all(contents))
        except (asyncio.CancelledError, CancelledError):
            raise Unanswered("provider_error", f"{self.where}: interrupted") from None

    def close(self) -> None:
        """Abandon open requests."""
        self._loop.cancel()

    async def _post_all(self, contents: Sequence[object]) -> list[bytes]:
        # It is kept, because it knows whether the server has refused the key.
        transport = self._transport = self._transport or Transport(self.url, self._key(), TIMEOUT, LONGEST_BODY)
        limit = ConcurrencyLimit(CONCURRENCY)
        try:
            return await asyncio.gather(*(self._post(content, transport, limit) for content in contents))
        finally:
            await transport.close()

    async def _post(self, content: object, transport: Transport, limit: ConcurrencyLimit) -> bytes:
        body = msgspec.json.encode(content)
        async with limit:
            try:
                return await with_retries(partial(self._attempt, body, transport), limit, RETRY)
            except Unanswered as failure:
                raise Unanswered(failure.status, f"{self.where}: {failure.why}") from None

    async def _attempt(self, body: bytes, transport: Transport) -> bytes:
        try:
            return await transport.post(body)
        except FailedAttempt as failure:
            if failure.code not in (401, 403):
                raise
            state = "is set and was refused" if self._key() else "is not set"
            raise FailedAttempt("provider_error", f"{failure.why}; {self.key_variable} {state}") from None

    def _key(self) -> str:
        key = os.environ.get(self.key_variable, "").strip()
        if not is_sendable(key):
            raise Unanswered("provider_error", f"{self.key_variable} holds characters that no key can have")
        return key


def check_url(what: str, url: str, example: str) -> None:
    """Raise BadInput unless a URL is a plain address without a password."""
    parts = urlsplit(url)
    if "@" in parts.netloc:
        raise BadInput(f"{what} on {parts.hostname!r}: holds a password; expected the key in the environment")
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise BadInput(f"{what} {url.partition('?')[0]!r}: expected {example}")
