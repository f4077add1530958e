"""One connection that speaks HTTP/1.1: a request, and its reply up to a limit of bytes."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from time import monotonic
from typing import NamedTuple

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser

# The longest head of a reply, in bytes: four times what Node.js takes.
LONGEST_HEAD = 64 << 10

OK = 200


class BrokenConnection(OSError):  # noqa: N818 - a fact about a connection
    """A connection ended or carried something that is no reply; the message says what."""


class Response(NamedTuple):
    """A reply. Header names are in small letters; a body that is not `whole` was read up to the limit."""

    code: int
    headers: Mapping[bytes, bytes]
    body: bytes
    whole: bool

    def header(self, name: bytes) -> str:
        """The value of a header; empty where it is missing."""
        return self.headers.get(name, b"").decode("latin-1").strip()


class Connection(asyncio.BufferedProtocol):
    """A connection that carries one request at a time; at most `longest` bytes of a body are read, and a little more.

    While open, it is in the set `others`; `closed` is done when it ends. `idle_since` is when it was last used.
    Connections of one event loop may share the `buffer` that they read into.
    """

    def __init__(self, longest: int, others: set[Connection], buffer: memoryview) -> None:
        self._loop = asyncio.get_running_loop()
        self._buffer = buffer
        self._longest = longest
        self._others = others
        self._reply: asyncio.Future[Response] | None = None
        self._headers: dict[bytes, bytes] = {}
        self._body: list[bytes] = []
        self._head_size = self._size = 0
        self._has_head = self._is_tunnel = self._is_reusable = False
        self.closed: asyncio.Future[None] = self._loop.create_future()
        self.idle_since = 0.0

    @property
    def is_reusable(self) -> bool:
        """Whether another request can be sent."""
        return self._is_reusable and not self.transport.is_closing()

    def exchange(self, request: bytes) -> asyncio.Future[Response]:
        """Send a request; the result is its reply."""
        self._reply = reply = self._loop.create_future()
        self._head_size, self._has_head, self._is_reusable = 0, False, False
        self.transport.write(request)
        return reply

    async def open_tunnel(self, request: bytes, context: ssl.SSLContext, host: str) -> None:
        """Have a proxy connect to a server, and speak TLS with the server from here on."""
        self._is_tunnel = True
        response = await self.exchange(request)
        self._is_tunnel = False
        if response.code != OK:
            raise BrokenConnection(f"the proxy does not connect to {host}: HTTP {response.code}")
        secured = await self._loop.start_tls(self.transport, self, context, server_hostname=host)
        if secured is None:
            raise BrokenConnection(f"{host} closed the connection")
        self.connection_made(secured)

    def abort(self) -> None:
        """End the connection at once."""
        self.transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the event loop, and again once a tunnel is open."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._parser = HttpResponseParser(self)
        self._is_reusable, self.idle_since = True, monotonic()
        self._others.add(self)

    def get_buffer(self, sizehint: int) -> memoryview:
        """Called by the event loop: where to put what it reads."""
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Called by the event loop."""
        if self._reply is None:  # Nothing was asked.
            self.abort()
            return
        self._head_size += 0 if self._has_head else nbytes
        try:
            self._parser.feed_data(self._buffer[:nbytes])
        except (HttpParserError, HttpParserUpgrade) as error:
            self._fail(BrokenConnection(f"the reply is not HTTP/1.1: {error}"))
        if not self._has_head and self._head_size > LONGEST_HEAD:
            self._fail(BrokenConnection(f"the headers of the reply have more than {LONGEST_HEAD:,} bytes"))

    def connection_lost(self, error: Exception | None) -> None:
        """Called by the event loop."""
        if self._has_head and not {b"content-length", b"transfer-encoding"} & self._headers.keys():
            self._finish(whole=True)  # Without a length, the end of the connection ends the body.
        self._fail(error or BrokenConnection("the server closed the connection before the reply was complete"))
        self._others.discard(self)
        if not self.closed.done():
            self.closed.set_result(None)

    def on_message_begin(self) -> None:
        """Called by the parser, also for the reply after an informational one (RFC 9110, 15.2)."""
        self._headers, self._body, self._size = {}, [], 0
        self._has_head = False
        if self._reply is None:  # More than was asked for.
            self._is_reusable = False

    def on_header(self, name: bytes, value: bytes) -> None:
        """Called by the parser."""
        self._headers[name.lower()] = value

    def on_headers_complete(self) -> None:
        """Called by the parser. What follows the reply to CONNECT is not a body."""
        self._has_head = True
        if self._is_tunnel:
            self._finish(whole=True)

    def on_body(self, chunk: bytes) -> None:
        """Called by the parser."""
        self._body.append(chunk)
        self._size += len(chunk)
        if self._size > self._longest:
            self._finish(whole=False)

    def on_message_complete(self) -> None:
        """Called by the parser."""
        if self._parser.get_status_code() < OK:
            self._has_head = False  # An informational reply: the real one follows.
        elif self._reply is not None:
            # A server may refuse a long request before it has read it all.
            self._is_reusable = self._parser.should_keep_alive() and not self.transport.get_write_buffer_size()
            self._finish(whole=True)

    def _finish(self, whole: bool) -> None:
        reply, self._reply = self._reply, None
        if reply is not None and not reply.done():
            code = self._parser.get_status_code()
            reply.set_result(Response(code, self._headers, b"".join(self._body), whole))
            self.idle_since = monotonic()

    def _fail(self, error: Exception) -> None:
        self._is_reusable = False
        reply, self._reply = self._reply, None
        if reply is not None and not reply.done():
            reply.set_exception(error)
