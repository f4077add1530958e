"""Connections over real sockets: to servers that answer with these very bytes, over TLS, and through proxies."""

from __future__ import annotations

import asyncio
import shutil
import ssl
import subprocess
from base64 import b64encode
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest

from adjudge.tools.connection import LONGEST_HEAD, BrokenConnection, Response
from adjudge.tools.connections import Connections

T = TypeVar("T")

LONGEST = 1000
FINE = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine"


class Server:
    """Answers the requests of each connection with the next of `replies`; None closes the connection."""

    def __init__(self, *replies: bytes | None, context: ssl.SSLContext | None = None) -> None:
        self.replies = list(replies)
        self.context = context
        self.requests: list[bytes] = []
        self.connections = 0
        self.writers: list[asyncio.StreamWriter] = []

    async def __aenter__(self) -> Server:
        self.server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self.context)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *error: object) -> None:
        self.server.close()
        for writer in self.writers:
            writer.transport.abort()
        await self.server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.writers.append(writer)
        with suppress(asyncio.IncompleteReadError, OSError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
                self.requests.append(head + await reader.readexactly(int(length or 0)))
                await self._reply(self.replies.pop(0) if self.replies else FINE, reader, writer)

    async def _reply(self, reply: bytes | None, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(reply or b"")
        if reply is None or b"Connection: close" in reply or not reply.startswith(b"HTTP"):
            writer.close()


class Proxy(Server):
    """Connects to any host at 127.0.0.1, if `password` is right, and passes everything on."""

    def __init__(self, password: str = "", context: ssl.SSLContext | None = None) -> None:
        super().__init__(context=context)
        self.password = password

    async def _reply(self, reply: bytes | None, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = self.requests[-1]
        if self.password and b64encode(self.password.encode()) not in asked:
            writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
            return
        port = int(asked.split()[1].rpartition(b":")[2])
        there, back = await asyncio.open_connection("127.0.0.1", port)
        self.writers.append(back)
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await asyncio.gather(_pass_on(reader, back), _pass_on(there, writer))


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(4096):
            writer.write(data)
    writer.close()


def run(work: Callable[[], Awaitable[T]]) -> T:
    async def within_time() -> T:
        async with asyncio.timeout(30):
            return await work()

    return asyncio.run(within_time())


def replies_of(*replies: bytes | None, requests: int = 1) -> tuple[list[Response], Server]:
    """What a server's bytes are taken for, and the server."""

    async def work() -> tuple[list[Response], Server]:
        async with Server(*replies) as server:
            connections = Connections(f"http://127.0.0.1:{server.port}/v1", {}, LONGEST)
            try:
                return [await connections.post(b"{}") for _ in range(requests)], server
            finally:
                await connections.close()

    return run(work)


def test_requests_one_after_the_other_share_a_connection() -> None:
    responses, server = replies_of(requests=3)
    assert [response.body for response in responses] == [b"fine"] * 3
    assert server.connections == 1


def test_the_request_has_target_host_and_length() -> None:
    async def work() -> bytes:
        async with Server() as server:
            connections = Connections(f"http://localhost:{server.port}/a b/ü?x=1&y=%20", {"Accept": "text/x"}, LONGEST)
            await connections.post(b'{"a": 1}')
            await connections.close()
            return server.requests[0].replace(str(server.port).encode(), b"PORT")

    assert run(work) == (
        b"POST /a%20b/%C3%BC?x=1&y=%20 HTTP/1.1\r\nHost: localhost:PORT\r\nAccept: text/x\r\nContent-Length: 8\r\n\r\n"
        b'{"a": 1}'
    )


def test_requests_at_once_have_connections_of_their_own() -> None:
    async def work() -> tuple[list[Response], int]:
        async with Server() as server:
            connections = Connections(f"http://localhost:{server.port}", {}, LONGEST)
            responses = await asyncio.gather(*(connections.post(b"") for _ in range(50)))
            await connections.close()
            return responses, server.connections

    responses, opened = run(work)
    assert [response.code for response in responses] == [200] * 50
    assert opened == 50


@pytest.mark.parametrize(
    ("reply", "body"),
    [
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nfi\r\n2\r\nne\r\n0\r\nX: y\r\n\r\n", b"fine"),
        (b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil the end", b"until the end"),
        (b"HTTP/1.0 200 OK\r\nConnection: close\r\n\r\nold", b"old"),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nContent-Length: 9\r\n\r\n" + FINE, b"fine"),
        (b"HTTP/1.1 204 No Content\r\n\r\n", b""),
    ],
)
def test_a_body_ends_where_http_says(reply: bytes, body: bytes) -> None:
    responses, _ = replies_of(reply, requests=2)
    assert [response.body for response in responses] == [body, b"fine"]
    assert all(response.whole for response in responses)


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (None, "closed the connection before"),
        (b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 9\r\n\r\nfine", "closed the connection before"),
        (b"HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nf", "closed the connection"),
        (b"HTTP/1.1 100 Continue\r\nConnection: close\r\n\r\n", "closed the connection before"),
        (b"SSH-2.0-OpenSSH\r\n", "not HTTP/1.1"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nfine", "not HTTP/1.1"),
        (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", "not HTTP/1.1"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 2 * LONGEST_HEAD, "headers of the reply have more than"),
    ],
)
def test_what_is_no_reply_is_a_broken_connection(reply: bytes | None, fault: str) -> None:
    with pytest.raises(BrokenConnection, match=fault):
        replies_of(reply)


def test_a_body_is_read_up_to_the_limit_and_the_connection_is_not_used_again() -> None:
    long = b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + b"x" * 100_000
    (first, second), server = replies_of(long, requests=2)
    assert (first.whole, second.whole) == (False, True)
    assert LONGEST < len(first.body) < 100_000 or first.body == b"x" * 100_000
    assert server.connections == 2


@pytest.mark.parametrize(
    "reply", [FINE.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"), FINE + b"HTTP/1.1 200 more than was asked"]
)
def test_a_connection_that_ends_or_says_too_much_is_replaced(reply: bytes) -> None:
    responses, server = replies_of(reply, requests=2)
    assert [response.body for response in responses] == [b"fine"] * 2
    assert server.connections == 2


def test_a_connection_that_the_server_closed_meanwhile_is_replaced() -> None:
    async def work() -> int:
        async with Server() as server:
            connections = Connections(f"http://127.0.0.1:{server.port}", {}, LONGEST)
            await connections.post(b"")
            server.writers[0].close()
            await asyncio.sleep(0.05)
            assert (await connections.post(b"")).body == b"fine"
            await connections.close()
            return server.connections

    assert run(work) == 2


def test_nobody_at_the_address_is_an_error_of_every_request_at_once() -> None:
    async def work() -> list[Any]:
        connections = Connections("http://127.0.0.1:9/v1", {}, LONGEST)
        return await asyncio.gather(*(connections.post(b"") for _ in range(5)), return_exceptions=True)

    assert all(isinstance(error, ConnectionRefusedError) for error in run(work))


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for localhost, with its key, that signs itself."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl on this machine, which makes the certificate")
    path = tmp_path_factory.mktemp("tls") / "certificate.pem"
    name = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
    options = ("-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2")
    command = ("openssl", "req", *options, *name, "-keyout", str(path), "-out", str(path.with_suffix(".crt")))
    subprocess.run(command, check=True, capture_output=True)
    path.write_bytes(path.read_bytes() + path.with_suffix(".crt").read_bytes())
    return path


@pytest.fixture
def context(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """The server's side of TLS, whose certificate this process trusts."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.with_suffix(".crt")))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


async def ask_over_tls(server: Server, host: str = "localhost", proxy: str | None = None) -> list[bytes]:
    """The bodies of three replies, two of them at once."""
    connections = Connections(f"https://{host}:{server.port}/v1", {}, LONGEST, proxy)
    try:
        responses = await asyncio.gather(connections.post(b"{}"), connections.post(b"{}"))
        return [response.body for response in (*responses, await connections.post(b"{}"))]
    finally:
        await connections.close()


def test_a_server_is_asked_over_tls(context: ssl.SSLContext) -> None:
    async def work() -> list[bytes]:
        async with Server(context=context) as server:
            return await ask_over_tls(server)

    assert run(work) == [b"fine"] * 3


@pytest.mark.parametrize("trusted", [False, True])
def test_a_server_that_cannot_show_who_it_is_gets_no_request(
    context: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch, trusted: bool
) -> None:
    if not trusted:
        monkeypatch.delenv("SSL_CERT_FILE")

    async def work() -> Server:
        async with Server(context=context) as server:
            with pytest.raises(ssl.SSLCertVerificationError):
                await ask_over_tls(server, host="127.0.0.1" if trusted else "localhost")
            return server

    assert run(work).requests == []


@pytest.mark.parametrize("secured", [False, True])
def test_a_proxy_passes_tls_on_and_sees_no_request(context: ssl.SSLContext, secured: bool) -> None:
    async def work() -> tuple[list[bytes], Proxy]:
        async with Server(context=context) as server, Proxy("ann:p@ss", context if secured else None) as proxy:
            address = f"{'https' if secured else 'http'}://ann:p%40ss@localhost:{proxy.port}"
            return await ask_over_tls(server, proxy=address), proxy

    bodies, proxy = run(work)
    assert bodies == [b"fine"] * 3
    assert {request.partition(b" ")[0] for request in proxy.requests} == {b"CONNECT"}


def test_a_proxy_that_refuses_is_named(context: ssl.SSLContext) -> None:
    async def work() -> None:
        async with Server(context=context) as server, Proxy("ann:right") as proxy:
            await ask_over_tls(server, proxy=f"http://ann:wrong@localhost:{proxy.port}")

    with pytest.raises(BrokenConnection, match="the proxy does not connect to localhost: HTTP 407"):
        run(work)


def test_a_plain_request_through_a_proxy_names_the_server_and_the_user() -> None:
    async def work() -> bytes:
        async with Server() as proxy:
            address = f"http://ann:secret@127.0.0.1:{proxy.port}"
            connections = Connections("http://judge.example:8000/v1?x=1", {}, LONGEST, address)
            await connections.post(b"")
            await connections.close()
            return proxy.requests[0]

    head = run(work)
    assert head.startswith(b"POST http://judge.example:8000/v1?x=1 HTTP/1.1\r\nHost: judge.example:8000\r\n")
    assert b"\r\nProxy-Authorization: Basic " + b64encode(b"ann:secret") + b"\r\n" in head
