"""One address that JSON is posted to, with many requests in flight, and what its replies mean."""

from __future__ import annotations

import errno
import importlib.util
import re
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from adjudge.core.errors import BadInput, FailedAttempt
from adjudge.core.install import install_command
from adjudge.core.version import __version__
from adjudge.tools.body import ENCODINGS, BadBody, TooLong, expand, expand_beginning
from adjudge.tools.proxy import proxy_for

if TYPE_CHECKING:
    from adjudge.tools.connection import Response
    from adjudge.tools.connections import Connections

# The longest body of a reply, in bytes after decompression. 16,384 tokens of text are about 100,000 bytes.
LONGEST_BODY = 4 << 20
# The part that is read of the body of an error.
LONGEST_ERROR = 64 << 10
# Characters of a server's reply that a message shows.
SHOWN = 200
# Shorter values of secret variables are not replaced: they would occur in ordinary text.
SHORTEST_SECRET = 6

OK = 200
UNAUTHORISED = 401
# Codes that do not depend on the question: redirects, Payment Required, Forbidden, Not Found, Method Not Allowed,
# Proxy Authentication Required, Gone, Not Implemented.
FUTILE = frozenset((301, 302, 303, 307, 308, 402, 403, 404, 405, 407, 410, 501))
# A server that has given answers before may refuse a single question, as the firewall before it may. So many refusals
# in a row are no longer about single questions.
MOST_REFUSALS = 5
# Request Timeout, Conflict, Too Early, Too Many Requests: the same request may succeed a little later.
TRANSIENT = frozenset((408, 409, 425, 429))

# "maximum context length is 8192 tokens", "prompt is too long: 9 tokens > 8", "input is too large"
_TOO_LONG = re.compile(
    r"context.?(length|window|size)|maximum context|prompt is too long|too many (input )?tokens"
    r"|exceeds? the (maximum|available) (number of tokens|context)|input (is )?too (long|large)",
    re.IGNORECASE,
)
# '"code": "content_filter"', "content management policy", "your input was flagged"
_FILTERED = re.compile(
    r"content.?(filter|management policy|policy.?violation)|(input|prompt|content) was flagged", re.IGNORECASE
)
# Servers also answer 429 if the account has no credit. Waiting does not help: '"code": "insufficient_quota"'
_NO_CREDIT = re.compile(r"insufficient.?quota|billing|exceeded your current quota", re.IGNORECASE)


class Transport:
    """Posts JSON to one address. The key is sent in a header and stands in no reply, message or repr.

    `longest` is the number of bytes that a reply may have. Once the server has refused the key or the address, it is
    not asked again.
    """

    def __init__(self, url: str, key: str = "", timeout: float = 120.0, longest: int = LONGEST_BODY) -> None:
        require_http_client(url)
        self.url = url
        self.timeout = timeout
        self.longest = longest
        self._key = key
        self._proxy = proxy_for(url)
        self._connections: Connections | None = None
        self._refusals = Refusals()

    async def post(self, content: bytes) -> bytes:
        """The body of the reply, with stars in place of the key; raises `FailedAttempt`."""
        self._refusals.check()
        try:
            response = await self._open_connections().post(content)
            body = self._expand_body(response)
        except BadBody as fault:
            raise FailedAttempt("provider_error", str(fault)) from None
        except TimeoutError as error:
            raise FailedAttempt("timeout", str(error) or f"no reply within {self.timeout:g} s", again=True) from None
        except (OSError, ValueError) as error:  # A name that cannot be looked up is a ValueError.
            raise self._connection_failure(error) from None
        if response.code == OK:
            self._refusals.reset()
            return body
        text = self.redact(body.decode(errors="replace"))
        failure = http_failure(response.code, text, retry_after(response.header(b"retry-after")))
        self._refusals.add(failure)
        raise failure

    def redact(self, text: str) -> str:
        """Text without the key and the password of the proxy."""
        return redact(text, [secret for secret in (self._key, urlsplit(self._proxy or "").password) if secret])

    async def close(self) -> None:
        """End the connections; the transport can be used again afterwards, in the same or another event loop."""
        connections, self._connections = self._connections, None
        if connections is not None:
            await connections.close()

    def _expand_body(self, response: Response) -> bytes:
        """The body of a reply without the key; of an error, its beginning."""
        encoding = response.header(b"content-encoding")
        if response.code != OK:
            body = expand_beginning(response.body, encoding, LONGEST_ERROR)
        elif response.whole:
            body = expand(response.body, encoding, self.longest)
        else:
            raise TooLong(self.longest)
        return body.replace(self._key.encode(), b"***") if self._key else body

    def _connection_failure(self, error: Exception) -> FailedAttempt:
        why = shorten(self.redact(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__))
        out_of_files = getattr(error, "errno", None) in (errno.EMFILE, errno.ENFILE)
        return FailedAttempt("provider_error", why, again=True, out_of_files=out_of_files)

    def _open_connections(self) -> Connections:
        if self._connections is None:
            from adjudge.tools.connections import Connections

            headers = {
                "User-Agent": f"adjudge/{__version__}",
                "Content-Type": "application/json",
                "Accept": "application/json",
                "Accept-Encoding": ENCODINGS,
            }
            if self._key:
                headers["Authorization"] = f"Bearer {self._key}"
            self._connections = Connections(self.url, headers, self.longest, self._proxy, self.timeout)
        return self._connections


