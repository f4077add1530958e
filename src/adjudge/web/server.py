"""The server: addresses to pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from traceback import print_exception
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from msgspec import Struct, field
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from adjudge.core.errors import BadInput
from adjudge.report.run import words as run_words
from adjudge.web import frame
from adjudge.web.address import ListState, is_from_form, parse_state
from adjudge.web.catalogue import Catalogue, RunEntry
from adjudge.web.links import ServerLinks
from adjudge.web.opened import BeingIndexed, OpenRun, open_run
from adjudge.web.page_cache import PageCache, run_stamp
from adjudge.web.pages.conversation import conversation_view
from adjudge.web.pages.conversations import conversations_view
from adjudge.web.pages.run import run_view
from adjudge.web.pages.runs import runs_view
from adjudge.web.security import COOKIE, HEADERS, Guard, Refusal

LINKS = ServerLinks()
STATIC = {"view.css": "text/css", "view.js": "text/javascript"}
# What to do about a page that could not be made.
FAULT_STEPS = (
    "Load the page again: a run that is being written may have changed in between.",
    "Go on with the other pages: they do not depend on this one.",
    "If the error persists, report it with the version below and the output of `adjudge view` in the terminal.",
)
# The largest form that is read, in bytes.
LARGEST_FORM = 64_000


class NotThere(Exception):  # noqa: N818 - what was asked for, not what went wrong
    """There is no such page; the message says what is missing."""


class Site(Struct, frozen=True):
    """What the pages are about, and who may ask for them."""

    catalogue: Catalogue
    guard: Guard
    pages: PageCache = field(default_factory=PageCache)

    def entry(self, run: str) -> RunEntry:
        """The run of an id; raises NotThere where there is none, or none that can be read."""
        entry = self.catalogue.find(run)
        if entry is None:
            raise NotThere(f"No run has the id {run[:60]!r}; it may have been moved or deleted.")
        if entry.problem:
            raise NotThere(entry.problem)
        return entry

    def open(self, run: str) -> OpenRun:
        """The run of an id with its index; the caller closes it."""
        return open_run(self.entry(run))


Answer = Callable[[Site, Request], Response]


def make_app(site: Site) -> ASGIApp:
    """The application that answers requests."""
    from adjudge.web.routes import more_routes

    routes = [
        Route("/", _page(site, show_runs)),
        Route("/run/{run}", _page(site, keep_pages(show_run))),
        Route("/run/{run}/conversations", _page(site, keep_pages(show_conversations))),
        Route("/run/{run}/c/{place:int}", _page(site, keep_pages(show_conversation))),
        *more_routes(lambda answer: _page(site, answer)),
        Route("/static/{name}", _page(site, show_static)),
    ]
    return _Guarded(Starlette(routes=routes, exception_handlers={404: _not_found}), site.guard)


def keep_pages(answer: Answer) -> Answer:
    """The same answer, taken from the pages that are kept where the files have not changed since."""

    def answer_again(site: Site, request: Request) -> Response:
        runs = [site.entry(request.path_params[name]) for name in ("run", "other") if name in request.path_params]
        address, stamp = f"{request.url.path}?{request.url.query}", " ".join(map(run_stamp, runs))
        page = site.pages.find(address, stamp)
        if page is not None:
            return Response(page, media_type="text/html")
        response = answer(site, request)
        if response.status_code == 200 and not isinstance(response, StreamingResponse):
            site.pages.keep(address, stamp, bytes(response.body))
        return response

    return answer_again


def show_runs(site: Site, request: Request) -> Response:
    """The list of runs."""
    view = runs_view(site.catalogue.entries(), dict(request.query_params))
    return html("runs.html", root=str(site.catalogue.root), **view)


def show_run(site: Site, request: Request) -> Response:
    """The overview of a run."""
    with site.open(request.path_params["run"]) as run:
        view = run_view(run, dict(request.query_params))
        return html("run.html", run_words=run_words, wrong_first=ListState(sort="-wrong"), **view)


def show_conversations(site: Site, request: Request) -> Response:
    """The conversations of a run; a search sends its page while it goes on."""
    pairs = query_pairs(request)
    state = parse_state(pairs)
    if is_from_form(pairs):
        return RedirectResponse(LINKS.conversations(request.path_params["run"], state), 303)
    run = site.open(request.path_params["run"])
    view = conversations_view(run, state)
    if state.text:
        return StreamingResponse(
            _closing(run, frame.render_parts("conversations.html", LINKS, **view)), media_type="text/html"
        )
    with run:
        return html("conversations.html", **view)


def show_conversation(site: Site, request: Request) -> Response:
    """One conversation."""
    with site.open(request.path_params["run"]) as run:
        place = checked_place(run, request.path_params["place"])
        return html("conversation.html", **conversation_view(run, place, parse_state(query_pairs(request))))


def show_static(_: Site, request: Request) -> Response:
    """The style sheet or the script."""
    name = request.path_params["name"]
    if name not in STATIC:
        raise NotThere(f"There is no file {name[:60]!r}.")
    return Response(frame.static_file(name), media_type=STATIC[name], headers={"cache-control": "no-cache"})


def html(template: str, status: int = 200, **view: Any) -> Response:
    """A page."""
    return Response(frame.render(template, LINKS, **view), status, media_type="text/html")


def error_answer(status: int, title: str, why: str, steps: tuple[str, ...] = ()) -> Response:
    """A page that says what is wrong, and what to do."""
    return html("error.html", status, title=title, why=why, steps=steps, live=False)


async def read_form(request: Request) -> dict[str, str]:
    """The fields of a form or of a JSON object; none of one that is too large or makes no sense."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LARGEST_FORM:
            return {}
    try:
        if request.headers.get("content-type", "").startswith("application/json"):
            return msgspec.json.decode(body, type=dict[str, str])
        return dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=50))
    except (ValueError, msgspec.MsgspecError):
        return {}


