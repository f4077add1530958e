"""A real HTTP server that speaks the OpenAI chat protocol and answers as a test tells it to."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Any

from aiohttp import web

Body = dict[str, Any]
Script = Callable[[Body, int], Any]


def chat(content: str | None, finish: str = "stop", **extra: Any) -> Body:
    """A reply of the protocol; `refusal` and `logprobs` by name."""
    message = {"role": "assistant", "content": content, "refusal": extra.pop("refusal", None)}
    choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": extra.pop("logprobs", None)}
    usage = {"prompt_tokens": 10, "completion_tokens": 5}
    return {"id": "x", "object": "chat.completion", "model": "small-2026", "choices": [choice], "usage": usage, **extra}


def logprobs(*words: tuple[str, float]) -> Body:
    tops = [{"token": token, "logprob": value, "bytes": None} for token, value in words]
    return {"content": [{**tops[0], "top_logprobs": tops}], "refusal": None}


class Http:
    """A reply that is no success."""

    def __init__(self, status: int, text: str = "", **headers: str) -> None:
        self.status = status
        self.text = text
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class Stream:
    """A success whose body is these chunks, as they are; they may go on for ever. `sent` counts their bytes."""

    def __init__(self, chunks: Iterable[bytes], **headers: str) -> None:
        self.chunks = chunks
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}
        self.sent = 0


class Cut:
    """The connection breaks in the middle of the reply."""


class Never:
    """No reply comes."""


class ChatServer:
    """Runs in a thread; `script(body, number)` says how the request of this number, from 0, is answered."""

    def __init__(self) -> None:
        self.script: Script = lambda body, number: chat("{}")
        self.latency: Callable[[Body, int], float] = lambda body, number: 0.0
        self.bodies: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.at_once = self.most_at_once = 0
        self._transports: set[asyncio.Transport] = set()
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._ready.wait(60)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(60)
        self._loop.close()

    def _run(self) -> None:
        self._loop.run_until_complete(self._serve())

    async def _serve(self) -> None:
        self._ended = asyncio.Event()
        app = web.Application(client_max_size=64_000_000)
        app.router.add_post("/v1/{protocol:.+}", self._answer)
        runner = web.AppRunner(app, shutdown_timeout=0.1, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0, backlog=1024)
        await site.start()
        self.port = runner.addresses[0][1]
        self._ready.set()
        await self._ended.wait()
        await runner.cleanup()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        for transport in self._transports:
            transport.abort()
        # A transport is closed by a later turn of the loop, also where the other side was killed.
        await asyncio.sleep(0.05)

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        if request.transport is not None:
            self._transports.add(request.transport)
        body = json.loads(await request.read())
        number = len(self.bodies)
        self.bodies.append(body)
        self.headers.append(dict(request.headers))
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await asyncio.sleep(self.latency(body, number))
            return await _respond(self.script(body, number), request)
        finally:
            self.at_once -= 1


async def _respond(reply: Any, request: web.Request) -> web.StreamResponse:
    if isinstance(reply, Awaitable):
        reply = await reply
    if isinstance(reply, Never):
        await asyncio.sleep(3600)
    if isinstance(reply, Http):
        return web.Response(status=reply.status, text=reply.text, headers=reply.headers)
    if isinstance(reply, Cut):
        return await _cut(request)
    if isinstance(reply, Stream):
        return await _stream(reply, request)
    if isinstance(reply, str):
        return web.Response(text=reply)
    return web.json_response(reply)


async def _stream(reply: Stream, request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers=reply.headers)
    await response.prepare(request)
    with suppress(ConnectionError):
        for chunk in reply.chunks:
            await response.write(chunk)
            reply.sent += len(chunk)
        await response.write_eof()
    return response


async def _cut(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Length": "5000"})
    await response.prepare(request)
    await response.write(b'{"choices": [{"mess')
    assert request.transport is not None
    request.transport.abort()
    return response