class Refusals:
    """What a server refused for reasons that hold for every request, such as a wrong key or an unknown model."""

    def __init__(self) -> None:
        self._last: FailedAttempt | None = None
        self._in_a_row = 0
        self._answered = False

    def check(self) -> None:
        """Raise `FailedAttempt` if it is useless to send another request."""
        if self._last is not None:
            why = f"{self._last.why}; nothing more was sent there"
            raise FailedAttempt(self._last.status, why, code=self._last.code, text=self._last.text, sent=False)

    def reset(self) -> None:
        """Note that the server has answered."""
        self._answered = True
        self._in_a_row = 0

    def add(self, failure: FailedAttempt) -> None:
        """Note a failure; of a server that never answered, the first one is enough."""
        no_credit = failure.code == 429 and not failure.again
        if failure.code == UNAUTHORISED or no_credit:
            self._last = failure
        elif failure.code in FUTILE:
            self._in_a_row += 1
            if not self._answered or self._in_a_row >= MOST_REFUSALS:
                self._last = failure


def require_http_client(url: str) -> None:
    """Raise BadInput unless the package that requests are sent with is installed."""
    if importlib.util.find_spec("httptools") is None:
        raise BadInput(f"asking {url} needs the package httptools: {install_command('judge')}")


def http_failure(code: int, text: str, wait: float | None = None) -> FailedAttempt:
    """What an HTTP reply that is not a success means; `text` is its body with all keys removed."""
    why = f"HTTP {code}: {shorten(text)}" if text.strip() else f"HTTP {code}"
    if code == 413 or (code in (400, 422) and _TOO_LONG.search(text)):
        return FailedAttempt("too_long", why)
    if code in (400, 403) and _FILTERED.search(text):
        return FailedAttempt("refusal", why)
    if code == 429 and not _NO_CREDIT.search(text):
        return FailedAttempt("rate_limited", why, again=True, wait=wait)
    if code == 408:
        return FailedAttempt("timeout", why, again=True, wait=wait)
    again = code >= 500 or (code in TRANSIENT and code != 429)
    return FailedAttempt("provider_error", why, again=again, wait=wait, code=code, text=text)


def retry_after(text: str) -> float | None:
    """The seconds that a header Retry-After asks to wait, as a number or a date; None if it does not say."""
    if not text:
        return None
    try:
        return max(0.0, float(text)) if text.replace(".", "", 1).isdigit() else _seconds_to(parsedate_to_datetime(text))
    except ValueError:
        return None


def shorten(text: str) -> str:
    """Text in one line, cut to what fits a message."""
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else line[: SHOWN - 3] + "..."


def redact(text: str, secrets: Collection[str]) -> str:
    """Text in which every secret is replaced by stars."""
    for secret in secrets:
        text = text.replace(secret, "***")
    return text


def secrets_in(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The values of environment variables whose names say that they are secret, longest first."""
    values = {value.strip() for name, value in environ.items() if _is_secret(name)}
    return tuple(sorted((value for value in values if len(value) >= SHORTEST_SECRET), key=len, reverse=True))


def is_sendable(key: str) -> bool:
    """Whether a key can stand in a header; one that cannot would be repeated in the error of the HTTP library."""
    return key.isascii() and key.isprintable()


def _is_secret(name: str) -> bool:
    return name.upper().endswith(("KEY", "TOKEN", "SECRET", "PASSWORD"))


def _seconds_to(date: datetime) -> float:
    aware = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())
