"""The pages beside those of runs and conversations."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from adjudge.core.errors import BadInput
from adjudge.report.comparison import words as contrast_words
from adjudge.web.pages.comparison import comparison_view
from adjudge.web.pages.diff import diff_view
from adjudge.web.pages.label import label_view, take_answer
from adjudge.web.server import NotThere, Site, checked_place, error_answer, html, keep_pages, query_pairs

STALE = "The page does not hold the token of this server; go back, load it again and repeat the answer."


def more_routes(page: Callable[[Any], Any]) -> list[Route]:
    """The routes of differences, labels and reports."""
    return [
        Route("/diff/{run}/{place:int}/{other}/{place2:int}", page(keep_pages(show_diff))),
        Route("/run/{run}/differences", page(keep_pages(show_differences))),
        Route("/compare", page(show_comparison)),
        Route("/run/{run}/label", page(show_label)),
        Route("/run/{run}/label", page(save_label), methods=["POST"]),
        Route("/run/{run}/report", page(show_report)),
    ]


def show_diff(site: Site, request: Request) -> Response:
    """Two conversations side by side."""
    names = request.path_params
    with site.open(names["run"]) as first, site.open(names["other"]) as second:
        place, other = checked_place(first, names["place"]), checked_place(second, names["place2"])
        return html("diff.html", **diff_view(first, place, second, other))


def show_differences(site: Site, request: Request) -> Response:
    """Two arms of a run."""
    return _comparison(site, request, [request.path_params["run"]])


def show_comparison(site: Site, request: Request) -> Response:
    """Two arms of several runs."""
    runs = list(dict.fromkeys(value for name, value in query_pairs(request) if name == "run"))
    if not runs:
        raise NotThere("No run is chosen: tick two or more in the list of runs.")
    return _comparison(site, request, runs[:20])


def show_label(site: Site, request: Request) -> Response:
    """The queue of a rater."""
    with site.open(request.path_params["run"]) as run:
        return html("label.html", token=site.guard.page_token, **label_view(run, dict(request.query_params)))


def save_label(site: Site, request: Request) -> Response:
    """Keep an answer, and go on with the next item; where it cannot be kept, the answer stays on the page."""
    form = request.state.form
    if not site.guard.accepts(form.get("token", "")):
        return error_answer(403, "The answer was not saved", STALE)
    asked = dict(request.query_params)
    with site.open(request.path_params["run"]) as run:
        try:
            take_answer(run, asked, form)
        except (BadInput, OSError) as error:
            view = label_view(run, asked) | {"failed": str(error), "answered": form}
            return html("label.html", 422, token=site.guard.page_token, **view)
    return RedirectResponse(str(request.url.path) + (f"?{request.url.query}" if request.url.query else ""), 303)


def show_report(site: Site, request: Request) -> Response:
    """The report of a run, which is a page by itself with a policy of its own."""
    from adjudge.report.run.page import run_page
    from adjudge.run import Run

    entry = site.entry(request.path_params["run"])
    if entry.manifest is None:
        raise NotThere(f"{entry.name} is not scored yet.")
    page = run_page(Run(entry.folder))
    policy = page.split(b'http-equiv="Content-Security-Policy" content="', 1)[1].split(b'"', 1)[0].decode()
    policy = f"{policy.replace('&#39;', chr(39))}; frame-ancestors 'none'"
    return Response(page, media_type="text/html", headers={"content-security-policy": policy})


def _comparison(site: Site, request: Request, runs: list[str]) -> Response:
    asked = dict(request.query_params)
    with ExitStack() as stack:
        opened = [stack.enter_context(site.open(run)) for run in runs]
        if any(run.entry.manifest is None for run in opened):
            raise BadInput("a run that is not scored yet cannot be compared")
        kept = [(name, value) for name, value in query_pairs(request) if name in ("run", "a", "b")]
        narrowed = urlencode(kept) + ("&" if kept else "")
        return html(
            "comparison.html", contrast_words=contrast_words, narrowed=narrowed, **comparison_view(opened, asked)
        )
