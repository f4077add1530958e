"""Connections that stay open: requests to one server, directly or through a proxy."""

from __future__ import annotations

import asyncio
import ssl
from base64 import b64encode
from collections import deque
from collections.abc import Mapping
from functools import cache
from ipaddress import ip_address
from time import monotonic
from urllib.parse import SplitResult, quote, unquote, urlsplit

from adjudge.tools.connection import Connection, Response
from adjudge.tools.deadlines import Deadlines

# Seconds to connect, and to keep a connection open that nobody uses.
LONGEST_CONNECT = 30.0
KEEP_ALIVE = 60.0
# Seconds after which the next address of a name is tried beside the first (RFC 8305 recommends 0.25).
NEXT_ADDRESS = 0.25
# Connections that are begun in one turn of the event loop.
AT_ONCE = 8
# The bytes that are read at a time.
READ_SIZE = 64 << 10
PORTS = {"http": 80, "https": 443}


class Connections:
    """Connections to one address, directly or through a proxy: opened as needed, and kept for the next request.

    A name is looked up once, and the first connection chooses between several addresses of one name. A reply is waited
    for `patience` seconds.
    """

    def __init__(
        self, url: str, headers: Mapping[str, str], longest: int, proxy: str | None = None, patience: float = 120.0
    ) -> None:
        self._patience = patience
        self._deadlines = Deadlines(patience)
        self._server = urlsplit(url)
        self._proxy = urlsplit(proxy) if proxy else None
        # What is connected to.
        self._gateway = self._proxy or self._server
        self._longest = longest
        self._head = _head(self._server, self._proxy, headers)
        self._context = _tls_context() if "https" in (self._server.scheme, self._gateway.scheme) else None
        self._open: set[Connection] = set()
        # What was read is parsed before the event loop reads again, so all connections read into the same memory.
        # Without it, asyncio takes 256 KiB from the system for every reply and gives most of it back.
        self._buffer = memoryview(bytearray(READ_SIZE))
        self._idle: list[Connection] = []
        self._address: asyncio.Task[str] | None = None
        self._turns: deque[asyncio.Future[None]] = deque()

    async def post(self, content: bytes) -> Response:
        """The reply to a request; raises OSError where there is none, and TimeoutError where it takes too long."""
        connection = self._idle_connection() or await self._connect()
        reply = connection.exchange(b"%sContent-Length: %d\r\n\r\n%s" % (self._head, len(content), content))
        self._deadlines.add(reply)
        try:
            response = await reply
        except BaseException:
            connection.abort()
            raise
        finally:
            self._deadlines.remove(reply)
        self._keep(connection)
        return response

    async def close(self) -> None:
        """End all connections."""
        self._deadlines.close()
        if self._address is not None:
            self._address.cancel()
            await asyncio.gather(self._address, return_exceptions=True)
        for connection in self._open:
            connection.abort()
        # A connection is closed in a later turn of the event loop, which may be about to end.
        await asyncio.gather(*(connection.closed for connection in self._open))

    def _idle_connection(self) -> Connection | None:
        """The connection that was used last, so that those which nobody needs grow old."""
        while self._idle:
            connection = self._idle.pop()
            if connection.is_reusable and monotonic() - connection.idle_since < KEEP_ALIVE:
                return connection
            connection.abort()
        return None

    def _keep(self, connection: Connection) -> None:
        if connection.is_reusable:
            self._idle.append(connection)
        else:
            connection.abort()

    async def _wait_for_turn(self) -> None:
        """Wait until it is this connection's turn, so that the first request does not wait until all others connect."""
        loop = asyncio.get_running_loop()
        turn = loop.create_future()
        self._turns.append(turn)
        if len(self._turns) == 1:
            loop.call_soon(self._grant_turns)
        await turn

    def _grant_turns(self) -> None:
        for _ in range(min(AT_ONCE, len(self._turns))):
            turn = self._turns.popleft()
            if not turn.done():
                turn.set_result(None)
        if self._turns:
            asyncio.get_running_loop().call_soon(self._grant_turns)

    async def _connect(self) -> Connection:
        await self._wait_for_turn()
        host = _host(self._gateway)
        try:
            async with asyncio.timeout(min(LONGEST_CONNECT, self._patience)):
                if _is_address(host):
                    return await self._connect_to(host)
                if self._address is None:
                    self._address = asyncio.get_running_loop().create_task(self._find_address(host))
                address = await asyncio.shield(self._address)
                return self._idle_connection() or await self._connect_to(address)
        except OSError as error:
            self._address = None
            if isinstance(error, TimeoutError) and not error.errno:
                longest = min(LONGEST_CONNECT, self._patience)
                raise TimeoutError(f"no connection within {longest:g} s") from None
            raise

    async def _find_address(self, host: str) -> str:
        """The address that the first connection has; the next request takes that connection."""
        connection = await self._connect_to(host, NEXT_ADDRESS)
        self._idle.append(connection)
        return str(connection.transport.get_extra_info("peername")[0])

    async def _connect_to(self, address: str, next_address: float | None = None) -> Connection:
        loop, gateway = asyncio.get_running_loop(), self._gateway
        context = self._context if gateway.scheme == "https" else None
        _, connection = await loop.create_connection(
            lambda: Connection(self._longest, self._open, self._buffer),
            address,
            _port(gateway),
            ssl=context,
            server_hostname=_host(gateway) if context else None,
            happy_eyeballs_delay=next_address,
        )
        if self._proxy and self._server.scheme == "https":
            await self._open_tunnel(connection)
        return connection

    async def _open_tunnel(self, connection: Connection) -> None:
        assert self._proxy is not None
        assert self._context is not None
        target = f"{_in_brackets(_host(self._server))}:{_port(self._server)}"
        lines = [f"CONNECT {target} HTTP/1.1", f"Host: {target}", *_proxy_authorization(self._proxy), "", ""]
        try:
            await connection.open_tunnel("\r\n".join(lines).encode(), self._context, _host(self._server))
        except BaseException:
            connection.abort()
            raise


def _head(server: SplitResult, proxy: SplitResult | None, headers: Mapping[str, str]) -> bytes:
    """The head of all requests up to the length of the body, which is the last header."""
    port = "" if _port(server) == PORTS[server.scheme] else f":{_port(server)}"
    host = _in_brackets(_host(server)) + port
    path = quote(server.path or "/", safe="/%:@!$&'()*+,;=~")
    query = "?" + quote(server.query, safe="/%:?@!$&'()*+,;=~") if server.query else ""
    lines = [f"Host: {host}", *(f"{name}: {value}" for name, value in headers.items())]
    if proxy is None or server.scheme == "https":
        target = path + query
    else:
        target = f"http://{host}{path}{query}"
        lines += _proxy_authorization(proxy)
    return "\r\n".join([f"POST {target} HTTP/1.1", *lines, ""]).encode()


def _proxy_authorization(proxy: SplitResult) -> list[str]:
    if proxy.username is None:
        return []
    name_and_password = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return [f"Proxy-Authorization: Basic {b64encode(name_and_password.encode()).decode()}"]


def _host(address: SplitResult) -> str:
    host = address.hostname or ""
    return host if host.isascii() else host.encode("idna").decode()


def _port(address: SplitResult) -> int:
    return address.port or PORTS[address.scheme]


@cache
def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _in_brackets(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _tls_context() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context