def query_pairs(request: Request) -> list[tuple[str, str]]:
    """The fields of the address in their order."""
    return parse_qsl(request.url.query, keep_blank_values=True, errors="replace", max_num_fields=200)


def checked_place(run: OpenRun, place: int) -> int:
    """The place of a conversation that is there; raises NotThere for any other."""
    if not 0 <= place < run.index.count:
        raise NotThere(f"{run.entry.name} has {run.index.count:,} conversations; none is at place {place}.")
    return place


def _page(site: Site, answer: Answer) -> Callable[[Request], Any]:
    """An answer that is made in a thread of its own, and that says what is wrong where there is none."""

    def respond(request: Request) -> Response:
        try:
            return answer(site, request)
        except NotThere as error:
            return error_answer(404, "There is no such page", str(error))
        except BeingIndexed as state:
            return html("error.html", 200, title="One moment", why=str(state), steps=(), live=True)
        except (BadInput, OSError) as error:
            return error_answer(500, "This page cannot be shown", str(error))
        except Exception as error:  # A fault of ours: the server and the other pages go on.
            return fault_answer(error)

    async def endpoint(request: Request) -> Response:
        request.state.form = await read_form(request) if request.method == "POST" else {}
        return await run_in_threadpool(respond, request)

    return endpoint


def _not_found(request: Request, _: Exception) -> Response:
    return error_answer(404, "There is no such page", f"Nothing is at {request.url.path[:100]}.")


def fault_answer(error: Exception) -> Response:
    """What to say of a page that could not be made; how it came about is printed in the terminal only."""
    print_exception(error)
    why = f"adjudge failed to make it ({type(error).__name__}). Your files were not changed, and nothing is lost."
    return error_answer(500, "This page could not be made", why, FAULT_STEPS)


def _closing(run: OpenRun, parts: Iterator[bytes]) -> Iterator[bytes]:
    """The parts of a page; where one cannot be made, the page says so in its place, because the rest is sent."""
    with run:
        try:
            yield from parts
        except Exception as error:
            print_exception(error)
            yield b'<p class="note warn">The page ends here: adjudge failed to make the rest. The terminal says more.'


class _Guarded:
    """The application behind the rules of who may ask, with the headers that go with every answer."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self.app, self.guard = app, guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        request = Request(scope)
        given = request.query_params.get("token", "")
        user = given or request.cookies.get(COOKIE, "")
        refusal = self.guard.refuse(request.method, request.headers, user)
        answer: ASGIApp = self.app
        if refusal is not None:
            answer = _refusal_answer(refusal)
        elif given and self.guard.user_token:
            answer = _welcome_answer(request, given)
        await answer(scope, receive, _with_headers(send))


def _refusal_answer(refusal: Refusal) -> Response:
    return Response(f"{refusal.why}\n", refusal.status, media_type="text/plain")


def _welcome_answer(request: Request, token: str) -> Response:
    """The same address without the token, which goes into a cookie."""
    rest = request.url.remove_query_params("token")
    response = RedirectResponse(f"{rest.path}?{rest.query}" if rest.query else rest.path, 303)
    response.set_cookie(COOKIE, token, httponly=True, samesite="strict")
    return response


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Any) -> None:
        if message["type"] == "http.response.start":
            present = {name.lower() for name, _ in message["headers"]}
            added = [(name.encode(), value.encode()) for name, value in HEADERS.items() if name.encode() not in present]
            if b"cache-control" not in present:
                added.append((b"cache-control", b"no-store"))
            message["headers"] = [*message["headers"], *added]
        await send(message)

    return send_with_headers
