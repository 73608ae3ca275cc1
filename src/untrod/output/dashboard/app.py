"""What is asked for, and what is answered."""

from __future__ import annotations

import secrets
from functools import cache, partial
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route

from untrod.core.errors import UntrodError
from untrod.output.dashboard.live import StoreChanges, stream
from untrod.output.dashboard.page import Page, main
from untrod.output.dashboard.pages import Pages
from untrod.output.html.markup import Html, code, tag
from untrod.output.html.page import document

POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; img-src data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def make_app(pages: Pages, changes: StoreChanges, folder: Path) -> Starlette:
    """`folder` is named on every page: one may have several dashboards open."""

    async def page(request: Request) -> Response:
        address = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        try:
            found = await run_in_threadpool(pages.at, address)
        except UntrodError as error:
            found = Page("untrod", main(tag("p", str(error), class_="trouble")), {})
            return _answer(found, folder, "", 404)
        return _answer(found, folder, address, 200)

    async def live(request: Request) -> Response:
        make = partial(pages.at, request.query_params.get("of", "/"))
        told = stream(changes, make, request.query_params.get("seen", ""))
        return StreamingResponse(told, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})

    return Starlette(routes=[Route("/live", live), Route("/{rest:path}", page)])


def _answer(page: Page, folder: Path, live: str, status: int) -> Response:
    """Without `live`, an address whose changes are told, the page stays as it is."""
    nonce = secrets.token_urlsafe(16)
    script = tag("script", Html(_beside("live.js")), nonce=nonce, data_of=live, data_seen=page.digest)
    said = tag("span", id="live", role="status")
    body = [
        tag("a", "Skip to the campaigns", href="#report", class_="skip"),
        tag(
            "header",
            tag("h1", tag("a", "untrod", href="/")),
            tag("p", "Campaigns of ", code(str(folder)), ". ", said, class_="soft"),
            tag("noscript", tag("p", "Without scripts this page does not change: load it again.")),
        ),
        page.main,
        tag("footer", tag("p", "This page reads and never writes. Campaigns are run on the command line.")),
        script if live else None,
    ]
    head = [tag("link", rel="icon", href="data:,"), Html(f"<style>{_beside('live.css')}</style>")]
    text = document(page.title, body, *head)
    return HTMLResponse(text, status, headers={"Content-Security-Policy": POLICY.format(nonce=nonce)})


@cache
def _beside(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
