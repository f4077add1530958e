"""A judge behind the OpenAI chat protocol, over one HTTP session with many requests in flight."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from msgspec import structs

from adjudge.core.ask import Question
from adjudge.core.errors import BadInput
from adjudge.tools.judge.asking import always, answered
from adjudge.tools.judge.crew import Crew
from adjudge.tools.judge.lane import Lane
from adjudge.tools.judge.models import JudgeSpec
from adjudge.tools.judge.protocols import Admit, Completion, Usage
from adjudge.tools.judge.trouble import Patience, Trouble, http_trouble, persist, redacted, retry_after, shortened
from adjudge.tools.judge.wire import Dialect, Failed, Request, Said, Unreadable, body, said

if TYPE_CHECKING:
    import aiohttp

UNAUTHORISED = 401
CONCURRENCY = 32
LONGEST_CONNECT = 30.0


class JudgeClient:
    """The judge of a spec; `dialect` is what its server turned out to take of the protocol."""

    def __init__(
        self, spec: JudgeSpec, key: str = "", concurrency: int = CONCURRENCY, patience: Patience | None = None
    ) -> None:
        try:
            import aiohttp
        except ImportError as error:
            raise BadInput("a judge needs the package aiohttp: pip install 'adjudge[judge]'") from error
        if not (key.isascii() and key.isprintable()):
            raise BadInput(f"{spec.key_name}: the key has characters that no key has; copy it again")
        self.spec = spec
        self.dialect = Dialect(logprobs=spec.logprobs)
        self.lane = Lane(concurrency)
        self.crew = Crew(self.lane, self.close)
        self._patience = patience or Patience()
        self._key = key
        self._url = _completions(spec.url)
        self._session: aiohttp.ClientSession | None = None
        self._denied: Trouble | None = None
        self._broken = (aiohttp.ClientError, OSError)

    @property
    def logprobs(self) -> bool:
        """Whether the server tells probabilities of words, as far as is known."""
        return self.dialect.logprobs

    async def complete(self, question: Question[Any], admit: Admit = always) -> Completion:
        """The answer, or why there is none; `admit` is called just before anything is sent and may forbid it.

        The caller has a place in the lane.
        """
        return await answered(question, self, admit)

    async def say(self, request: Request) -> Said:
        """What the judge says; raises `Unanswered`."""
        return await persist(partial(self._attempt, request), self.lane, self._patience)

    def safe(self, text: str) -> str:
        """Text without the judge's key."""
        return redacted(text, (self._key,) if self._key else ())

    def _without_key(self, content: bytes) -> bytes:
        """What a server sent, without the key should it be repeated there."""
        return content.replace(self._key.encode(), b"***") if self._key else content

    async def close(self) -> None:
        """End the session; the client can be used again afterwards, in the same or another event loop."""
        session, self._session = self._session, None
        self.lane.reset()
        if session is not None:
            await session.close()

    async def _attempt(self, request: Request) -> Said:
        """One request, again as often as the server has to be asked in a simpler dialect."""
        while True:
            dialect = self.dialect
            if self._denied is not None:
                raise self._denied
            if request.answer is None and not dialect.logprobs:
                return Said("", usage=Usage())
            try:
                reply = said(await self._post(body(request, self.spec, dialect)))
            except Failed as failure:
                raise http_trouble(failure.code, self.safe(failure.text)) from None
            except Unreadable as fault:
                raise Trouble("provider_error", shortened(self.safe(str(fault))), again=True) from None
            except _Refused as refused:
                self._concede(dialect, refused)
                continue
            if request.answer is None and not reply.words and reply.stop == "done" and reply.text:
                self.dialect = structs.replace(self.dialect, logprobs=False)
            return reply

    async def _post(self, content: bytes) -> bytes:
        try:
            # A redirect could carry the key and the transcript to another host.
            async with self._opened().post(self._url, data=content, allow_redirects=False) as response:
                reply = self._without_key(await response.read())
                if response.status == 200:
                    return reply
                text = self.safe(reply.decode(errors="replace"))
                trouble = http_trouble(response.status, text, retry_after(response.headers))
                if response.status == UNAUTHORISED:
                    self._denied = trouble  # The key is wrong for every question alike.
        except TimeoutError:
            raise Trouble("timeout", f"no reply within {self.spec.timeout:g} s", again=True) from None
        except self._broken as error:
            why = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise Trouble("provider_error", shortened(self.safe(why)), again=True) from None
        if trouble.status == "provider_error" and response.status in (400, 422):
            raise _Refused(trouble, text)
        raise trouble

    def _concede(self, spoken: Dialect, refused: _Refused) -> None:
        """Take a simpler dialect from here on; raises the trouble if the complaint is about something else."""
        if spoken is not self.dialect:
            return  # Another request has met the same complaint meanwhile.
        simpler = spoken.without(refused.text)
        if simpler is None:
            raise refused.trouble from None
        self.dialect = simpler

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            import aiohttp

            headers = {"Content-Type": "application/json", "Accept": "application/json"}
            if self._key:
                headers["Authorization"] = f"Bearer {self._key}"
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=60.0),
                timeout=aiohttp.ClientTimeout(self.spec.timeout, sock_connect=LONGEST_CONNECT),
                headers=headers,
                cookie_jar=aiohttp.DummyCookieJar(),
                proxy=_proxy(self._url),
            )
        return self._session


class _Refused(Exception):  # noqa: N818 - read as a fact: the server does not take a request as it is
    """The server finds fault with the request itself."""

    def __init__(self, trouble: Trouble, text: str) -> None:
        super().__init__(trouble.why)
        self.trouble = trouble
        self.text = text


def _completions(url: str) -> str:
    address, question_mark, query = url.partition("?")
    return f"{address.rstrip('/')}/chat/completions{question_mark}{query}"


def _proxy(url: str) -> str | None:
    """The proxy that the environment sets for an address; None goes there directly."""
    # aiohttp's trust_env looks this up for every request, and in .netrc as well: half a millisecond each.
    from urllib.request import getproxies, proxy_bypass

    parts = urlsplit(url)
    return None if proxy_bypass(parts.hostname or "") else getproxies().get(parts.scheme)
