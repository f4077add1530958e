"""Any OpenAI-compatible embeddings endpoint."""

from __future__ import annotations

import hashlib
import http.client
import math
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import msgspec

from adjudge.core.errors import BadInput, Unanswered
from adjudge.core.mark import Status
from adjudge.tools.embed import KEY_VARIABLE
from adjudge.tools.embed.calibrated import thresholds

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATCH = 64
IN_FLIGHT = 8
TRIES = 4
TIMEOUT = 60.0
LONGEST_PAUSE = 30.0
_QUOTED = 200
_PASSING = frozenset({408, 409, 429, 500, 502, 503, 504})


class _Item(msgspec.Struct):
    embedding: list[float]
    index: int


class _Reply(msgspec.Struct):
    data: list[_Item]


class _NoRedirect(HTTPRedirectHandler):
    """A redirect is a failure: following it would carry the key to another host."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


class _Setback(Exception):  # noqa: N818 - not yet a failure: most of them pass
    """A request that brought no vectors: what to tell if it stays so, and whether to try again."""

    def __init__(self, failure: Unanswered, passing: bool, retry_after: str | None = None) -> None:
        super().__init__(failure.why)
        self.failure = failure
        self.passing = passing
        self.retry_after = retry_after


class Endpoint:
    """A model at an embeddings endpoint; `url` is the base, as in http://127.0.0.1:8000/v1."""

    def __init__(self, model: str, url: str, key_variable: str = KEY_VARIABLE) -> None:
        _check(url)
        self.name = model
        self.url = url.rstrip("/").removesuffix("/embeddings") + "/embeddings"
        self.key_variable = key_variable
        self.thresholds = thresholds(model)
        self._opener = build_opener(_NoRedirect())

    @property
    def revision(self) -> str:
        """A hash of address and model; what the server does behind them is not seen."""
        return hashlib.sha256(f"{self.url} {self.name}".encode()).hexdigest()[:16]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of length 1 for each text, in order; equal texts are sent once; raises Unanswered."""
        import numpy as np

        place = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        distinct = list(place)
        parts = [distinct[start : start + BATCH] for start in range(0, len(distinct), BATCH)]
        with ThreadPoolExecutor(IN_FLIGHT) as pool:
            rows = [row for part in pool.map(self._answered, parts) for row in part]
        if len({len(row) for row in rows}) > 1:
            raise Unanswered("provider_error", f"{self._where} gave vectors of different lengths")
        return np.asarray([rows[place[text]] for text in texts], dtype=np.float32)

    def _answered(self, texts: Sequence[str]) -> list[list[float]]:
        """The vectors of one request, sent again a few times where the failure may pass."""
        for attempt in range(1, TRIES):
            try:
                return self._sent(texts)
            except _Setback as setback:
                if not setback.passing:
                    raise setback.failure from None
                time.sleep(_pause(setback.retry_after, attempt))
        try:
            return self._sent(texts)
        except _Setback as setback:
            raise setback.failure from None

    def _sent(self, texts: Sequence[str]) -> list[list[float]]:
        body = msgspec.json.encode({"model": self.name, "input": texts, "encoding_format": "float"})
        headers = {"Content-Type": "application/json"}
        if key := self._key():
            headers["Authorization"] = f"Bearer {key}"
        try:
            with self._opener.open(Request(self.url, body, headers), timeout=TIMEOUT) as reply:
                return self._read(reply.read(), len(texts))
        except HTTPError as error:
            with error:
                passing, told = error.code in _PASSING, error.headers.get("Retry-After")
                raise _Setback(self._refused(error), passing, told) from None
        except (OSError, http.client.HTTPException) as error:
            raise _Setback(self._unreached(error), passing=True) from None

    def _read(self, body: bytes, count: int) -> list[list[float]]:
        try:
            items = msgspec.json.decode(body, type=_Reply).data
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Unanswered("parse_error", f"{self._where} gave no embeddings: {error}") from None
        by_index = {item.index: item.embedding for item in items}
        if sorted(by_index) != list(range(count)) or len(items) != count:
            raise Unanswered("parse_error", f"{self._where} gave {len(items)} vectors for {count} texts")
        return [self._unit(by_index[index]) for index in range(count)]

    def _unit(self, vector: list[float]) -> list[float]:
        length = math.sqrt(sum(value * value for value in vector))
        if not 0 < length < math.inf:
            raise Unanswered("parse_error", f"{self._where} gave a vector of length {length}")
        return [value / length for value in vector]

    def _key(self) -> str:
        key = os.environ.get(self.key_variable, "").strip()
        # The library that sends it would repeat it in its complaint.
        if not (key.isascii() and key.isprintable()):
            raise Unanswered("provider_error", f"{self.key_variable} holds characters that no key has")
        return key

    @property
    def _where(self) -> str:
        return f"the embeddings endpoint {self.url}"

    def _refused(self, error: HTTPError) -> Unanswered:
        if error.code in (401, 403):
            known = "is set and was refused" if self._key() else "is not set"
            return Unanswered("provider_error", f"{self._where} answered {error.code}; {self.key_variable} {known}")
        status: Status = "rate_limited" if error.code == 429 else "provider_error"
        return Unanswered(status, f"{self._where} answered {error.code}: {self._quoted(error)}")

    def _quoted(self, error: HTTPError) -> str:
        try:
            said = error.read(10_000).decode("utf-8", "replace")
        except (OSError, http.client.HTTPException):
            said = ""
        if key := self._key():
            said = said.replace(key, "***")
        return repr(said[:_QUOTED])

    def _unreached(self, error: Exception) -> Unanswered:
        reason = error.reason if isinstance(error, URLError) else error
        if isinstance(reason, TimeoutError):
            return Unanswered("timeout", f"{self._where} did not answer within {TIMEOUT:g} s")
        return Unanswered("provider_error", f"{self._where} cannot be reached: {type(reason).__name__}")


def _check(url: str) -> None:
    parts = urlsplit(url)
    if "@" in parts.netloc:
        raise BadInput(f"embeddings URL on {parts.hostname!r}: holds a password; expected the key in the environment")
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise BadInput(
            f"embeddings URL {url.partition('?')[0]!r}: expected the base, such as 'http://127.0.0.1:8000/v1'"
        )


def _pause(told: str | None, attempt: int) -> float:
    """Seconds to wait before the next attempt: what the server says, else twice as long each time."""
    asked = float(told) if told and told.strip().isdigit() else 0.5 * 2.0**attempt
    return min(asked, LONGEST_PAUSE)
