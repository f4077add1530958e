"""Connections that stay open: requests to one server, directly or through a proxy."""

from __future__ import annotations

import asyncio
import ssl
from base64 import b64encode
from collections.abc import Mapping
from ipaddress import ip_address
from time import monotonic
from urllib.parse import SplitResult, quote, unquote, urlsplit

from adjudge.tools.connection import Connection, Response

# Seconds to connect, and to keep a connection open that nobody uses.
LONGEST_CONNECT = 30.0
KEEP_ALIVE = 60.0
# Seconds after which the next address of a name is tried beside the first (RFC 8305 recommends 0.25).
NEXT_ADDRESS = 0.25
PORTS = {"http": 80, "https": 443}


class Connections:
    """Connections to one address, directly or through a proxy: opened as needed, and kept for the next request.

    A name is looked up once, and the first connection chooses between several addresses of one name.
    """

    def __init__(self, url: str, headers: Mapping[str, str], longest: int, proxy: str | None = None) -> None:
        self._server = urlsplit(url)
        self._proxy = urlsplit(proxy) if proxy else None
        # What is connected to.
        self._gateway = self._proxy or self._server
        self._longest = longest
        self._head = _head(self._server, self._proxy, headers)
        self._context = _tls_context() if "https" in (self._server.scheme, self._gateway.scheme) else None
        self._open: set[Connection] = set()
        self._idle: list[Connection] = []
        self._address: asyncio.Task[str] | None = None

    async def post(self, content: bytes) -> Response:
        """The reply to a request; raises OSError where there is none."""
        connection = self._idle_connection() or await self._connect()
        try:
            response = await connection.exchange(
                b"%sContent-Length: %d\r\n\r\n%s" % (self._head, len(content), content)
            )
        except BaseException:
            connection.abort()
            raise
        self._keep(connection)
        return response

    async def close(self) -> None:
        """End all connections."""
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

    async def _connect(self) -> Connection:
        host = _host(self._gateway)
        try:
            async with asyncio.timeout(LONGEST_CONNECT):
                if _is_address(host):
                    return await self._connect_to(host)
                if self._address is None:
                    self._address = asyncio.get_running_loop().create_task(self._find_address(host))
                address = await asyncio.shield(self._address)
                return self._idle_connection() or await self._connect_to(address)
        except OSError as error:
            self._address = None
            if isinstance(error, TimeoutError) and not error.errno:
                raise TimeoutError(f"no connection within {LONGEST_CONNECT:g} s") from None
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
            lambda: Connection(self._longest, self._open),
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
